import { UFS } from '../../../../src/brasil/uf.ts'
import type { TipoAgravo } from '../../../../src/domain/casos/enumeracoes.ts'
import { PERIODOS, type Periodo } from '../../../../src/domain/series/periodos.ts'
import { isAgravo } from '../../state/agravos.ts'
import { ufOfCode } from '../../state/estados.ts'
import type { Filters } from '../../state/filter-address.ts'
import type { Serie } from './serie-data.ts'
import { serieHref } from './serie-links.ts'

/** Part of a series that its screen shows, which is the address of the screen. */

export type Place = Pick<Filters, 'uf' | 'regiao' | 'municipio'>

export const ANOS = [1, 2, 5, 10] as const
const DEFAULT_ANOS = 2
const DEFAULT_AGRAVO: TipoAgravo = 'dengue'

export const METODOS = ['spearman', 'pearson_log'] as const
export type Metodo = (typeof METODOS)[number]

export interface Recorte extends Place {
  /** Period that the values are drawn by. */
  por: Periodo
  anos: number
  /** Period of the map; null: the last with a value. */
  em: string | null
  agravo: TipoAgravo
  /** Series that the correlation is with, instead of cases; null: the cases. */
  com: string | null
  metodo: Metodo
  /** Moment whose values are shown; null: those of now. */
  conhecidos: string | null
  /** Page of the revisions. */
  pagina: number
}

/** Periods that a series can be asked by: its own, and longer ones. Days are drawn as weeks unless they are asked for. */
export const periodsOf = ({ periodo }: Pick<Serie, 'periodo'>): readonly Periodo[] =>
  PERIODOS.slice(PERIODOS.indexOf(periodo))
const usualPeriod = ({ periodo }: Pick<Serie, 'periodo'>): Periodo => (periodo === 'dia' ? 'semana' : periodo)

const CODE: Record<Periodo, RegExp> = {
  dia: /^\d{4}-\d{2}-\d{2}$/,
  semana: /^\d{6}$/,
  mes: /^\d{4}-\d{2}$/,
  ano: /^\d{4}$/,
}

export function readRecorte(search: string, serie: Pick<Serie, 'periodo'>): Recorte {
  const given = new URLSearchParams(search)
  const take = (name: string, pattern: RegExp) => {
    const value = given.get(name) ?? ''
    return pattern.test(value) ? value : null
  }
  const placeCode = (name: string, pattern: RegExp) => {
    const code = take(name, pattern)
    return code !== null && ufOfCode(code) !== null ? code : null
  }
  const municipio = placeCode('municipio', /^\d{7}$/)
  const regiao = municipio === null ? placeCode('regiao', /^\d{5}$/) : null
  const inside = municipio ?? regiao
  const por = periodsOf(serie).find((one) => one === given.get('por')) ?? usualPeriod(serie)
  return {
    uf: inside === null ? (UFS.find((one) => one === given.get('uf')) ?? null) : ufOfCode(inside),
    regiao,
    municipio,
    por,
    anos: ANOS.find((one) => String(one) === given.get('anos')) ?? DEFAULT_ANOS,
    em: take('em', CODE[por]),
    agravo: [given.get('agravo')].find((one) => one !== null && isAgravo(one)) ?? DEFAULT_AGRAVO,
    com: take('com', /^\w{2,40}$/),
    metodo: METODOS.find((one) => one === given.get('metodo')) ?? 'spearman',
    conhecidos: take('conhecidos', /^[\d-]+T[\d:.]+Z$/),
    pagina: Math.min(1_000_000, Math.max(1, Math.trunc(Number(given.get('pagina'))) || 1)),
  }
}

export function recortePath(
  { codigo, periodo }: Pick<Serie, 'codigo' | 'periodo'>,
  recorte: Recorte,
): string {
  const { uf, regiao, municipio, por, anos, em, agravo, com, metodo, conhecidos, pagina } = recorte
  const entries = Object.entries({
    uf: municipio === null && regiao === null ? uf : null,
    regiao,
    municipio,
    por: por === usualPeriod({ periodo }) ? null : por,
    anos: anos === DEFAULT_ANOS ? null : String(anos),
    em,
    agravo: agravo === DEFAULT_AGRAVO ? null : agravo,
    com,
    metodo: metodo === 'spearman' ? null : metodo,
    conhecidos,
    pagina: pagina > 1 ? String(pagina) : null,
  }).filter((entry): entry is [string, string] => entry[1] !== null)
  const query = new URLSearchParams(entries)
  return query.size === 0 ? serieHref(codigo) : `${serieHref(codigo)}?${query}`
}

/** A place by its code: letters of a state, five digits of a region, seven of a municipality. */
export const placeOf = (codigo: string): Place =>
  codigo.length === 2
    ? { uf: codigo, regiao: null, municipio: null }
    : codigo.length === 5
      ? { uf: null, regiao: codigo, municipio: null }
      : { uf: null, regiao: null, municipio: codigo }

/** Days of the last so many years up to the end of the series. */
export function daysOf({ ultimo, periodo }: Pick<Serie, 'ultimo' | 'periodo'>, anos: number) {
  if (ultimo === null) return {}
  const end = new Date(`${ultimo}T00:00:00Z`)
  if (periodo === 'semana') end.setUTCDate(end.getUTCDate() + 6)
  if (periodo === 'mes') end.setUTCMonth(end.getUTCMonth() + 1, 0)
  if (periodo === 'ano') end.setUTCMonth(12, 0)
  const begin = new Date(end)
  begin.setUTCFullYear(begin.getUTCFullYear() - anos)
  begin.setUTCDate(begin.getUTCDate() + 1)
  const text = (date: Date) => date.toISOString().slice(0, 10)
  return { inicio: text(begin), fim: text(end) }
}
