import { addDays, FIRST_DATE, LAST_DATE } from '../../../brasil/calendar.ts'
import { firstDayOf, semanaByCodigo } from '../../../brasil/epi-week.ts'
import type { Municipio, Municipios } from '../../../brasil/municipios.ts'
import type { FieldValue, Filter } from '../../../filter.ts'
import { CONFIRMADOS } from '../enumeracoes.ts'

/** What the counters can be asked for; `null` where there is no limit. */
export interface Recorte {
  tipos: string[] | null
  estados: string[] | null
  municipios: Municipio[] | null
  /** The final classifications; `''` for cases without one. */
  classes: string[] | null
  periodo: Periodo
}

/** Notified in these days, both included. */
export interface Periodo {
  de: string | null
  ate: string | null
}

const TUDO: Recorte = {
  tipos: null,
  estados: null,
  municipios: null,
  classes: null,
  periodo: { de: null, ate: null },
}

type FilterTest = Extract<Filter, { kind: 'test' }>

/** The part of the cases that a filter means, or null when it asks for more than the counters know. */
export function recorteOf(filter: Filter, municipios: Municipios): Recorte | null {
  const tests = testsOf(filter)
  if (tests === null) return null
  let recorte = TUDO
  for (const test of tests) {
    const one = ofTest(test, municipios)
    if (one === null) return null
    recorte = intersection(recorte, { ...TUDO, ...one })
  }
  return recorte
}

/** The tests of a conjunction. */
function testsOf(filter: Filter): FilterTest[] | null {
  if (filter.kind === 'test') return [filter]
  if (filter.kind === 'search') return null
  if (filter.kind === 'or' && filter.of.length !== 1) return null
  const parts = filter.of.map(testsOf)
  return parts.some((part) => part === null) ? null : (parts.flat() as FilterTest[])
}

export const valuesOf = ({ value }: FilterTest): FieldValue[] => (Array.isArray(value) ? value : [value])

export function municipiosOf(test: FilterTest, municipios: Municipios): Municipio[] {
  return valuesOf(test).flatMap((value) => {
    const text = String(value).trim()
    return test.op === 'like' ? municipios.containing(text) : municipiosCalled(text, municipios)
  })
}

/** By code, with or without the check digit, or by name; a name that several states have means all of them. */
function municipiosCalled(text: string, municipios: Municipios): Municipio[] {
  if (!/^\d{6,7}$/.test(text)) return municipios.named(text)
  const municipio = municipios.byCodigo(Number(text))
  return municipio === null ? [] : [municipio]
}

/** True for a filter by a municipality that does not exist; a part of a name (`like`) may match none. */
export function hasUnknownMunicipio(filter: Filter, municipios: Municipios): boolean {
  if (filter.kind === 'search') return false
  if (filter.kind !== 'test') return filter.of.some((part) => hasUnknownMunicipio(part, municipios))
  if (filter.field !== 'municipio' || filter.op === 'like') return false
  return valuesOf(filter).some((value) => municipiosCalled(String(value).trim(), municipios).length === 0)
}

function ofTest(test: FilterTest, municipios: Municipios): Partial<Recorte> | null {
  const [first = ''] = valuesOf(test).map(String)
  switch (test.field) {
    case 'data_inicio':
    case 'data_notificacao_inicio':
      return { periodo: { de: first, ate: null } }
    case 'data_fim':
    case 'data_notificacao_fim':
      return { periodo: { de: null, ate: first } }
    case 'data_notificacao':
      return periodoOf(test.op, { inicio: first, fim: first })
    case 'semana_epidemiologica':
      return ofSemana(test.op, first)
  }
  if (test.op === 'ne' || (test.op === 'like' && test.field !== 'municipio')) return null
  const values = valuesOf(test).map(String)
  switch (test.field) {
    case 'tipo_agravo':
    case 'agravo_codigo':
      return { tipos: values }
    case 'estado':
      return { estados: values }
    case 'municipio':
      return { municipios: municipiosOf(test, municipios) }
    case 'classificacao':
      return { classes: values.flatMap(classesNamed) }
    case 'classificacao_final':
      return { classes: values }
    default:
      return null
  }
}

/** `confirmado` means the whole group, `em_investigacao` those without a classification; the rest is exact. */
function classesNamed(nome: string): readonly string[] {
  if (nome === 'confirmado') return CONFIRMADOS
  return [nome === 'em_investigacao' ? '' : nome]
}

function ofSemana(op: FilterTest['op'], codigo: string): Partial<Recorte> | null {
  const semana = semanaByCodigo(codigo)
  if (semana !== null) return periodoOf(op, semana)
  const first = firstDayOf(codigo)
  // A week that its year does not have is no case's, and has its place among the others.
  if (op === 'eq') return { tipos: [] }
  return op === 'gte' || op === 'lt' ? periodoOf(op, { inicio: first, fim: first }) : null
}

/** Null also where the day before or after has no spelling. */
function periodoOf(
  op: FilterTest['op'],
  { inicio, fim }: { inicio: string; fim: string },
): Partial<Recorte> | null {
  switch (op) {
    case 'eq':
      return { periodo: { de: inicio, ate: fim } }
    case 'gte':
      return { periodo: { de: inicio, ate: null } }
    case 'lte':
      return { periodo: { de: null, ate: fim } }
    case 'gt':
      return fim === LAST_DATE ? null : { periodo: { de: addDays(fim, 1), ate: null } }
    case 'lt':
      return inicio === FIRST_DATE ? null : { periodo: { de: null, ate: addDays(inicio, -1) } }
    default:
      return null
  }
}

function intersection(a: Recorte, b: Recorte): Recorte {
  return {
    tipos: both(a.tipos, b.tipos),
    estados: both(a.estados, b.estados),
    municipios: both(a.municipios, b.municipios),
    classes: both(a.classes, b.classes),
    periodo: {
      de: [a.periodo.de, b.periodo.de].filter((day) => day !== null).reduce(later, null),
      ate: [a.periodo.ate, b.periodo.ate].filter((day) => day !== null).reduce(earlier, null),
    },
  }
}

function both<T>(a: T[] | null, b: T[] | null): T[] | null {
  if (a === null || b === null) return a ?? b
  return a.filter((one) => b.includes(one))
}

const later = (a: string | null, b: string): string => (a === null || b > a ? b : a)
const earlier = (a: string | null, b: string): string => (a === null || b < a ? b : a)

/** A period as whole months and the days before and after them. */
export interface Cobertura {
  meses: Periodo | null
  dias: Periodo[]
}

export function coverageOf(periodo: Periodo): Cobertura {
  const { de, ate } = periodo
  const first = de === null || de.endsWith('-01') ? de : firstOfNextMonth(de)
  const last = ate === null || isLastOfMonth(ate) ? ate : lastOfPreviousMonth(ate)
  const isEmpty = first !== null && last !== null && first > last
  // In the first and the last month of the calendar the neighbours have no spelling.
  if (isEmpty || isOutside(first) || isOutside(last)) return { meses: null, dias: [periodo] }
  const dias: Periodo[] = []
  if (first !== null && first !== de) dias.push({ de, ate: addDays(first, -1) })
  if (last !== null && last !== ate) dias.push({ de: addDays(last, 1), ate })
  return { meses: { de: first, ate: last }, dias }
}

/** Whether a day that stands for a block of the coverage stands for a month. */
export function isInMonths(day: string, { meses }: Cobertura): boolean {
  if (meses === null) return false
  return (meses.de === null || day >= meses.de) && (meses.ate === null || day <= meses.ate)
}

const isOutside = (date: string | null) => date !== null && (date.length > 10 || date < FIRST_DATE)

function firstOfNextMonth(date: string): string {
  const [year, month] = date.split('-').map(Number) as [number, number]
  const next = month === 12 ? [year + 1, 1] : [year, month + 1]
  return `${String(next[0]).padStart(4, '0')}-${String(next[1]).padStart(2, '0')}-01`
}

const isLastOfMonth = (date: string) => date === LAST_DATE || addDays(date, 1).endsWith('-01')

function lastOfPreviousMonth(date: string): string {
  return date.startsWith(FIRST_DATE.slice(0, 7)) ? '0000-12-31' : addDays(`${date.slice(0, 8)}01`, -1)
}

/** The month of a day, from its first to its last. */
export function monthOf(date: string): { de: string; ate: string } {
  const de = `${date.slice(0, 8)}01`
  return { de, ate: date.startsWith('9999-12') ? LAST_DATE : addDays(firstOfNextMonth(de), -1) }
}
