import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** Part of a list that most visits never see: what it asks for is asked for once it is unfolded. */
export function Folded({ title, children }: { title: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="folded unprinted" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}
