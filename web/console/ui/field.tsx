import { useEffect, useId, useRef } from 'preact/hooks'

interface FieldProps {
  label: string
  value: string
  onInput(value: string): void
  type?: 'text' | 'email' | 'password' | 'time'
  name?: string
  autocomplete?: 'username' | 'current-password' | 'new-password' | 'one-time-code' | 'off'
  inputMode?: 'text' | 'numeric'
  maxLength?: number
  problem?: string | undefined
  note?: string | undefined
  /** Takes the focus when it appears. */
  isFirst?: boolean
}

/** A labelled input; its problem is read out with it. */
export function Field({
  label,
  problem,
  note,
  type = 'text',
  isFirst = false,
  onInput,
  ...attributes
}: FieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFirst) input.current?.focus()
  }, [isFirst])
  const described = [problem !== undefined && `${id}-problem`, note !== undefined && `${id}-note`].filter(
    Boolean,
  )
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...attributes}
        // Each type has attributes of its own in the types of Preact; these fit all.
        type={type as 'text'}
        ref={input}
        id={id}
        class="input"
        onInput={(event) => onInput(event.currentTarget.value)}
        aria-invalid={problem !== undefined}
        aria-describedby={described.length > 0 ? described.join(' ') : undefined}
      />
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {note !== undefined && (
        <p class="note" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  )
}

interface CheckProps {
  label: string
  note?: string
  checked: boolean
  onChange(checked: boolean): void
}

export function Check({ label, note, checked, onChange }: CheckProps) {
  const id = useId()
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      />
      <div>
        <label for={id}>{label}</label>
        {note !== undefined && (
          <p class="note" id={`${id}-note`}>
            {note}
          </p>
        )}
      </div>
    </div>
  )
}
