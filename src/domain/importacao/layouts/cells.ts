import { semanaOf } from '../../../brasil/epi-week.ts'
import { type CampoValue, type FieldName, isSecret } from '../../casos/campos.ts'
import type { TipoAgravo } from '../../casos/enumeracoes.ts'
import type { RowWarning } from './layout.ts'
import {
  cached,
  codeOf,
  exchanged,
  isDigits,
  readDate,
  readText,
  withoutFraction,
  type YearRange,
} from './values.ts'

/** A row while it is parsed, its warnings, and the parsers that columns of every disease share. */

/** A row while it is parsed. */
export interface SinanRow {
  campos: Record<FieldName, CampoValue>
  avisos: RowWarning[]
  tipo: TipoAgravo
  values: readonly string[]
  /** True once an alarm sign is affirmed; false if one was denied and none affirmed. */
  alarme: boolean | null
  /** The result of the second serum overrides the first. */
  soro2: boolean
}
export type ReadColumn = (row: SinanRow, text: string) => void

/** Cause of a warning; the rule is its message, unless that holds a value. */
export type WarningCause = Pick<RowWarning, 'codigo'> & Partial<Pick<RowWarning, 'campo' | 'regra'>>

export function warn(
  row: SinanRow,
  column: string | null,
  message: string,
  { codigo, campo = null, regra = message }: WarningCause,
): void {
  row.avisos.push({ column, message, codigo, campo, regra })
}

/** Value for a message; empty for fields that may identify the patient. */
export const shown = (campo: FieldName, text: string): string =>
  isSecret(campo) ? '' : ` "${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`

/** Quotes what looks like a code; a misaligned row may hold a name in any cell, which must not be reported. */
export const quoted = (text: string): string =>
  text.length > 40 || /\p{L}{3}/u.test(text) ? '' : ` "${text}"`
const asRead = (campo: FieldName, text: string): string => (isSecret(campo) ? '' : quoted(text))

export const unread = (row: SinanRow, campo: FieldName, title: string, text: string) =>
  warn(row, title, `Valor${asRead(campo, text)} desconhecido ou implausível: não aproveitado`, {
    codigo: 'UNREAD_VALUE',
    campo,
    regra: 'Valor desconhecido ou implausível: não aproveitado',
  })

/** Parser of most columns; `undefined` from `read` is a value that cannot be read. */
export function valueReader(
  campo: FieldName,
  title: string,
  read: (text: string) => CampoValue | undefined,
): ReadColumn {
  return (row, text) => {
    const value = read(text)
    if (value === undefined) unread(row, campo, title, text)
    else if (value !== null) row.campos[campo] = value
  }
}

export const yearsUntil = (today: string): YearRange => ({ min: 1900, max: Number(today.slice(0, 4)) })

export const unreadDate = (row: SinanRow, campo: FieldName, title: string, text: string) =>
  warn(row, title, `Data${asRead(campo, text)} ilegível: não aproveitada`, {
    codigo: 'UNREADABLE_DATE',
    campo,
    regra: 'Data ilegível: não aproveitada',
  })

/**
 * Parser of dates; the epidemiological week in another column, where there is one, decides whether `2021-03-05` is in
 * March or, as some exports write, in May.
 */
export function dateReader(
  today: string,
  semana: number | undefined,
): (text: string, values: readonly string[]) => string | null {
  const years = yearsUntil(today)
  const read = cached((text) => readDate(text, years, true) ?? undefined)
  const weekOf = cached((date) => semanaOf(date).codigo)
  return (text, values) => {
    const date = read(text) ?? null
    if (date === null || semana === undefined || text[4] !== '-') return date
    const other = exchanged(date)
    const week = other === null ? '' : codeOf(values[semana] ?? '')
    if (other === null || !isDigits(week)) return date
    const inWeek = (one: string) => {
      const codigo = weekOf(one) as string
      return week.length === 6 ? codigo === week : codigo.slice(4) === week.padStart(2, '0')
    }
    return !inWeek(date) && inWeek(other) ? other : date
  }
}

/** Text fields that hold numbers, which some programs write as `10.0`. */
const NUMERIC_TEXTS = new Set<FieldName>(['numero_residencia', 'dados_especificos.regional_notificacao'])

export function cuttingReader(campo: FieldName, max: number, title: string): ReadColumn {
  const isCodigo = NUMERIC_TEXTS.has(campo)
  return (row, given) => {
    const { text, cut } = readText(isCodigo ? withoutFraction(given) : given, max)
    if (text !== null) row.campos[campo] = text
    if (cut)
      warn(row, title, `Texto longo demais: cortado em ${max} caracteres`, { codigo: 'TEXT_CUT', campo })
  }
}
