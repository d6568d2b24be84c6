import { useLayoutEffect, useRef } from 'preact/hooks'
import { preferences } from '../state/preferences.ts'

/** Milliseconds within which the second letter of `g p` must come. */
const SEQUENCE_MS = 1_500

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName))

/**
 * Keys by name: `ctrl+k`, `?`, `g s` (one after the other). Single letters can be switched off (WCAG 2.1.4), and are never taken
 * while one types; none is while a dialogue is open.
 */
export function useKeys(keys: Record<string, () => void>): void {
  const latest = useRef(keys)
  latest.current = keys
  // Before the screen is seen: no key is lost.
  useLayoutEffect(() => {
    let before: { key: string; at: number } | null = null
    const onKeyDown = (event: KeyboardEvent) => {
      const name = `${event.ctrlKey || event.metaKey ? 'ctrl+' : ''}${event.key.toLowerCase()}`
      const isSingle = !name.startsWith('ctrl+')
      const isBusy = document.querySelector('dialog[open]') !== null
      if (event.altKey || isBusy || (isSingle && !isFree(event))) return
      const sequence =
        before !== null && event.timeStamp - before.at < SEQUENCE_MS ? `${before.key} ${name}` : name
      const act = latest.current[sequence] ?? latest.current[name]
      before = isSingle && act === undefined ? { key: name, at: event.timeStamp } : null
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Enter and Space on a link or button are its own. */
const isActivating = ({ key, target }: KeyboardEvent) =>
  (key === 'Enter' || key === ' ') &&
  target instanceof Element &&
  target.closest('a, button, summary') !== null

const isFree = (event: KeyboardEvent) =>
  preferences.value.teclas && !isTyping(event.target) && !isActivating(event)
