import type { Filter, FilterTest } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { ANY_TIME, type Period, type ScopePlace, scopeOf, TERRITORIO } from '../counters/scope.ts'
import type { TipoAgravo } from '../enumeracoes.ts'

/** Cases that are counted: places, disease, days of notification. */
export interface Selecao {
  codigos: readonly number[]
  /** States whose cases of an unknown municipality belong to it; null: all, cases without a state included. */
  semMunicipio: readonly string[] | null
  tipo_agravo: TipoAgravo | null
  data_inicio: string
  data_fim: string
  /** Units that notified them, null for cases without one; absent: any. */
  unidades?: readonly (string | null)[]
}

type Reference = Pick<App, 'municipios' | 'territorios'>

export type Places = Pick<Selecao, 'codigos' | 'semMunicipio'>

export function placesOf(
  { municipios, territorios }: Reference,
  lugares: readonly ScopePlace[] | null,
): Places {
  if (lugares === null) return { codigos: municipios.all.map(({ codigo }) => codigo), semMunicipio: null }
  return {
    codigos: lugares.flatMap(({ uf, codigo }) =>
      codigo === null ? territorios.municipiosOf(uf).map((one) => one.codigo) : [codigo],
    ),
    semMunicipio: lugares.flatMap(({ uf, codigo }) => (codigo === null ? [uf] : [])),
  }
}

/** Cases among which possible duplicates are looked for. */
export interface Candidatos {
  codigos: readonly number[]
  /** Onsets of those that are asked for. */
  sintomas: Period
}

const LIMITING_FIELDS: readonly string[] = [
  ...['estado', 'regiao_saude', 'municipio', TERRITORIO],
  'semana_epidemiologica_sintomas',
]

/** Municipalities and onsets that a filter is limited to by its plain tests; all of them where it names none. */
export function candidatosIn(reference: Reference, filter: Filter): Candidatos {
  const tests = filter.kind === 'and' ? filter.of : [filter]
  const isLimiting = (one: Filter): one is FilterTest =>
    one.kind === 'test' && LIMITING_FIELDS.includes(one.field) && one.op !== 'ne'
  const scope = scopeOf({ kind: 'and', of: tests.filter(isLimiting) }, reference.municipios)
  const { codigos } = placesOf(reference, scope?.lugares ?? null)
  return { codigos, sintomas: scope?.sintomas ?? ANY_TIME }
}
