import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { align, type FaixaDePeriodos, type FaixaDeSemanas, type Ponto, sourceRange } from './alinhamento.ts'
import { type AnosPedidos, type BlocoLido, listBlocos, listBlocosKnownAt } from './blocos.sql.ts'
import { faixaOf } from './faixas.ts'
import { type Periodo, yearOf } from './periodos.ts'
import { faixaDeSemanas, hasSemanas, readSemanas } from './semanas.ts'
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

export function alignAll(serie: Serie, blocos: readonly BlocoLido[], pedido: PeriodosPedidos): Ponto[] {
  const { periodo, first, last } = pedido
  return align(serie, faixaReader(serie, pedido)(blocos), periodo, first, last)
}

/** Blocks of a place as one run of periods, each written over that of the place before. */
export function faixaReader(
  serie: Serie,
  { periodo, first, last }: PeriodosPedidos,
): (blocos: readonly BlocoLido[]) => FaixaDePeriodos | FaixaDeSemanas {
  if (isOfSemanas(serie, periodo)) {
    const semanas = faixaDeSemanas(first - serie.validade, last)
    return (blocos) => {
      readSemanas(semanas, serie.agrega_tempo, blocos)
      return semanas
    }
  }
  const source = sourceRange(serie, periodo, first, last)
  const values = new Float64Array(Math.max(0, source.last - source.first + 1))
  return (blocos) => faixaOf(serie.periodo, blocos, source, values)
}

/** True where the weeks of a block say all that is asked. */
const isOfSemanas = (serie: Serie, periodo: Periodo): boolean => periodo === 'semana' && hasSemanas(serie)

export function yearsOf(serie: Serie, { periodo, first, last }: PeriodosPedidos): AnosPedidos {
  const source = sourceRange(serie, periodo, first, last)
  return {
    first: yearOf(serie.periodo, source.first),
    last: yearOf(serie.periodo, source.last),
    semanas: isOfSemanas(serie, periodo),
  }
}

export function blocosOf(
  db: Db,
  serie: Serie,
  keys: string[],
  pedido: PeriodosPedidos,
): Promise<BlocoLido[]> {
  const anos = yearsOf(serie, pedido)
  return pedido.conhecidoEm === null
    ? listBlocos(db, serie.id, keys, anos)
    : listBlocosKnownAt(db, serie.id, keys, anos, pedido.conhecidoEm)
}
