import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface PopoverProps {
  /** Of the button. */
  children: ComponentChildren
  label: string
  kind?: string
  onOpen?: () => void
  /** Drawn while it is open; `close` gives the focus back to the button. */
  panel(close: () => void): ComponentChildren
}

const GAP = 6

/**
 * A button with a panel below it, in the top layer: no box around can cut it off. Esc and a click elsewhere close it (`popover=auto`). On a small
 * screen it is a sheet at the bottom.
 */
export function Popover({ children, label, kind = 'button plain', onOpen, panel }: PopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    if (!isOpen) return
    const wanted = box.current?.querySelector<HTMLElement>('input:checked') ?? null
    const first = wanted ?? box.current?.querySelector<HTMLElement>('input, select, button, a')
    first?.focus()
    place(button.current, box.current)
  }, [isOpen])
  const close = () => {
    box.current?.hidePopover()
    button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={kind}
        popovertarget={id}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
      >
        {children}
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        class="popover"
        onToggle={(event) => {
          const opens = (event as unknown as ToggleEvent).newState === 'open'
          if (opens) onOpen?.()
          setOpen(opens)
        }}
      >
        {isOpen && panel(close)}
      </div>
    </>
  )
}

/** Below the button, within the window. The small screen's sheet has its place from the style sheet. */
function place(button: HTMLElement | null, box: HTMLElement | null): void {
  if (button === null || box === null) return
  const from = button.getBoundingClientRect()
  const left = Math.max(GAP, Math.min(from.left, innerWidth - box.offsetWidth - GAP))
  const top = Math.max(GAP, Math.min(from.bottom + GAP, innerHeight - box.offsetHeight - GAP))
  box.style.setProperty('--left', `${left}px`)
  box.style.setProperty('--top', `${top}px`)
}
