import { dateInBrazil } from '../../brasil/calendar.ts'
import { UFS, type Uf } from '../../brasil/uf.ts'
import type { Caller } from '../../caller/caller.ts'
import { AppError, invalid, type Problem, problem } from '../../errors/catalogue.ts'
import { withinCaller } from '../casos/statistics/alcance.ts'
import { type Lugar, lugarOf, type NivelDeLugar } from '../territorios/lugar.ts'
import { canAlign, type Ponto } from './alinhamento.ts'
import { readSerie } from './derivadas.ts'
import { depthOf } from './lugares.ts'
import { CAMPO_DO_PERIODO, codeOfPeriod, isKnownYear, type Periodo, readPeriod, yearOf } from './periodos.ts'
import { readByMunicipio } from './por-municipio.ts'
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
  const lugares =
    nivel === 'municipio' && serie.nivel === 'municipio'
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

/** All municipalities by one statement of each series: those of the country are as many as a map has shapes otherwise. */
async function municipiosAt(
  app: ReadingNeeds,
  caller: Pick<Caller, 'territorio'>,
  serie: Serie,
  { estado }: LugaresPedidos,
  periodo: Periodo,
  index: number,
): Promise<ValorDoLugar[]> {
  const alcance = withinCaller(app, caller, lugarOf(app, { estado }))
  const asked = { periodo, first: index, last: index, conhecidoEm: null }
  const pontosOf = await readByMunicipio(app, app.db, serie, alcance, asked)
  return alcance.municipios.map((municipio) => {
    const lugar = lugarOf(app, { municipio: String(municipio.codigo) })
    return shownPlace(serie, lugar, pontosOf(municipio)[0] as Ponto)
  })
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
