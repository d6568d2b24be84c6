import { useId } from 'preact/hooks'

interface GivenCheckProps {
  label: string
  note?: string | undefined
  checked: boolean
  /** Cannot be changed; the note says why. Stays reachable by keys, so that it is read out. */
  isFixed: boolean
  onChange(checked: boolean): void
}

/** A right that can be given or taken. */
export function GivenCheck({ label, note, checked, isFixed, onChange }: GivenCheckProps) {
  const id = useId()
  return (
    <div class={isFixed ? 'check fixed' : 'check'}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-disabled={isFixed}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onClick={(event) => {
          if (isFixed) event.preventDefault()
        }}
        onChange={(event) => {
          if (!isFixed) onChange(event.currentTarget.checked)
        }}
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
