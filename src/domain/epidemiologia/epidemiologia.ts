import { anoOfWeek, firstWeekOf, sundayOfWeek, weeksIn } from '../../brasil/epi-week.ts'
import type { Municipio } from '../../brasil/municipios.ts'
import type { Caller } from '../../caller/caller.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { Page } from '../../filter.ts'
import { sumWeeksByPlace } from '../casos/counters/semanas.ts'
import type { LugarNoAlcance } from '../casos/statistics/alcance.ts'
import { latestChange } from '../casos/statistics/mudancas.ts'
import {
  type Momento,
  type PeriodoEmSemanas,
  type PeriodoPedido,
  periodoOf,
} from '../casos/statistics/periodo.ts'
import { type Lugar, lugarOf } from '../territorios/lugar.ts'
import { candidatesOf, type DiagramaPedido } from './base-do-diagrama.ts'
import { casosEsperados } from './casos-esperados.ts'
import { coveredYears } from './cobertura.ts'
import { completudeOf } from './completude.ts'
import { type CurvaEpidemica, curvaOf } from './curva.ts'
import {
  type CasosEstimados,
  type DiagramaDeControle,
  diagramaOf,
  type SituacaoDoDiagrama,
  situacaoOf,
} from './diagrama.ts'
import { estimatedWeeks, notifiedMedians } from './estimativa.ts'
import { type CasosContados, countLugar, residentsOf } from './lugar-contado.ts'
import { NOWCAST_DELAYS } from './nowcast.ts'
import { type Needs, type PedidoEpidemiologico, placeAndTime, type RespostaEpidemiologica } from './pedido.ts'
import { INTERVALO_USUAL, type RtPedido, rtOf, type SemanaDoRt } from './rt.ts'
import { type ContagemSemanal, toSerie, weeksOfYear } from './serie.ts'

export interface RespostaDaCurva extends RespostaEpidemiologica, CurvaEpidemica {
  periodo: PeriodoEmSemanas
  contados: Pick<CasosContados, 'total' | 'sem_data' | 'inicio_implausivel'>
}

export async function curva(
  app: Needs,
  caller: Pick<Caller, 'territorio'>,
  pedido: PedidoEpidemiologico & PeriodoPedido & { comparar_anos: number },
): Promise<RespostaDaCurva> {
  const { momento, alcance } = placeAndTime(app, caller, pedido)
  const { casos, comparar_anos } = pedido
  const periodo = periodoOf(pedido, momento)
  const first = Math.min(firstOfYearOf(periodo.first), firstOfYearOf(periodo.last, comparar_anos))
  const { lugares } = alcance
  const [{ head, contado }, completude] = await Promise.all([
    count(app, alcance, pedido, momento, { first, last: momento.latest }),
    completudeOf(app.db, { tipo: pedido.tipo_agravo, lugares, casos, ended: momento.current - 1 }),
  ])
  return {
    ...head,
    periodo,
    ...curvaOf(contado, { ...periodo, casos, compararAnos: comparar_anos }, momento.current, completude),
    contados: contado,
  }
}

export interface RespostaDoDiagrama extends RespostaEpidemiologica, DiagramaDeControle {}

export async function diagramaDeControle(
  app: Needs,
  caller: Pick<Caller, 'territorio'>,
  pedido: PedidoEpidemiologico,
  opcoes: Omit<DiagramaPedido, 'ano'> & { ano: number | null },
): Promise<RespostaDoDiagrama> {
  const { momento, alcance } = placeAndTime(app, caller, pedido)
  const asked = withYear(opcoes, momento)
  const uf = alcance.lugar.estado
  const recent = recentWeeks(asked, momento)
  const [{ head, contado }, covered, medianas] = await Promise.all([
    count(app, alcance, pedido, momento, weeksNeeded(asked)),
    coveredYears(app.db, pedido.tipo_agravo, uf === null ? null : [uf], candidateRange(asked)),
    recent && notifiedMedians(app, alcance, pedido.tipo_agravo, momento),
  ])
  const years = covered.get(uf ?? '') ?? new Set<number>()
  assertCandidates(asked, candidatesOf(contado, asked, years))
  const estimados = recent && medianas ? estimadosOf(contado, recent, medianas) : undefined
  return { ...head, ...diagramaOf(contado, asked, years, momento.current, estimados) }
}

function estimadosOf(
  { serie }: CasosContados,
  { first, last }: PeriodoEmSemanas,
  medianas: ReadonlyMap<number, number>,
): CasosEstimados {
  const esperados = casosEsperados(serie, last, medianas)
  return (week) => (week >= first && week <= last ? esperados(week) : null)
}

/** Weeks of the year that are over and may not be complete; null where there are none, or other cases than probable ones are counted. */
function recentWeeks(
  { ano, casosAno }: DiagramaPedido,
  { current, known }: Momento,
): PeriodoEmSemanas | null {
  const recent = { first: current - NOWCAST_DELAYS, last: current - 1 }
  const year = weeksOfYear(ano)
  const isOfYear = recent.first <= year.last && recent.last >= year.first
  return known === null && casosAno === 'provaveis' && isOfYear ? recent : null
}

export interface LinhaDoDiagrama extends SituacaoDoDiagrama {
  lugar: Lugar
}

/** The municipalities of a place, one line each, in the order of their codes. */
export async function diagramasPorMunicipio(
  app: Needs,
  caller: Pick<Caller, 'territorio'>,
  pedido: PedidoEpidemiologico,
  opcoes: Omit<DiagramaPedido, 'ano'> & { ano: number | null },
  { page, size }: { page: number; size: number },
): Promise<Page<LinhaDoDiagrama>> {
  const { momento, alcance } = placeAndTime(app, caller, pedido)
  const asked = withYear(opcoes, momento)
  const ordered = alcance.municipios.toSorted((a, b) => a.codigo - b.codigo)
  const shown = ordered.slice((page - 1) * size, page * size)
  if (shown.length === 0) return { total: ordered.length, page, size, items: [] }
  const ufs = [...new Set(shown.map(({ uf }) => uf))]
  const [series, covered] = await Promise.all([
    seriesOf(app, shown, pedido, weeksNeeded(asked)),
    coveredYears(app.db, pedido.tipo_agravo, ufs, candidateRange(asked)),
  ])
  const lineOf = (municipio: Municipio): LinhaDoDiagrama => {
    const contado = {
      serie: series.get(municipio.codigo) ?? new Map<number, ContagemSemanal>(),
      semPopulacao: new Map<number, ContagemSemanal>(),
      ...residentsOf(app, [municipio]),
    }
    const years = covered.get(municipio.uf) ?? new Set<number>()
    const situation = situacaoOf(contado, asked, years, momento.current)
    return { lugar: lugarOf(app, { municipio: String(municipio.codigo) }), ...situation }
  }
  return { total: ordered.length, page, size, items: shown.map(lineOf) }
}

async function seriesOf(
  { db }: Needs,
  municipios: readonly Municipio[],
  { tipo_agravo: tipo }: PedidoEpidemiologico,
  { first, last }: PeriodoEmSemanas,
): Promise<Map<number, Map<number, ContagemSemanal>>> {
  const lugares = municipios.map(({ uf, codigo }) => ({ uf, codigo }))
  const rows = await sumWeeksByPlace(db, 'municipio', {
    tipo,
    lugares,
    from: sundayOfWeek(first),
    to: sundayOfWeek(last),
  })
  return new Map(rows.map((row) => [Number(row.lugar.slice(2)), toSerie(row)]))
}

export interface RespostaDoRt extends RespostaEpidemiologica {
  periodo: PeriodoEmSemanas
  /** Generation interval that was used, weeks. */
  media: number
  desvio: number
  semanas: SemanaDoRt[]
}

/** Window and, where it is not the disease's, the generation interval. */
export interface OpcoesDoRt extends Pick<RtPedido, 'janela'> {
  media?: number | undefined
  desvio?: number | undefined
  nowcast: boolean
}

export async function reproducao(
  app: Needs,
  caller: Pick<Caller, 'territorio'>,
  pedido: PedidoEpidemiologico & PeriodoPedido,
  { nowcast, janela, ...given }: OpcoesDoRt,
): Promise<RespostaDoRt> {
  const interval = app.agravos.vigentes().get(pedido.tipo_agravo)?.definicao.epidemiologia.intervalo_geracao
  if (interval === null)
    throw invalid('query', ['tipo_agravo'], 'INCONSISTENT', { field: 'intervalo_geracao' })
  const usual = interval ?? INTERVALO_USUAL
  const [media, desvio] = [given.media ?? usual.media, given.desvio ?? usual.desvio]
  const { momento, alcance } = placeAndTime(app, caller, pedido)
  const periodo = periodoOf(pedido, momento)
  const last = Math.min(periodo.last, momento.current - 1)
  const [{ head, contado }, estimadas] = await Promise.all([
    count(app, alcance, pedido, momento, { first: null, last }),
    nowcast ? estimatedWeeks(app, alcance, pedido, momento) : new Map<number, readonly number[]>(),
  ])
  const asked = { janela, media, desvio, casos: pedido.casos, first: periodo.first, last }
  return { ...head, periodo, media, desvio, semanas: rtOf(contado.serie, asked, estimadas) }
}

async function count(
  app: Needs,
  alcance: LugarNoAlcance,
  { tipo_agravo: tipo }: PedidoEpidemiologico,
  { known }: Momento,
  weeks: { first: number | null; last: number | null },
): Promise<{ head: RespostaEpidemiologica; contado: CasosContados }> {
  const [contado, dados_ate] = await Promise.all([
    countLugar(app.db, app, alcance, { tipo, known, ...weeks }),
    latestChange(app.db, tipo, alcance.lugares),
  ])
  const { lugar, parcial } = alcance
  return { head: { lugar, parcial, sem_digitacao: contado.sem_digitacao, dados_ate }, contado }
}

/** First week of the year of a week, or of one some years before. */
const firstOfYearOf = (week: number, yearsBefore = 0) => firstWeekOf(anoOfWeek(week) - yearsBefore)

const withYear = (
  opcoes: Omit<DiagramaPedido, 'ano'> & { ano: number | null },
  { latest }: Momento,
): DiagramaPedido => {
  const asked = { ...opcoes, ano: opcoes.ano ?? anoOfWeek(latest) }
  const { from, to } = candidateRange(asked)
  assertCandidates(
    asked,
    Array.from({ length: to - from + 1 }, (_, i) => from + i),
  )
  return asked
}

const candidateRange = ({ ano, anos }: DiagramaPedido) => ({ from: ano - anos, to: ano - 1 })

const weeksNeeded = ({ ano, anos }: DiagramaPedido): PeriodoEmSemanas => ({
  first: firstWeekOf(ano - anos),
  last: firstWeekOf(ano) + weeksIn(ano) - 1,
})

/** Years to leave out must be among those that could be used. */
function assertCandidates({ anosExcluidos }: DiagramaPedido, candidates: readonly number[]): void {
  if (anosExcluidos === null || anosExcluidos.every((ano) => candidates.includes(ano))) return
  throw invalid('query', ['anos_excluidos'], 'INVALID_VALUE', { allowed: candidates.join(', ') || '-' })
}
