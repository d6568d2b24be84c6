import { anoOfWeek, weekOf } from '../../../src/brasil/epi-week.ts'
import { UFS } from '../../../src/brasil/uf.ts'
import {
  type CLASSIFICACOES_FILTRADAS,
  CRITERIOS,
  DENGUE_ONLY,
  EVOLUCOES,
  RACAS,
  SEXOS,
  STATUS,
  type TipoAgravo,
  ZONAS,
} from '../../../src/domain/casos/enumeracoes.ts'
import { PENDENCIAS } from '../../../src/domain/casos/qualidade/regras.ts'
import { CODIGO, isAgravo } from './agravos.ts'
import { ufOfCode } from './estados.ts'
import { euId } from './eu.ts'
import { type Periodo, readPeriodo, writePeriodo } from './periodo.ts'

/** The recorte: which cases a screen is about. Its state is the address (part 12.1 of the specification). */

export const BASES = ['sintomas', 'notificacao'] as const
export type Base = (typeof BASES)[number]
/** `notificado`: every case, whatever its classification. */
const GROUPS = [
  'provavel',
  'notificado',
  'confirmado',
  'em_investigacao',
  'descartado',
  'inconclusivo',
] as const
export const CLASSIFICACOES_DO_FILTRO = [...GROUPS, ...DENGUE_ONLY] as ClassificacaoDoFiltro[]
export type ClassificacaoDoFiltro = 'notificado' | (typeof CLASSIFICACOES_FILTRADAS)[number]
export const SIM_NAO = ['sim', 'nao'] as const

/** Address parameters that are one value each: what they may be, and the parameter of the API that they become. */
export interface Parameter {
  values?: readonly string[]
  pattern?: RegExp
  /** Further values that a disease with a definition may have. */
  isOpen?: true
  api: string
  /** Values of the API, where they have other names; one that only the session knows is asked for. */
  as?: Readonly<Record<string, string | (() => string)>>
}

const oneOf = (values: readonly string[], api: string): Parameter => ({ values, api })
const yesNo = (api: string): Parameter => ({ values: SIM_NAO, api, as: { sim: 'true', nao: 'false' } })

export const PARAMETERS = {
  agravo: { pattern: CODIGO, api: 'tipo_agravo' },
  uf: oneOf(UFS, 'estado'),
  regiao: { pattern: /^\d{5}$/, api: 'regiao_saude' },
  municipio: { pattern: /^\d{7}$/, api: 'municipio' },
  bairro: { pattern: /^[^\0]{1,100}$/, api: 'bairro' },
  lugar: oneOf(['desconhecido'], 'lugar'),
  evolucao: { ...oneOf(EVOLUCOES, 'evolucao'), isOpen: true },
  hospitalizacao: yesNo('hospitalizacao'),
  criterio: { ...oneOf(CRITERIOS, 'criterio_confirmacao'), isOpen: true },
  status: oneOf(STATUS, 'status'),
  sexo: oneOf(SEXOS, 'sexo'),
  gestante: yesNo('gestante'),
  idade_de: { pattern: /^(?:\d|[1-9]\d|1[0-2]\d|130)$/, api: 'idade[gte]' },
  idade_ate: { pattern: /^(?:\d|[1-9]\d|1[0-2]\d|130)$/, api: 'idade[lte]' },
  raca: oneOf(RACAS, 'raca'),
  zona: oneOf(ZONAS, 'zona'),
  cnes: { pattern: /^\d{1,7}$/, api: 'cnes' },
  importacao: { pattern: /^[1-9]\d{0,8}$/, api: 'importacao_id' },
  responsavel: { values: ['eu'], api: 'responsavel_id', as: { eu: euId } },
  pendencia: oneOf(PENDENCIAS, 'pendencia'),
  // Text that begins like a nested filter would be read as one.
  busca: { pattern: /^(?!\s*\{)[^\0]{1,200}$/, api: 'search' },
} as const satisfies Record<string, Parameter>

export type SimpleName = keyof typeof PARAMETERS
export const SIMPLE_NAMES = Object.keys(PARAMETERS) as SimpleName[]
const PLACE_NAMES = ['agravo', 'uf', 'regiao', 'municipio'] as const
/** Parameters that the bar shows as chips: all that have no field of their own in it. */
export const CHIP_NAMES = SIMPLE_NAMES.filter((name) => !(PLACE_NAMES as readonly string[]).includes(name))
export type ChipName = Exclude<SimpleName, (typeof PLACE_NAMES)[number]>

export type Filters = Record<SimpleName, string | null> & {
  periodo: Periodo
  base: Base
  classificacao: ClassificacaoDoFiltro
  /** Own fields of the disease that lists may be filtered by, by name. */
  especificos: Readonly<Record<string, string>>
}

/** Defaults of a screen: the painel is of one disease and of weeks. */
export interface FilterRules {
  today: string
  agravo?: TipoAgravo
  /** True: what only a list can be asked for (no limit of time, a pendency) is no filter of this screen. */
  isCounted?: boolean
}

export const PAINEL_RULES: Omit<FilterRules, 'today'> = { agravo: 'dengue', isCounted: true }

/** A parameter of the address that says nothing, with its value: to be named, not silently dropped. */
export interface LeftOut {
  name: string
  value: string
}

export const ESPECIFICO = 'especifico.'
const isName = (name: string) => NAMES.has(name) || name.startsWith(ESPECIFICO)
const NAMES = new Set<string>([...SIMPLE_NAMES, 'periodo', 'base', 'classificacao'])

const anoOf = (today: string) => anoOfWeek(weekOf(today))

export function emptyFilters({ today, agravo }: FilterRules): Filters {
  const simple = Object.fromEntries(SIMPLE_NAMES.map((name) => [name, null])) as Record<SimpleName, null>
  return {
    ...simple,
    agravo: agravo ?? null,
    periodo: { kind: 'ano', ano: anoOf(today) },
    base: 'sintomas',
    classificacao: 'provavel',
    especificos: {},
  }
}

/** The address → the filter, and what of it was no filter. Parameters of other things are not looked at. */
export function readFilters(search: string, rules: FilterRules): { filters: Filters; leftOut: LeftOut[] } {
  const filters = emptyFilters(rules)
  const leftOut: LeftOut[] = []
  const parameters = new URLSearchParams(search)
  const agravo = parameters.get('agravo')
  // First, since others depend on it.
  if (agravo !== null && isAgravo(agravo)) filters.agravo = agravo
  for (const [name, value] of parameters) {
    if (!isName(name) || value === '') continue
    if (!take(filters, name, value, rules)) leftOut.push({ name, value })
  }
  const named = placed(filters)
  for (const name of ['uf', 'regiao', 'lugar'] as const)
    if (filters[name] !== null && filters[name] !== named[name]) leftOut.push({ name, value: filters[name] })
  return { filters: named, leftOut }
}

/** The same without a place that does not exist. */
export function readWithout(
  name: string,
  search: string,
  rules: FilterRules,
): ReturnType<typeof readFilters> {
  const others = new URLSearchParams(search)
  const value = others.get(name) ?? ''
  others.delete(name)
  const { filters, leftOut } = readFilters(String(others), rules)
  return { filters, leftOut: [...leftOut, { name, value }] }
}

function take(filters: Filters, name: string, value: string, rules: FilterRules): boolean {
  if (name === 'periodo') {
    const periodo = readPeriodo(value)
    if (periodo === null || (periodo.kind === 'sempre' && rules.isCounted)) return false
    filters.periodo = periodo
  } else if (name === 'base') {
    const base = BASES.find((one) => one === value)
    if (base === undefined) return false
    filters.base = base
  } else if (name === 'classificacao') {
    if (!CLASSIFICACOES_DO_FILTRO.includes(value) && !isCodeOf(filters.agravo, value)) return false
    filters.classificacao = value
  } else if (name.startsWith(ESPECIFICO)) {
    const nome = name.slice(ESPECIFICO.length)
    if (rules.isCounted || !CODIGO.test(nome) || !isCodeOf(filters.agravo, value)) return false
    filters.especificos = { ...filters.especificos, [nome]: value }
  } else {
    if (name === 'pendencia' && rules.isCounted) return false
    const { values, pattern, isOpen }: Parameter = PARAMETERS[name as SimpleName]
    const isCode = isOpen && isCodeOf(filters.agravo, value)
    if (values !== undefined ? !values.includes(value) && !isCode : !pattern?.test(value)) return false
    if (name === 'agravo' && !isAgravo(value)) return false
    if ((name === 'municipio' || name === 'regiao') && ufOfCode(value) === null) return false
    filters[name as SimpleName] = value
  }
  return true
}

/** Codes of one disease: the service knows which it has, of a known one those that a version added. */
const isCodeOf = (agravo: string | null, codigo: string) => agravo !== null && CODIGO.test(codigo)

/** Another disease: what only the one before has is no filter any more. */
export function withAgravo(filters: Filters, agravo: string | null): Filters {
  const kept = (name: 'evolucao' | 'criterio') =>
    PARAMETERS[name].values?.includes(filters[name] ?? '') ? filters[name] : null
  const isGroup = (GROUPS as readonly string[]).includes(filters.classificacao)
  return {
    ...filters,
    agravo,
    especificos: {},
    evolucao: kept('evolucao'),
    criterio: kept('criterio'),
    classificacao: isGroup || agravo === 'dengue' ? filters.classificacao : 'provavel',
  }
}

/** One place, with the state it is in: a municipality says more than a region, a region more than a state. */
export function placed(filters: Filters): Filters {
  const { municipio, regiao } = filters
  if (municipio !== null) return { ...filters, uf: ufOfCode(municipio), regiao: null, lugar: null }
  if (regiao !== null) return { ...filters, uf: ufOfCode(regiao) }
  return filters
}

let granted: { of: string; filters: Filters } | null = null

/** Kept for the links of a long table, which all have the same. */
function grantedBy(rules: FilterRules): Filters {
  const of = `${rules.today} ${rules.agravo}`
  if (granted?.of !== of) granted = { of, filters: emptyFilters(rules) }
  return granted.filters
}

/** The filter as parameters of an address; what is taken for granted is left out. */
export const writeFilters = (filters: Filters, rules: FilterRules) =>
  new URLSearchParams(parametersOf(filters, rules))

function parametersOf(filters: Filters, rules: FilterRules): [name: string, value: string][] {
  const usual = grantedBy(rules)
  const written: [string, string][] = []
  const put = (name: string, value: string | null, taken: string | null) => {
    if (value !== null && value !== taken) written.push([name, value])
  }
  for (const name of PLACE_NAMES) put(name, filters[name], usual[name])
  put('periodo', writePeriodo(filters.periodo), writePeriodo(usual.periodo))
  put('base', filters.base, usual.base)
  put('classificacao', filters.classificacao, usual.classificacao)
  for (const name of CHIP_NAMES) put(name, filters[name], null)
  for (const [nome, value] of Object.entries(filters.especificos)) written.push([ESPECIFICO + nome, value])
  return written
}

/** An address with this filter; parameters that are none of the filter's are kept from `search`, but for `without`. */
export function addressOf(
  path: string,
  filters: Filters,
  rules: FilterRules,
  { search = '', without = [] }: { search?: string; without?: readonly string[] } = {},
): string {
  const kept =
    search === ''
      ? []
      : [...new URLSearchParams(search)].filter(([name]) => !isName(name) && !without.includes(name))
  const query = new URLSearchParams([...parametersOf(filters, rules), ...kept]).toString()
  // Readable in the address bar; neither character has a meaning in a query.
  return query === '' ? path : `${path}?${query.replaceAll('%3A', ':').replaceAll('%2C', ',')}`
}
