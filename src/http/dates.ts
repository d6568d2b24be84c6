/** Only real dates in one spelling: PostgreSQL itself would accept `today` and `infinity`. */
export function isCalendarDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) || text.startsWith('0000')) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const MOMENT = /^([0-9-]{10})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-5]):\d{2})$/

/** ISO 8601 with a time zone (spec 4.8), in a year of four digits wherever it is read. */
export function isMoment(text: string): boolean {
  const [, date = ''] = MOMENT.exec(text) ?? []
  if (!isCalendarDate(date)) return false
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}
