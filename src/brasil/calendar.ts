/** Calendar dates are text, `YYYY-MM-DD`: they compare as they stand, and no time zone moves them. */

/** The first and the last date that have this spelling. */
export const FIRST_DATE = '0001-01-01'
export const LAST_DATE = '9999-12-31'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Made when first needed: a formatter takes 20 ms, at the start of every process. */
let dateFormat: Intl.DateTimeFormat | undefined
let momentFormat: Intl.DateTimeFormat | undefined

/** Only real dates in one spelling: PostgreSQL itself would accept `today` and `infinity`. */
export function isCalendarDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** The date in Brazil at a moment. Brasília is two or three hours behind: but for one hour a day, the date is the same by both. */
export function dateInBrazil(moment: Date): string {
  const hoursBehind = (hours: number) =>
    new Date(moment.getTime() - hours * HOUR_MS).toISOString().slice(0, 10)
  const date = hoursBehind(3)
  if (date === hoursBehind(2)) return date
  dateFormat ??= new Intl.DateTimeFormat('en-CA', {
    timeZone: 'America/Sao_Paulo',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return dateFormat.format(moment)
}

/** Date and time of day in Brazil at a moment, `YYYY-MM-DD HH:MM:SS`. */
export function timeInBrazil(moment: Date): string {
  momentFormat ??= new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/Sao_Paulo',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return momentFormat.format(moment)
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Days from one date to the other; negative where the other is earlier. */
export const daysBetween = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS

/** Completed years from one date to the other. */
export function yearsBetween(birth: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(birth.slice(0, 4))
  return date.slice(5) < birth.slice(5) ? years - 1 : years
}
