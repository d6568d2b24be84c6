import {
  CAMPOS,
  type Campos,
  type ColumnField,
  type FieldName,
  isSecret,
  leafOf,
  type Sigilo,
} from '../campos.ts'
import type { CasoRow } from '../casos.sql.ts'

/**
 * A case of a walk over many: columns under the names of their fields, the other fields as they are stored. No object of all
 * hundred fields is made for each case, which would cost more than the rest of an export; `fieldReader` finds each where it is.
 */
export interface WalkedCaso
  extends Pick<CasoRow, 'id' | ColumnField | 'paciente_iniciais' | 'criado_em' | 'atualizado_em'> {
  dados: Readonly<Record<string, unknown>>
  /** It came in a file of SINAN. */
  do_sinan: boolean
  /** Mark of duplicates as SINAN has it; null: none, or not read. */
  marca: '1' | '2' | null
  /** Null except in an identified walk. */
  sigilo: Sigilo | null
}

/** Compiles the reading of a field. */
export function fieldReader<N extends FieldName>(nome: N): (caso: WalkedCaso) => Campos[N] {
  if (isSecret(nome)) return ({ sigilo }) => (sigilo === null ? null : sigilo[nome]) as Campos[N]
  const key = leafOf(nome)
  if (CAMPOS[nome].place === 'dados') return ({ dados }) => (dados[key] ?? null) as Campos[N]
  return (caso) => caso[nome as ColumnField] as Campos[N]
}
