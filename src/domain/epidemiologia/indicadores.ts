import { semanaOf } from '../../brasil/epi-week.ts'
import type { SexoEFaixa } from '../../brasil/populacao-sexo-faixa.ts'
import { wilsonInterval } from '../../statistics/proportion.ts'
import { ratePer100k } from '../../statistics/rate.ts'
import { round, roundOrNull } from '../../statistics/rounding.ts'
import { type Stratum, standardisedRate } from '../../statistics/standardised-rate.ts'
import { FAIXAS_ETARIAS, GRUPO_CONFIRMADO, GRUPO_GRAVE, SOROTIPOS } from '../casos/enumeracoes.ts'
import { type CelulaDaPiramide, SEXOS_DA_PIRAMIDE } from '../casos/painel/painel.ts'
import type { GrupoDoPerfil, SorotipoContado } from '../casos/statistics/perfil.ts'

/** Indicators of a set of cases: lethality, hospitalisation, pyramid, serotypes, age-standardised incidence. */

/** Share with its Wilson interval, percent; null over nothing. */
export interface Proporcao {
  pct: number | null
  inferior: number | null
  superior: number | null
}

export interface Letalidade extends Proporcao {
  obitos: number
  de: number
  /** The same if all deaths under investigation were confirmed. */
  se_confirmados: Proporcao & { obitos: number; de: number }
}

export interface Hospitalizacao extends Proporcao {
  hospitalizados: number
  informados: number
  sem_informacao: number
}

export type Sorotipo = (typeof SOROTIPOS)[number]
export type ContagemDeSorotipos = Record<Sorotipo, number>

export interface SemanaDeSorotipos extends ContagemDeSorotipos {
  semana: string
  inicio: string
  fim: string
}

export interface Sorotipos extends ContagemDeSorotipos {
  predominante: Sorotipo | null
  /** Null, like the number of those in no week, where it was not asked for. */
  serie: SemanaDeSorotipos[] | null
  serie_sem_data: number | null
}

export interface Indicadores {
  notificados: number
  provaveis: number
  confirmados: number
  obitos: number
  obitos_em_investigacao: number
  letalidade: { confirmados: Letalidade; provaveis: Letalidade; graves: Letalidade }
  hospitalizacao: Hospitalizacao
  piramide: { celulas: CelulaDaPiramide[]; sem_sexo_ou_idade: number }
  sorotipos: Sorotipos
  padronizada: { incidencia: number | null; inferior: number | null; superior: number | null }
}

/** Residents of the cells of a pyramid. */
export interface ResidentesDaPiramide {
  /** Null: unknown. */
  lugar: readonly SexoEFaixa[] | null
  /** Standard population. */
  padrao: readonly SexoEFaixa[]
}

export interface CasosDosIndicadores {
  grupos: readonly GrupoDoPerfil[]
  /** Part of them that lives where the population is unknown: counted, but in no rate. */
  semPopulacao: readonly GrupoDoPerfil[]
  sorotipos: readonly SorotipoContado[]
}

export function indicadoresOf(
  { grupos, semPopulacao, sorotipos }: CasosDosIndicadores,
  residentes: ResidentesDaPiramide,
  withSerie: boolean,
): Indicadores {
  const all = sumOf(grupos)
  const provaveis = sumOf(grupos, isProvavel)
  const confirmados = sumOf(grupos, ({ classe }) => isConfirmado(classe))
  const graves = sumOf(grupos, ({ classe }) => GRUPO_GRAVE.includes(classe))
  const celulas = celulasOf(grupos, semPopulacao)
  return {
    notificados: all.total,
    provaveis: provaveis.total,
    confirmados: confirmados.total,
    obitos: all.obitos,
    obitos_em_investigacao: all.investigados,
    letalidade: {
      confirmados: letalidadeOf(confirmados, all.investigados),
      provaveis: letalidadeOf(provaveis, all.investigados),
      // The cause of a death does not make its case a severe one.
      graves: letalidadeOf(graves, graves.investigados),
    },
    hospitalizacao: {
      hospitalizados: all.hospitalizados,
      informados: all.informados,
      sem_informacao: all.total - all.informados,
      ...proporcaoOf(all.hospitalizados, all.informados),
    },
    piramide: piramideOf(celulas, provaveis.total, residentes.lugar),
    sorotipos: {
      ...countSorotipos(sorotipos),
      predominante: predominantOf(countSorotipos(sorotipos)),
      ...(withSerie ? serieOf(sorotipos) : { serie: null, serie_sem_data: null }),
    },
    padronizada: padronizadaOf(celulas, provaveis.total, residentes),
  }
}

const isConfirmado = (classe: string) => GRUPO_CONFIRMADO.includes(classe)

const isProvavel = ({ classe }: GrupoDoPerfil) => classe !== 'descartado'

type Soma = Omit<GrupoDoPerfil, 'classe' | 'sexo' | 'faixa'>

function sumOf(grupos: readonly GrupoDoPerfil[], has: (grupo: GrupoDoPerfil) => boolean = () => true): Soma {
  const sum: Soma = { total: 0, obitos: 0, investigados: 0, hospitalizados: 0, informados: 0 }
  for (const grupo of grupos.filter(has))
    for (const name of Object.keys(sum) as (keyof Soma)[]) sum[name] += grupo[name]
  return sum
}

/** Probable cases of a sex and age band. */
interface CelulaContada {
  total: number
  /** Part of the total that lives where the population is known. */
  comPopulacao: number
}

function celulasOf(
  grupos: readonly GrupoDoPerfil[],
  semPopulacao: readonly GrupoDoPerfil[],
): Map<string, CelulaContada> {
  const totalsOf = (of: readonly GrupoDoPerfil[]) => {
    const totals = new Map<string, number>()
    for (const grupo of of.filter(isProvavel))
      totals.set(keyOf(grupo), (totals.get(keyOf(grupo)) ?? 0) + grupo.total)
    return totals
  }
  const without = totalsOf(semPopulacao)
  return new Map(
    [...totalsOf(grupos)].map(([key, total]) => [
      key,
      { total, comPopulacao: total - (without.get(key) ?? 0) },
    ]),
  )
}

const RATE_DECIMALS = 4
const PCT_DECIMALS = 2

function proporcaoOf(events: number, of: number): Proporcao {
  const interval = wilsonInterval(events, of)
  if (interval === null) return { pct: null, inferior: null, superior: null }
  return {
    pct: round((100 * events) / of, PCT_DECIMALS),
    inferior: round(100 * interval.lower, RATE_DECIMALS),
    superior: round(100 * interval.upper, RATE_DECIMALS),
  }
}

/** `investigados`: cases that would count as deaths; those outside of the group would enter it. */
function letalidadeOf({ total, obitos, investigados: inside }: Soma, investigados: number): Letalidade {
  const proporcao = (deaths: number, de: number) => ({ obitos: deaths, de, ...proporcaoOf(deaths, de) })
  return {
    ...proporcao(obitos, total),
    se_confirmados: proporcao(obitos + investigados, total + investigados - inside),
  }
}

const keyOf = ({ sexo, faixa }: { sexo: string; faixa: string }) => `${sexo} ${faixa}`

function piramideOf(
  counted: ReadonlyMap<string, CelulaContada>,
  provaveis: number,
  residentes: readonly SexoEFaixa[] | null,
): Indicadores['piramide'] {
  const residents = new Map(residentes?.map((grupo) => [keyOf(grupo), grupo.populacao]))
  const shown = SEXOS_DA_PIRAMIDE.flatMap((sexo) =>
    FAIXAS_ETARIAS.map((faixa) => {
      const found = counted.get(keyOf({ sexo, faixa }))
      const populacao = residents.get(keyOf({ sexo, faixa })) ?? null
      const incidencia = ratePer100k(found?.comPopulacao ?? 0, populacao)
      return {
        ...{ sexo, faixa, casos: found?.total ?? 0, populacao },
        incidencia: roundOrNull(incidencia, RATE_DECIMALS),
      }
    }),
  )
  const known = shown.reduce((sum, { casos }) => sum + casos, 0)
  return { celulas: shown, sem_sexo_ou_idade: provaveis - known }
}

/** Cases from which on the interval of the standardised rate is given. */
const ENOUGH_CASES = 20
const PER = 100_000

function padronizadaOf(
  counted: ReadonlyMap<string, CelulaContada>,
  provaveis: number,
  { lugar, padrao }: ResidentesDaPiramide,
): Indicadores['padronizada'] {
  const weights = new Map(padrao.map((grupo) => [keyOf(grupo), grupo.populacao]))
  const strata: Stratum[] = (lugar ?? []).map((grupo) => ({
    cases: counted.get(keyOf(grupo))?.comPopulacao ?? 0,
    population: grupo.populacao,
    weight: weights.get(keyOf(grupo)) ?? 0,
  }))
  const found = standardisedRate(strata)
  if (found === null) return { incidencia: null, inferior: null, superior: null }
  const per100k = (rate: number) => round(rate * PER, RATE_DECIMALS)
  const hasInterval = provaveis >= ENOUGH_CASES
  return {
    incidencia: per100k(found.rate),
    inferior: hasInterval ? per100k(found.lower) : null,
    superior: hasInterval ? per100k(found.upper) : null,
  }
}

function countSorotipos(rows: readonly SorotipoContado[]): ContagemDeSorotipos {
  const totals = new Map<string, number>()
  for (const { sorotipo, total } of rows) totals.set(sorotipo, (totals.get(sorotipo) ?? 0) + total)
  return Object.fromEntries(SOROTIPOS.map((one) => [one, totals.get(one) ?? 0])) as ContagemDeSorotipos
}

const ENOUGH_SAMPLES = 5

/** More than half of the samples; null also where they are few. */
function predominantOf(counted: ContagemDeSorotipos): Sorotipo | null {
  const samples = SOROTIPOS.reduce((sum, one) => sum + counted[one], 0)
  if (samples < ENOUGH_SAMPLES) return null
  return SOROTIPOS.find((one) => 2 * counted[one] > samples) ?? null
}

/** Weeks with samples, in order. */
function serieOf(rows: readonly SorotipoContado[]): Pick<Sorotipos, 'serie' | 'serie_sem_data'> {
  const dated = rows.filter(({ semana }) => semana !== null) as (SorotipoContado & { semana: string })[]
  const weeks = [...Map.groupBy(dated, ({ semana }) => semana)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const serie = weeks.map(([sunday, samples]) => {
    const { codigo: semana, inicio, fim } = semanaOf(sunday)
    return { semana, inicio, fim, ...countSorotipos(samples) }
  })
  const undated = rows.filter(({ semana }) => semana === null)
  return { serie, serie_sem_data: undated.reduce((sum, { total }) => sum + total, 0) }
}
