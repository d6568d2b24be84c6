/** Calendar dates are text, `YYYY-MM-DD`: they compare as they stand, and no time zone moves them. */

/** The first and the last date that have this spelling. */
export const FIRST_DATE = '0001-01-01'
export const LAST_DATE = '9999-12-31'

const DAY_MS = 86_400_000
const IN_BRAZIL = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** Only real dates in one spelling: PostgreSQL itself would accept `today` and `infinity`. */
export function isCalendarDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) || text.startsWith('0000')) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** The date in Brazil at a moment. */
export function dateInBrazil(moment: Date): string {
  return IN_BRAZIL.format(moment)
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Completed years from one date to the other. */
export function yearsBetween(birth: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(birth.slice(0, 4))
  return date.slice(5) < birth.slice(5) ? years - 1 : years
}
