import type { Municipios } from '../../../brasil/municipios.ts'
import type { AgravosVigentes } from '../../casos/agravos/vigentes.ts'
import type { Campos, FieldName } from '../../casos/campos.ts'
import type { TipoAgravo } from '../../casos/enumeracoes.ts'
import type { Causa } from './causas.ts'

export const LAYOUTS = ['proprio', 'sinan'] as const
export type LayoutName = (typeof LAYOUTS)[number]

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
  /** Fields that the file has a column for: an update may change them. */
  fields: readonly FieldName[]
  /** Warnings about the file as a whole: unknown columns, no notification numbers, … */
  avisos: FileWarning[]
  /** True for a row with a notification date: a case, however wrong. */
  couldBeCase(values: string[]): boolean
  convert(values: string[]): ConvertedRow
}

export interface LayoutContext {
  municipios: Municipios
  /** Date in Brazil. */
  today: string
  /** Definitions of diseases. */
  agravos: AgravosVigentes
  /** For files without a disease column. */
  tipoAgravo: TipoAgravo | null
}
