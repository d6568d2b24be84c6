import { CONFIRMADOS } from '../../../../src/domain/casos/enumeracoes.ts'
import { PATHS } from '../../paths.ts'
import { yearsOf } from '../../state/faixas.ts'
import {
  addressOf,
  emptyFilters,
  type FilterRules,
  type Filters,
  placed,
  type SimpleName,
} from '../../state/filter-address.ts'
import type { Periodo } from '../../state/periodo.ts'

/** From a number of the painel to the list of exactly its cases. No link where the filter and the number exclude each other: it is zero then. */

export interface Week {
  semana: string
  inicio: string
  fim: string
}

export type Narrowing = Partial<Record<SimpleName, string>>
export const HOSPITALIZED: Narrowing = { hospitalizacao: 'sim' }
export const DIED: Narrowing = { evolucao: 'obito' }
export const INVESTIGATED: Narrowing = { evolucao: 'obito_em_investigacao' }

export function casosPath(filters: Filters | null, { today }: FilterRules): string | undefined {
  return filters === null ? undefined : addressOf(PATHS.casos, placed(filters), { today })
}

/** Of the page; none where there is no page. */
const searchNow = () => (globalThis as { location?: { search: string } }).location?.search ?? ''

/** Quality of the records of the same disease and place; its days are those of notification. */
export function qualidadePath({ agravo, uf, regiao, municipio }: Filters, { today }: FilterRules): string {
  const place = placed({ ...emptyFilters({ today }), agravo, uf, regiao, municipio })
  return addressOf(PATHS.qualidade, place, { today })
}

/** The painel of another filter; series of the curve go along. */
export const painelPath = (filters: Filters, rules: FilterRules, without: readonly string[] = []): string =>
  addressOf(PATHS.painel, placed(filters), rules, { search: searchNow(), without })

/** The filter with more tests; null where it has another value already. */
export function narrowed(filters: Filters, by: Narrowing): Filters | null {
  const entries = Object.entries(by) as [SimpleName, string][]
  if (entries.some(([name, value]) => filters[name] !== null && filters[name] !== value)) return null
  return { ...filters, ...by }
}

/** Groups that the painel counts, within the classification that is asked for. */
export function ofConfirmados(filters: Filters): Filters | null {
  const { classificacao } = filters
  if (classificacao === 'provavel' || classificacao === 'notificado')
    return { ...filters, classificacao: 'confirmado' }
  return (CONFIRMADOS as readonly string[]).includes(classificacao) ? filters : null
}

/** A place of the answer: letters of a state, or seven digits of a municipality. */
export function inPlace(filters: Filters, codigo: string): Filters {
  if (codigo.length === 2) return { ...filters, uf: codigo }
  const { municipio, bairro } = filters
  // A neighbourhood is of its municipality.
  const isOther = municipio !== null && municipio !== codigo
  return { ...filters, municipio: codigo, regiao: null, bairro: isOther ? null : bairro }
}

/** The same, and the unknown one among municipalities; cases of no known state have no filter of their own. */
export function atPlace(filters: Filters, codigo: string | null, nivel: string | null): Filters | null {
  if (codigo !== null) return inPlace(filters, codigo)
  return nivel === 'municipio' ? { ...filters, lugar: 'desconhecido' } : null
}

const later = (one: string, other: string) => (one > other ? one : other)
const earlier = (one: string, other: string) => (one < other ? one : other)

/** Weeks from one to another, cut by the days of the filter where it has some. */
export function duringWeeks(filters: Filters, first: Week, last: Week): Filters {
  const { periodo } = filters
  const during: Periodo =
    periodo.kind === 'datas'
      ? { kind: 'datas', de: later(periodo.de, first.inicio), ate: earlier(periodo.ate, last.fim) }
      : { kind: 'semanas', de: first.semana, ate: last.semana }
  return { ...filters, periodo: during }
}

/** Cases of a sex and age band within the ages that are asked for. */
export function ofAge(filters: Filters, sexo: string, faixa: string): Filters | null {
  const found = narrowed(filters, { sexo })
  if (found === null) return null
  const { de, ate } = yearsOf(faixa)
  const limits = (one: number | null, other: string | null) =>
    [one, other].filter((limit) => limit !== null).map(Number)
  const from = limits(de, filters.idade_de)
  const to = limits(ate, filters.idade_ate)
  const [least, most] = [Math.max(...from), Math.min(...to)]
  if (from.length > 0 && to.length > 0 && least > most) return null
  return {
    ...found,
    idade_de: from.length === 0 ? null : String(least),
    idade_ate: to.length === 0 ? null : String(most),
  }
}
