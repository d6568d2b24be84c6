import type { Database } from '../../db/db.ts'
import { invalid } from '../../errors/catalogue.ts'
import { round } from '../../statistics/rounding.ts'
import { type Alinhados, alignInto, alinhadosOf, NO_VALUE, type Ponto } from './alinhamento.ts'
import type { BlocoLido } from './blocos.sql.ts'
import {
  alignAll,
  blocosOf,
  faixaReader,
  type PeriodosPedidos,
  type Reading,
  yearsOf,
} from './blocos-lidos.ts'
import type { Parte } from './lugares.ts'
import { yearOf } from './periodos.ts'
import type { AgregaLugar, Serie } from './serie.ts'
import { findEstado } from './series.sql.ts'

/**
 * Values of a place made of its parts. Parts are read some at a time, a few statements ahead, and added to the sums of every period
 * as they come: a state is three million values, of which only the sums stay, and other requests are answered in between.
 */

/** Blocks of a statement, read as days or as weeks, and statements under way at once. */
const SLICE = 640
const SLICE_OF_WEEKS = 4 * SLICE
const AHEAD = 2

export interface PartesDoLugar {
  /** Key of the place itself, whose stored values win. */
  own: string
  /** In the order of their keys. */
  partes: Parte[]
  /** Keys of both whose blocks may be read. */
  keys: string[]
}

export async function addParts(
  app: Reading,
  db: Database,
  serie: Serie,
  lugar: PartesDoLugar,
  pedido: PeriodosPedidos,
): Promise<Ponto[]> {
  const { keys } = lugar
  const anos = yearsOf(serie, pedido)
  const slice = Math.ceil((anos.semanas ? SLICE_OF_WEEKS : SLICE) / (anos.last - anos.first + 1))
  const found = await add(app, db, serie, lugar, pedido, slice)
  if (keys.length <= slice || (await findEstado(db, serie.id)) === serie.estado) return found
  // A write came between two statements: half of it would be neither the values before nor those after. One statement sees all.
  return add(app, db, serie, lugar, pedido, keys.length)
}

async function add(
  app: Reading,
  db: Database,
  serie: Serie,
  { own, partes, keys }: PartesDoLugar,
  pedido: PeriodosPedidos,
  slice: number,
): Promise<Ponto[]> {
  const { agrega_lugar } = serie
  const { periodo, first, last } = pedido
  const sums = sumsOf(app, agrega_lugar, partes, pedido)
  const faixaOf = faixaReader(serie, pedido)
  const alinhados = alinhadosOf(sums.length)
  const indexes = new Map(partes.map(({ key }, i) => [key, i]))
  let given: BlocoLido[] | undefined
  for await (const blocos of inOrder(keys, slice, (some) => blocosOf(db, serie, some, pedido)))
    for (const [lugar, ofPlace] of Map.groupBy(blocos, (bloco) => bloco.lugar)) {
      const index = indexes.get(lugar)
      if (lugar === own) given = ofPlace
      if (index === undefined) continue
      alignInto(alinhados, serie, faixaOf(ofPlace), periodo, first, last)
      sums.add(index, alinhados)
    }
  if (agrega_lugar === 'nenhuma' && given === undefined)
    throw invalid('query', ['nivel'], 'INCONSISTENT', { field: 'serie' })
  const stored = given && alignAll(serie, given, pedido)
  return Array.from({ length: sums.length }, (_, i) => {
    const mine = stored?.[i]
    return mine && mine.valor !== null ? mine : sums.at(i)
  })
}

/** Answers in the order of the keys, so that the same data give the same digits; the next ones are asked for meanwhile. */
async function* inOrder<T>(
  keys: readonly string[],
  slice: number,
  read: (some: string[]) => Promise<T>,
): AsyncGenerator<T> {
  const asked: Promise<T>[] = []
  let at = 0
  const ask = () => {
    for (; asked.length < AHEAD && at < keys.length; at += slice) {
      const reading = read(keys.slice(at, at + slice))
      // Handled when awaited below; the one before it may fail first.
      reading.catch(() => {})
      asked.push(reading)
    }
  }
  for (ask(); asked.length > 0; ) {
    const answer = await (asked.shift() as Promise<T>)
    ask()
    yield answer
  }
}

/** Residents below which the mean of a place says nothing of it. */
const FEWEST_RESIDENTS = 0.5

/** Sums of a place, period by period. */
interface Somas {
  length: number
  /** Of the part with this index. */
  add(index: number, alinhados: Alinhados): void
  at(period: number): Ponto
}

function sumsOf(
  app: Reading,
  agrega: AgregaLugar,
  partes: readonly Parte[],
  { periodo, first, last }: PeriodosPedidos,
): Somas {
  const length = Math.max(0, last - first + 1)
  const years = Int16Array.from({ length }, (_, i) => yearOf(periodo, first + i) - yearOf(periodo, first))
  const { weights, wholes } = pesosOf(app, agrega, partes, {
    from: yearOf(periodo, first),
    years: (years.at(-1) ?? 0) + 1,
  })
  const zeros = () => new Float64Array(length)
  const [covered, sum, coberturas, count] = [zeros(), zeros(), zeros(), zeros()]
  const [minimo, maximo] = [zeros().fill(Number.POSITIVE_INFINITY), zeros().fill(Number.NEGATIVE_INFINITY)]
  const repetidos = new Uint8Array(length)
  const hasEnds = agrega === 'minimo' || agrega === 'maximo'
  const add: Somas['add'] = (index, alinhados) => {
    const own = weights[index] as Float64Array
    for (let i = 0; i < length; i++) {
      const valor = alinhados.valores[i] as number
      if (Number.isNaN(valor)) continue
      const weight = own[years[i] as number] as number
      covered[i] = (covered[i] as number) + weight
      sum[i] = (sum[i] as number) + weight * valor
      if (hasEnds && valor < (minimo[i] as number)) minimo[i] = valor
      if (hasEnds && valor > (maximo[i] as number)) maximo[i] = valor
      coberturas[i] = (coberturas[i] as number) + (alinhados.coberturas[i] as number)
      count[i] = (count[i] as number) + 1
      if (alinhados.repetidos[i] === 1) repetidos[i] = 1
    }
  }
  const at: Somas['at'] = (i) => {
    const [whole, of, total] = [wholes[years[i] as number] as number, covered[i] as number, sum[i] as number]
    const share = whole === 0 ? 0 : of / whole
    const cobertura_lugar = round(share, 4)
    if (count[i] === 0 || (agrega === 'media_populacao' && share < FEWEST_RESIDENTS))
      return { ...NO_VALUE, cobertura_lugar }
    const results = { soma: total, media: total / of, media_populacao: total / of }
    const ends = { minimo: minimo[i] as number, maximo: maximo[i] as number }
    const valor = { ...results, ...ends }[agrega as keyof typeof results]
    const cobertura = round((coberturas[i] as number) / (count[i] as number), 2)
    return { valor, cobertura, repetido: repetidos[i] === 1, de: null, cobertura_lugar }
  }
  return { length, add, at }
}

/** Weights of each part by year, and of all parts together: residents, or one each. */
function pesosOf(
  { populacao }: Reading,
  agrega: AgregaLugar,
  partes: readonly Parte[],
  { from, years }: { from: number; years: number },
): { weights: Float64Array[]; wholes: Float64Array } {
  const weighs = agrega === 'media_populacao'
  const weights = partes.map(({ municipios }) =>
    Float64Array.from({ length: years }, (_, i) =>
      weighs ? (populacao.populationOfAll(municipios, from + i) ?? 0) : 1,
    ),
  )
  const wholes = Float64Array.from({ length: years }, (_, i) =>
    weights.reduce((total, own) => total + (own[i] as number), 0),
  )
  return { weights, wholes }
}
