import type { QueryValue } from '../api/rows.ts'
import { ESPECIFICO, type Filters, PARAMETERS, type Parameter, SIMPLE_NAMES } from './filter-address.ts'
import { semanasOf } from './periodo.ts'

/** The filter as it is asked of the service. */

type ApiQuery = Record<string, QueryValue>

function simpleQuery(filters: Filters): ApiQuery {
  const query: ApiQuery = {}
  for (const name of SIMPLE_NAMES) {
    const { api, as }: Parameter = PARAMETERS[name]
    const value = filters[name]
    if (value === null) continue
    const sent = as?.[value] ?? value
    query[api] = typeof sent === 'string' ? sent : sent()
  }
  for (const [nome, value] of Object.entries(filters.especificos)) query[ESPECIFICO + nome] = value
  // A municipality or region has its state with it.
  if (filters.municipio !== null || filters.regiao !== null) delete query.estado
  if (filters.classificacao !== 'notificado') query.classificacao = filters.classificacao
  return query
}

/** Days within the weeks: cases whose onset is in no week are in no period by onset, whichever way it is written. */
function daysQuery({ periodo, base }: Filters): ApiQuery {
  if (periodo.kind !== 'datas') return {}
  const { de, ate } = periodo
  return base === 'sintomas'
    ? { 'data_inicio_sintomas[gte]': de, 'data_inicio_sintomas[lte]': ate }
    : { data_inicio: de, data_fim: ate }
}

/** The filter as parameters of the list, the export and the facets. */
export function casosQuery(filters: Filters, today: string): ApiQuery {
  const semanas = semanasOf(filters.periodo, today)
  const field = filters.base === 'sintomas' ? 'semana_epidemiologica_sintomas' : 'semana_epidemiologica'
  const isByDay = filters.periodo.kind === 'datas' && filters.base === 'notificacao'
  return {
    ...simpleQuery(filters),
    ...daysQuery(filters),
    ...(semanas !== null && !isByDay && { [`${field}[gte]`]: semanas.de, [`${field}[lte]`]: semanas.ate }),
  }
}

/** The filter as parameters of the painel, which counts by weeks. */
export function painelQuery(filters: Filters, today: string): ApiQuery {
  const semanas = semanasOf(filters.periodo, today)
  return {
    ...simpleQuery(filters),
    ...daysQuery(filters),
    data_base: filters.base,
    ...(filters.periodo.kind === 'ano'
      ? { ano: filters.periodo.ano }
      : semanas !== null && { semana_inicio: semanas.de, semana_fim: semanas.ate }),
  }
}

/** Map that the place of a filter lies on: the states, or the municipalities of one. */
export const mapaOf = ({ uf }: Pick<Filters, 'uf'>): string => (uf ?? 'br').toLowerCase()
