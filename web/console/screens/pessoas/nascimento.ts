import { readDate } from '../../ui/date-text.ts'

const MONTH = /^(0?[1-9]|1[0-2])[/.\- ](\d{4})$/
const YEAR = /^\d{4}$/

/** Day, month or year of birth as people type it, as the API takes it; null where it is none, undefined where nothing is typed. */
export function readNascimento(text: string, today: string): string | null | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  if (YEAR.test(typed)) return typed
  const [, month, year] = MONTH.exec(typed) ?? []
  if (month !== undefined) return `${year}-${month.padStart(2, '0')}`
  return readDate(typed, today)
}
