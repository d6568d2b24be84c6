import { type Cell, cellOf, createClosing, hideSmallCells, isSmall } from '../../statistics/suppression.ts'
import type { Lugar } from '../territorios/lugar.ts'
import type { RespostaDaCurva } from './epidemiologia.ts'
import type { Letalidade, Proporcao } from './indicadores.ts'
import type { RespostaDosIndicadores } from './indicadores-do-lugar.ts'

/** Answers about one place with small counts hidden, for those who pass them on. Derived numbers are hidden with what they are of. */

/** Members that are never hidden. */
type Kept = 'lugar' | 'periodo' | 'ano' | 'sem_digitacao'

/** The same with every count and rate nullable; null: hidden, too. */
export type Suprimida<T> = T extends number
  ? number | null
  : T extends object
    ? {
        [K in keyof T]: K extends Kept
          ? T[K]
          : [K, T[K]] extends ['semanas', number]
            ? number
            : Suprimida<T[K]>
      }
    : T

/** Residents from which on the small totals of a region tell of nobody. */
const MANY_RESIDENTS = 100_000

/** Places whose small totals are shown. */
export const isLarge = ({ nivel }: Lugar, populacao: number | null) =>
  nivel === 'pais' || nivel === 'estado' || (nivel === 'regiao_saude' && (populacao ?? 0) > MANY_RESIDENTS)

/** Cells of one line, after suppression, and its total. */
function closeLine(
  counts: readonly number[],
  sum: number,
  { areLarge, isTotalLarge }: { areLarge: boolean; isTotalLarge: boolean },
  minimo: number,
) {
  const parts = counts.map((count) => cellOf(count, { isLarge: areLarge }))
  const total = cellOf(sum, { isLarge: isTotalLarge })
  hideSmallCells([...parts, total], minimo)
  createClosing({ columns: [], rows: [{ parts, total }] }, minimo).close()
  return { parts, total }
}

const shown = <T>(value: T, isHidden: boolean): T | null => (isHidden ? null : value)

const COUNTS = [
  ...(['notificados', 'provaveis', 'confirmados', 'descartados'] as const),
  ...(['inconclusivos', 'em_investigacao', 'hospitalizados', 'obitos'] as const),
]

type Semana = RespostaDaCurva['semanas'][number]

/** Each year is a line of weeks. The other numbers of a week are shown only where none of them is small. */
export function curvaSuprimida(resposta: RespostaDaCurva, minimo: number): Suprimida<RespostaDaCurva> {
  const { lugar, parcial, semanas, anos, comparacao, contados } = resposta
  const large = !parcial && isLarge(lugar, anos.at(-1)?.populacao ?? null)
  const small = (count: number | null) => !large && count !== null && isSmall(count, minimo)
  const weeksOf = (ano: number) => semanas.filter(({ semana }) => semana.startsWith(String(ano)))
  // Weeks of the year outside of the period are a part of it, too: what is left of its total.
  const lineOf = ({ ano, casos }: RespostaDaCurva['anos'][number]) => {
    const listed = weeksOf(ano).map((week) => week.casos)
    const rest = casos - listed.reduce((sum, count) => sum + count, 0)
    return closeLine([...listed, rest], casos, { areLarge: large, isTotalLarge: large }, minimo)
  }
  const lines = new Map(anos.map((ano) => [ano.ano, lineOf(ano)]))
  const hasHidden = (ano: number) => lines.get(ano)?.parts.some(({ isHidden }) => isHidden) ?? false
  const { total, sem_data, inicio_implausivel } = contados
  const areOthersHidden = [total, sem_data, inicio_implausivel].some(small)
  return {
    ...resposta,
    semanas: anos.flatMap(({ ano }) => semanasSuprimidas(weeksOf(ano), lines.get(ano)?.parts ?? [], small)),
    anos: anos.map((ano) => {
      const isHidden = lines.get(ano.ano)?.total.isHidden === true
      return { ...ano, casos: shown(ano.casos, isHidden), incidencia: shown(ano.incidencia, isHidden) }
    }),
    comparacao: comparacao.map((one) => {
      const whole = anos.find(({ ano }) => ano === one.ano)
      const rest = whole === undefined ? 0 : whole.casos - one.casos
      const isHidden = small(one.casos) || small(rest) || hasHidden(one.ano)
      const isChangeHidden = isHidden || hasHidden(anos.at(-1)?.ano ?? 0)
      return {
        ...one,
        casos: shown(one.casos, isHidden),
        incidencia: shown(one.incidencia, isHidden),
        variacao_pct: shown(one.variacao_pct, isChangeHidden),
      }
    }),
    contados: {
      total: shown(total, areOthersHidden),
      sem_data: shown(sem_data, areOthersHidden),
      inicio_implausivel: shown(inicio_implausivel, areOthersHidden),
    },
  }
}

function semanasSuprimidas(
  semanas: readonly Semana[],
  cells: readonly Cell[],
  small: (count: number | null) => boolean,
): Suprimida<Semana>[] {
  const [first] = semanas
  let isHiddenSince = first !== undefined && small(first.acumulado - first.casos)
  return semanas.map((semana, i) => {
    const isHidden = cells[i]?.isHidden === true
    isHiddenSince ||= isHidden
    const areOthersHidden = isHidden || COUNTS.some((name) => small(semana[name]))
    const others = COUNTS.map((name) => [name, shown(semana[name], areOthersHidden)])
    const isSumHidden = isHiddenSince || small(semana.acumulado)
    return {
      ...semana,
      ...Object.fromEntries(others),
      casos: shown(semana.casos, isHidden),
      incidencia: shown(semana.incidencia, isHidden),
      acumulado: shown(semana.acumulado, isSumHidden),
      acumulado_incidencia: shown(semana.acumulado_incidencia, isSumHidden),
    }
  })
}

/** Pyramids hide small counts of every place: sex and age tell more of a person than a total. */
export function indicadoresSuprimidos(
  resposta: RespostaDosIndicadores,
  minimo: number,
): Suprimida<RespostaDosIndicadores> {
  const { lugar, parcial, populacao, piramide, padronizada, letalidade, hospitalizacao, sorotipos, ...rest } =
    resposta
  const { notificados, provaveis, confirmados, obitos, obitos_em_investigacao } = rest
  const large = !parcial && isLarge(lugar, populacao)
  const small = (...counts: number[]) => !large && counts.some((count) => isSmall(count, minimo))
  const counted = [...piramide.celulas.map(({ casos }) => casos), piramide.sem_sexo_ou_idade]
  const { parts, total } = closeLine(counted, provaveis, { areLarge: false, isTotalLarge: large }, minimo)
  const areProvaveisHidden = total.isHidden
  const areNotificadosHidden = areProvaveisHidden || small(notificados, notificados - provaveis)
  const areConfirmadosHidden = areProvaveisHidden || small(confirmados, provaveis - confirmados)
  const areObitosHidden = small(obitos, obitos_em_investigacao)
  const { hospitalizados, informados, sem_informacao } = hospitalizacao
  const areAnswersHidden =
    areNotificadosHidden || small(hospitalizados, informados - hospitalizados, sem_informacao)
  const lethality = (one: Letalidade, isHidden: boolean) =>
    letalidadeSuprimida(one, isHidden || areObitosHidden || small(one.obitos, one.de, one.de - one.obitos))
  const areSerotypesHidden = small(...Object.values(sorotiposOf(sorotipos)))
  return {
    ...{ ...rest, lugar, parcial, populacao },
    notificados: shown(notificados, areNotificadosHidden),
    provaveis: shown(provaveis, areProvaveisHidden),
    confirmados: shown(confirmados, areConfirmadosHidden),
    obitos: shown(obitos, areObitosHidden),
    obitos_em_investigacao: shown(obitos_em_investigacao, areObitosHidden),
    letalidade: {
      confirmados: lethality(letalidade.confirmados, areConfirmadosHidden),
      provaveis: lethality(letalidade.provaveis, areProvaveisHidden),
      graves: lethality(letalidade.graves, false),
    },
    hospitalizacao: areAnswersHidden ? nothingOf(hospitalizacao) : hospitalizacao,
    piramide: {
      celulas: piramide.celulas.map((celula, i) => {
        const isHidden = parts[i]?.isHidden === true
        return {
          ...celula,
          casos: shown(celula.casos, isHidden),
          incidencia: shown(celula.incidencia, isHidden),
        }
      }),
      sem_sexo_ou_idade: shown(piramide.sem_sexo_ou_idade, parts.at(-1)?.isHidden === true),
    },
    sorotipos: areSerotypesHidden ? { ...nothingOf(sorotipos), predominante: null } : sorotipos,
    // A weighted sum of the pyramid would tell of its hidden cells.
    padronizada: parts.some(({ isHidden }) => isHidden) ? nothingOf(padronizada) : padronizada,
  }
}

const sorotiposOf = ({
  predominante: _,
  serie: __,
  serie_sem_data: ___,
  ...counts
}: RespostaDosIndicadores['sorotipos']) => counts

function letalidadeSuprimida(one: Letalidade, isHidden: boolean): Suprimida<Letalidade> {
  if (!isHidden) return one
  const nothing: Suprimida<Proporcao & { obitos: number; de: number }> = nothingOf(one.se_confirmados)
  return { ...nothing, se_confirmados: nothing }
}

const nothingOf = <T extends object>(record: T) =>
  Object.fromEntries(Object.keys(record).map((name) => [name, null])) as { [K in keyof T]: null }
