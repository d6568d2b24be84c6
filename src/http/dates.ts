import { isCalendarDate } from '../brasil/calendar.ts'

const MOMENT = /^([0-9-]{10})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-5]):\d{2})$/

/** ISO 8601 with a time zone (spec 4.8), in a year of four digits wherever it is read. */
export function isMoment(text: string): boolean {
  const [, date = ''] = MOMENT.exec(text) ?? []
  if (!isCalendarDate(date)) return false
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}
