import { addDays, isCalendarDate } from '../../../src/brasil/calendar.ts'

/** Dates as people type them: `14112026`, `14/11/26`, `hoje`; shown as `14/11/2026`. */

const TODAY = new Set(['hoje', 'h', 'today', 'hoy'])
const YESTERDAY = new Set(['ontem', 'yesterday', 'ayer'])

/** Calendar date of a text, `AAAA-MM-DD`; null where it is none. Two digits of a year are never in the future. */
export function readDate(text: string, today: string): string | null {
  const word = text.trim().toLowerCase()
  if (TODAY.has(word)) return today
  if (YESTERDAY.has(word)) return addDays(today, -1)
  if (isCalendarDate(word)) return word
  const parts =
    /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4}|\d{2})$/.exec(word) ?? /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(word)
  if (parts === null) return null
  const [, day = '', month = '', year = ''] = parts
  const date = (century: string) => `${century}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const found = year.length === 4 ? date('') : date('20') <= today ? date('20') : date('19')
  return isCalendarDate(found) ? found : null
}

export const writeDate = (date: string): string => `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
