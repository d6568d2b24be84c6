import { dateInBrazil } from '../../brasil/calendar.ts'
import { anoOfWeek, semanaAt } from '../../brasil/epi-week.ts'
import type { Municipio } from '../../brasil/municipios.ts'
import type { SexoEFaixa } from '../../brasil/populacao-sexo-faixa.ts'
import type { Caller } from '../../caller/caller.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import type { FilterTest } from '../../filter.ts'
import type { App } from '../app.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { withinCaller } from '../casos/statistics/alcance.ts'
import { latestChange } from '../casos/statistics/mudancas.ts'
import { type PerfilPedido, perfilIn, perfilOf, sorotiposOf } from '../casos/statistics/perfil.ts'
import { momentoOf, periodoOf } from '../casos/statistics/periodo.ts'
import { testsOfLugares } from '../casos/statistics/recorte.ts'
import { type Lugar, type LugarPedido, lugarOf } from '../territorios/lugar.ts'
import { type Indicadores, indicadoresOf } from './indicadores.ts'

/** Indicators of one place: its cases by day of notification or week of onset, cut by the caller's territory, and its residents. */

type Needs = Pick<App, 'db' | 'clock' | 'municipios' | 'territorios' | 'populacao' | 'estruturaEtaria'>

export interface IndicadoresPedidos extends LugarPedido {
  tipo_agravo: TipoAgravo
  /** Days of notification. */
  data_inicio?: string | undefined
  data_fim?: string | undefined
  /** Weeks of onset. */
  semana_inicio?: string | undefined
  semana_fim?: string | undefined
  /** Serotypes by week. */
  serie: boolean
}

/** Days that the cases are of; null: open. */
export interface PeriodoDosIndicadores {
  data_base: 'notificacao' | 'sintomas'
  inicio: string | null
  fim: string | null
  semana_inicio: string | null
  semana_fim: string | null
}

export interface RespostaDosIndicadores extends Indicadores {
  lugar: Lugar
  parcial: boolean
  dados_ate: string | null
  periodo: PeriodoDosIndicadores
  populacao: number | null
  populacao_ano: number | null
  /** Year of the structure by sex and age. */
  estrutura_ano: number | null
}

export async function indicadores(
  app: Needs,
  caller: Pick<Caller, 'territorio'>,
  pedido: IndicadoresPedidos,
): Promise<RespostaDosIndicadores> {
  const lugar = lugarOf(app, pedido)
  const today = dateInBrazil(app.clock.now())
  const { periodo, ano } = periodoDosIndicadores(pedido, today)
  const alcance = withinCaller(app, caller, lugar)
  const { tipo_agravo: tipo, serie } = pedido
  const perfil: PerfilPedido = {
    filter: {
      kind: 'and',
      of: [test('tipo_agravo', 'eq', tipo), ...testsOfLugares(alcance.lugares), ...timeTests(periodo)],
    },
    lugar: alcance,
    municipios: app.municipios,
    today,
  }
  const counted = await app.db.snapshot(async (tx) => ({
    grupos: await perfilOf(tx, perfil),
    semPopulacao: await perfilIn(tx, perfil, codesWithoutPopulation(app, alcance.municipios, ano)),
    sorotipos: tipo === 'dengue' ? await sorotiposOf(tx, perfil, serie) : [],
    dados_ate: await latestChange(tx, tipo, alcance.lugares),
  }))
  const residentes = await residentesOf(app, alcance.municipios, ano)
  const { populacao, estrutura_ano, ...cells } = residentes
  return {
    lugar,
    parcial: alcance.parcial,
    dados_ate: counted.dados_ate,
    periodo,
    populacao,
    populacao_ano: populacao === null ? null : app.populacao.knownYear(ano),
    estrutura_ano,
    ...indicadoresOf(counted, cells, serie),
  }
}

/** The period, and the year whose population it is compared with: that of its end, the current one where that is open. */
function periodoDosIndicadores(
  pedido: IndicadoresPedidos,
  today: string,
): { periodo: PeriodoDosIndicadores; ano: number } {
  const { data_inicio, data_fim, semana_inicio, semana_fim } = pedido
  refuse(problemsOfKinds(pedido))
  if ((semana_inicio ?? semana_fim) !== undefined) {
    const { first, last } = periodoOf({ semana_inicio, semana_fim }, momentoOf(today, {}))
    const [begin, end] = [semanaAt(first), semanaAt(last)]
    const days = { inicio: begin.inicio, fim: end.fim }
    const weeks = { semana_inicio: begin.codigo, semana_fim: end.codigo }
    return { periodo: { data_base: 'sintomas', ...days, ...weeks }, ano: anoOfWeek(last) }
  }
  const problems: Problem[] = []
  if (data_inicio !== undefined && data_inicio > today)
    problems.push(problem('query', ['data_inicio'], 'IN_FUTURE', {}))
  if (data_inicio !== undefined && data_fim !== undefined && data_fim < data_inicio)
    problems.push(problem('query', ['data_fim'], 'BEFORE', { field: 'data_inicio' }))
  refuse(problems)
  const days = { inicio: data_inicio ?? null, fim: data_fim ?? null }
  return {
    periodo: { data_base: 'notificacao', ...days, semana_inicio: null, semana_fim: null },
    ano: Number((data_fim ?? today).slice(0, 4)),
  }
}

/** Weeks do not go together with days. */
function problemsOfKinds({
  data_inicio,
  data_fim,
  semana_inicio,
  semana_fim,
}: IndicadoresPedidos): Problem[] {
  if ((data_inicio ?? data_fim) === undefined) return []
  const field = data_inicio === undefined ? 'data_fim' : 'data_inicio'
  return Object.entries({ semana_inicio, semana_fim })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => problem('query', [name], 'INCONSISTENT', { field }))
}

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
}

const test = (field: string, op: 'eq' | 'gte' | 'lte', value: string): FilterTest => ({
  ...{ kind: 'test', field },
  ...{ op, value },
})

function timeTests({ inicio, fim, semana_inicio, semana_fim }: PeriodoDosIndicadores): FilterTest[] {
  if (semana_inicio !== null && semana_fim !== null) {
    const field = 'semana_epidemiologica_sintomas'
    return [test(field, 'gte', semana_inicio), test(field, 'lte', semana_fim)]
  }
  return [
    ...(inicio === null ? [] : [test('data_inicio', 'gte', inicio)]),
    ...(fim === null ? [] : [test('data_fim', 'lte', fim)]),
  ]
}

/** Too new to have figures: their residents count, but are in no rate. */
function codesWithoutPopulation(
  { populacao }: Needs,
  municipios: readonly Municipio[],
  ano: number,
): number[] {
  return municipios.filter((one) => populacao.populationOf(one, ano) === null).map(({ codigo }) => codigo)
}

/** Year of the standard population, that of the last census. */
const ANO_PADRAO = 2022

async function residentesOf(
  { populacao, estruturaEtaria, municipios: { all } }: Needs,
  municipios: readonly Municipio[],
  ano: number,
): Promise<{
  populacao: number | null
  estrutura_ano: number | null
  lugar: readonly SexoEFaixa[] | null
  padrao: readonly SexoEFaixa[]
}> {
  const estrutura = await estruturaEtaria()
  const residents = populacao.populationOfAll(municipios, ano)
  const structure = estrutura.structureOf(municipios, ano)
  const isOfYear = populacao.knownYear(ano) === estrutura.knownYear(ano)
  return {
    populacao: residents,
    estrutura_ano: structure === null ? null : estrutura.knownYear(ano),
    lugar: isOfYear || structure === null || residents === null ? structure : scaledTo(structure, residents),
    padrao: estrutura.structureOf(all, ANO_PADRAO) ?? [],
  }
}

/** The population of a year in the shares of another: residents by sex and age are known for few years. */
function scaledTo(structure: readonly SexoEFaixa[], residents: number): SexoEFaixa[] {
  const total = structure.reduce((sum, { populacao }) => sum + populacao, 0)
  if (total === 0) return [...structure]
  return structure.map((grupo) => ({
    ...grupo,
    populacao: Math.round((grupo.populacao / total) * residents),
  }))
}
