import type { Periodo } from '../../../../src/domain/series/periodos.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { seriesTexts } from '../../state/texts/series.ts'

/** Answers that are not asked for as a file. */
type Json<T> = Extract<T, { serie: string }>

export type Serie = AnswerOf<'GET', '/api/v1/series/{codigo}'>
export type Valores = Json<AnswerOf<'GET', '/api/v1/series/{codigo}/valores'>>
export type Valor = Valores['valores'][number]
export type Lugares = Json<AnswerOf<'GET', '/api/v1/series/{codigo}/lugares'>>
export type Correlacao = Json<AnswerOf<'GET', '/api/v1/series/{codigo}/correlacao'>>

/** Number of a value: of a category its place in the order of the definition. */
export function numberOf({ categorias }: Pick<Serie, 'categorias'>, valor: Valor['valor']): number | null {
  if (valor === null || typeof valor === 'number') return valor
  return categorias.find(({ codigo }) => codigo === valor.codigo)?.ordem ?? null
}

/** A value in words, without its unit. */
export function valueText({ casas }: Pick<Serie, 'casas'>, valor: Valor['valor']): string {
  const t = seriesTexts()
  if (valor === null) return t.none
  return typeof valor === 'number' ? t.decimal(valor, casas) : valor.rotulo
}

export const withUnit = (text: string, { unidade }: Pick<Serie, 'unidade'>): string =>
  [text, seriesTexts().unit(unidade)].filter((part) => part !== '').join(' ')

/** Code of a period, whichever of its fields holds it. */
export const codeOf = ({ data, semana, mes, ano }: Valor): string => data ?? semana ?? mes ?? ano ?? ''

/** Parameter that asks for the places of a period. */
export const periodParameter = (por: Periodo, em: string) => ({ [por]: em })
