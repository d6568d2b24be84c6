import { semanaAt, weekOf } from '../../../brasil/epi-week.ts'
import { sum } from '../../../statistics/summary.ts'
import type { App } from '../../app.ts'
import { change, rateOf, weeksFrom } from './numeros.ts'
import type { PlaceBlocksRow, PlaceRow, PlaceWeekRow } from './painel.sql.ts'

/** Places of the next level in the painel, and the recent course of those with the most cases. */

export interface LugarDoPainel {
  codigo: string | null
  casos: number
  hospitalizados: number
  obitos: number
  incidencia: number | null
  /** Code of its last week with cases in the period. */
  ultimaSemana: string
  /** Cases of each four of the last twelve weeks that are over, whatever the period; null for an unknown place. */
  recentes: number[] | null
}

/** Recent course of a place with many cases. */
export interface Destaque {
  codigo: string
  /** Cases of the last four weeks that are over, and of the four before. */
  recentes: number
  anteriores: number
  variacao_pct: number | null
  /** Cases of the last twelve weeks that are over. */
  serie: number[]
}

export function placesOf(
  { municipios, territorios, populacao }: Pick<App, 'municipios' | 'territorios' | 'populacao'>,
  { places, blocks }: { places: readonly PlaceRow[]; blocks: readonly PlaceBlocksRow[] },
  ano: number,
): LugarDoPainel[] {
  const blocksOf = new Map(blocks.map(({ codigo, blocos }) => [codigo, blocos]))
  const residentsOf = (codigo: string) => {
    const municipio = codigo.length === 2 ? null : municipios.byCodigo(Number(codigo))
    if (municipio !== null) return populacao.populationOf(municipio, ano)
    return populacao.populationOfAll(territorios.municipiosOf(codigo), ano)
  }
  return places.map(({ codigo, total: casos, hospitalizados, obitos, ultima }) => ({
    codigo,
    casos,
    hospitalizados,
    obitos,
    incidencia: rateOf(casos, codigo === null ? null : residentsOf(codigo)),
    ultimaSemana: semanaAt(weekOf(ultima)).codigo,
    recentes: codigo === null ? null : (blocksOf.get(codigo) ?? [0, 0, 0]),
  }))
}

const MOST_HIGHLIGHTS = 20
export const RECENT_WEEKS = 12
export const COMPARED_WEEKS = 4

export const highlighted = (places: readonly PlaceRow[]) =>
  places.filter(({ codigo }) => codigo !== null).slice(0, MOST_HIGHLIGHTS) as (PlaceRow & {
    codigo: string
  })[]

export function highlightsOf(
  places: readonly PlaceRow[],
  recent: readonly PlaceWeekRow[],
  ended: number,
): Destaque[] {
  const weeks = weeksFrom(ended - RECENT_WEEKS + 1, ended)
  const byPlace = Map.groupBy(recent, ({ codigo }) => codigo)
  return highlighted(places).map(({ codigo }) => {
    const totals = new Map((byPlace.get(codigo) ?? []).map(({ inicio, total }) => [weekOf(inicio), total]))
    const serie = weeks.map((week) => totals.get(week) ?? 0)
    const recentes = sum(serie.slice(-COMPARED_WEEKS))
    const anteriores = sum(serie.slice(-2 * COMPARED_WEEKS, -COMPARED_WEEKS))
    return { codigo, recentes, anteriores, variacao_pct: change(recentes, anteriores), serie }
  })
}
