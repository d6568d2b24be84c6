import {
  CAMPOS,
  type Campos,
  type ColumnField,
  DADOS_KEYS,
  type FieldName,
  isSecret,
  leafOf,
  type Sigilo,
} from '../campos.ts'
import type { CasoRow } from '../casos.sql.ts'

/**
 * Fields of the JSON column, each at a place of its own: JSON of every case has other keys, and looking for a name in objects of
 * hundreds of shapes takes several times as long as an element of a list.
 */
export interface Dados {
  /** Standard fields; null where there is none. */
  dados: readonly unknown[]
  /** Fields of the disease's own, by their keys; null without any. */
  proprios: Readonly<Record<string, unknown>> | null
}

/**
 * A case of a walk over many: columns under the names of their fields, the other fields as lists. No object of all
 * hundred fields is made for each case, which would cost more than the rest of an export; `fieldReader` finds each where it is.
 */
export interface WalkedCaso
  extends Pick<CasoRow, 'id' | ColumnField | 'paciente_iniciais' | 'criado_em' | 'atualizado_em'>,
    Dados {
  /** It came in a file of SINAN. */
  do_sinan: boolean
  /** Mark of duplicates as SINAN has it; null: none, or not read. */
  marca: '1' | '2' | null
  /** Null except in an identified walk. */
  sigilo: Sigilo | null
}

const PLACES = new Map(DADOS_KEYS.map(([, key], place) => [key, place]))

/** The JSON column of a row as its places; the row itself becomes the case. */
export function placeDados<R extends { dados: Readonly<Record<string, unknown>> }>(
  row: R,
): Omit<R, 'dados'> & Dados {
  const stored = row.dados
  const dados = new Array<unknown>(PLACES.size).fill(null)
  let proprios: Record<string, unknown> | null = null
  for (const key in stored) {
    const place = PLACES.get(key)
    if (place !== undefined) dados[place] = stored[key]
    else {
      proprios ??= {}
      proprios[key] = stored[key]
    }
  }
  const placed = row as unknown as Omit<R, 'dados'> & Dados
  placed.dados = dados
  placed.proprios = proprios
  return placed
}

/** Compiles the reading of a field. */
export function fieldReader<N extends FieldName>(nome: N): (caso: WalkedCaso) => Campos[N] {
  if (isSecret(nome)) return ({ sigilo }) => (sigilo === null ? null : sigilo[nome]) as Campos[N]
  if (CAMPOS[nome].place === 'dados') {
    const place = PLACES.get(leafOf(nome)) as number
    return ({ dados }) => dados[place] as Campos[N]
  }
  return (caso) => caso[nome as ColumnField] as Campos[N]
}
