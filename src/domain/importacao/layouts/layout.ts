import type { Municipios } from '../../../brasil/municipios.ts'
import { liveList } from '../../../system/live-list.ts'
import type { AgravosVigentes } from '../../casos/agravos/vigentes.ts'
import type { Campos, FieldName } from '../../casos/campos.ts'
import type { TipoAgravo } from '../../casos/enumeracoes.ts'
import type { Causa } from './causas.ts'

/** `definido`: described by the definition of a disease; listed once there is one. */
export type LayoutName = 'proprio' | 'sinan' | 'definido'
export const LAYOUTS: readonly LayoutName[] = liveList('layouts', ['proprio', 'sinan'])

export interface FileWarning {
  /** Column as the file names it; null for the row or the file as a whole. */
  column: string | null
  message: string
}

/** Warning about a row, with its cause. */
export interface RowWarning extends FileWarning, Pick<Causa, 'codigo' | 'campo' | 'regra'> {}

export type ConvertedRow =
  | {
      ok: true
      /** The complete case, with its derived fields. */
      campos: Campos
      avisos: RowWarning[]
      /** The file has no notification number: `campos.numero_notificacao` is a hash of the open values, to be made unique. */
      derivado: boolean
    }
  | { ok: false; erro: string; numero_notificacao: string | null; causas: Causa[] }

/** Conversion of one file's columns into cases. */
export interface Layout {
  nome: LayoutName
  /** Fields that the file has a column for, in some disease. */
  readonly fields: readonly FieldName[]
  /** Fields that the file has a column for, of one disease: an update may change them. */
  fieldsOf(tipo: string): readonly FieldName[]
  /** Warnings about the file as a whole: unknown columns, no notification numbers, … */
  avisos: FileWarning[]
  /** The same where rows of these diseases occur: a column is unknown where none of them has it. */
  avisosOf(tipos: readonly string[]): FileWarning[]
  /** True for a row with a notification date: a case, however wrong. */
  couldBeCase(values: string[]): boolean
  convert(values: string[]): ConvertedRow
  /** Meaning of a column, by its normalised name, in rows of a disease; null: that which it has in most. */
  meaningOf(column: string, tipo: string | null): Meaning | null
  /** Names of columns that it knows, each with its key. */
  names(tipos: readonly string[]): Iterable<readonly [name: string, key: string]>
}

export interface Meaning {
  /** Equal for names of the same column. */
  key: string
  campos: readonly FieldName[]
  /** False: known, and left out on purpose. */
  used: boolean
  /** Text of a field that the disease has of its own. */
  free: boolean
}

export interface LayoutContext {
  municipios: Municipios
  /** Date in Brazil. */
  today: string
  /** Definitions of diseases. */
  agravos: AgravosVigentes
  /** For files without a disease column. */
  tipoAgravo: TipoAgravo | null
  /** Takes texts of fields that a disease has of its own; false by default. */
  textos?: boolean
}
