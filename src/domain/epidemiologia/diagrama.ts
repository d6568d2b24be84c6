import { anoOfWeek, firstWeekOf, semanaAt, weeksIn } from '../../brasil/epi-week.ts'
import { controlLimits, pooledAround, quartiles } from '../../statistics/control-limits.ts'
import { ratePer100k } from '../../statistics/rate.ts'
import { floor, roundOrNull } from '../../statistics/rounding.ts'
import { lazily } from '../../system/lazily.ts'
import {
  type AnoExcluido,
  type BaseDoDiagrama,
  baseOf,
  DIAGRAMA_PADRAO,
  type DiagramaPedido,
  type QualidadeDoDiagrama,
} from './base-do-diagrama.ts'
import { casosBetween, casosOf, incidenciaOf, type LugarContado, weeksOfYear } from './serie.ts'

/** Control diagram (endemic channel) of a year: limits from the years before, and where each week stands. */

/** Of the moving mean, of the quartiles, and of both. */
export const ZONAS_DO_DIAGRAMA = ['abaixo', 'esperado', 'exito', 'seguranca', 'alerta', 'epidemico'] as const
export type ZonaDoDiagrama = (typeof ZONAS_DO_DIAGRAMA)[number]

/** Limits of a week, not rounded; those of the other method are absent. */
export interface LimitesDaSemana {
  n: number
  media?: number | null
  desvio?: number | null
  limite_inferior?: number | null
  limite_superior?: number | null
  q1?: number | null
  mediana?: number | null
  q3?: number | null
}

/** Limits of each week of the year, in order; null where the base is too small. */
export function limitesOf(pedido: DiagramaPedido, base: BaseDoDiagrama): LimitesDaSemana[] {
  const limitAt = limitsBy(pedido, base)
  return Array.from({ length: weeksIn(pedido.ano) }, (_, i) => limitAt(i))
}

/** Limits of one week, by its position in the year. */
function limitsBy(
  pedido: DiagramaPedido,
  { anos, qualidade, incidencias, begin }: BaseDoDiagrama,
): (i: number) => LimitesDaSemana {
  const years = anos.map(weeksOfYear)
  const isUsable = qualidade !== 'insuficiente'
  const janela = pedido.metodo === 'quartis' ? 1 : pedido.janela
  return (i) => {
    const reference = years.map(({ first, last }) => Math.min(first + i, last) - begin)
    const pooled = pooledAround(incidencias, reference, janela)
    return pedido.metodo === 'quartis'
      ? ofQuartiles(pooled, isUsable)
      : ofMovingMean(pooled, pedido.desvios, isUsable)
  }
}

export interface LimitesNaSemana {
  qualidade: QualidadeDoDiagrama
  media: number | null
  limite_superior: number | null
}

/** Limits of single weeks, each of the diagram of its year, computed once: for many places of which few weeks are needed. */
export function limitesAt(
  lugar: LugarContado,
  covered: ReadonlySet<number>,
): (week: number) => LimitesNaSemana {
  const limitesOf = lazily((ano: number) => limitesOfAno(lugar, covered, ano))
  return lazily((week: number) => limitesOf(anoOfWeek(week))(week))
}

function limitesOfAno(
  lugar: LugarContado,
  covered: ReadonlySet<number>,
  ano: number,
): (week: number) => LimitesNaSemana {
  const pedido = { ...DIAGRAMA_PADRAO, ano }
  const base = baseOf(lugar, pedido, covered)
  const { qualidade } = base
  if (qualidade === 'insuficiente') return () => ({ qualidade, media: null, limite_superior: null })
  const limitAt = limitsBy(pedido, base)
  const first = firstWeekOf(ano)
  return (week) => {
    const { media = null, limite_superior = null } = limitAt(week - first)
    return { qualidade, media, limite_superior }
  }
}

function ofMovingMean(values: number[], desvios: number, isUsable: boolean): LimitesDaSemana {
  const limits = isUsable ? controlLimits(values, desvios) : null
  return {
    n: values.length,
    media: limits?.mean ?? null,
    desvio: limits?.deviation ?? null,
    limite_inferior: limits?.lower ?? null,
    limite_superior: limits?.upper ?? null,
  }
}

function ofQuartiles(values: number[], isUsable: boolean): LimitesDaSemana {
  const limits = isUsable ? quartiles(values) : null
  return {
    n: values.length,
    q1: limits?.first ?? null,
    mediana: limits?.median ?? null,
    q3: limits?.third ?? null,
  }
}

/** Upper limit of what is expected, by either method. */
const upperOf = ({ limite_superior, q3 }: LimitesDaSemana): number | null => limite_superior ?? q3 ?? null

export function zonaOf(limites: LimitesDaSemana, incidencia: number | null): ZonaDoDiagrama | null {
  const { media, limite_superior, q1, mediana, q3 } = limites
  if (incidencia === null) return null
  if (typeof media === 'number' && typeof limite_superior === 'number') {
    if (incidencia > limite_superior) return 'epidemico'
    return incidencia > media ? 'esperado' : 'abaixo'
  }
  if (typeof q1 !== 'number' || typeof mediana !== 'number' || typeof q3 !== 'number') return null
  if (incidencia > q3) return 'epidemico'
  if (incidencia < q1) return 'exito'
  return incidencia < mediana ? 'seguranca' : 'alerta'
}

export interface SemanaDoDiagrama extends LimitesDaSemana {
  semana: string
  inicio: string
  fim: string
  limite_superior_casos: number | null
  /** Null after the current week. */
  casos: number | null
  incidencia: number | null
  /** Of the last weeks that are over; the zone is then that of these. */
  estimados: number | null
  zona: ZonaDoDiagrama | null
}

/** Situation of a year, in one line. */
export interface SituacaoDoDiagrama {
  qualidade: QualidadeDoDiagrama
  semanas_acima: number
  consecutivas_acima: number
  /** Of the last week that is over. */
  zona: ZonaDoDiagrama | null
}

export interface DiagramaDeControle extends Omit<SituacaoDoDiagrama, 'zona'> {
  ano: number
  anos_base: number[]
  anos_excluidos: AnoExcluido[]
  mediana_anual: number | null
  semanas: SemanaDoDiagrama[]
  primeira_acima: string | null
}

/** Expected probable cases of a week; null where what is known is taken for all. */
export type CasosEstimados = (week: number) => number | null

const WITHOUT_ESTIMATES: CasosEstimados = () => null

interface SemanaObservada {
  week: number
  limites: LimitesDaSemana
  casos: number | null
  incidencia: number | null
  estimados: number | null
  zona: ZonaDoDiagrama | null
}

function observe(
  lugar: LugarContado,
  pedido: DiagramaPedido,
  limites: LimitesDaSemana[],
  current: number,
  estimadosOf: CasosEstimados,
): SemanaObservada[] {
  const first = firstWeekOf(pedido.ano)
  return limites.map((one, i) => {
    const week = first + i
    const isOver = week <= current
    const incidencia = isOver ? incidenciaOf(lugar, pedido.casosAno, week) : null
    const casos = isOver ? casosBetween(lugar, pedido.casosAno, week, week) : null
    const estimados = estimadosOf(week)
    const judged = estimados === null ? incidencia : incidenciaEstimada(lugar, estimados, week)
    return { week, limites: one, casos, incidencia, estimados, zona: zonaOf(one, judged) }
  })
}

/** Cases of municipalities without population are in no rate. */
function incidenciaEstimada(lugar: LugarContado, estimados: number, week: number): number | null {
  const outside = casosOf(lugar.semPopulacao.get(week), 'provaveis')
  return ratePer100k(Math.max(0, estimados - outside), lugar.populacao(anoOfWeek(week)))
}

const isAbove = ({ zona }: SemanaObservada) => zona === 'epidemico'

function situationOf(
  qualidade: QualidadeDoDiagrama,
  weeks: SemanaObservada[],
  current: number,
): SituacaoDoDiagrama {
  const over = weeks.filter(({ week }) => week < current)
  const lastBelow = over.findLastIndex((one) => !isAbove(one))
  return {
    qualidade,
    semanas_acima: weeks.filter(isAbove).length,
    consecutivas_acima: over.length - 1 - lastBelow,
    zona: over.at(-1)?.zona ?? null,
  }
}

/** `current` is the week of today. A week with an estimate stands where that puts it. */
export function diagramaOf(
  lugar: LugarContado,
  pedido: DiagramaPedido,
  covered: ReadonlySet<number>,
  current: number,
  estimadosOf = WITHOUT_ESTIMATES,
): DiagramaDeControle {
  const base = baseOf(lugar, pedido, covered)
  const observed = observe(lugar, pedido, limitesOf(pedido, base), current, estimadosOf)
  const { zona: _last, ...situation } = situationOf(base.qualidade, observed, current)
  const populacao = lugar.populacao(pedido.ano)
  const first = observed.find(isAbove)
  return {
    ano: pedido.ano,
    anos_base: base.anos,
    anos_excluidos: base.excluidos.map((one) => ({ ...one, incidencia: rounded(one.incidencia) })),
    mediana_anual: rounded(base.mediana),
    semanas: observed.map((one) => toSemana(one, populacao)),
    ...situation,
    primeira_acima: first === undefined ? null : semanaAt(first.week).codigo,
  }
}

/** The same in one line, by what is known (D-345). */
export function situacaoOf(
  lugar: LugarContado,
  pedido: DiagramaPedido,
  covered: ReadonlySet<number>,
  current: number,
): SituacaoDoDiagrama {
  const base = baseOf(lugar, pedido, covered)
  const observed = observe(lugar, pedido, limitesOf(pedido, base), current, WITHOUT_ESTIMATES)
  return situationOf(base.qualidade, observed, current)
}

const rounded = (value: number | null) => roundOrNull(value, 4)

function toSemana(
  { week, limites, casos, incidencia, estimados, zona }: SemanaObservada,
  populacao: number | null,
): SemanaDoDiagrama {
  const { n, ...values } = limites
  const { codigo, inicio, fim } = semanaAt(week)
  const upper = upperOf(limites)
  const most = upper === null || populacao === null ? null : floor((upper * populacao) / 100_000)
  return {
    semana: codigo,
    inicio,
    fim,
    n,
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, rounded(value)])),
    limite_superior_casos: most,
    casos,
    incidencia: rounded(incidencia),
    estimados: rounded(estimados),
    zona,
  }
}
