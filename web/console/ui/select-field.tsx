import { useId } from 'preact/hooks'

interface SelectFieldProps<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange(value: V): void
  note?: string | undefined
}

/** A labelled choice of one. */
export function SelectField<V extends string>({
  label,
  value,
  options,
  onChange,
  note,
}: SelectFieldProps<V>) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={(event) => onChange(event.currentTarget.value as V)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {note !== undefined && (
        <p class="note" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  )
}
