import { AppError, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { basesOf, type Serie } from '../series/serie.ts'
import { getSerie, listPublicas, listSeriesNamed } from '../series/series.ts'
import {
  type ReadingNeeds,
  type RespostaDeValores,
  type ValorDoPeriodo,
  type ValoresPedidos,
  valoresDaSerie,
} from '../series/valores.ts'
import { lugarOf } from '../territorios/lugar.ts'

/**
 * Series for everybody. Numbers of the environment and of animals are nobody's; a series of persons is shown cell by cell, as it was
 * given, with small counts suppressed: no sum of them is told that a suppressed one could be taken from.
 */

type Needs = ReadingNeeds & Pick<App, 'publico'>

export interface ValorPublico extends ValorDoPeriodo {
  suprimido: boolean
}

export interface ValoresPublicos extends RespostaDeValores {
  valores: ValorPublico[]
  /** The smallest count that is shown, besides zero; null where nothing is suppressed. */
  minimo: number | null
}

export async function seriesPublicas({ db }: Pick<App, 'db'>): Promise<Serie[]> {
  const series = await listPublicas(db)
  const ofPersons = await Promise.all(series.map((serie) => isOfPersons(db, serie)))
  return series.filter((serie, i) => !ofPersons[i] || isSuppressible(serie))
}

export async function valoresPublicos(
  app: Needs,
  codigo: string,
  pedido: Omit<ValoresPedidos, 'conhecidos_em'>,
): Promise<ValoresPublicos> {
  const serie = await getSerie(app.db, codigo)
  if (!serie.publica || !serie.ativa) throw new AppError('NOT_FOUND')
  const ofPersons = await isOfPersons(app.db, serie)
  if (ofPersons && !isSuppressible(serie)) throw new AppError('NOT_FOUND')
  if (ofPersons) assertCell(app, serie, pedido)
  const resposta = await valoresDaSerie(app, { territorio: null }, codigo, pedido)
  const minimo = ofPersons ? app.publico.minimo : null
  return { ...resposta, minimo, valores: resposta.valores.map((valor) => suppressed(valor, minimo)) }
}

/** Counts alone: of a rate or a mean nobody knows how many persons it is of. */
const isSuppressible = ({ derivada, tipo_valor }: Serie): boolean =>
  derivada === null && tipo_valor === 'inteiro'

async function isOfPersons(db: App['db'], { dominio, derivada }: Serie): Promise<boolean> {
  if (dominio === 'humano') return true
  const bases = await listSeriesNamed(db, basesOf(derivada))
  return bases.some((base) => base.dominio === 'humano')
}

/** Sums over places or time would tell suppressed counts by difference. */
function assertCell(app: Needs, { nivel, periodo }: Serie, pedido: ValoresPedidos): void {
  if (lugarOf(app, pedido).nivel !== nivel)
    throw invalid('query', ['nivel'], 'INCONSISTENT', { field: 'serie' })
  if ((pedido.periodo ?? periodo) !== periodo)
    throw invalid('query', ['periodo'], 'INCONSISTENT', { field: 'serie' })
}

function suppressed(valor: ValorDoPeriodo, minimo: number | null): ValorPublico {
  if (minimo === null) return { ...valor, suprimido: false }
  const count = valor.valor as number | null
  const suprimido = count !== null && count > 0 && count < minimo
  // A threshold would tell on which side of it a count is.
  return { ...valor, ...(suprimido && { valor: null }), limiares: null, suprimido }
}
