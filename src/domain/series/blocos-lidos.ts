import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { align, type Ponto, sourceRange } from './alinhamento.ts'
import { type Bloco, listBlocos, listBlocosKnownAt } from './blocos.sql.ts'
import { faixaOf } from './faixas.ts'
import { type Periodo, yearOf } from './periodos.ts'
import type { Serie } from './serie.ts'

/** Parts of every reading of a series: the periods that are asked for, their blocks, and those as periods. */

export type Reading = Pick<App, 'municipios' | 'territorios' | 'populacao' | 'clock'>

export interface PeriodosPedidos {
  periodo: Periodo
  first: number
  last: number
  /** Null: as known now. */
  conhecidoEm: Date | null
}

export interface PontoDoLugar extends Ponto {
  /** Share of the place that has a value, by residents or by parts; null where the value is the place's own. */
  cobertura_lugar: number | null
}

export function alignAll(
  serie: Serie,
  blocos: readonly Bloco[],
  { periodo, first, last }: PeriodosPedidos,
): Ponto[] {
  const source = sourceRange(serie, periodo, first, last)
  return align(serie, faixaOf(serie.periodo, blocos, source), periodo, first, last)
}

export function yearsOf(
  serie: Serie,
  { periodo, first, last }: PeriodosPedidos,
): { first: number; last: number } {
  const source = sourceRange(serie, periodo, first, last)
  return { first: yearOf(serie.periodo, source.first), last: yearOf(serie.periodo, source.last) }
}

export function blocosOf(db: Db, serie: Serie, keys: string[], pedido: PeriodosPedidos): Promise<Bloco[]> {
  const anos = yearsOf(serie, pedido)
  return pedido.conhecidoEm === null
    ? listBlocos(db, serie.id, keys, anos)
    : listBlocosKnownAt(db, serie.id, keys, anos, pedido.conhecidoEm)
}
