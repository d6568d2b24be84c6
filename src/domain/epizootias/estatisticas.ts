import { semanaOf } from '../../brasil/epi-week.ts'
import type { Caller } from '../../caller/caller.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { withinCaller } from '../casos/statistics/alcance.ts'
import { type Lugar, type LugarPedido, lugarOf } from '../territorios/lugar.ts'
import {
  type AgregacaoDeEpizootias,
  type ContagemDeEpizootias,
  countPeriods,
  type GrupoDeEpizootias,
  type RecorteDeEpizootias,
} from './contagens.sql.ts'

/** Numbers of events by time and by one property, from the counters. */

export interface EstatisticasPedidas extends LugarPedido {
  agregacao: AgregacaoDeEpizootias
  agrupar_por?: GrupoDeEpizootias | undefined
  suspeita?: string | undefined
  especie_grupo?: string | undefined
  classificacao?: string | undefined
  inicio?: string | undefined
  fim?: string | undefined
}

interface Numeros {
  eventos: number
  animais_mortos: number
}

export interface NumerosDoPeriodo extends Numeros {
  /** `202004`, `2020-01` or `2020`. */
  periodo: string
  inicio: string
  grupo: string | null
}

export interface Estatisticas extends Numeros {
  lugar: Lugar
  /** True where a part of the place lies outside of the caller's territory. */
  parcial: boolean
  /** Periods with an event alone. */
  periodos: NumerosDoPeriodo[]
  grupos: (Numeros & { valor: string })[]
  /** Events that have no place in the periods: those of which only month or year are known. */
  sem_data: { mes: number; ano: number }
}

export type EstatisticasNeeds = Pick<App, 'db' | 'municipios' | 'territorios'>

/** Precisions that a period can tell. */
const FITTING: Record<AgregacaoDeEpizootias, readonly ContagemDeEpizootias['precisao'][]> = {
  semana: ['dia'],
  mes: ['dia', 'mes'],
  ano: ['dia', 'mes', 'ano'],
}

export async function estatisticasDeEpizootias(
  app: EstatisticasNeeds,
  caller: Pick<Caller, 'territorio'>,
  pedido: EstatisticasPedidas,
): Promise<Estatisticas> {
  const { agregacao, agrupar_por = null, inicio = null, fim = null } = pedido
  if (inicio !== null && fim !== null && fim < inicio)
    throw invalid('query', ['fim'], 'BEFORE', { field: 'inicio' })
  const { lugar, parcial, lugares } = withinCaller(app, caller, lugarOf(app, pedido))
  const recorte: RecorteDeEpizootias = {
    lugares,
    suspeita: pedido.suspeita ?? null,
    especie_grupo: pedido.especie_grupo ?? null,
    classificacao: pedido.classificacao ?? null,
    inicio,
    fim,
  }
  const rows = await countPeriods(app.db, recorte, agregacao, agrupar_por)
  const isTold = ({ precisao }: ContagemDeEpizootias) => FITTING[agregacao].includes(precisao)
  const untold = (precisao: ContagemDeEpizootias['precisao']) =>
    sumOf(rows.filter((row) => row.precisao === precisao && !isTold(row))).eventos
  return {
    lugar,
    parcial,
    ...sumOf(rows),
    periodos: periodsOf(rows.filter(isTold), agregacao),
    grupos: agrupar_por === null ? [] : groupsOf(rows),
    sem_data: { mes: untold('mes'), ano: untold('ano') },
  }
}

function periodsOf(
  rows: readonly ContagemDeEpizootias[],
  agregacao: AgregacaoDeEpizootias,
): NumerosDoPeriodo[] {
  const together = Map.groupBy(rows, ({ periodo, grupo }) => JSON.stringify([periodo, grupo]))
  return [...together.values()].map((those) => {
    const { periodo: inicio, grupo } = those[0] as ContagemDeEpizootias
    return { periodo: codeOf(agregacao, inicio), inicio, grupo, ...sumOf(those) }
  })
}

function codeOf(agregacao: AgregacaoDeEpizootias, inicio: string): string {
  if (agregacao === 'semana') return semanaOf(inicio).codigo
  return agregacao === 'mes' ? inicio.slice(0, 7) : inicio.slice(0, 4)
}

const groupsOf = (rows: readonly ContagemDeEpizootias[]) =>
  [...Map.groupBy(rows, ({ grupo }) => grupo as string)]
    .map(([valor, those]) => ({ valor, ...sumOf(those) }))
    .sort((a, b) => b.eventos - a.eventos || (a.valor < b.valor ? -1 : 1))

const sumOf = (rows: readonly Numeros[]): Numeros => ({
  eventos: rows.reduce((sum, { eventos }) => sum + eventos, 0),
  animais_mortos: rows.reduce((sum, { animais_mortos }) => sum + animais_mortos, 0),
})
