import { addDays, dateInBrazil } from '../../brasil/calendar.ts'

/** Time of a schedule. */

export const DIAS_DA_SEMANA = ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado'] as const

/** Brasília has no daylight-saving time since 2019. */
const OFFSET = '-03:00'

/** First moment after `now` that falls on the weekday and the time of the day in Brasília. */
export function proximaVez({ dia_semana, hora }: { dia_semana: number; hora: string }, now: Date): Date {
  const today = dateInBrazil(now)
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  const momentIn = (days: number) => new Date(`${addDays(today, days)}T${hora}:00${OFFSET}`)
  const days = (dia_semana - weekday + 7) % 7
  const next = momentIn(days)
  return next > now ? next : momentIn(days + 7)
}
