import { useEffect, useId, useState } from 'preact/hooks'
import { texts } from '../../state/texts.ts'
import { Icon } from '../../ui/icon.tsx'

/** Milliseconds after the last key. */
const PAUSE_MS = 400

/** Search by notification number and neighbourhood. Names are encrypted: the field says that they cannot be searched. */
export function SearchBox({
  value,
  onChange,
}: {
  value: string | null
  onChange(value: string | null): void
}) {
  const t = texts().casos
  const id = useId()
  const [text, setText] = useState(value ?? '')
  useEffect(() => setText(value ?? ''), [value])
  const apply = () => {
    const wanted = text.trim()
    if (wanted === (value ?? '') || wanted.startsWith('{')) return
    onChange(wanted === '' ? null : wanted)
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
        {t.search}
      </label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        maxLength={200}
        placeholder={t.searchPlaceholder}
        title={t.searchNote}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </form>
  )
}
