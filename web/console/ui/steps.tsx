import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

export interface Step {
  key: string
  title: string
  /** Fact of a step that is behind. */
  note?: string | undefined
  href?: string | undefined
}

/** Steps of a wizard; the last one is done when it is reached. */
export function Steps({ steps, current }: { steps: readonly Step[]; current: string }) {
  const at = steps.findIndex(({ key }) => key === current)
  return (
    <ol class="import-steps">
      {steps.map(({ key, title, note, href }, index) => {
        const isDone = index < at || (index === at && at === steps.length - 1)
        return (
          <li
            key={key}
            class={index === at ? 'now' : isDone ? 'done' : 'later'}
            aria-current={index === at ? 'step' : undefined}
          >
            <i aria-hidden="true">{isDone ? <Icon name="done" /> : index + 1}</i>
            {href === undefined || index === at ? <b>{title}</b> : <a href={href}>{title}</a>}
            {note !== undefined && <small>{note}</small>}
          </li>
        )
      })}
    </ol>
  )
}

/** Heading of a step; takes the focus when its step is reached. */
export function StepHeading({ children }: { children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  )
}
