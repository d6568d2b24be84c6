import { useEffect, useId, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** Milliseconds after the last key. */
const PAUSE_MS = 400
const MOST_LETTERS = 200

interface SearchFieldProps {
  label: string
  value: string | null
  onChange(value: string | null): void
}

/** Text that a list is narrowed by, applied after a pause or with Enter. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const id = useId()
  const [text, setText] = useState(value ?? '')
  useEffect(() => setText(value ?? ''), [value])
  const apply = () => {
    const wanted = text.trim()
    if (wanted !== (value ?? '')) onChange(wanted === '' ? null : wanted)
  }
  useEffect(() => {
    const timer = setTimeout(apply, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <form
      class="list-search"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <Icon name="search" />
      <label for={id} class="unseen">
        {label}
      </label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        maxLength={MOST_LETTERS}
        placeholder={label}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </form>
  )
}
