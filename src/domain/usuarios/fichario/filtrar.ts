import { cpfDigits } from '../../../brasil/cpf.ts'
import type { FieldValue, Filter } from '../../../filter.ts'
import { compareTexts } from './comparar.ts'
import type { Busca, Ficha, Gaveta } from './fichas.ts'

/** Free text is looked for in the name and the email, or also in city, state and institution. */
export type SearchScope = 'name' | 'wide'

export const SEARCHED: Record<SearchScope, readonly Busca[]> = {
  name: ['nome_busca', 'email_busca'],
  wide: ['nome_busca', 'email_busca', 'cidade_busca', 'estado_busca', 'instituicao_busca'],
}

/** What a filter compares with, as the database understands it. */
export interface Operandos {
  /** Without case and accents, by what was asked. */
  textos: ReadonlyMap<string, string>
  /** Microseconds, likewise. */
  momentos: ReadonlyMap<string, number>
}

const MOMENTOS = new Set(['criado_em', 'atualizado_em', 'ultimo_acesso'])

type FilterTest = Extract<Filter, { kind: 'test' }>

function testsOf(filter: Filter): FilterTest[] {
  if (filter.kind === 'test') return [filter]
  return filter.kind === 'search' ? [] : filter.of.flatMap(testsOf)
}

function searchesOf(filter: Filter): string[] {
  if (filter.kind === 'search') return [filter.text]
  return filter.kind === 'test' ? [] : filter.of.flatMap(searchesOf)
}

const valuesOf = ({ value }: FilterTest): FieldValue[] => [value].flat()

/** What must be asked of the database first. */
export function operandosOf(filter: Filter): { textos: string[]; momentos: string[] } {
  const tests = testsOf(filter)
  const likes = tests.filter(({ op }) => op === 'like').flatMap(valuesOf)
  const momentos = tests.filter(({ field }) => MOMENTOS.has(field)).flatMap(valuesOf)
  const once = (values: FieldValue[]) => [...new Set(values.map(String))]
  return { textos: once([...searchesOf(filter), ...likes]), momentos: once(momentos) }
}

/** Whether it asks which of two texts comes first. */
export function comparesTexts(filter: Filter): boolean {
  return testsOf(filter).some(
    ({ field, op, value }) => op in COMPARISONS && typeof value === 'string' && !MOMENTOS.has(field),
  )
}

/** Which fichas of a drawer meet a filter: 1, or 0. */
export type MarksIn = (gaveta: Gaveta) => Uint8Array

/** Filter tree → what each drawer is asked; the same as `where` asks of the rows. */
export function marksFor(filter: Filter, scope: SearchScope, operandos: Operandos): MarksIn {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return combined(
        filter.kind,
        filter.of.map((one) => marksFor(one, scope, operandos)),
      )
    case 'search':
      return mentions(SEARCHED[scope], operandos.textos.get(filter.text) as string)
    case 'test':
      return filter.op === 'like'
        ? mentions([`${filter.field}_busca` as Busca], operandos.textos.get(String(filter.value)) as string)
        : passes(filter, operandos)
  }
}

/** One that fails decides an `and`, one that passes an `or`. */
function combined(kind: 'and' | 'or', all: MarksIn[]): MarksIn {
  const decisive = kind === 'and' ? 0 : 1
  return (gaveta) => {
    const marks = new Uint8Array(gaveta.fichas.length).fill(1 - decisive)
    for (const marksIn of all) {
      const others = marksIn(gaveta)
      for (let i = 0; i < marks.length; i++) if (others[i] === decisive) marks[i] = decisive
    }
    return marks
  }
}

function mentions(fields: readonly Busca[], wanted: string): MarksIn {
  return (gaveta) => {
    const marks = new Uint8Array(gaveta.fichas.length)
    // Nothing is mentioned wherever there is a text at all.
    for (const field of fields)
      if (wanted === '') mark(marks, gaveta.column(field), (value) => value !== null)
      else gaveta.markMentions(marks, field, wanted)
    return marks
  }
}

function passes(filter: FilterTest, operandos: Operandos): MarksIn {
  if (filter.field === 'grupo_id') {
    const grupos = new Set(valuesOf(filter))
    return marking('grupos', (held) => held.some((id) => grupos.has(id)))
  }
  const operands = valuesOf(filter).map((value) => operandOf(filter.field, value, operandos))
  return marking<keyof Ficha>(filter.field as keyof Ficha, passing(filter.op, operands))
}

function marking<F extends keyof Ficha>(field: F, isWanted: (value: Ficha[F]) => boolean): MarksIn {
  return (gaveta) => {
    const marks = new Uint8Array(gaveta.fichas.length)
    mark(marks, gaveta.column(field), isWanted)
    return marks
  }
}

function mark<T>(marks: Uint8Array, values: readonly T[], isWanted: (value: T) => boolean): void {
  for (let i = 0; i < marks.length; i++) if (isWanted(values[i] as T)) marks[i] = 1
}

function operandOf(field: string, value: FieldValue, { momentos }: Operandos): FieldValue {
  if (MOMENTOS.has(field)) return momentos.get(String(value)) as number
  return field === 'cpf' ? cpfDigits(String(value)) : value
}

function passing(op: FilterTest['op'], operands: FieldValue[]): (value: unknown) => boolean {
  const [operand] = operands
  if (op === 'eq') return (value) => value === operand
  if (op === 'ne') return (value) => value !== operand
  if (op === 'in') {
    const among = new Set<unknown>(operands)
    return (value) => among.has(value)
  }
  const holds = COMPARISONS[op as keyof typeof COMPARISONS]
  const compare = (typeof operand === 'string' ? compareTexts : compareNumbers) as (
    a: unknown,
    b: unknown,
  ) => number
  return (value) => value !== null && holds(compare(value, operand))
}

const COMPARISONS = {
  gt: (place: number) => place > 0,
  gte: (place: number) => place >= 0,
  lt: (place: number) => place < 0,
  lte: (place: number) => place <= 0,
}

const compareNumbers = (a: number, b: number) => a - b
