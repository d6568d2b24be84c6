import { setImmediate as turn } from 'node:timers/promises'
import { anoOfWeek, semanaAt, semanaByCodigo, sundayOfWeek, weekOf } from '../../brasil/epi-week.ts'
import type { Caller } from '../../caller/caller.ts'
import { invalid } from '../../errors/catalogue.ts'
import { HALF_LIFE, type Hyperparameters } from '../../statistics/nowcast.ts'
import { ratePer100k } from '../../statistics/rate.ts'
import { round, roundOrNull } from '../../statistics/rounding.ts'
import { firstOnset, listDelays } from '../casos/counters/semanas.ts'
import type { LugarNoAlcance } from '../casos/statistics/alcance.ts'
import { latestChange } from '../casos/statistics/mudancas.ts'
import type { Momento } from '../casos/statistics/periodo.ts'
import { type AtrasosDoLugar, atrasosOf } from './atrasos.ts'
import { delaysOf, ofConjunto } from './completude.ts'
import {
  type EstimativaPedida,
  estimateWeeks,
  presentOf,
  type SemanasEstimadas,
  toTriangulo,
} from './estimativa.ts'
import { residentsOf } from './lugar-contado.ts'
import {
  covers,
  hasFewCases,
  hyperparametersOf,
  INTERVALOS,
  type Intervalo,
  intervalScore,
  lacksDates,
  medianOf,
  NOWCAST_DELAYS,
  NOWCAST_ROWS,
  ofModel,
  QUANTIS,
  type SemanaEstimada,
  weeksOfNowcast,
} from './nowcast.ts'
import { type Needs, type PedidoEpidemiologico, placeAndTime, type RespostaEpidemiologica } from './pedido.ts'

/** Estimate of the last weeks, and the delays it comes from, as answers. */

export interface NowcastPedido extends PedidoEpidemiologico {
  casos: 'notificados' | 'provaveis'
  semana?: string | undefined
  semanas: number
  intervalos: readonly Intervalo[]
  avaliar: boolean
}

export interface SemanaDoNowcast
  extends Partial<Record<`${'inferior' | 'superior'}_${Intervalo}`, number | null>> {
  semana: string
  inicio: string
  fim: string
  conhecidos: number
  estimados: number | null
  completude: number | null
  incidencia_estimada: number | null
}

export interface AvaliacaoDoNowcast {
  n: number
  wis: number | null
  wis_sem_correcao: number | null
  cobertura_50: number | null
  cobertura_95: number | null
}

export interface RespostaDoNowcast
  extends RespostaEpidemiologica,
    Pick<SemanasEstimadas, 'metodo' | 'motivo' | 'duvidoso'> {
  semana: string
  sem_data_de_digitacao: number
  semanas: SemanaDoNowcast[]
  /** Null without the model. */
  parametros: ParametrosDoNowcast | null
  avaliacao: AvaliacaoDoNowcast | null
}

export interface ParametrosDoNowcast {
  D: number
  meia_vida: number
  ln_tau_a: number
  ln_tau_b: number
  ln_phi: number
}

export async function nowcast(
  app: Needs,
  caller: Pick<Caller, 'territorio'>,
  pedido: NowcastPedido,
): Promise<RespostaDoNowcast> {
  const { momento, alcance } = placeAndTime(app, caller, pedido)
  const { tipo_agravo: tipo, casos, semanas, intervalos } = pedido
  const asked = { tipo, casos, ...timeOf(pedido, momento) }
  const [estimated, dados_ate, avaliacao] = await Promise.all([
    estimateWeeks(app, alcance, asked, semanas),
    latestChange(app.db, tipo, alcance.lugares),
    pedido.avaliar ? evaluate(app, alcance, asked) : null,
  ])
  const { undated, rows } = estimated.triangulo
  const without = [...undated].reduce(
    (sum, [week, total]) => sum + (week > asked.last - rows.length ? total : 0),
    0,
  )
  const { populacao } = residentsOf(app, alcance.municipios)
  const { lugar, parcial } = alcance
  const { metodo, motivo, hyperparameters, duvidoso } = estimated
  return {
    lugar,
    parcial,
    dados_ate,
    sem_digitacao: asked.isReconstructed ? without : null,
    semana: semanaAt(asked.last).codigo,
    metodo,
    motivo,
    parametros: hyperparameters && toParametros(hyperparameters),
    duvidoso,
    sem_data_de_digitacao: without,
    semanas: estimated.semanas.map((one) => toSemana(one, intervalos, populacao)),
    avaliacao,
  }
}

/** The last week: that of `semana_conhecida`, or `semana`, or the last that is over. */
function timeOf(
  { semana, semana_conhecida }: NowcastPedido,
  momento: Momento,
): Pick<EstimativaPedida, 'last' | 'isReconstructed' | 'isPresent'> {
  const present = presentOf(momento)
  if (semana === undefined) return present
  const begin = semanaByCodigo(semana)?.inicio
  if (begin === undefined) throw invalid('query', ['semana'], 'INVALID_VALUE', { allowed: 'AAAASS' })
  if (semana_conhecida !== undefined && semana_conhecida !== semana)
    throw invalid('query', ['semana'], 'INCONSISTENT', { field: 'semana_conhecida' })
  const last = weekOf(begin)
  if (last > present.last) throw invalid('query', ['semana'], 'IN_FUTURE', {})
  return { ...present, last, isPresent: present.isPresent && last === present.last }
}

const RATE_DECIMALS = 4
const SHARE_DECIMALS = 6

function toParametros({ lnTauRows, lnTauDelays, lnPhi }: Hyperparameters): ParametrosDoNowcast {
  const [ln_tau_a, ln_tau_b, ln_phi] = [lnTauRows, lnTauDelays, lnPhi].map((value) =>
    round(value, RATE_DECIMALS),
  ) as [number, number, number]
  return { D: NOWCAST_DELAYS, meia_vida: HALF_LIFE, ln_tau_a, ln_tau_b, ln_phi }
}

function toSemana(
  { week, conhecidos, quantis }: SemanaEstimada,
  intervalos: readonly Intervalo[],
  populacao: (ano: number) => number | null,
): SemanaDoNowcast {
  const { codigo, inicio, fim } = semanaAt(week)
  const estimados = quantis && medianOf(quantis)
  const limits = intervalos.flatMap((intervalo) =>
    (['inferior', 'superior'] as const).map((side, i) => [
      `${side}_${intervalo}`,
      quantis?.[INTERVALOS[intervalo][i] as number] ?? null,
    ]),
  )
  return {
    semana: codigo,
    inicio,
    fim,
    conhecidos,
    estimados,
    ...Object.fromEntries(limits),
    completude:
      estimados === null ? null : round(estimados === 0 ? 1 : conhecidos / estimados, SHARE_DECIMALS),
    incidencia_estimada:
      estimados === null
        ? null
        : roundOrNull(ratePer100k(estimados, populacao(anoOfWeek(week))), RATE_DECIMALS),
  }
}

/** Ages of the nowcasts that are evaluated, oldest last, and the weeks of each that are scored. */
const EVALUATED = { first: 15, last: 26, weeks: 6 }

/** Nowcasts of the past, each with what was known then, against what is known now. */
async function evaluate(
  { db }: Needs,
  { lugares }: LugarNoAlcance,
  { tipo, casos, last, isReconstructed }: EstimativaPedida,
): Promise<AvaliacaoDoNowcast> {
  const from = sundayOfWeek(last - EVALUATED.last - NOWCAST_ROWS + 1)
  const [all, first] = await Promise.all([
    listDelays(db, { tipo, lugares, from, to: sundayOfWeek(last) }),
    firstOnset(db, { tipo, lugares }),
  ])
  const delays = ofConjunto(all, casos)
  const dated = delays.filter(({ atraso }) => atraso >= 0)
  const { known, knownNow } = toTriangulo(dated, first, { last, isReconstructed })
  const final = isReconstructed ? known : knownNow
  const scores: { wis: number; uncorrected: number; in50: boolean; in95: boolean }[] = []
  for (let age = EVALUATED.first; age <= EVALUATED.last; age++) {
    const triangulo = toTriangulo(delays, first, { last: last - age, isReconstructed: true })
    if (lacksDates(triangulo) || hasFewCases(triangulo)) continue
    const missing = ofModel(triangulo, hyperparametersOf(triangulo))
    for (const { week, conhecidos, quantis } of weeksOfNowcast(triangulo, missing, EVALUATED.weeks)) {
      if (quantis === null) continue
      const truth = final.get(week) ?? 0
      scores.push({
        wis: intervalScore(quantis, truth),
        uncorrected: intervalScore(
          QUANTIS.map(() => conhecidos),
          truth,
        ),
        in50: covers(quantis, 50, truth),
        in95: covers(quantis, 95, truth),
      })
    }
    // Each estimate of hyperparameters takes a tenth of a second: others get their turn in between.
    await turn()
  }
  const mean = (measure: (score: (typeof scores)[number]) => number) =>
    scores.length === 0
      ? null
      : round(scores.reduce((sum, score) => sum + measure(score), 0) / scores.length, RATE_DECIMALS)
  return {
    n: scores.length,
    wis: mean(({ wis }) => wis),
    wis_sem_correcao: mean(({ uncorrected }) => uncorrected),
    cobertura_50: mean(({ in50 }) => Number(in50)),
    cobertura_95: mean(({ in95 }) => Number(in95)),
  }
}

export interface RespostaDosAtrasos extends RespostaEpidemiologica, Omit<AtrasosDoLugar, 'sem_digitacao'> {
  semana: string
  sem_data_de_digitacao: number
}

export async function atrasos(
  app: Needs,
  caller: Pick<Caller, 'territorio'>,
  pedido: PedidoEpidemiologico & { semanas: number },
): Promise<RespostaDosAtrasos> {
  const { momento, alcance } = placeAndTime(app, caller, pedido)
  const { tipo_agravo: tipo, casos, semanas } = pedido
  const { lugares, lugar, parcial } = alcance
  const { last, isReconstructed } = presentOf(momento)
  const [delays, dados_ate] = await Promise.all([
    delaysOf(app.db, { tipo, lugares, casos, ended: last, rows: semanas }),
    latestChange(app.db, tipo, lugares),
  ])
  const { sem_digitacao, ...found } = atrasosOf(delays, { ended: last, semanas, isReconstructed })
  return {
    lugar,
    parcial,
    dados_ate,
    sem_digitacao: isReconstructed ? sem_digitacao : null,
    semana: semanaAt(last).codigo,
    sem_data_de_digitacao: sem_digitacao,
    ...found,
  }
}
