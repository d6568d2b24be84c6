import { hash } from 'node:crypto'
import { COLUMN_FIELDS, DADOS, type FieldName } from '../../casos/campos.ts'
import { jsonWriter } from '../../casos/json.ts'
import type { SinanRow } from './cells.ts'
import { columnName } from './header.ts'
import { keyOfColumn } from './tabela.ts'
import { cached, codeOf, isMissing, readDate } from './values.ts'

/** Notification numbers of rows that have none. */

/** Fields added after numbers were first derived; left out of the hash, so that derived numbers stay the same. */
const NEWER_FIELDS = new Set<FieldName>([
  'dados_especificos.relacionada_ao_trabalho',
  'dados_especificos.data_digitacao',
  'dados_especificos.idade_informada',
  'dados_especificos.estado_notificacao',
  'dados_especificos.municipio_notificacao',
  'dados_especificos.regional_notificacao',
  'dados_especificos.hospital_estado',
  'dados_especificos.hospital_municipio',
  'dados_especificos.hospital_cnes',
])

const HASHED = [...COLUMN_FIELDS, ...DADOS]
  .filter((nome) => nome !== 'numero_notificacao' && nome !== 'status' && !NEWER_FIELDS.has(nome))
  .sort()
  .map((nome) => [nome, nome] as const)
const hashedJson = jsonWriter(HASHED)
/** Without the age, which is computed where the birth date is known. */
const hashedJsonWithoutAge = jsonWriter(HASHED.filter(([nome]) => nome !== 'paciente_idade'))

/**
 * Notification number made of a hash of what the row says, not of its bytes nor of what today's rules leave of it: the
 * same record as CSV and as DBC, now and next month, has the same number.
 */
export function derivedNumber(campos: SinanRow['campos']): string {
  const json = campos.paciente_data_nascimento === null ? hashedJson(campos) : hashedJsonWithoutAge(campos)
  return `DATASUS-${hash('sha256', json, 'hex').slice(0, 16)}`
}

/** Columns that tell where a record travelled, and weeks, which follow from dates. */
const TRAVEL = /^(?:NU_LOTE|LOTE_|DT_TRANS|CS_FLX|FLX|SEM_)/
/** Free text, of which files in other encodings have other letters. */
const FREE_TEXT = /^(?:DS_|NM_|NO_|LOC_)|(?:_ESP|_DES|_OBS)$/

const YEARS = { min: 1800, max: 2199 }

/** Value without padding, leading zeros or `.0`; dates in ISO 8601. Empty for none: fixed width writes 0 where others write nothing. */
function normalised(given: string): string {
  const text = given.trim()
  if (isMissing(text)) return ''
  const date = readDate(text, YEARS)
  if (date !== null) return date
  const code = codeOf(text.replace(/\.0+$/, ''))
  return code === '0' ? '' : code
}

/**
 * Compiles the number of a disease that a definition describes: a hash of the columns of the file, which does not change with the
 * definition. The same record as DBC, DBF and CSV has the same number.
 */
export function rowNumberer(cabecalho: readonly string[]): (values: readonly string[]) => string {
  const columns = new Map<string, number>()
  for (const [index, text] of cabecalho.entries()) {
    const key = keyOfColumn(columnName(text))
    if (key !== '' && !columns.has(key) && !TRAVEL.test(key) && !FREE_TEXT.test(key)) columns.set(key, index)
  }
  const sorted = [...columns]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, index]) => ({ key, index, read: cached(normalised) }))
  return (values) => {
    const said: string[] = []
    for (const { key, index, read } of sorted) {
      const text = values[index] ?? ''
      const value = text === '' ? '' : (read(text) as string)
      if (value !== '') said.push(key, value)
    }
    return `DATASUS-${hash('sha256', JSON.stringify(said), 'hex').slice(0, 16)}`
  }
}
