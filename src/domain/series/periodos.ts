import { addDays, isCalendarDate } from '../../brasil/calendar.ts'
import { codigoDaSemana, firstWeekOf, semanaByCodigo, weekOf, weeksIn } from '../../brasil/epi-week.ts'

/**
 * Periods on one continuous line each, by number: days and weeks since 1970, months and years since year 0. A block holds one year of
 * them, a slot each; the slot of a day is that of a leap year, so that 1 March is slot 60 (counted from 0) in every year.
 */

export const PERIODOS = ['dia', 'semana', 'mes', 'ano'] as const
export type Periodo = (typeof PERIODOS)[number]

export const SLOTS: Record<Periodo, number> = { dia: 366, semana: 53, mes: 12, ano: 1 }

/** Name of the field that holds a period. */
export const CAMPO_DO_PERIODO: Record<Periodo, string> = {
  dia: 'data',
  semana: 'semana',
  mes: 'mes',
  ano: 'ano',
}

export const FIRST_YEAR = 1950

/** Years of a question: from the first that has values to the next one. */
export const isKnownYear = (ano: number, today: string): boolean =>
  ano >= FIRST_YEAR && ano <= Number(today.slice(0, 4)) + 1

const DAY_MS = 86_400_000
/** Days before each month in a leap year. */
const BEFORE_MONTH = [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335]
const LEAP_DAY = 59

export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS

/** Tables of the days of questions and values; days before and after are computed. */
const TABLE_FIRST_YEAR = FIRST_YEAR - 1
const TABLE_LAST_YEAR = 2_100
const TABLE_FIRST_DAY = Date.UTC(TABLE_FIRST_YEAR, 0, 1) / DAY_MS
const TABLE_DAYS = Date.UTC(TABLE_LAST_YEAR + 1, 0, 1) / DAY_MS - TABLE_FIRST_DAY
const YEARS = new Int16Array(TABLE_DAYS)
const SLOTS_OF_DAYS = new Int16Array(TABLE_DAYS)
for (let ano = TABLE_FIRST_YEAR, i = 0; ano <= TABLE_LAST_YEAR; ano++)
  for (let slot = 0; slot < SLOTS.dia; slot++) {
    if (slot === LEAP_DAY && !isLeap(ano)) continue
    YEARS[i] = ano
    SLOTS_OF_DAYS[i++] = slot
  }

const isInTable = (day: number) => day >= TABLE_FIRST_DAY && day < TABLE_FIRST_DAY + TABLE_DAYS

/** Caches the texts of days: every answer writes the same few thousand. */
const dates: (string | undefined)[] = new Array(TABLE_DAYS)

export function dateOfDay(day: number): string {
  if (!isInTable(day)) return isoOf(day)
  const known = dates[day - TABLE_FIRST_DAY]
  if (known !== undefined) return known
  const date = isoOf(day)
  dates[day - TABLE_FIRST_DAY] = date
  return date
}

const isoOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** First day of a week, by their numbers: week 0 begins on 4 January 1970. */
export const sundayAt = (week: number): number => 7 * week + 3

/** Number of the period that a date lies in. */
export function periodOf(periodo: Periodo, date: string): number {
  if (periodo === 'dia') return dayOf(date)
  if (periodo === 'semana') return weekOf(date)
  const ano = Number(date.slice(0, 4))
  return periodo === 'ano' ? ano : ano * 12 + Number(date.slice(5, 7)) - 1
}

export function yearOf(periodo: Periodo, index: number): number {
  if (periodo === 'dia') return yearOfDay(index)
  if (periodo === 'semana') return yearOfDay(sundayAt(index) + 3)
  return periodo === 'ano' ? index : Math.floor(index / 12)
}

const yearOfDay = (day: number): number =>
  isInTable(day) ? (YEARS[day - TABLE_FIRST_DAY] as number) : new Date(day * DAY_MS).getUTCFullYear()

export function slotOf(periodo: Periodo, index: number): number {
  if (periodo === 'dia') {
    if (isInTable(index)) return SLOTS_OF_DAYS[index - TABLE_FIRST_DAY] as number
    const date = new Date(index * DAY_MS)
    return (BEFORE_MONTH[date.getUTCMonth()] as number) + date.getUTCDate() - 1
  }
  if (periodo === 'semana') return index - firstWeekOf(yearOf('semana', index))
  return periodo === 'ano' ? 0 : index % 12
}

/** Null for a slot that the year lacks: 29 February, week 53. */
export function periodAt(periodo: Periodo, ano: number, slot: number): number | null {
  if (periodo === 'dia') return dayAt(ano, slot)
  if (periodo === 'semana') return slot < weeksIn(ano) ? firstWeekOf(ano) + slot : null
  return periodo === 'ano' ? ano : ano * 12 + slot
}

function dayAt(ano: number, slot: number): number | null {
  if (slot === LEAP_DAY && !isLeap(ano)) return null
  const first = Date.UTC(ano, 0, 1) / DAY_MS
  return first + slot - (slot > LEAP_DAY && !isLeap(ano) ? 1 : 0)
}

function isLeap(ano: number): boolean {
  return ano % 4 === 0 && (ano % 100 !== 0 || ano % 400 === 0)
}

export function firstDayOfPeriod(periodo: Periodo, index: number): string {
  if (periodo === 'dia') return dateOfDay(index)
  if (periodo === 'semana') return dateOfDay(sundayAt(index))
  return periodo === 'ano' ? `${year(index)}-01-01` : `${monthCode(index)}-01`
}

export function lastDayOfPeriod(periodo: Periodo, index: number): string {
  if (periodo === 'dia') return dateOfDay(index)
  if (periodo === 'semana') return dateOfDay(sundayAt(index) + 6)
  return addDays(firstDayOfPeriod(periodo, index + 1), -1)
}

/** As it is written: `2020-01-05`, `202002`, `2020-01`, `2020`. */
export function codeOfPeriod(periodo: Periodo, index: number): string {
  if (periodo === 'dia') return dateOfDay(index)
  if (periodo === 'semana') return codeOfWeek(index)
  return periodo === 'ano' ? year(index) : monthCode(index)
}

/** Caches the codes of weeks. */
const codes: (string | undefined)[] = new Array(Math.ceil(TABLE_DAYS / 7))

function codeOfWeek(week: number): string {
  const day = sundayAt(week)
  if (!isInTable(day)) return codigoDaSemana(dateOfDay(day))
  const at = Math.floor((day - TABLE_FIRST_DAY) / 7)
  const known = codes[at]
  if (known !== undefined) return known
  const code = codigoDaSemana(dateOfDay(day))
  codes[at] = code
  return code
}

/** The reverse; null for what is no period of this kind. */
export function readPeriod(periodo: Periodo, text: string): number | null {
  if (periodo === 'dia') return isCalendarDate(text) ? dayOf(text) : null
  if (periodo === 'semana') {
    const semana = semanaByCodigo(text)
    return semana === null ? null : weekOf(semana.inicio)
  }
  if (periodo === 'ano') return /^\d{4}$/.test(text) && text !== '0000' ? Number(text) : null
  const [, ano, mes] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  return ano === undefined || ano === '0000' ? null : Number(ano) * 12 + Number(mes) - 1
}

/** The week's Wednesday decides to which month and year it belongs. */
export const wednesdayOf = (week: number): string => dateOfDay(sundayAt(week) + 3)

/** Weeks whose Wednesday lies in a month or year. */
export function weeksWithin(periodo: 'mes' | 'ano', index: number): number[] {
  const weeks: number[] = []
  const last = firstDayOfPeriod(periodo, index + 1)
  for (let week = weekOf(firstDayOfPeriod(periodo, index)); wednesdayOf(week) < last; week++)
    if (periodOf(periodo, wednesdayOf(week)) === index) weeks.push(week)
  return weeks
}

const year = (ano: number) => String(ano).padStart(4, '0')
const monthCode = (index: number) =>
  `${year(Math.floor(index / 12))}-${String((index % 12) + 1).padStart(2, '0')}`
