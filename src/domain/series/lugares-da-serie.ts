import { dateInBrazil } from '../../brasil/calendar.ts'
import type { Municipio } from '../../brasil/municipios.ts'
import { UFS, type Uf } from '../../brasil/uf.ts'
import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid, type Problem, problem } from '../../errors/catalogue.ts'
import { type LugarNoAlcance, withinCaller } from '../casos/statistics/alcance.ts'
import { type Lugar, lugarOf, type NivelDeLugar } from '../territorios/lugar.ts'
import {
  alignInto,
  alinhadosOf,
  canAlign,
  type FaixaDePeriodos,
  type FaixaDeSemanas,
  NO_VALUE,
  type Ponto,
  pontoAt,
  sourceRange,
} from './alinhamento.ts'
import { listBlocosOfAll, listTrechos, type Trecho } from './blocos.sql.ts'
import { faixaReader, type PeriodosPedidos, yearsOf } from './blocos-lidos.ts'
import { readSerie } from './derivadas.ts'
import { readEpizootiasByMunicipio } from './epizootias.ts'
import { depthOf, keyOfMunicipio } from './lugares.ts'
import {
  CAMPO_DO_PERIODO,
  codeOfPeriod,
  isKnownYear,
  type Periodo,
  periodAt,
  readPeriod,
  slotOf,
  yearOf,
} from './periodos.ts'
import type { Serie } from './serie.ts'
import { getSerie } from './series.ts'
import { type ReadingNeeds, shownValue, type ValorMostrado } from './valores.ts'

/** Every place of a level in one period, for maps. */

export interface LugaresPedidos {
  nivel?: Exclude<NivelDeLugar, 'pais'> | undefined
  estado?: Uf | undefined
  dia?: string | undefined
  semana?: string | undefined
  mes?: string | undefined
  ano?: string | undefined
}

export interface ValorDoLugar {
  lugar: Lugar
  valor: ValorMostrado
  cobertura: number
  cobertura_lugar: number | null
  repetido: boolean
}

export interface RespostaDeLugares {
  serie: Serie
  nivel: NivelDeLugar
  periodo: Periodo
  codigo: string
  lugares: ValorDoLugar[]
}

export async function lugaresDaSerie(
  app: ReadingNeeds,
  caller: Pick<Caller, 'territorio'>,
  codigo: string,
  pedido: LugaresPedidos,
): Promise<RespostaDeLugares> {
  const serie = await getSerie(app.db, codigo)
  const { periodo, index } = onePeriod(pedido, dateInBrazil(app.clock.now()))
  if (!canAlign(serie, periodo)) throw invalid('query', ['periodo'], 'INCONSISTENT', { field: 'serie' })
  const nivel = pedido.nivel ?? (serie.nivel === 'pais' ? 'estado' : serie.nivel)
  const { derivada } = serie
  const isCounted = derivada === null || derivada.tipo === 'epizootias'
  const lugares =
    nivel === 'municipio' && serie.nivel === 'municipio' && isCounted
      ? await municipiosAt(app, caller, serie, pedido, periodo, index)
      : await placesAt(app, caller, serie, { ...pedido, nivel }, periodo, index)
  return { serie, nivel, periodo, codigo: codeOfPeriod(periodo, index), lugares }
}

function onePeriod(pedido: LugaresPedidos, today: string): { periodo: Periodo; index: number } {
  const given = (['dia', 'semana', 'mes', 'ano'] as const).filter((one) => pedido[one] !== undefined)
  const [periodo, other] = given
  const problems: Problem[] = []
  if (periodo === undefined) problems.push(problem('query', ['semana'], 'REQUIRED', {}))
  if (other !== undefined)
    problems.push(problem('query', [other], 'INCONSISTENT', { field: periodo as string }))
  const index = periodo === undefined ? null : readPeriod(periodo, pedido[periodo] as string)
  const isKnown = periodo !== undefined && index !== null && isKnownYear(yearOf(periodo, index), today)
  if (periodo !== undefined && !isKnown)
    problems.push(problem('query', [periodo], 'INVALID_VALUE', { allowed: CAMPO_DO_PERIODO[periodo] }))
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  return { periodo: periodo as Periodo, index: index as number }
}

/** All municipalities by one statement: those of the country are as many requests as a map has shapes otherwise. */
async function municipiosAt(
  app: ReadingNeeds,
  caller: Pick<Caller, 'territorio'>,
  serie: Serie,
  { estado }: LugaresPedidos,
  periodo: Periodo,
  index: number,
): Promise<ValorDoLugar[]> {
  const alcance = withinCaller(app, caller, lugarOf(app, { estado }))
  const pontoOf = await pontosByMunicipio(app, serie, alcance, periodo, index)
  return alcance.municipios.map((municipio) => {
    const lugar = lugarOf(app, { municipio: String(municipio.codigo) })
    return shownPlace(serie, lugar, pontoOf(municipio))
  })
}

async function pontosByMunicipio(
  app: ReadingNeeds,
  serie: Serie,
  alcance: LugarNoAlcance,
  periodo: Periodo,
  index: number,
): Promise<(municipio: Municipio) => Ponto> {
  if (serie.derivada?.tipo === 'epizootias') {
    const asked = { periodo, first: index, last: index, conhecidoEm: null }
    const pontoOf = await readEpizootiasByMunicipio(app, app.db, serie, serie.derivada, alcance, asked)
    return ({ codigo }) => pontoOf(codigo)
  }
  const faixaOf = await faixasByPlace(app.db, serie, {
    periodo,
    first: index,
    last: index,
    conhecidoEm: null,
  })
  const alinhados = alinhadosOf(1)
  return (municipio) => {
    const faixa = faixaOf(keyOfMunicipio(municipio))
    if (faixa === undefined) return NO_VALUE
    alignInto(alinhados, serie, faixa, periodo, index, index)
    return pontoAt(alinhados, 0)
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

async function placesAt(
  app: ReadingNeeds,
  caller: Pick<Caller, 'territorio'>,
  serie: Serie,
  { nivel, estado }: LugaresPedidos & { nivel: NivelDeLugar },
  periodo: Periodo,
  index: number,
): Promise<ValorDoLugar[]> {
  if (depthOf(nivel) > depthOf(serie.nivel) && nivel === 'municipio' && estado === undefined)
    throw invalid('query', ['nivel'], 'INCONSISTENT', { field: 'serie' })
  const lugares = placesOfLevel(app, nivel, estado)
  const found: ValorDoLugar[] = []
  for (const lugar of lugares) {
    const alcance = withinCaller(app, caller, lugar)
    if (alcance.municipios.length === 0) continue
    const asked = { periodo, first: index, last: index, conhecidoEm: null }
    const { pontos } = await readSerie(app, app.db, serie, alcance, asked)
    found.push(shownPlace(serie, lugar, pontos[0] as Ponto))
  }
  return found
}

function placesOfLevel(app: ReadingNeeds, nivel: NivelDeLugar, estado: Uf | undefined): Lugar[] {
  const ufs = estado === undefined ? UFS : [estado]
  if (nivel === 'estado') return ufs.map((uf) => lugarOf(app, { estado: uf }))
  if (nivel === 'regiao_saude')
    return ufs
      .flatMap((uf) => app.territorios.regioesOf(uf))
      .map(({ codigo }) => lugarOf(app, { regiao_saude: String(codigo) }))
  return ufs
    .flatMap((uf) => app.territorios.municipiosOf(uf))
    .map(({ codigo }) => lugarOf(app, { municipio: String(codigo) }))
}

function shownPlace(serie: Serie, lugar: Lugar, ponto: Ponto): ValorDoLugar {
  const { cobertura, cobertura_lugar, repetido } = ponto
  return { lugar, valor: shownValue(serie, ponto.valor), cobertura, cobertura_lugar, repetido }
}
