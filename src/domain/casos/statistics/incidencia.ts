import { dateInBrazil } from '../../../brasil/calendar.ts'
import type { Municipio } from '../../../brasil/municipios.ts'
import { residentsByYear } from '../../../brasil/populacao.ts'
import { invalid } from '../../../errors/catalogue.ts'
import type { Filter } from '../../../filter.ts'
import { ratePer100k } from '../../../statistics/rate.ts'
import { roundOrNull } from '../../../statistics/rounding.ts'
import type { App } from '../../app.ts'
import { scopeOf } from '../counters/scope.ts'
import type { Summary } from './estatisticas.ts'
import type { Agrupamento, CountedGroup } from './grupos.ts'
import { inMunicipios, lugarOfFilter, soleTipoOf, testsOf } from './recorte.ts'

/** Incidence of a summary: cases for each 100,000 residents of its places, in the year of each period. */

type Parts = Pick<App, 'municipios' | 'territorios' | 'populacao' | 'clock'>

/** Refuses filters under which cases and residents would not be of the same people. */
export function assertHasResidents(filter: Filter, municipios: App['municipios']): void {
  soleTipoOf(filter, municipios)
  if (scopeOf(filter, municipios) !== null) return
  const other = testsOf(filter).find((test) => scopeOf(test, municipios) === null)
  throw invalid('query', ['metricas'], 'INCONSISTENT', { field: other?.field ?? 'search' })
}

/** `summaryOf` answers the same request for other cases; it is asked for those of municipalities that nobody has counted. */
export async function withIncidencia(
  { municipios, territorios, populacao, clock }: Parts,
  filter: Filter,
  summary: Summary,
  summaryOf: (filter: Filter) => Promise<Summary>,
): Promise<Summary> {
  const lugar = lugarOfFilter({ municipios, territorios }, filter)
  const ano = yearOf(summary.periodo.fim ?? dateInBrazil(clock.now()))
  const uncounted = lugar.municipios.filter((municipio) => populacao.populationOf(municipio, ano) === null)
  const outside =
    uncounted.length === 0 ? null : await summaryOf({ kind: 'and', of: [filter, inMunicipios(uncounted)] })
  const residentsIn = residentsByYear(populacao, lugar.municipios)
  const rate = (casos: number, left: number | undefined, residents: number | null) =>
    roundOrNull(ratePer100k(casos - (left ?? 0), residents), 4)

  const leftAt = new Map(outside?.serie?.points.map(({ periodo, total }) => [periodo, total]))
  const groupsWithRates = ([chave, rows]: [string, CountedGroup[]]) => {
    const key = chave as Agrupamento
    const left = new Map(outside?.grupos[key]?.map(({ valor, total }) => [valor, total]))
    const placeOf = PLACE_OF_GROUP[key]
    const parts = placeOf && Map.groupBy(lugar.municipios, placeOf)
    const residentsOf = ({ valor }: CountedGroup) =>
      valor === null ? null : populacao.populationOfAll(parts?.get(valor) ?? [], ano)
    const withRate = (row: CountedGroup) => ({
      ...row,
      incidencia: rate(row.total, left.get(row.valor), residentsOf(row)),
    })
    return [key, rows.map(withRate)]
  }
  return {
    ...summary,
    populacao: { residentes: residentsIn(ano), ano: populacao.knownYear(ano) },
    numeros: {
      ...summary.numeros,
      incidencia: rate(summary.numeros.total, outside?.numeros.total, residentsIn(ano)),
    },
    serie: summary.serie && {
      ...summary.serie,
      points: summary.serie.points.map((point) => ({
        ...point,
        incidencia: rate(point.total, leftAt.get(point.periodo), residentsIn(yearOf(point.periodo))),
      })),
    },
    grupos: Object.fromEntries(Object.entries(summary.grupos).map(groupsWithRates)),
  }
}

/** Of a day, a month or a week: for a week that of its code. */
const yearOf = (periodo: string) => Number(periodo.slice(0, 4))

/** Groups that have residents, by the value that a municipality belongs to. */
const PLACE_OF_GROUP: Partial<Record<Agrupamento, (municipio: Municipio) => string>> = {
  estado: ({ uf }) => uf,
  regiao_saude: ({ regiao }) => String(regiao?.codigo),
  municipio: ({ codigo }) => String(codigo),
}
