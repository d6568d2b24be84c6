import { anoOfWeek, firstWeekOf, weekOf } from '../../brasil/epi-week.ts'
import {
  type Cell,
  cellOf,
  createClosing,
  hideSmallCells,
  isSmall,
  type Line,
} from '../../statistics/suppression.ts'
import { weeksOfYear } from '../epidemiologia/serie.ts'
import { indicadoresSuprimidos, isLarge } from '../epidemiologia/suprimida.ts'
import type { Lugar } from '../territorios/lugar.ts'
import type {
  DiagramaDoBoletim,
  LugarDoMapa,
  MapaDoBoletim,
  NumerosDoBoletim,
  PiramideDoBoletim,
  QualidadeDoBoletim,
  RtDoBoletim,
  SecaoDoBoletim,
  SemanaDoBoletim,
  Valor,
} from './dados.ts'
import { RECENT_WEEKS } from './partes.ts'
import type { SecaoContada } from './secao.ts'

/**
 * Small cells of a public bulletin. Weeks, the sums of the year and of four weeks, sex and age, and bairros are one table, in which
 * each cell is in two lines at most. The four weeks of municipalities are suppressed before, with their whole state (D-375), so that
 * bulletins of the state and of its parts hide the same. Whatever is computed from a hidden week is hidden with it.
 */

export interface Contexto {
  minimo: number
  lugar: Lugar
  /** Week of the bulletin. */
  week: number
  /** True where the four weeks of a place are hidden beside those of others: UF, five or seven digits. */
  isRecentHidden(codigo: string): boolean
  /** Probable cases of the weeks of the years that a control diagram may be based on. */
  casosDaBase(week: number): number
}

const HIDDEN: Valor = { valor: null, suprimido: true }
const hiddenIf = (isHidden: boolean, valor: Valor): Valor => (isHidden ? HIDDEN : valor)

export function suprimirSecao({ secao, indicadores }: SecaoContada, contexto: Contexto): SecaoDoBoletim {
  const { minimo, lugar } = contexto
  const large = isLarge(lugar, secao.populacao)
  const tabela = closeTable(secao, contexto, large)
  const { isHidden } = tabela
  const shownIndicators = indicadoresSuprimidos(indicadores, minimo)
  const small = (...counts: (number | null)[]) =>
    !large && counts.some((count) => isSmall(count ?? 0, minimo))
  return {
    ...secao,
    numeros: numerosSuprimidos(secao.numeros, tabela, shownIndicators),
    curva: {
      ...secao.curva,
      anos: secao.curva.anos.map(({ ano, semanas }) => ({
        ano,
        semanas: semanas.map((one) =>
          isHidden(numberOf(one)) ? { ...one, casos: null, incidencia: null, suprimido: true } : one,
        ),
      })),
      nowcast: secao.curva.nowcast.map((one) =>
        isHidden(numberOf(one))
          ? {
              ...one,
              ...{ conhecidos: null, estimados: null, inferior_95: null, superior_95: null },
              suprimido: true,
            }
          : one,
      ),
    },
    diagrama: diagramaSuprimido(secao.diagrama, tabela, large ? null : contexto),
    rt: rtSuprimido(secao.rt, isHidden),
    mapa: mapaSuprimido(secao.mapa, tabela, contexto),
    piramide: piramideSuprimida(secao.piramide, tabela),
    sorotipos:
      secao.sorotipos !== null && shownIndicators.sorotipos.DENV1 === null
        ? {
            contagens: secao.sorotipos.contagens.map((one) => ({ ...one, casos: null })),
            predominante: null,
            suprimido: true,
          }
        : secao.sorotipos,
    qualidade: qualidadeSuprimida(secao.qualidade, small),
  }
}

const numberOf = ({ inicio }: SemanaDoBoletim) => weekOf(inicio)

interface Tabela {
  isHidden(week: number): boolean
  ano: Cell
  anterior: Cell
  recentes: Cell
  piramide: readonly Cell[]
  bairros: readonly Cell[]
}

function closeTable(
  secao: SecaoDoBoletim,
  { minimo, lugar, week, isRecentHidden }: Contexto,
  large: boolean,
): Tabela {
  const size = { isLarge: large }
  const weeks = new Map(
    secao.curva.anos.flatMap(({ semanas }) =>
      semanas.map((one) => [weekOf(one.inicio), cellOf(one.casos ?? 0, size)] as const),
    ),
  )
  const between = (first: number, last: number): Cell[] =>
    Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => weeks.get(first + i)).filter(
      (cell) => cell !== undefined,
    )
  const [atual, passado] = secao.curva.anos
  const begin = firstWeekOf(atual?.ano ?? 0)
  const before = weeksOfYear(passado?.ano ?? 0)
  const { numeros } = secao
  const ano = cellOf(numeros.casos_ano.valor ?? 0, size)
  const anterior = cellOf(numeros.casos_ano_anterior.valor ?? 0, size)
  const recentHidden = isRecentHidden(lugar.codigo ?? '')
  const recentes = cellOf(numeros.casos_4_semanas.valor ?? 0, { ...size, isFixed: !recentHidden })
  recentes.isHidden = recentHidden
  const piramide = [
    ...secao.piramide.celulas.map(({ casos }) => cellOf(casos ?? 0)),
    cellOf(secao.piramide.sem_sexo_ou_idade.valor ?? 0),
  ]
  const bairros =
    secao.mapa.tipo === 'bairro'
      ? [
          ...secao.mapa.bairros.map(({ casos_4_semanas }) => cellOf(casos_4_semanas ?? 0)),
          cellOf(secao.mapa.demais.valor ?? 0),
        ]
      : []
  const rows: Line[] = [
    { parts: between(begin, week), total: ano },
    { parts: between(before.first, Math.min(before.first + week - begin, before.last)), total: anterior },
    ...(bairros.length > 0 ? [{ parts: bairros, total: recentes }] : []),
  ]
  const columns: Line[] = [
    { parts: between(week - RECENT_WEEKS + 1, week), total: recentes },
    { parts: piramide, total: ano },
  ]
  hideSmallCells([...weeks.values(), ano, anterior, ...piramide, ...bairros], minimo)
  createClosing({ columns, rows }, minimo).close()
  return { isHidden: (at) => weeks.get(at)?.isHidden === true, ano, anterior, recentes, piramide, bairros }
}

function numerosSuprimidos(
  numeros: NumerosDoBoletim,
  { ano, anterior, recentes }: Tabela,
  shown: ReturnType<typeof indicadoresSuprimidos>,
): NumerosDoBoletim {
  const areDeathsHidden = shown.obitos === null
  const areConfirmedHidden = ano.isHidden || shown.confirmados === null
  const isLethalityHidden =
    areConfirmedHidden || (shown.letalidade.confirmados.de === null && numeros.letalidade.valor !== null)
  return {
    ...numeros,
    casos_ano: hiddenIf(ano.isHidden, numeros.casos_ano),
    incidencia_ano: hiddenIf(ano.isHidden, numeros.incidencia_ano),
    casos_4_semanas: hiddenIf(recentes.isHidden, numeros.casos_4_semanas),
    incidencia_4_semanas: hiddenIf(recentes.isHidden, numeros.incidencia_4_semanas),
    casos_ano_anterior: hiddenIf(anterior.isHidden, numeros.casos_ano_anterior),
    variacao_pct: hiddenIf(ano.isHidden || anterior.isHidden, numeros.variacao_pct),
    confirmados: hiddenIf(areConfirmedHidden, numeros.confirmados),
    obitos: hiddenIf(areDeathsHidden, numeros.obitos),
    obitos_em_investigacao: hiddenIf(areDeathsHidden, numeros.obitos_em_investigacao),
    letalidade: isLethalityHidden ? { ...HIDDEN, inferior: null, superior: null } : numeros.letalidade,
  }
}

/** Weeks around the reference week that a limit is computed from. */
const WINDOW = [-2, -1, 0, 1, 2]

/** `contexto` null: the limits of a large place are shown. */
function diagramaSuprimido(
  diagrama: DiagramaDoBoletim,
  { isHidden }: Tabela,
  contexto: Contexto | null,
): DiagramaDoBoletim {
  const isLimitHidden = (i: number) =>
    contexto !== null &&
    diagrama.anos_base.some((ano) => {
      const { first, last } = weeksOfYear(ano)
      const reference = Math.min(first + i, last)
      return WINDOW.some((off) => isBaseHidden(reference + off))
    })
  const isBaseHidden = (at: number) =>
    contexto !== null &&
    diagrama.anos_base.includes(anoOfWeek(at)) &&
    (isHidden(at) || isSmall(contexto.casosDaBase(at), contexto.minimo))
  const semanas = diagrama.semanas.map((one, i) => {
    const hasNoLimits = one.limite_superior !== null && isLimitHidden(i)
    const isObservedHidden = one.casos !== null && isHidden(weekOf(one.inicio))
    return {
      ...one,
      ...(hasNoLimits && { media: null, limite_inferior: null, limite_superior: null }),
      ...(isObservedHidden && { casos: null, incidencia: null, estimados: null, incidencia_julgada: null }),
      zona: hasNoLimits || isObservedHidden ? null : one.zona,
      suprimido: isObservedHidden,
      limites_suprimidos: hasNoLimits,
    }
  })
  const hasHidden = semanas.some(
    ({ suprimido, limites_suprimidos, casos }) => suprimido || (limites_suprimidos && casos !== null),
  )
  return { ...diagrama, semanas, ...(hasHidden && { semanas_acima: null, consecutivas_acima: null }) }
}

/** Weeks before it that an estimate of Rt comes from: its window and the longest lag. */
const RT_REACH = 8

function rtSuprimido({ semanas }: RtDoBoletim, isHidden: (week: number) => boolean): RtDoBoletim {
  return {
    semanas: semanas.map((one) => {
      const at = weekOf(one.inicio)
      const reach = Array.from({ length: RT_REACH + 1 }, (_, i) => at - i)
      if (!reach.some(isHidden)) return one
      return { ...one, rt: null, inferior: null, superior: null, p_maior_1: null, suprimido: true }
    }),
  }
}

function mapaSuprimido(
  mapa: MapaDoBoletim,
  { bairros }: Tabela,
  { isRecentHidden }: Contexto,
): MapaDoBoletim {
  if (mapa.tipo !== 'bairro')
    return { ...mapa, lugares: mapa.lugares.map((one) => parteSuprimida(one, isRecentHidden)) }
  return {
    ...mapa,
    bairros: mapa.bairros.map((one, i) =>
      bairros[i]?.isHidden ? { ...one, casos_4_semanas: null, suprimido: true } : one,
    ),
    demais: hiddenIf(bairros.at(-1)?.isHidden === true, mapa.demais),
  }
}

export function parteSuprimida(parte: LugarDoMapa, isRecentHidden: (codigo: string) => boolean): LugarDoMapa {
  if (!isRecentHidden(parte.codigo)) return parte
  return { ...parte, casos_4_semanas: null, incidencia_4_semanas: null, suprimido: true }
}

function piramideSuprimida(piramide: PiramideDoBoletim, { piramide: cells }: Tabela): PiramideDoBoletim {
  return {
    ...piramide,
    celulas: piramide.celulas.map((one, i) =>
      cells[i]?.isHidden ? { ...one, casos: null, incidencia: null, suprimido: true } : one,
    ),
    sem_sexo_ou_idade: hiddenIf(cells.at(-1)?.isHidden === true, piramide.sem_sexo_ou_idade),
  }
}

function qualidadeSuprimida(
  qualidade: QualidadeDoBoletim,
  small: (...counts: (number | null)[]) => boolean,
): QualidadeDoBoletim {
  const { casos, atrasados, completude } = qualidade
  return {
    ...qualidade,
    casos: hiddenIf(small(casos.valor), casos),
    atrasados: hiddenIf(small(atrasados.valor, (casos.valor ?? 0) - (atrasados.valor ?? 0)), atrasados),
    completude: completude.map((one) => {
      const { preenchidos, de } = one
      if (!small(casos.valor, preenchidos, de, (de ?? 0) - (preenchidos ?? 0))) return one
      return { ...one, preenchidos: null, de: null, pct: null, faixa: null, suprimido: true }
    }),
  }
}
