import { anoOfWeek, sundayOfWeek, weekOf } from '../../brasil/epi-week.ts'
import type { Municipio } from '../../brasil/municipios.ts'
import { lazily } from '../../system/lazily.ts'
import type { App } from '../app.ts'
import type { ScopePlace } from '../casos/counters/scope.ts'
import {
  type DelayedCases,
  listDelaysByPlace,
  type NivelContado,
  type PlaceDelays,
  sumWeeksByPlace,
} from '../casos/counters/semanas.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { ANOS_CANDIDATOS } from '../epidemiologia/base-do-diagrama.ts'
import { coveredYears } from '../epidemiologia/cobertura.ts'
import { LAST_DELAY, ROWS, sharesOf } from '../epidemiologia/completude.ts'
import { residentsOf, withoutPopulation } from '../epidemiologia/lugar-contado.ts'
import { NOWCAST_ROWS } from '../epidemiologia/nowcast.ts'
import { listParametros, type ParametrosGuardados } from '../epidemiologia/parametros.ts'
import {
  type ContagemSemanal,
  type LugarContado,
  NO_CASES,
  type SerieSemanal,
  toSerie,
} from '../epidemiologia/serie.ts'
import type { Lugar } from '../territorios/lugar.ts'
import { LIMITS_BACK } from './nivel.ts'

/** Numbers that levels of many places are computed from, read place by place together: few statements, however many places. */

export type AlertasNeeds = Pick<App, 'db' | 'clock' | 'municipios' | 'territorios' | 'populacao' | 'agravos'>

export interface DadosDoLugar {
  contado: LugarContado
  atrasos: DelayedCases[]
  /** Week of the first case ever; null without any. */
  primeira: number | null
  /** Shares of its state, for a nowcast that borrows them. */
  sharesOfState(): number[] | null
  /** Years in which its state, or the country, notified the disease. */
  cobertos: ReadonlySet<number>
  /** Hyperparameters of its nowcast that are kept, of whichever week. */
  parametros: ParametrosGuardados | null
}

export interface DadosPedidos {
  tipo: TipoAgravo
  /** Last week that is over. */
  last: number
  /** First week to judge. */
  from: number
  /** Delays are read only for weeks that are estimated. */
  withDelays: boolean
  cobertura: Cobertura
}

/** Years in which states notified a disease, and the country (''). */
export type Cobertura = ReadonlyMap<string, ReadonlySet<number>>

/** Of the states of these places and of the country: the same for all parts of a computation. */
export async function readCobertura(
  { db }: Pick<AlertasNeeds, 'db'>,
  lugares: readonly Lugar[],
  { tipo, last, from }: Pick<DadosPedidos, 'tipo' | 'last' | 'from'>,
): Promise<Cobertura> {
  const range = { from: anoOfWeek(from - LIMITS_BACK) - ANOS_CANDIDATOS, to: anoOfWeek(last) - 1 }
  const ufs = [...new Set(lugares.flatMap(({ estado }) => estado ?? []))]
  const [ofStates, ofCountry] = await Promise.all([
    ufs.length === 0 ? [] : coveredYears(db, tipo, ufs, range),
    lugares.some(({ nivel }) => nivel === 'pais') ? coveredYears(db, tipo, null, range) : [],
  ])
  return new Map([...ofStates, ...ofCountry])
}

/** Key under which levels, alerts and hyperparameters of a place are kept. */
export const chaveOf = ({ codigo }: Pick<Lugar, 'codigo'>): string => codigo ?? ''

/** Reads what the levels of these places need; the function gives the part of one of them. */
export async function readDados(
  app: AlertasNeeds,
  lugares: readonly Lugar[],
  pedido: DadosPedidos,
): Promise<(lugar: Lugar) => DadosDoLugar> {
  const { db } = app
  const { tipo, last, cobertura } = pedido
  const [series, atrasos, kept] = await Promise.all([
    readSeries(app, lugares, pedido),
    readDelays(app, lugares, pedido),
    listParametros(db, { tipo, casos: 'notificados', lugares: lugares.map(chaveOf) }),
  ])
  const parametros = new Map(kept.map((one) => [one.lugar, one]))
  const shares = lazily((uf: string) => sharesOf(recent(atrasos.get(uf) ?? [], last), last))
  return (lugar) => {
    const { nivel, estado } = lugar
    const serie = serieAt(series, lugar)
    return {
      contado: { serie, semPopulacao: outside(app, series, lugar), ...residentsOf(app, lugar.municipios) },
      atrasos: atrasosAt(atrasos, lugar),
      primeira: serie.size === 0 ? null : Math.min(...serie.keys()),
      sharesOfState: () => (estado === null || nivel === 'estado' ? null : shares(estado)),
      cobertos: cobertura.get(nivel === 'pais' ? '' : (estado as string)) ?? NEVER,
      parametros: parametros.get(chaveOf(lugar)) ?? null,
    }
  }
}

const NEVER: ReadonlySet<number> = new Set()

type ByPlace<T> = ReadonlyMap<string, T>

/** Key of a place in the counters. */
const keyOf = ({ uf, codigo }: Pick<Municipio, 'uf' | 'codigo'>) => `${uf}${codigo}`
const EMPTY: SerieSemanal = new Map()

/** Regions are the sum of their municipalities, all others have counters of their own. */
function partsOf({ nivel, estado, municipios }: Lugar): string[] {
  if (nivel === 'pais') return ['']
  return nivel === 'estado' ? [estado as string] : municipios.map(keyOf)
}

function serieAt(series: ByPlace<SerieSemanal>, lugar: Lugar): SerieSemanal {
  const parts = partsOf(lugar).flatMap((key) => series.get(key) ?? [])
  return parts.length < 2 ? (parts[0] ?? EMPTY) : added(parts)
}

const atrasosAt = (atrasos: ByPlace<DelayedCases[]>, lugar: Lugar): DelayedCases[] =>
  partsOf(lugar).flatMap((key) => atrasos.get(key) ?? [])

/** The part of a larger place that lives in municipalities without population. */
function outside(app: AlertasNeeds, series: ByPlace<SerieSemanal>, lugar: Lugar): SerieSemanal {
  if (lugar.nivel === 'municipio') return EMPTY
  const unknown = withoutPopulation(app, lugar.municipios)
  return added(unknown.flatMap((place) => series.get(keyOf(place as Municipio)) ?? []))
}

function added(series: readonly SerieSemanal[]): SerieSemanal {
  const sum = new Map<number, ContagemSemanal>()
  for (const one of series)
    for (const [week, { notificados, descartados, confirmados }] of one) {
      const before = sum.get(week) ?? NO_CASES
      sum.set(week, {
        ...NO_CASES,
        notificados: before.notificados + notificados,
        descartados: before.descartados + descartados,
        confirmados: (before.confirmados ?? 0) + (confirmados ?? 0),
      })
    }
  return sum
}

/** Places to ask the counters of each level for; null: the country. */
function askedOf(lugares: readonly Lugar[], more: readonly ScopePlace[]) {
  const municipios = new Map<number, ScopePlace>(more.map((place) => [place.codigo as number, place]))
  for (const { nivel, municipios: inside } of lugares)
    if (nivel === 'municipio' || nivel === 'regiao_saude')
      for (const { uf, codigo } of inside) municipios.set(codigo, { uf, codigo })
  const ufs = new Set(lugares.filter(({ nivel }) => nivel === 'estado').map(({ estado }) => estado as string))
  return { municipios: [...municipios.values()], ufs, pais: lugares.some(({ nivel }) => nivel === 'pais') }
}

type Asked = [NivelContado, readonly ScopePlace[] | null]

const toAsked = ({ municipios, ufs, pais }: ReturnType<typeof askedOf>): Asked[] => [
  ...(municipios.length > 0 ? [['municipio', municipios] as Asked] : []),
  ...(ufs.size > 0 ? [['estado', [...ufs].map((uf) => ({ uf, codigo: null }))] as Asked] : []),
  ...(pais ? [['pais', null] as Asked] : []),
]

async function readSeries(
  app: AlertasNeeds,
  lugares: readonly Lugar[],
  { tipo, last }: DadosPedidos,
): Promise<ByPlace<SerieSemanal>> {
  const unknown = lugares.flatMap((lugar) =>
    lugar.nivel === 'municipio' ? [] : withoutPopulation(app, lugar.municipios),
  )
  const rows = await Promise.all(
    toAsked(askedOf(lugares, unknown)).map(([nivel, places]) =>
      sumWeeksByPlace(app.db, nivel, { tipo, lugares: places, from: null, to: sundayOfWeek(last) }),
    ),
  )
  return new Map(rows.flat().map((row) => [row.lugar, toSerie(row)]))
}

/** States, too, whose delays smaller places borrow. */
async function readDelays(
  { db }: AlertasNeeds,
  lugares: readonly Lugar[],
  { tipo, last, withDelays }: DadosPedidos,
): Promise<ByPlace<DelayedCases[]>> {
  if (!withDelays) return new Map()
  const asked = askedOf(lugares, [])
  for (const { estado } of lugares) if (estado !== null) asked.ufs.add(estado)
  const [from, to] = [sundayOfWeek(last - NOWCAST_ROWS + 1), sundayOfWeek(last)]
  const rows = await Promise.all(
    toAsked(asked).map(([nivel, places]) =>
      listDelaysByPlace(db, nivel, { tipo, lugares: places, from, to }),
    ),
  )
  return new Map(rows.flat().map((row) => [row.lugar, toDelayed(row)]))
}

const toDelayed = ({ inicios, atrasos, totais }: PlaceDelays): DelayedCases[] =>
  inicios.map((inicio, i) => ({
    inicio,
    situacao: 'p',
    atraso: atrasos[i] as number,
    total: totais[i] as number,
  }))

/** Delays of the weeks that shares are estimated from. */
const recent = (delays: readonly DelayedCases[], last: number): DelayedCases[] =>
  delays.filter(({ inicio }) => weekOf(inicio) > last - LAST_DELAY - ROWS)
