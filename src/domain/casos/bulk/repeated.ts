import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../db/db.ts'
import type { Cipher } from '../../cipher.ts'
import { type Campos, type FieldName, isSecret, ONCE_FIELDS } from '../campos.ts'
import { listSinceImport } from '../historico.sql.ts'
import { rewind, unsealHistory } from '../historico.ts'
import { initialsOf, toCampos } from '../sigilo.ts'
import type { ImportedCaso } from './bulk.sql.ts'

/**
 * Lines of importers who may not identify patients, about cases that somebody else imported last and that were edited since.
 * A repeated line must look like a new one while the edits are kept: its open fields are compared with the case as that
 * import left it; of the secret ones only stored values depend on the comparison.
 */

/** Reconstructs the cases as somebody else's last import left them, where they were edited since. */
export async function statesAfterImport(
  tx: Db,
  cipher: Cipher,
  casos: ReadonlyMap<number, ImportedCaso>,
  usuarioId: number | null,
): Promise<Map<number, Campos>> {
  const edits = Map.groupBy(await listSinceImport(tx, [...casos.keys()], usuarioId), (row) => row.caso_id)
  const states = new Map<number, Campos>()
  for (const [id, rows] of edits) {
    const caso = casos.get(id)
    if (caso === undefined) continue
    const changes = rows.map((row) => ({ ...row.alteracoes, ...unsealHistory(cipher, row) }))
    states.set(id, rewind({ ...toCampos(cipher, caso) }, changes))
  }
  return states
}

/** Compares the open part of a line with the case as the last import left it. */
export function repeatsOpenly(said: Campos, imported: Campos, fields: readonly FieldName[]): boolean {
  const open = fields.filter((nome) => !isSecret(nome) && nome !== 'status' && !ONCE_FIELDS.includes(nome))
  return (
    isEqualIn(open, said, imported) &&
    (!fields.includes('paciente_nome') || initialsIn(said) === initialsIn(imported)) &&
    (!fields.includes('paciente_data_nascimento') || said.paciente_idade === imported.paciente_idade)
  )
}

/** Keeps the edited open fields, and the secret ones too unless the line changes them. */
export function repeatSecretly(
  before: Campos,
  said: Campos,
  imported: Campos,
  fields: readonly FieldName[],
): { campos: Campos; alterados: FieldName[] } {
  const alterados = fields.filter(isSecret)
  if (isEqualIn(alterados, said, imported)) return { campos: before, alterados }
  // A name and a birth date show in initials and age: where those were edited, they stay.
  const taken = alterados.filter(
    (nome) =>
      (nome !== 'paciente_nome' || initialsIn(before) === initialsIn(said)) &&
      (nome !== 'paciente_data_nascimento' || before.paciente_idade === said.paciente_idade),
  )
  const campos = { ...before, ...Object.fromEntries(taken.map((nome) => [nome, said[nome] ?? null])) }
  return { campos, alterados }
}

const isEqualIn = (nomes: readonly FieldName[], a: Campos, b: Campos) =>
  nomes.every((nome) => isDeepStrictEqual(a[nome] ?? null, b[nome] ?? null))

const initialsIn = ({ paciente_nome }: Campos) => paciente_nome && initialsOf(paciente_nome)
