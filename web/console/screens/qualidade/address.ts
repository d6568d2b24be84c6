import { addDays } from '../../../../src/brasil/calendar.ts'
import { DIVISOES, type Divisao } from '../../../../src/domain/casos/qualidade/regras.ts'
import { PATHS } from '../../paths.ts'
import { anosUntil } from '../../state/anos.ts'
import { ufOfCode } from '../../state/estados.ts'
import {
  addressOf,
  emptyFilters,
  type Filters,
  type LeftOut,
  placed,
  readFilters,
} from '../../state/filter-address.ts'
import { placeQuery } from '../../state/place-query.ts'

/** Filter of the quality of records, which is the address of its screen. */

type Place = Pick<Filters, 'uf' | 'regiao' | 'municipio'>

export interface Recorte extends Place {
  agravo: string | null
  /** Year of notification; null: the last 365 days. */
  ano: string | null
  /** Parts that it is told by; null: the next ones below the place. */
  por: Divisao | null
}

export const NOTHING: Recorte = {
  ...{ agravo: null, uf: null, regiao: null, municipio: null },
  ...{ ano: null, por: null },
}

const DAYS = 365

interface Address {
  recorte: Recorte
  /** Of the groups, and of the pending work. */
  pagina: number
  lista: number
  leftOut: LeftOut[]
}

const OWN = ['agravo', 'uf', 'regiao', 'municipio'] as const

export function readRecorte(search: string, today: string): Address {
  const given = new URLSearchParams(search)
  const read = readFilters(search, { today })
  const leftOut = read.leftOut.filter(({ name }) => OWN.some((one) => one === name))
  const take = <T extends string>(name: string, values: readonly T[]): T | null => {
    const value = given.get(name) ?? ''
    const found = values.find((one) => one === value) ?? null
    if (value !== '' && found === null) leftOut.push({ name, value })
    return found
  }
  const page = (name: string) => Math.min(1_000_000, Math.max(1, Math.trunc(Number(given.get(name))) || 1))
  const { agravo, uf, regiao, municipio } = read.filters
  const [ano, por] = [take('ano', anosUntil(today)), take('por', DIVISOES)]
  return {
    recorte: { agravo, uf, regiao, municipio, ano, por },
    pagina: page('pagina'),
    lista: page('lista'),
    leftOut,
  }
}

export function qualidadePath(recorte: Partial<Recorte>, { pagina = 1, lista = 1 } = {}): string {
  const { municipio, regiao, uf, ...others } = { ...NOTHING, ...recorte }
  const inside = municipio ?? regiao
  const given = {
    ...others,
    ...{ municipio, regiao: municipio === null ? regiao : null },
    uf: inside === null ? uf : ufOfCode(inside),
    pagina: pagina > 1 ? String(pagina) : null,
    lista: lista > 1 ? String(lista) : null,
  }
  const entries = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null)
  return entries.length === 0 ? PATHS.qualidade : `${PATHS.qualidade}?${new URLSearchParams(entries)}`
}

/** Days of notification. A year that is not over ends today. */
export function daysOf({ ano }: Pick<Recorte, 'ano'>, today: string): { de: string; ate: string } {
  if (ano === null) return { de: addDays(today, 1 - DAYS), ate: today }
  const end = `${ano}-12-31`
  return { de: `${ano}-01-01`, ate: end < today ? end : today }
}

/** The next parts below a place; of a municipality its units. */
export const porOf = ({ por, uf, regiao, municipio }: Recorte): Divisao =>
  por ?? (municipio !== null ? 'unidade' : uf !== null || regiao !== null ? 'municipio' : 'estado')

export function qualidadeQuery(recorte: Recorte, today: string) {
  const { de, ate } = daysOf(recorte, today)
  return {
    ...(recorte.agravo !== null && { tipo_agravo: recorte.agravo }),
    ...placeQuery(recorte),
    ...{ data_inicio: de, data_fim: ate, agrupar_por: porOf(recorte) },
  }
}

/** The records themselves, as the filter of the list of cases. */
export function casosFilters(recorte: Recorte, today: string): Filters {
  const { agravo, uf, regiao, municipio } = recorte
  return {
    ...emptyFilters({ today }),
    ...{ agravo, uf, regiao, municipio },
    ...{
      periodo: { kind: 'datas', ...daysOf(recorte, today) },
      base: 'notificacao',
      classificacao: 'notificado',
    },
  }
}

/** Table of the same records, which is of one disease. */
export const tabelasHref = (recorte: Recorte, today: string) =>
  addressOf(PATHS.tabelas, placed(casosFilters(recorte, today)), { today })

export const casosHref = (filters: Filters, today: string) =>
  addressOf(PATHS.casos, placed(filters), { today })
