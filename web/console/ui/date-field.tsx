import { addDays } from '../../../src/brasil/calendar.ts'
import { readDate, writeDate } from './date-text.ts'

interface DateInputProps {
  id: string
  placeholder: string
  title: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
  'aria-required': boolean
  onBlur(): void
  value: string
  today: string
  onType(value: string): void
}

const STEPS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 7, PageDown: -7 }

/** A date as text: `ddmmaaaa`, `hoje`; arrows move by a day, Page keys by a week, from today where it is empty. */
export function DateInput({ value, today, onType, ...rest }: DateInputProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const date = readDate(value, today)
    onType(writeDate(date === null ? today : addDays(date, step)))
  }
  return (
    <input
      {...rest}
      type="text"
      class="input"
      inputMode="numeric"
      autocomplete="off"
      value={value}
      onInput={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
