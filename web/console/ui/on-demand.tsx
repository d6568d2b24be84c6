import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadCode } from '../state/code.ts'
import { Awaited } from './states.tsx'

interface OnDemandProps<P> {
  load: () => Promise<{ default: ComponentType<P> }>
  props?: P
}

/** A part that most visits never see: its code comes when it is shown. */
export function OnDemand<P extends object = object>({ load, props }: OnDemandProps<P>) {
  const [part, setPart] = useState<{ default: ComponentType<P> } | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => void loadCode(load).then(setPart, setError), [])
  return part === null ? <Awaited error={error} /> : <part.default {...(props ?? ({} as P))} />
}
