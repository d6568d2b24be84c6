import { useLayoutEffect, useRef } from 'preact/hooks'
import { preferences } from '../state/preferences.ts'

/** Begins a sequence: the letter behind it is of that alone. */
const FIRST = 'g'
/** Milliseconds within which the second letter of `g p` must come. */
const SEQUENCE_MS = 1_500

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName))

/**
 * Keys by name: `ctrl+k`, `?`, `g s` (one after the other). Single letters can be switched off (WCAG 2.1.4), and are never taken
 * while one types; none is while a dialogue or a panel is open. Innermost first: a screen hears a key at the document, the frame at
 * the window, behind it; a key that was taken is nobody else's (`defaultPrevented`).
 */
export function useKeys(keys: Record<string, () => void>, of: EventTarget = document): void {
  const latest = useRef(keys)
  latest.current = keys
  // Before the screen is seen: no key is lost.
  useLayoutEffect(() => {
    let firstAt = Number.NEGATIVE_INFINITY
    const onKeyDown = (e: Event) => {
      const event = e as KeyboardEvent
      const name = `${event.ctrlKey || event.metaKey ? 'ctrl+' : ''}${event.key.toLowerCase()}`
      const isSingle = !name.startsWith('ctrl+')
      const isBusy = document.querySelector('dialog[open], :popover-open') !== null
      if (event.altKey || isBusy || (isSingle && !isFree(event))) return
      const isSecond = event.timeStamp - firstAt < SEQUENCE_MS
      firstAt = name === FIRST && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY
      const act = event.defaultPrevented ? undefined : latest.current[isSecond ? `${FIRST} ${name}` : name]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    of.addEventListener('keydown', onKeyDown)
    return () => of.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Enter and Space on a link or button are its own. */
const isActivating = ({ key, target }: KeyboardEvent) =>
  (key === 'Enter' || key === ' ') &&
  target instanceof Element &&
  target.closest('a, button, summary') !== null

const isFree = (event: KeyboardEvent) =>
  preferences.value.teclas && !isTyping(event.target) && !isActivating(event)
