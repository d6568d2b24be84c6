import { addDays } from '../../brasil/calendar.ts'
import { anoOfWeek, firstWeekOf, semanaAt } from '../../brasil/epi-week.ts'
import type { Caller } from '../../caller/caller.ts'
import type { FilterTest } from '../../filter.ts'
import { ratePer100k } from '../../statistics/rate.ts'
import { roundOrNull } from '../../statistics/rounding.ts'
import { situacao } from '../alertas/situacao.ts'
import type { App } from '../app.ts'
import { SOROTIPOS, type TipoAgravo } from '../casos/enumeracoes.ts'
import { countPendencias } from '../casos/qualidade/pendencias.ts'
import { qualidadeOf } from '../casos/qualidade/qualidade.ts'
import { withinCaller } from '../casos/statistics/alcance.ts'
import { testsOfLugares } from '../casos/statistics/recorte.ts'
import { DIAGRAMA_PADRAO } from '../epidemiologia/base-do-diagrama.ts'
import type { SemanaDoDiagrama } from '../epidemiologia/diagrama.ts'
import {
  curva,
  diagramaDeControle,
  type RespostaDaCurva,
  reproducao,
} from '../epidemiologia/epidemiologia.ts'
import { indicadores, type RespostaDosIndicadores } from '../epidemiologia/indicadores-do-lugar.ts'
import { withoutPopulation } from '../epidemiologia/lugar-contado.ts'
import { NOWCAST_DELAYS } from '../epidemiologia/nowcast.ts'
import { nowcast } from '../epidemiologia/nowcast-do-lugar.ts'
import {
  CAMPOS_DO_BOLETIM,
  type CompletudeDoBoletim,
  type CurvaDoBoletim,
  type DiagramaDoBoletim,
  type NumerosDoBoletim,
  type PiramideDoBoletim,
  type QualidadeDoBoletim,
  type RtDoBoletim,
  type SecaoDoBoletim,
  type SemanaContada,
  type SorotiposDoBoletim,
  type Valor,
} from './dados.ts'
import { bairrosOf, countRecent, incidenciaRecente, partesOf, RECENT_WEEKS, type Recorte } from './partes.ts'

/** One disease of a bulletin, as the functions behind the routes of epidemiology answer it; nothing is hidden yet. */

export type BoletimNeeds = Pick<
  App,
  'db' | 'agravos' | 'clock' | 'municipios' | 'territorios' | 'populacao' | 'estruturaEtaria'
>

/** Account whose territory bounds what is counted; without the right to identify anybody. */
export type Leitor = Pick<Caller, 'territorio' | 'permissoes' | 'holdsAll'>

/** Weeks of the window of R; the generation interval is that of the disease. */
export const RT_DO_BOLETIM = { janela: 3 }
const RT_WEEKS = 26
const YEARS_BEFORE = 2

export interface SecaoContada {
  secao: SecaoDoBoletim
  indicadores: RespostaDosIndicadores
  dados_ate: string | null
}

export const shown = (valor: number | null): Valor => ({ valor, suprimido: false })

/** Question that the functions of epidemiology are asked with. */
const pedidoOf = ({ tipo, pedido }: Recorte) => ({
  tipo_agravo: tipo,
  ...pedido,
  casos: 'provaveis' as const,
})

const codeOf = (week: number) => semanaAt(week).codigo

/** Estimates what the rest of a section re-uses, and keeps the parameters: a snapshot cannot. */
export async function prepararEstimativas(
  app: BoletimNeeds,
  leitor: Leitor,
  recorte: Recorte,
): Promise<void> {
  const asked = { ...pedidoOf(recorte), semanas: 1, intervalos: [], avaliar: false }
  await nowcast(app, leitor, asked)
  await nowcast(app, leitor, { ...asked, casos: 'notificados' })
}

export async function contarSecao(
  app: BoletimNeeds,
  leitor: Leitor,
  recorte: Recorte,
): Promise<SecaoContada> {
  const { tipo, lugar, week, ano } = recorte
  const contada = await curva(app, leitor, {
    ...pedidoOf(recorte),
    semana_inicio: codeOf(firstWeekOf(ano - YEARS_BEFORE)),
    semana_fim: codeOf(week),
    comparar_anos: 1,
  })
  const counted = await indicadores(app, leitor, {
    ...pedidoOf(recorte),
    semana_inicio: codeOf(firstWeekOf(ano)),
    semana_fim: codeOf(week),
    serie: false,
  })
  const atual = contada.anos.find((one) => one.ano === ano)
  const partes =
    lugar.nivel === 'municipio'
      ? []
      : await partesOf(app, leitor, recorte, lugar.nivel === 'pais' ? 'estado' : 'municipio')
  const secao: SecaoDoBoletim = {
    tipo_agravo: tipo,
    populacao: atual?.populacao ?? null,
    populacao_ano: atual?.populacao_ano ?? null,
    numeros: await numerosOf(app, leitor, recorte, contada, counted),
    curva: await curvaOf(app, leitor, recorte, contada),
    diagrama: await diagramaOf(app, leitor, recorte),
    rt: await rtOf(app, leitor, recorte),
    mapa:
      lugar.nivel === 'municipio'
        ? await bairrosOf(app, recorte)
        : { tipo: lugar.nivel === 'pais' ? 'estado' : 'municipio', lugares: partes },
    municipios: { maior_incidencia: [], mudaram_de_nivel: [] },
    piramide: piramideOf(counted),
    sorotipos: tipo === 'dengue' ? sorotiposOf(counted) : null,
    qualidade: await qualidadeDe(app, leitor, recorte),
  }
  return { secao, indicadores: counted, dados_ate: contada.dados_ate }
}

async function numerosOf(
  app: BoletimNeeds,
  leitor: Leitor,
  recorte: Recorte,
  { semanas, comparacao, anos }: RespostaDaCurva,
  counted: RespostaDosIndicadores,
): Promise<NumerosDoBoletim> {
  const { tipo, lugar, pedido, week, ano } = recorte
  const last = semanas.at(-1)
  const recent = semanas.slice(-RECENT_WEEKS).reduce((sum, { casos }) => sum + casos, 0)
  const outside = await recentWithoutPopulation(app, recorte)
  const populacao = anos.find((one) => one.ano === ano)?.populacao ?? null
  const [before] = comparacao
  const { confirmados: lethality } = counted.letalidade
  const levelOf = async (at: number) => {
    const asked = {
      tipo_agravo: tipo,
      ...pedido,
      semana: codeOf(at),
      nivel_lugar: lugar.nivel,
      detalhe: false,
    }
    const [found] = (await situacao(app, leitor, asked)).lugares
    return { nivel: found?.nivel ?? ('verde' as const), motivos: found?.motivos ?? [] }
  }
  const level = await levelOf(week)
  return {
    casos_ano: shown(last?.acumulado ?? 0),
    incidencia_ano: shown(last?.acumulado_incidencia ?? null),
    casos_4_semanas: shown(recent),
    incidencia_4_semanas: shown(incidenciaRecente(recent - outside, populacao)),
    casos_ano_anterior: shown(before?.casos ?? 0),
    variacao_pct: shown(before?.variacao_pct ?? null),
    confirmados: shown(counted.confirmados),
    obitos: shown(counted.obitos),
    obitos_em_investigacao: shown(counted.obitos_em_investigacao),
    letalidade: { ...shown(lethality.pct), inferior: lethality.inferior, superior: lethality.superior },
    nivel: level.nivel,
    motivos: [...level.motivos],
    nivel_anterior: (await levelOf(week - 1)).nivel,
  }
}

/** Cases of municipalities too new to have figures: they count, and are in no rate. */
async function recentWithoutPopulation(app: BoletimNeeds, recorte: Recorte): Promise<number> {
  const without = withoutPopulation(app, recorte.lugar.municipios)
  if (without.length === 0) return 0
  const casos = await countRecent(app, 'municipio', without, recorte)
  return [...casos.values()].reduce((sum, one) => sum + one, 0)
}

async function curvaOf(
  app: BoletimNeeds,
  leitor: Leitor,
  recorte: Recorte,
  { semanas }: RespostaDaCurva,
): Promise<CurvaDoBoletim> {
  const { week } = recorte
  const asked = { semanas: NOWCAST_DELAYS, intervalos: [95] as const, avaliar: false }
  const estimated = await nowcast(app, leitor, { ...pedidoOf(recorte), ...asked })
  const byYear = Map.groupBy(semanas, ({ semana }) => Number(semana.slice(0, 4)))
  const estimates = estimated.semanas.filter(
    ({ semana, estimados }) => semana <= codeOf(week) && estimados !== null,
  )
  return {
    anos: [...byYear]
      .toSorted(([a], [b]) => b - a)
      .map(([ano, those]) => ({
        ano,
        semanas: those.map(
          ({ semana, inicio, fim, casos, incidencia }): SemanaContada => ({
            ...{ semana, inicio, fim, casos, incidencia },
            suprimido: false,
          }),
        ),
      })),
    nowcast: estimates
      .map(({ semana, inicio, fim, conhecidos, estimados, inferior_95 = null, superior_95 = null }) => ({
        ...{ semana, inicio, fim, conhecidos, estimados, inferior_95, superior_95 },
        suprimido: false,
      }))
      .toReversed(),
    nowcast_motivo: estimated.motivo,
    nowcast_duvidoso: estimated.duvidoso,
  }
}

async function diagramaOf(app: BoletimNeeds, leitor: Leitor, recorte: Recorte): Promise<DiagramaDoBoletim> {
  const { week, ano, lugar } = recorte
  const found = await diagramaDeControle(app, leitor, pedidoOf(recorte), { ...DIAGRAMA_PADRAO, ano })
  const populacao = app.populacao.populationOfAll(lugar.municipios, ano)
  const last = codeOf(week)
  const semanas = found.semanas.map((semana) => semanaDoDiagrama(semana, semana.semana <= last, populacao))
  const over = semanas.filter(({ semana }) => semana <= last)
  const lastBelow = over.findLastIndex(({ zona }) => zona !== 'epidemico')
  return {
    ano,
    qualidade: found.qualidade,
    anos_base: found.anos_base,
    anos_excluidos: found.anos_excluidos.map((one) => one.ano),
    semanas,
    semanas_acima: over.filter(({ zona }) => zona === 'epidemico').length,
    consecutivas_acima: over.length - 1 - lastBelow,
  }
}

function semanaDoDiagrama(
  {
    semana,
    inicio,
    fim,
    media = null,
    limite_inferior = null,
    limite_superior = null,
    ...week
  }: SemanaDoDiagrama,
  isOver: boolean,
  populacao: number | null,
): DiagramaDoBoletim['semanas'][number] {
  const { casos, incidencia, estimados, zona } = week
  const judged = estimados === null ? incidencia : roundOrNull(ratePer100k(estimados, populacao), 4)
  const observed = { casos, incidencia, estimados, incidencia_julgada: judged, zona }
  const nothing = { casos: null, incidencia: null, estimados: null, incidencia_julgada: null, zona: null }
  return {
    ...{ semana, inicio, fim, media, limite_inferior, limite_superior },
    ...(isOver ? observed : nothing),
    suprimido: false,
    limites_suprimidos: false,
  }
}

async function rtOf(app: BoletimNeeds, leitor: Leitor, recorte: Recorte): Promise<RtDoBoletim> {
  const { week } = recorte
  const period = { semana_inicio: codeOf(week - RT_WEEKS + 1), semana_fim: codeOf(week) }
  const asked = { ...RT_DO_BOLETIM, nowcast: true }
  const { semanas } = await reproducao(app, leitor, { ...pedidoOf(recorte), ...period }, asked)
  return {
    semanas: semanas.map(
      ({ semana, inicio, fim, rt, inferior, superior, p_maior_1, confiavel, estimado }) => ({
        ...{ semana, inicio, fim, rt, inferior, superior, p_maior_1, confiavel, estimado },
        suprimido: false,
      }),
    ),
  }
}

function piramideOf({ piramide, estrutura_ano }: RespostaDosIndicadores): PiramideDoBoletim {
  return {
    celulas: piramide.celulas.map(({ sexo, faixa, casos, populacao, incidencia }) => ({
      ...{ sexo, faixa, casos, populacao, incidencia },
      suprimido: false,
    })),
    sem_sexo_ou_idade: shown(piramide.sem_sexo_ou_idade),
    estrutura_ano,
  }
}

function sorotiposOf({ sorotipos }: RespostaDosIndicadores): SorotiposDoBoletim {
  return {
    contagens: SOROTIPOS.map((sorotipo) => ({ sorotipo, casos: sorotipos[sorotipo] })),
    predominante: sorotipos.predominante,
    suprimido: false,
  }
}

const QUALITY_DAYS = 365

/** Seen from the Saturday of the week, so that it says the same on every day it is made. */
async function qualidadeDe(app: BoletimNeeds, leitor: Leitor, recorte: Recorte): Promise<QualidadeDoBoletim> {
  const { tipo, pedido, lugar, week } = recorte
  const { fim } = semanaAt(week)
  const inicio = addDays(fim, 1 - QUALITY_DAYS)
  const clock = { now: () => new Date(`${fim}T15:00:00Z`) }
  const found = await qualidadeOf({ ...app, clock }, leitor, {
    ...pedido,
    ...{ tipo_agravo: tipo, data_inicio: inicio, data_fim: fim, agrupar_por: null, page: 1, size: 1 },
  })
  const test = (field: string, op: 'eq' | 'lte', value: string): FilterTest => ({
    kind: 'test',
    field,
    op,
    value,
  })
  const atrasados = await countPendencias({ ...app, clock }, leitor, {
    kind: 'and',
    of: [
      test('tipo_agravo', 'eq', tipo),
      test('pendencia', 'eq', 'atrasado'),
      test('data_fim', 'lte', fim),
      ...testsOfLugares(withinCaller(app, leitor, lugar).lugares),
    ],
  })
  return {
    inicio,
    fim,
    casos: shown(found.casos),
    atrasados: shown(atrasados),
    completude: CAMPOS_DO_BOLETIM.map((campo) => {
      const one = found.completude.find((other) => other.campo === campo)
      return { ...(one as Omit<CompletudeDoBoletim, 'suprimido'>), campo, suprimido: false }
    }),
  }
}

export const recorteOf = (
  tipo: TipoAgravo,
  lugar: Recorte['lugar'],
  pedido: Recorte['pedido'],
  week: number,
): Recorte => ({ tipo, lugar, pedido, week, ano: anoOfWeek(week) })
