import { FIRST_DATE, LAST_DATE } from './calendar.ts'

/**
 * The epidemiological week: Sunday to Saturday; week 1 is the one that holds 4 January; written `YYYYWW` with the year
 * of the week, not of the day. Not ISO 8601, whose weeks begin on Monday.
 */

const DAY_MS = 86_400_000

export interface Semana {
  codigo: string
  inicio: string
  fim: string
}

export const semanaOf = (date: string): Semana => semanaFrom(sundayOf(new Date(`${date}T00:00:00Z`)))

const semanaFrom = (sunday: Date): Semana => ({
  codigo: codigoOf(sunday),
  inicio: dayOf(sunday),
  fim: dayOf(new Date(sunday.getTime() + 6 * DAY_MS)),
})

/** `YYYYWW` alone, by integer arithmetic: lists write two of them for every case. */
export function codigoDaSemana(date: string): string {
  const year = Number(date.slice(0, 4))
  // Rare: years that need leading zeros, some of which `Date.UTC` reads as those of the twentieth century.
  if (year < 1_000) return semanaOf(date).codigo
  const day = Date.UTC(year, Number(date.slice(5, 7)) - 1, Number(date.slice(8))) / DAY_MS
  const sunday = day - weekdayOf(day)
  for (const candidate of [year + 1, year, year - 1]) {
    const first = firstSundayOf(candidate)
    if (sunday >= first) return `${candidate}${String((sunday - first) / 7 + 1).padStart(2, '0')}`
  }
  throw new Error(`${date} is in no week`)
}

/** Days from Sunday; 1 January 1970 was a Thursday. */
const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7

/** Number of the day, counted from 1970, on which the first week of a year begins. */
function firstSundayOf(year: number): number {
  const fourth = Date.UTC(year, 0, 4) / DAY_MS
  return fourth - weekdayOf(fourth)
}

/**
 * Weeks on one continuous line, each by its number: 0 begins on 4 January 1970, a Sunday. Differences of weeks are differences of
 * these numbers, across years of 52 and 53 weeks alike.
 */
export function weekOf(date: string): number {
  return Math.floor((Date.parse(`${date}T00:00:00Z`) / DAY_MS - FIRST_SUNDAY) / 7)
}

const FIRST_SUNDAY = 3

const sundayAt = (week: number): Date => new Date((FIRST_SUNDAY + week * 7) * DAY_MS)

export const sundayOfWeek = (week: number): string => sundayAt(week).toISOString().slice(0, 10)

const MOST_WEEKS = 10_000
const weeks = new Map<number, Readonly<Semana>>()

/** Caches weeks: every curve and panel names the same few hundred. */
export function semanaAt(week: number): Readonly<Semana> {
  const known = weeks.get(week)
  if (known !== undefined) return known
  const semana = Object.freeze(semanaFrom(sundayAt(week)))
  if (weeks.size < MOST_WEEKS) weeks.set(week, semana)
  return semana
}

/** Year of the code of a week: that of its Wednesday, since 4 January is in week 1. */
export const anoOfWeek = (week: number): number =>
  new Date((FIRST_SUNDAY + week * 7 + 3) * DAY_MS).getUTCFullYear()

/** First week of a year. */
export const firstWeekOf = (ano: number): number => (firstSundayOf(ano) - FIRST_SUNDAY) / 7

/** 52 or 53. */
export const weeksIn = (ano: number): number => firstWeekOf(ano + 1) - firstWeekOf(ano)

function codigoOf(sunday: Date): string {
  const year = new Date(sunday.getTime() + 3 * DAY_MS).getUTCFullYear()
  const week = (sunday.getTime() - firstSunday(year).getTime()) / (7 * DAY_MS) + 1
  return `${String(year).padStart(4, '0')}${String(week).padStart(2, '0')}`
}

/** `YYYYWW` → the week, or null where that year has no such week. */
export function semanaByCodigo(codigo: string): Semana | null {
  if (!/^\d{6}$/.test(codigo) || codigo.startsWith('0000')) return null
  const semana = semanaOf(firstDayOf(codigo))
  return semana.codigo === codigo ? semana : null
}

/** The Sunday on which `YYYYWW` begins; for a week 53 that its year does not have, where the next year's first does. */
export function firstDayOf(codigo: string): string {
  const [year, week] = [Number(codigo.slice(0, 4)), Number(codigo.slice(4))]
  return dayOf(new Date(firstSunday(year).getTime() + (week - 1) * 7 * DAY_MS))
}

function firstSunday(year: number): Date {
  const fourth = new Date(0)
  fourth.setUTCFullYear(year, 0, 4)
  return sundayOf(fourth)
}

function sundayOf(date: Date): Date {
  return new Date(date.getTime() - date.getUTCDay() * DAY_MS)
}

/** Weeks at the ends of the calendar are cut off there. */
function dayOf(date: Date): string {
  const year = date.getUTCFullYear()
  if (year < 1) return FIRST_DATE
  return year > 9999 ? LAST_DATE : date.toISOString().slice(0, 10)
}
