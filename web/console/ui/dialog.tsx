import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { ConnectionBars } from './states.tsx'

interface DialogProps {
  title: string
  /** Absent: it cannot be closed without an answer. */
  onClose?: () => void
  /** The title is only read out. */
  hiddenTitle?: boolean
  kind?: string
  children: ComponentChildren
}

/** A modal `<dialog>`: the browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, hiddenTitle = false, kind = '', children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: by keys it is closed with Esc
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onClick={(event) => {
        // The backdrop is the dialog itself.
        if (event.target === dialog.current) onClose?.()
      }}
    >
      <div class="dialog-body">
        <h2 id={id} class={hiddenTitle ? 'unseen' : undefined}>
          {title}
        </h2>
        {/* Those of the page are behind it, and out of reach. */}
        <ConnectionBars />
        {children}
      </div>
    </dialog>
  )
}
