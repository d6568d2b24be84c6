import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { loadCode } from '../state/code.ts'
import { texts } from '../state/texts.ts'
import { Popover } from './popover.tsx'
import type { Tela, ViewsPanelProps } from './saved-views-panel.tsx'
import { Awaited } from './states.tsx'

/** Button to the saved views of a screen; their panel is loaded when it is opened. */
export function SavedViews({ tela }: { tela: Tela }) {
  const label = texts().filtros.views
  return (
    <Popover label={label} kind="button quiet" panel={(close) => <LatePanel tela={tela} close={close} />}>
      {label}
    </Popover>
  )
}

function LatePanel(props: ViewsPanelProps) {
  const [Panel, setPanel] = useState<ComponentType<ViewsPanelProps> | null>(null)
  const [error, setError] = useState<unknown>(null)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    loadCode(() => import('./saved-views-panel.tsx')).then((code) => setPanel(() => code.default), setError)
  }, [])
  // Opened by a key: the focus follows.
  useEffect(() => box.current?.querySelector('input')?.focus(), [Panel])
  return <div ref={box}>{Panel === null ? <Awaited error={error} lines={3} /> : <Panel {...props} />}</div>
}
