import type { Municipio } from '../../brasil/municipios.ts'
import type { Db } from '../../db/db.ts'
import type { LugarNoAlcance } from '../casos/statistics/alcance.ts'
import {
  alignInto,
  alinhadosOf,
  type FaixaDePeriodos,
  type FaixaDeSemanas,
  type Ponto,
  pontoAt,
  sourceRange,
} from './alinhamento.ts'
import { listBlocosOfAll, listTrechos, type Trecho } from './blocos.sql.ts'
import { faixaReader, type PeriodosPedidos, type Reading, yearsOf } from './blocos-lidos.ts'
import { derivedPontos, listBases } from './derivadas.ts'
import { readEpizootiasByMunicipio } from './epizootias.ts'
import { nothing } from './leitura.ts'
import { keyOfMunicipio } from './lugares.ts'
import { type Periodo, periodAt, slotOf, yearOf } from './periodos.ts'
import type { Serie } from './serie.ts'

/** Any series of municipalities for all of them at once: as many statements as there are series to read, not places. */

export type PontosDoMunicipio = (municipio: Municipio) => Ponto[]

export async function readByMunicipio(
  app: Reading,
  db: Db,
  serie: Serie,
  alcance: LugarNoAlcance,
  pedido: PeriodosPedidos,
): Promise<PontosDoMunicipio> {
  const { derivada } = serie
  if (derivada === null) return readGivenByMunicipio(db, serie, pedido)
  if (derivada.tipo === 'epizootias') {
    const pontosOf = await readEpizootiasByMunicipio(app, db, serie, derivada, alcance, pedido)
    return ({ codigo }) => pontosOf(codigo)
  }
  const { bases, asked } = await listBases(db, derivada, pedido)
  const readers = await Promise.all(bases.map((base) => readGivenByMunicipio(db, base, asked)))
  return (municipio) =>
    derivedPontos(
      derivada,
      readers.map((read) => read(municipio)),
    )
}

async function readGivenByMunicipio(
  db: Db,
  serie: Serie,
  pedido: PeriodosPedidos,
): Promise<PontosDoMunicipio> {
  const { periodo, first, last } = pedido
  const faixaOf = await faixasByPlace(db, serie, pedido)
  const length = last - first + 1
  const alinhados = alinhadosOf(length)
  return (municipio) => {
    const faixa = faixaOf(keyOfMunicipio(municipio))
    if (faixa === undefined) return nothing(pedido)
    alignInto(alinhados, serie, faixa, periodo, first, last)
    return Array.from({ length }, (_, i) => pontoAt(alinhados, i))
  }
}

type FaixaDoLugar = (key: string) => FaixaDePeriodos | FaixaDeSemanas | undefined

/** Reads weeks of days from those beside the blocks, any other period from its own slots alone. */
async function faixasByPlace(db: Db, serie: Serie, pedido: PeriodosPedidos): Promise<FaixaDoLugar> {
  const anos = yearsOf(serie, pedido)
  if (!anos.semanas) {
    const faixas = await slotsByPlace(
      db,
      serie,
      sourceRange(serie, pedido.periodo, pedido.first, pedido.last),
    )
    return (key) => faixas.get(key)
  }
  const blocos = Map.groupBy(await listBlocosOfAll(db, serie.id, anos), ({ lugar }) => lugar)
  const read = faixaReader(serie, pedido)
  return (key) => {
    const found = blocos.get(key)
    return found && read(found)
  }
}

/** Periods of every place that has a block in their years. */
async function slotsByPlace(
  db: Db,
  { id, periodo }: Serie,
  { first, last }: { first: number; last: number },
): Promise<Map<string, FaixaDePeriodos>> {
  const trechos = trechosOf(periodo, first, last)
  const begins = new Map(trechos.map((trecho) => [trecho.ano, trecho.first]))
  const faixas = new Map<string, FaixaDePeriodos>()
  for (const { lugar, ano, valores } of await listTrechos(db, id, trechos)) {
    let faixa = faixas.get(lugar)
    if (faixa === undefined) {
      faixa = { first, values: new Float64Array(last - first + 1).fill(Number.NaN) }
      faixas.set(lugar, faixa)
    }
    for (let i = 0; i < valores.length; i++) {
      const at = periodAt(periodo, ano, (begins.get(ano) as number) + i)
      if (at !== null) faixa.values[at - first] = valores[i] as number
    }
  }
  return faixas
}

/** Slots of each year between two periods. */
function trechosOf(periodo: Periodo, first: number, last: number): Trecho[] {
  const trechos: Trecho[] = []
  for (let ano = yearOf(periodo, first); ano <= yearOf(periodo, last); ano++) {
    const [begin, next] = [periodAt(periodo, ano, 0) as number, periodAt(periodo, ano + 1, 0) as number]
    const slotAt = (index: number) => slotOf(periodo, index)
    trechos.push({ ano, first: slotAt(Math.max(begin, first)), last: slotAt(Math.min(next - 1, last)) })
  }
  return trechos
}
