import { useEffect, useRef } from 'preact/hooks'

/** Message about an event, focused so that it is read out and seen. */
export function Notice({ kind, text }: { kind: 'error' | 'done' | 'info'; text: string }) {
  const element = useRef<HTMLParagraphElement>(null)
  useEffect(() => element.current?.focus(), [text])
  return (
    <p ref={element} class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'} tabIndex={-1}>
      {text}
    </p>
  )
}
