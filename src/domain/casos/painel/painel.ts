import { addDays, dateInBrazil } from '../../../brasil/calendar.ts'
import { anoOfWeek, firstWeekOf, semanaAt, weekOf, weeksIn } from '../../../brasil/epi-week.ts'
import { residentsByYear } from '../../../brasil/populacao.ts'
import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import type { Filter, FilterTest } from '../../../filter.ts'
import { quartiles } from '../../../statistics/control-limits.ts'
import { round } from '../../../statistics/rounding.ts'
import { sum } from '../../../statistics/summary.ts'
import type { App } from '../../app.ts'
import { type Selection, selectionOf } from '../counters/counters.sql.ts'
import { TERRITORIO } from '../counters/scope.ts'
import { FAIXAS_ETARIAS, type TipoAgravo } from '../enumeracoes.ts'
import { readNumbers } from '../statistics/fonte.ts'
import { latestChange, latestImport } from '../statistics/mudancas.ts'
import { type GrupoDoPerfil, perfilOf } from '../statistics/perfil.ts'
import {
  CLASS_FIELDS,
  inMunicipios,
  type LugarDoRecorte,
  lugarOfFilter,
  withoutTests,
} from '../statistics/recorte.ts'
import { withinTerritorio } from '../territorio.ts'
import {
  COMPARED_WEEKS,
  type Destaque,
  highlighted,
  highlightsOf,
  type LugarDoPainel,
  placesOf,
  RECENT_WEEKS,
} from './lugares.ts'
import { change, rateOf, weeksFrom } from './numeros.ts'
import {
  countPlaceBlocks,
  countPlaces,
  countPlaceWeeks,
  countWeeks,
  type DataBase,
  type PlaceBlocksRow,
  type PlaceRow,
  type PlaceWeekRow,
  type WeekRow,
} from './painel.sql.ts'

/**
 * Situation of a set of cases in one answer, of one snapshot: numbers of the period and of the same weeks a year before, weeks
 * beside those of earlier years, places of the next level, age and sex, classification by month.
 */

export interface PainelPedido {
  tipo: TipoAgravo
  /** Place, disease and all else but the period. */
  filter: Filter
  dataBase: DataBase
  /** First and last week of the period. */
  first: number
  last: number
  /** Years before, for the quartiles. */
  compararAnos: number
  /** Level of the places; null: the next one. */
  nivel: 'estado' | 'municipio' | null
}

export interface Numeros {
  casos: number
  confirmados: number
  hospitalizados: number
  obitos: number
  incidencia: number | null
}

export interface SemanaDoPainel extends Numeros {
  semana: string
  inicio: string
  fim: string
  /** Cases of the same week a year before; that of a week 53 is the last one of its year. */
  anterior: number
  /** Of the same week in the years compared with; null where none of them has cases. */
  q1: number | null
  mediana: number | null
  q3: number | null
  encerrada: boolean
}

export const SEXOS_DA_PIRAMIDE = ['M', 'F'] as const

export interface CelulaDaPiramide {
  sexo: (typeof SEXOS_DA_PIRAMIDE)[number]
  faixa: string
  casos: number
  populacao: number | null
  incidencia: number | null
}

export interface MesDaClassificacao {
  mes: string
  confirmado: number
  descartado: number
  inconclusivo: number
  em_investigacao: number
}

export interface Painel {
  lugar: LugarDoRecorte
  first: number
  last: number
  populacao: number | null
  populacaoAno: number
  numeros: Numeros & { obitosEmInvestigacao: number }
  anterior: Numeros & { first: number; last: number; variacao_pct: number | null }
  semanas: SemanaDoPainel[]
  /** Years whose weeks the quartiles are of. */
  anosComparados: number[]
  nivel: 'estado' | 'municipio' | null
  lugares: LugarDoPainel[]
  destaques: Destaque[]
  piramide: CelulaDaPiramide[]
  semSexoOuIdade: number
  classificacao: MesDaClassificacao[]
  dadosAte: string | null
  ultimaImportacao: string | null
}

type Parts = Pick<
  App,
  'db' | 'reader' | 'municipios' | 'territorios' | 'populacao' | 'estruturaEtaria' | 'clock'
>

export async function painelOf(app: Parts, caller: Caller, pedido: PainelPedido): Promise<Painel> {
  const { first, last, dataBase, compararAnos } = pedido
  const filter = withinTerritorio(pedido.filter, caller)
  const lugar = lugarOfFilter(app, filter)
  const nivel = pedido.nivel ?? NEXT_LEVEL[lugar.nivel]
  const during = (from: number, to: number, of = filter, ...more: FilterTest[]): Selection =>
    selectionOf({ kind: 'and', of: [of, ...weeksTests(dataBase, from, to), ...more] }, app.municipios)
  const today = dateInBrazil(app.clock.now())
  const ended = Math.min(last, weekOf(today) - 1)
  const ano = anoOfWeek(last)
  const without = lugar.municipios.filter((one) => app.populacao.populationOf(one, ano) === null)
  const beginning = firstWeekOf(anoOfWeek(first) - Math.max(1, compararAnos))

  const isCounted = during(first, last).scope !== null
  const counted = await readNumbers(app, { counted: isCounted }, (from) => from.snapshot(count))

  const populacaoAno = app.populacao.knownYear(ano)
  const residentsIn = residentsByYear(app.populacao, lugar.municipios)
  const serie = seriesOf(counted.weeks, counted.withoutPopulation, (week) => residentsIn(anoOfWeek(week)))
  const numeros = serie.sum(first, last)
  const before = { first: sameWeek(first, -1), last: sameWeek(last, -1) }
  const anterior = serie.sum(before.first, before.last)
  const anosComparados = yearsWithCases(serie, anoOfWeek(first), compararAnos)
  const structure = (await app.estruturaEtaria()).structureOf(lugar.municipios, ano)
  return {
    lugar,
    first,
    last,
    populacao: residentsIn(ano),
    populacaoAno,
    numeros: {
      ...numeros,
      obitosEmInvestigacao: sum(counted.perfil.map(({ investigados }) => investigados)),
    },
    anterior: { ...anterior, ...before, variacao_pct: change(numeros.casos, anterior.casos) },
    semanas: weeksFrom(first, last).map((week) => semanaOf(serie, week, anosComparados, ended)),
    anosComparados,
    nivel,
    lugares: placesOf(app, counted, ano),
    destaques: highlightsOf(counted.places, counted.recent, ended),
    ...pyramidOf(counted.perfil, structure),
    classificacao: byMonth(counted.classes),
    dadosAte: counted.dadosAte,
    ultimaImportacao: counted.ultimaImportacao,
  }

  async function count(tx: Db) {
    const places = nivel === null ? [] : await countPlaces(tx, dataBase, nivel, during(first, last))
    return {
      places,
      weeks: await countWeeks(tx, dataBase, during(beginning, last)),
      withoutPopulation:
        without.length === 0
          ? []
          : await countWeeks(tx, dataBase, during(beginning, last, filter, inMunicipios(without))),
      classes: await countWeeks(tx, dataBase, during(first, last, withoutClasses(filter))),
      recent: await recentWeeks(tx, places),
      blocks: places.length === 0 ? [] : await recentBlocks(tx),
      perfil: await perfilOf(tx, {
        filter: { kind: 'and', of: [filter, ...weeksTests(dataBase, first, last)] },
        lugar,
        municipios: app.municipios,
        today,
      }),
      dadosAte: await latestChange(tx, pedido.tipo, lugar.lugares),
      ultimaImportacao: await latestImport(tx, pedido.tipo, lugar.lugares),
    }
  }

  function recentBlocks(tx: Db): Promise<PlaceBlocksRow[]> {
    const begins = [3, 2, 1].map((blocks) => semanaAt(ended - blocks * COMPARED_WEEKS + 1).inicio)
    return countPlaceBlocks(
      tx,
      dataBase,
      nivel as NonNullable<typeof nivel>,
      during(ended - RECENT_WEEKS + 1, ended),
      begins,
    )
  }

  function recentWeeks(tx: Db, places: PlaceRow[]): Promise<PlaceWeekRow[]> {
    const codes = highlighted(places).map(({ codigo }) => (nivel === 'estado' ? codigo : Number(codigo)))
    if (nivel === null || codes.length === 0) return Promise.resolve([])
    const those: FilterTest = { kind: 'test', field: TERRITORIO, op: 'in', value: codes }
    return countPlaceWeeks(tx, dataBase, nivel, during(ended - RECENT_WEEKS + 1, ended, filter, those))
  }
}

/** Level of the places below one. */
export const NEXT_LEVEL = {
  pais: 'estado',
  estado: 'municipio',
  regiao_saude: 'municipio',
  varios: 'municipio',
  municipio: null,
} as const

const WEEK_FIELD: Record<DataBase, string> = {
  sintomas: 'semana_epidemiologica_sintomas',
  notificacao: 'semana_epidemiologica',
}

function weeksTests(base: DataBase, from: number, to: number): FilterTest[] {
  const test = (op: 'gte' | 'lte', week: number): FilterTest => ({
    kind: 'test',
    field: WEEK_FIELD[base],
    op,
    value: semanaAt(week).codigo,
  })
  return [test('gte', from), test('lte', to)]
}

/** The same cases whatever their classification. */
const withoutClasses = (filter: Filter) => withoutTests(filter, CLASS_FIELDS)

interface Series {
  sum(first: number, last: number): Numeros
}

/** Sums of weeks. Cases of municipalities without population count, but are in no rate. */
function seriesOf(
  weeks: readonly WeekRow[],
  withoutPopulation: readonly WeekRow[],
  populationAt: (week: number) => number | null,
): Series {
  const rows = new Map(weeks.map((row) => [weekOf(row.inicio), row]))
  const left = new Map(withoutPopulation.map((row) => [weekOf(row.inicio), row.total]))
  return {
    sum(first, last) {
      const sum = { casos: 0, confirmados: 0, hospitalizados: 0, obitos: 0 }
      let outside = 0
      for (let week = first; week <= last; week++) {
        const row = rows.get(week)
        if (row === undefined) continue
        sum.casos += row.total
        sum.confirmados += row.confirmado
        sum.hospitalizados += row.hospitalizados
        sum.obitos += row.obitos
        outside += left.get(week) ?? 0
      }
      return { ...sum, incidencia: rateOf(sum.casos - outside, populationAt(last)) }
    },
  }
}

/** The week of the same number `years` later; that of a week 53 is the last one of a year that has none. */
function sameWeek(week: number, years: number): number {
  const ano = anoOfWeek(week)
  const number = week - firstWeekOf(ano)
  return firstWeekOf(ano + years) + Math.min(number, weeksIn(ano + years) - 1)
}

function yearsWithCases(serie: Series, ano: number, compararAnos: number): number[] {
  const anos = Array.from({ length: compararAnos }, (_, i) => ano - compararAnos + i)
  return anos.filter((one) => serie.sum(firstWeekOf(one), firstWeekOf(one + 1) - 1).casos > 0)
}

function semanaOf(serie: Series, week: number, anos: readonly number[], ended: number): SemanaDoPainel {
  const { codigo: semana, inicio, fim } = semanaAt(week)
  const casosAt = (at: number) => serie.sum(at, at).casos
  const found = quartiles(anos.map((ano) => casosAt(sameWeek(week, ano - anoOfWeek(week)))))
  return {
    semana,
    inicio,
    fim,
    ...serie.sum(week, week),
    anterior: casosAt(sameWeek(week, -1)),
    q1: found === null ? null : round(found.first, 4),
    mediana: found === null ? null : round(found.median, 4),
    q3: found === null ? null : round(found.third, 4),
    encerrada: week <= ended,
  }
}

type Structure = readonly { sexo: string; faixa: string; populacao: number }[] | null

function pyramidOf(
  grupos: readonly GrupoDoPerfil[],
  structure: Structure,
): Pick<Painel, 'piramide' | 'semSexoOuIdade'> {
  const totals = new Map<string, number>()
  for (const { sexo, faixa, total } of grupos)
    totals.set(`${sexo} ${faixa}`, (totals.get(`${sexo} ${faixa}`) ?? 0) + total)
  const residents = new Map(structure?.map(({ sexo, faixa, populacao }) => [`${sexo} ${faixa}`, populacao]))
  const piramide = SEXOS_DA_PIRAMIDE.flatMap((sexo) =>
    FAIXAS_ETARIAS.map((faixa) => {
      const casos = totals.get(`${sexo} ${faixa}`) ?? 0
      const populacao = residents.get(`${sexo} ${faixa}`) ?? null
      return { sexo, faixa, casos, populacao, incidencia: rateOf(casos, populacao) }
    }),
  )
  const all = sum(grupos.map(({ total }) => total))
  const inCells = sum(piramide.map(({ casos }) => casos))
  return { piramide, semSexoOuIdade: all - inCells }
}

/** A week belongs to the month of its Wednesday, which most of its days are of. */
function byMonth(weeks: readonly WeekRow[]): MesDaClassificacao[] {
  const months = Map.groupBy(weeks, ({ inicio }) => addDays(inicio, 3).slice(0, 7))
  return [...months].map(([mes, rows]) => {
    const sum = (name: Exclude<keyof MesDaClassificacao, 'mes'>) =>
      rows.reduce((all, row) => all + row[name], 0)
    return {
      mes,
      confirmado: sum('confirmado'),
      descartado: sum('descartado'),
      inconclusivo: sum('inconclusivo'),
      em_investigacao: sum('em_investigacao'),
    }
  })
}
