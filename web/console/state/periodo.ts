import { addDays, isCalendarDate } from '../../../src/brasil/calendar.ts'
import { semanaAt, semanaByCodigo, semanaOf, weekOf, weeksIn } from '../../../src/brasil/epi-week.ts'

/** Time of a recorte. */

/** `12m`: the 52 epidemiological weeks up to the current one. `temporada`: from week 30 to week 29 of the next year. */
export type Periodo =
  | { kind: 'ano'; ano: number }
  | { kind: 'datas'; de: string; ate: string }
  | { kind: 'semanas'; de: string; ate: string }
  | { kind: '12m' }
  | { kind: 'temporada'; ano: number }
  | { kind: 'sempre' }

/** Years that can be chosen from a list; others can be in an address. */
export const YEARS = 26

const isSemana = (codigo: string) => semanaByCodigo(codigo) !== null
const FIRST_ANO = 1970
const LAST_ANO = 2100
const isAno = (ano: number) => ano >= FIRST_ANO && ano <= LAST_ANO

export function readPeriodo(text: string): Periodo | null {
  if (text === '12m' || text === 'sempre') return { kind: text }
  const temporada = /^temporada-(\d{4})$/.exec(text)?.[1]
  if (temporada !== undefined)
    return isAno(Number(temporada)) ? { kind: 'temporada', ano: Number(temporada) } : null
  if (/^\d{4}$/.test(text)) return isAno(Number(text)) ? { kind: 'ano', ano: Number(text) } : null
  const [de = '', ate = '', ...more] = text.split('..')
  if (more.length > 0 || ate < de || !isAno(Number(de.slice(0, 4))) || !isAno(Number(ate.slice(0, 4))))
    return null
  if (isSemana(de) && isSemana(ate)) return { kind: 'semanas', de, ate }
  return isCalendarDate(de) && isCalendarDate(ate) ? { kind: 'datas', de, ate } : null
}

export function writePeriodo(periodo: Periodo): string {
  switch (periodo.kind) {
    case 'ano':
      return String(periodo.ano)
    case 'temporada':
      return `temporada-${periodo.ano}`
    case 'datas':
    case 'semanas':
      return `${periodo.de}..${periodo.ate}`
    default:
      return periodo.kind
  }
}

/** First and last epidemiological week of a period; null: without limits. */
export function semanasOf(periodo: Periodo, today: string): { de: string; ate: string } | null {
  switch (periodo.kind) {
    case 'sempre':
      return null
    case 'ano':
      return { de: `${periodo.ano}01`, ate: `${periodo.ano}${weeksIn(periodo.ano)}` }
    case 'temporada':
      return { de: `${periodo.ano}30`, ate: `${periodo.ano + 1}29` }
    case '12m': {
      const current = weekOf(today)
      return { de: semanaAt(current - 51).codigo, ate: semanaAt(current).codigo }
    }
    case 'semanas':
      return { de: periodo.de, ate: periodo.ate }
    case 'datas':
      return { de: semanaOf(periodo.de).codigo, ate: semanaOf(periodo.ate).codigo }
  }
}

/** First and last day of a period; null: without limits. */
export function diasOf(periodo: Periodo, today: string): { de: string; ate: string } | null {
  if (periodo.kind === 'datas') return { de: periodo.de, ate: periodo.ate }
  const semanas = semanasOf(periodo, today)
  if (semanas === null) return null
  const first = semanaByCodigo(semanas.de)?.inicio ?? today
  return { de: first, ate: semanaByCodigo(semanas.ate)?.fim ?? addDays(first, 6) }
}
