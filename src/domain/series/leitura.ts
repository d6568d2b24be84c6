import type { Database, Db } from '../../db/db.ts'
import { invalid } from '../../errors/catalogue.ts'
import { round } from '../../statistics/rounding.ts'
import type { App } from '../app.ts'
import type { LugarNoAlcance } from '../casos/statistics/alcance.ts'
import type { NivelDeLugar } from '../territorios/lugar.ts'
import { align, canAlign, type FaixaDePeriodos, NO_VALUE, type Ponto, sourceRange } from './alinhamento.ts'
import { type Bloco, listBlocos, listBlocosKnownAt, listBlocosOfEach } from './blocos.sql.ts'
import { remembered } from './lembradas.ts'
import { depthOf, keyOfContaining, keyOfLugar, type Parte, partesOf } from './lugares.ts'
import { type Periodo, periodAt, SLOTS, yearOf } from './periodos.ts'
import type { AgregaLugar, Serie } from './serie.ts'

/** Values of a given series for one place: its own, those of its parts added up, or that of the larger place it lies in. */

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

export interface LeituraDoLugar {
  pontos: PontoDoLugar[]
  /** Level that the values are given for, where it is larger than the place. */
  nivel_valor: NivelDeLugar | null
  /** Keys of the places whose blocks were read. */
  lugares: string[]
}

export async function readGiven(
  app: Reading,
  db: Database,
  serie: Serie,
  alcance: LugarNoAlcance,
  pedido: PeriodosPedidos,
): Promise<LeituraDoLugar> {
  if (!canAlign(serie, pedido.periodo))
    throw invalid('query', ['periodo'], 'INCONSISTENT', { field: 'serie' })
  const { lugar } = alcance
  if (alcance.municipios.length === 0) return { pontos: nothing(pedido), nivel_valor: null, lugares: [] }
  const difference = depthOf(lugar.nivel) - depthOf(serie.nivel)
  if (difference >= 0) return readOwn(db, serie, alcance, pedido, difference > 0)
  return readParts(app, db, serie, alcance, pedido)
}

export const nothing = ({ first, last }: PeriodosPedidos): PontoDoLugar[] =>
  Array.from({ length: last - first + 1 }, () => ({ ...NO_VALUE, cobertura_lugar: null }))

async function readOwn(
  db: Database,
  serie: Serie,
  { lugar, parcial }: LugarNoAlcance,
  pedido: PeriodosPedidos,
  isLarger: boolean,
): Promise<LeituraDoLugar> {
  const key = isLarger ? keyOfContaining(lugar, serie.nivel) : keyOfLugar(lugar)
  // A larger place is more than the caller may see of a country of persons; climate is nobody's.
  const isHidden = isLarger ? serie.dominio === 'humano' && parcial : parcial
  const blocos = isHidden ? [] : await blocosOfOne(db, serie, key, pedido)
  const pontos = alignAll(serie, blocos, pedido)
  return {
    pontos: pontos.map((ponto) => ({ ...ponto, cobertura_lugar: null })),
    nivel_valor: isLarger ? serie.nivel : null,
    lugares: [key],
  }
}

function readParts(
  app: Reading,
  db: Database,
  serie: Serie,
  alcance: LugarNoAlcance,
  pedido: PeriodosPedidos,
): Promise<LeituraDoLugar> {
  const own = keyOfLugar(alcance.lugar)
  const partes = serie.agrega_lugar === 'nenhuma' ? [] : partesOf(app, alcance, serie.nivel)
  const keys = [...(alcance.parcial ? [] : [own]), ...partes.map(({ key }) => key)]
  const read = async () => ({
    pontos: await addParts(app, db, serie, { own, partes, keys }, pedido),
    nivel_valor: null,
    lugares: keys,
  })
  if (pedido.conhecidoEm !== null) return read()
  const { periodo, first, last } = pedido
  return remembered(db, { serie, lugares: keys, periodo, first, last }, read)
}

async function addParts(
  app: Reading,
  db: Db,
  serie: Serie,
  { own, partes, keys }: { own: string; partes: Parte[]; keys: string[] },
  pedido: PeriodosPedidos,
): Promise<PontoDoLugar[]> {
  const { agrega_lugar } = serie
  const byPlace = Map.groupBy(await blocosOf(db, serie, keys, pedido), ({ lugar }) => lugar)
  const given = byPlace.get(own)
  if (agrega_lugar === 'nenhuma' && given === undefined)
    throw invalid('query', ['nivel'], 'INCONSISTENT', { field: 'serie' })
  const stored = given && alignAll(serie, given, pedido)
  const aligned = partes.flatMap((parte) => {
    const blocos = byPlace.get(parte.key)
    return blocos === undefined ? [] : [{ parte, pontos: alignAll(serie, blocos, pedido) }]
  })
  const weightsIn = weightsByYear(app, agrega_lugar, partes, aligned)
  return nothing(pedido).map((_, i) => {
    const mine = stored?.[i]
    if (mine && mine.valor !== null) return { ...mine, cobertura_lugar: null }
    return aggregatePlaces(agrega_lugar, aligned, i, weightsIn(yearOf(pedido.periodo, pedido.first + i)))
  })
}

interface Aligned {
  parte: Parte
  pontos: Ponto[]
}

/** Residents below which the mean of a place says nothing of it. */
const FEWEST_RESIDENTS = 0.5

/** Weights of parts in a year: residents, or one each. */
interface Pesos {
  /** Of the parts that have values. */
  weights: Float64Array
  /** Of all parts together. */
  whole: number
}

function weightsByYear(
  { populacao }: Reading,
  agrega: AgregaLugar,
  partes: readonly Parte[],
  aligned: readonly Aligned[],
): (ano: number) => Pesos {
  const weighs = agrega === 'media_populacao'
  const known = new Map<number, Pesos>()
  return (ano) => {
    const before = known.get(weighs ? ano : 0)
    if (before !== undefined) return before
    const weightOf = ({ municipios }: Parte) =>
      weighs ? (populacao.populationOfAll(municipios, ano) ?? 0) : 1
    const pesos = {
      weights: Float64Array.from(aligned, ({ parte }) => weightOf(parte)),
      whole: partes.reduce((total, parte) => total + weightOf(parte), 0),
    }
    known.set(weighs ? ano : 0, pesos)
    return pesos
  }
}

function aggregatePlaces(
  agrega: AgregaLugar,
  aligned: readonly Aligned[],
  at: number,
  { weights, whole }: Pesos,
): PontoDoLugar {
  let [covered, sum, cobertura, count] = [0, 0, 0, 0]
  let [minimo, maximo] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let repetido = false
  for (let i = 0; i < aligned.length; i++) {
    const ponto = (aligned[i] as Aligned).pontos[at] as Ponto
    if (ponto.valor === null) continue
    const weight = weights[i] as number
    covered += weight
    sum += weight * ponto.valor
    minimo = Math.min(minimo, ponto.valor)
    maximo = Math.max(maximo, ponto.valor)
    cobertura += ponto.cobertura
    count += 1
    repetido ||= ponto.repetido
  }
  const share = whole === 0 ? 0 : covered / whole
  const cobertura_lugar = round(share, 4)
  if (count === 0 || (agrega === 'media_populacao' && share < FEWEST_RESIDENTS))
    return { ...NO_VALUE, cobertura_lugar }
  const results = { soma: sum, media: sum / covered, media_populacao: sum / covered, minimo, maximo }
  const valor = results[agrega as keyof typeof results]
  return { valor, cobertura: round(cobertura / count, 2), repetido, de: null, cobertura_lugar }
}

function alignAll(
  serie: Serie,
  blocos: readonly Bloco[],
  { periodo, first, last }: PeriodosPedidos,
): Ponto[] {
  const source = sourceRange(serie, periodo, first, last)
  return align(serie, faixaOf(serie.periodo, blocos, source), periodo, first, last)
}

/** Reads of one place at a time share a statement. */
function blocosOfOne(db: Database, serie: Serie, key: string, pedido: PeriodosPedidos): Promise<Bloco[]> {
  if (pedido.conhecidoEm !== null) return blocosOf(db, serie, [key], pedido)
  return db.batch(listBlocosOfEach, { serie_id: serie.id, lugar: key, ...yearsOf(serie, pedido) })
}

function yearsOf(serie: Serie, { periodo, first, last }: PeriodosPedidos): { first: number; last: number } {
  const source = sourceRange(serie, periodo, first, last)
  return { first: yearOf(serie.periodo, source.first), last: yearOf(serie.periodo, source.last) }
}

function blocosOf(db: Db, serie: Serie, keys: string[], pedido: PeriodosPedidos): Promise<Bloco[]> {
  const anos = yearsOf(serie, pedido)
  return pedido.conhecidoEm === null
    ? listBlocos(db, serie.id, keys, anos)
    : listBlocosKnownAt(db, serie.id, keys, anos, pedido.conhecidoEm)
}

const LEAP_SLOT = 59
const LAST_SLOT = SLOTS.dia - 1

/** Blocks of one place as one run of periods. */
export function faixaOf(
  periodo: Periodo,
  blocos: readonly Pick<Bloco, 'ano' | 'valores'>[],
  { first, last }: { first: number; last: number },
): FaixaDePeriodos {
  const values = new Float64Array(Math.max(0, last - first + 1)).fill(Number.NaN)
  for (const { ano, valores } of blocos) {
    // Slots follow each other but at 29 February, so that two of them give all others.
    const begin = periodAt(periodo, ano, 0) as number
    const shift = periodo === 'dia' ? (periodAt('dia', ano, LAST_SLOT) as number) - begin - LAST_SLOT : 0
    for (let slot = 0; slot < valores.length; slot++) {
      const valor = valores[slot] as number
      if (Number.isNaN(valor)) continue
      const index = begin + slot + (slot > LEAP_SLOT ? shift : 0)
      if (index >= first && index <= last) values[index - first] = valor
    }
  }
  return { first, values }
}
