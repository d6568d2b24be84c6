import { sundayOfWeek, weekOf } from '../../brasil/epi-week.ts'
import type { Db } from '../../db/db.ts'
import type { Hyperparameters } from '../../statistics/nowcast.ts'
import { type Conjunto, type DelayedCases, firstOnset, listDelays } from '../casos/counters/semanas.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import type { LugarNoAlcance } from '../casos/statistics/alcance.ts'
import type { Momento } from '../casos/statistics/periodo.ts'
import { delaysOf, ofConjunto, sharesOf } from './completude.ts'
import {
  hasFewCases,
  hyperparametersOf,
  isDoubtful,
  lacksDates,
  type Missing,
  medianOf,
  NOWCAST_DELAYS,
  NOWCAST_ROWS,
  ofCompleteness,
  ofModel,
  type SemanaEstimada,
  type Triangulo,
  trianguloOf,
  weeksOfNowcast,
} from './nowcast.ts'
import { findParametros, keepParametros, type ParametrosGuardados } from './parametros.sql.ts'
import type { Needs, PedidoEpidemiologico } from './pedido.ts'

/** Estimate of the last weeks of a place, by the method that its cases allow. */

export interface EstimativaPedida {
  tipo: TipoAgravo
  casos: Conjunto
  /** Last week, which is over. */
  last: number
  /** Counts only what was known at its end. */
  isReconstructed: boolean
  /** Keeps the hyperparameters, and takes kept ones: for the week that ended last, as known now. */
  isPresent: boolean
}

export type MotivoSemEstimativa = 'poucos_casos' | 'sem_datas_de_digitacao'

export interface Estimativa {
  triangulo: Triangulo
  /** Null: not available. */
  metodo: 'modelo' | 'emprestado' | null
  motivo: MotivoSemEstimativa | null
  hyperparameters: Hyperparameters | null
  missing: Missing | null
}

export async function estimate(
  { db }: Pick<Needs, 'db'>,
  alcance: LugarNoAlcance,
  pedido: EstimativaPedida,
): Promise<Estimativa> {
  const triangulo = await readTriangulo(db, alcance, pedido)
  const metodo = methodOf(triangulo)
  const hyperparameters =
    metodo === 'modelo' ? await hyperparametersFor(db, alcance, pedido, triangulo) : null
  const shares = metodo === 'emprestado' ? await sharesOfState(db, alcance, pedido) : null
  return estimateBy(
    triangulo,
    () => hyperparameters as Hyperparameters,
    () => shares,
  )
}

/** Method that the cases allow, if the state's delays are known where it needs them. */
function methodOf(triangulo: Triangulo): Estimativa['metodo'] {
  if (lacksDates(triangulo)) return null
  return hasFewCases(triangulo) ? 'emprestado' : 'modelo'
}

/** The same from what is read already: hyperparameters for the model, shares of the state to borrow, each asked for if needed. */
export function estimateBy(
  triangulo: Triangulo,
  hyperparametersOf: () => Hyperparameters,
  sharesOf: () => number[] | null,
): Estimativa {
  const none = { triangulo, metodo: null, hyperparameters: null, missing: null }
  const metodo = methodOf(triangulo)
  if (metodo === null) return { ...none, motivo: 'sem_datas_de_digitacao' }
  if (metodo === 'modelo') {
    const hyperparameters = hyperparametersOf()
    return { triangulo, metodo, motivo: null, hyperparameters, missing: ofModel(triangulo, hyperparameters) }
  }
  const shares = sharesOf()
  if (shares === null) return { ...none, motivo: 'poucos_casos' }
  return { ...none, metodo, motivo: null, missing: ofCompleteness(triangulo, shares) }
}

async function readTriangulo(
  db: Db,
  { lugares }: LugarNoAlcance,
  { tipo, casos, last, isReconstructed }: EstimativaPedida,
): Promise<Triangulo> {
  const from = sundayOfWeek(last - NOWCAST_ROWS + 1)
  const [delays, first] = await Promise.all([
    listDelays(db, { tipo, lugares, from, to: sundayOfWeek(last) }),
    firstOnset(db, { tipo, lugares }),
  ])
  return toTriangulo(ofConjunto(delays, casos), first, { last, isReconstructed })
}

export const toTriangulo = (
  delays: readonly DelayedCases[],
  first: string | null,
  time: { last: number; isReconstructed: boolean },
): Triangulo => trianguloOf(delays, { ...time, first: first === null ? time.last : weekOf(first) })

/** Change of the cases after which kept hyperparameters are estimated anew. */
const MOST_CHANGE = 0.1

/** A part of a place is estimated each time: what is kept belongs to the whole. */
async function hyperparametersFor(
  db: Db,
  { lugar, parcial }: LugarNoAlcance,
  { tipo, casos, last, isPresent }: EstimativaPedida,
  triangulo: Triangulo,
): Promise<Hyperparameters> {
  if (parcial || !isPresent) return hyperparametersOf(triangulo)
  const key = { lugar: lugar.codigo ?? '', tipo, casos }
  const kept = await findParametros(db, key)
  if (kept !== null && isCurrent(kept, triangulo)) return kept
  const found = hyperparametersOf(triangulo)
  await keepParametros(db, [{ ...key, ...found, semana: last, total: triangulo.total }])
  return found
}

/** True for hyperparameters of the same week, whose cases have hardly changed. */
export const isCurrent = ({ semana, total }: ParametrosGuardados, triangulo: Triangulo): boolean =>
  semana === triangulo.last && Math.abs(triangulo.total - total) <= MOST_CHANGE * total

/** Completeness of the state of a smaller place; it tells shares, and no number of cases. */
async function sharesOfState(
  db: Db,
  { lugar: { nivel, estado } }: LugarNoAlcance,
  { tipo, casos, last }: EstimativaPedida,
): Promise<number[] | null> {
  if (estado === null || nivel === 'estado') return null
  const lugares = [{ uf: estado, codigo: null }]
  return sharesOf(await delaysOf(db, { tipo, lugares, casos, ended: last }), last)
}

/** The last week that is over, as the request sees it. */
export const presentOf = ({
  current,
  known,
}: Momento): Pick<EstimativaPedida, 'last' | 'isReconstructed' | 'isPresent'> => ({
  last: current - 1,
  isReconstructed: known !== null,
  isPresent: known === null,
})

export interface SemanasEstimadas extends Estimativa {
  semanas: SemanaEstimada[]
  duvidoso: boolean
}

export async function estimateWeeks(
  app: Pick<Needs, 'db'>,
  alcance: LugarNoAlcance,
  pedido: EstimativaPedida,
  semanas: number,
): Promise<SemanasEstimadas> {
  const estimativa = await estimate(app, alcance, pedido)
  const { triangulo, missing } = estimativa
  const weeks = weeksOfNowcast(triangulo, missing, semanas)
  return { ...estimativa, semanas: weeks, duvidoso: isDoubtful(triangulo, weeks) }
}

/** Quantiles of the weeks that are not complete yet; none of confirmed cases, whose delays are not counted. */
export async function estimatedWeeks(
  app: Pick<Needs, 'db'>,
  alcance: LugarNoAlcance,
  { tipo_agravo: tipo, casos }: PedidoEpidemiologico,
  momento: Momento,
): Promise<Map<number, readonly number[]>> {
  if (casos === 'confirmados') return new Map()
  const pedido = { tipo, casos, ...presentOf(momento) }
  const { semanas } = await estimateWeeks(app, alcance, pedido, NOWCAST_DELAYS)
  return new Map(semanas.flatMap(({ week, quantis }) => (quantis === null ? [] : [[week, quantis] as const])))
}

/** Medians of the notified cases of the same weeks; none without an estimate, and none of a doubtful one. */
export async function notifiedMedians(
  app: Pick<Needs, 'db'>,
  alcance: LugarNoAlcance,
  tipo: TipoAgravo,
  momento: Momento,
): Promise<Map<number, number>> {
  const pedido = { tipo, casos: 'notificados', ...presentOf(momento) } as const
  const { semanas, duvidoso } = await estimateWeeks(app, alcance, pedido, NOWCAST_DELAYS)
  if (duvidoso) return new Map()
  return new Map(
    semanas.flatMap(({ week, quantis }) => (quantis === null ? [] : [[week, medianOf(quantis)] as const])),
  )
}
