import { sundayOfWeek, weekOf } from '../../brasil/epi-week.ts'
import type { Municipio } from '../../brasil/municipios.ts'
import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import type { ScopePlace } from '../casos/counters/scope.ts'
import {
  type CountsByGrupo,
  countsIn,
  listDelays,
  type WeekQuery,
  weeksOf,
} from '../casos/counters/semanas.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import type { LugarNoAlcance } from '../casos/statistics/alcance.ts'
import type { ContagemSemanal, LugarContado, SerieSemanal } from './serie.ts'

/** Weekly cases of a place with the residents they are compared with. */

type Reference = Pick<App, 'municipios' | 'territorios' | 'populacao'>

/** Weeks to read; a limit that is null reaches to the first or last case. */
export interface SemanasPedidas {
  tipo: TipoAgravo
  first: number | null
  last: number | null
  /** Counts only what was typed in until the end of this week. */
  known: number | null
}

export interface CasosContados extends LugarContado {
  /** All cases, those without a usable onset and those with an onset that cannot be, whatever the period. */
  total: number
  sem_data: number
  inicio_implausivel: number
  /** Left out for want of an entry date, in the weeks read; null: as known now. */
  sem_digitacao: number | null
}

export async function countLugar(
  db: Db,
  reference: Reference,
  alcance: LugarNoAlcance,
  pedido: SemanasPedidas,
): Promise<CasosContados> {
  const { lugares, municipios } = alcance
  const query = queryOf(pedido, lugares)
  const uncounted = withoutPopulation(reference, municipios)
  const [weeks, known, outside] = await Promise.all([
    weeksOf(db, query),
    pedido.known === null ? null : knownThen(db, query, pedido.known),
    uncounted.length === 0 ? new Map() : serieOf(db, queryOf(pedido, uncounted), pedido.known),
  ])
  return {
    serie: known?.serie ?? toSerie(weeks.semanas),
    semPopulacao: outside,
    ...residentsOf(reference, municipios),
    total: weeks.total,
    sem_data: countsIn(weeks.sem_data, 'notificados').total,
    inicio_implausivel: countsIn(weeks.inicio_implausivel, 'notificados').total,
    sem_digitacao: known?.sem_digitacao ?? null,
  }
}

const queryOf = ({ tipo, first, last }: SemanasPedidas, lugares: WeekQuery['lugares']): WeekQuery => ({
  tipo,
  lugares,
  from: first === null ? null : sundayOfWeek(first),
  to: last === null ? null : sundayOfWeek(last),
})

/** Municipalities that are too new to have figures; a place made of nothing else has no rates anyway. */
export function withoutPopulation(
  { populacao }: Pick<Reference, 'populacao'>,
  municipios: readonly Municipio[],
): ScopePlace[] {
  const ano = populacao.anos.at(-1) as number
  const unknown = municipios.filter((municipio) => populacao.populationOf(municipio, ano) === null)
  return unknown.length === municipios.length ? [] : unknown.map(({ uf, codigo }) => ({ uf, codigo }))
}

/** Residents by year, each year added up once. */
export function residentsOf(
  { populacao }: Pick<Reference, 'populacao'>,
  municipios: readonly Municipio[],
): Pick<LugarContado, 'populacao' | 'populacaoAno'> {
  const byYear = new Map<number, number | null>()
  const residents = (ano: number) => {
    const known = populacao.knownYear(ano)
    if (!byYear.has(known)) byYear.set(known, populacao.populationOfAll(municipios, known))
    return byYear.get(known) as number | null
  }
  return {
    populacao: residents,
    populacaoAno: (ano) => (residents(ano) === null ? null : populacao.knownYear(ano)),
  }
}

async function serieOf(db: Db, query: WeekQuery, known: number | null): Promise<SerieSemanal> {
  if (known !== null) return (await knownThen(db, query, known)).serie
  return toSerie((await weeksOf(db, query)).semanas)
}

function toSerie(semanas: readonly { inicio: string; casos: CountsByGrupo }[]): SerieSemanal {
  return new Map(semanas.map(({ inicio, casos }) => [weekOf(inicio), toContagem(casos)]))
}

function toContagem(casos: CountsByGrupo): ContagemSemanal {
  const { total: notificados, hospitalizados, obitos } = countsIn(casos, 'notificados')
  return {
    notificados,
    descartados: casos.descartado.total,
    confirmados: casos.confirmado.total,
    inconclusivos: casos.inconclusivo.total,
    em_investigacao: casos.em_investigacao.total,
    hospitalizados,
    obitos,
  }
}

const UNKNOWN_DELAY = -1

/** Cases as they were known at the end of a week. Counters of delays know discarded cases from others, and nothing more. */
async function knownThen(
  db: Db,
  query: WeekQuery,
  known: number,
): Promise<{ serie: SerieSemanal; sem_digitacao: number }> {
  const serie = new Map<number, ContagemSemanal>()
  let sem_digitacao = 0
  for (const { inicio, situacao, atraso, total } of await listDelays(db, query)) {
    const week = weekOf(inicio)
    if (atraso === UNKNOWN_DELAY) sem_digitacao += total
    if (atraso === UNKNOWN_DELAY || week + atraso > known) continue
    const { notificados, descartados } = serie.get(week) ?? { notificados: 0, descartados: 0 }
    serie.set(week, {
      ...UNKNOWN_CLASSES,
      notificados: notificados + total,
      descartados: descartados + (situacao === 'd' ? total : 0),
    })
  }
  return { serie, sem_digitacao }
}

const UNKNOWN_CLASSES = {
  confirmados: null,
  inconclusivos: null,
  em_investigacao: null,
  hospitalizados: null,
  obitos: null,
}
