import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../state/texts.ts'

interface PageProps {
  title: string
  lead?: string
  actions?: ComponentChildren
  children: ComponentChildren
}

/** Heading of a screen. It takes the focus when the screen appears, so that it is read out and Tab goes on from there. */
export function Page({ title, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${texts().app.name}`
  }, [title])
  // At once: a late focus would take it from a reader who has gone on by keys.
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <header class="head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p class="sub">{lead}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}
