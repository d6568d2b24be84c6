import type { Db } from '../../../db/db.ts'
import type { Sql } from '../../../db/sql.ts'
import type { App } from '../../app.ts'
import type { Campos, FieldName } from '../campos.ts'
import { findCasoWithSigilo } from '../casos.sql.ts'
import { toCampos } from '../sigilo.ts'
import { chavesOf, type Identidade } from './chaves.ts'
import { plainBairro } from './escore.ts'
import { addChaves, chavesOfNovos } from './identidade.sql.ts'
import { palavrasOf } from './nome.ts'

/**
 * Keys of single cases, written with the case itself: a second notification a moment later finds the first. Pairs, counts of words and
 * the removal of keys that hold no longer are left to the job, as are all keys of an import.
 */

type Needs = Pick<App, 'chaves'>

/** Person of a case that is about to be stored. */
export const identidadeOf = (campos: Campos): Identidade => ({
  palavras: palavrasOf(campos.paciente_nome ?? ''),
  nascimento: campos.paciente_data_nascimento,
  sexo: campos.paciente_sexo,
  municipio: campos.municipio_residencia,
  bairro: plainBairro(campos.bairro_residencia),
})

export const chavesDoCaso = ({ chaves }: Needs, campos: Campos): string[] =>
  chavesOf(chaves.identidade, campos.tipo_agravo, identidadeOf(campos))

export interface NovoComChaves {
  campos: Campos
  chaves: readonly string[]
}

/** Keys of new cases, as part of the statement that inserts them. */
export const keepingOfNovos = (novos: readonly NovoComChaves[]): Sql =>
  chavesOfNovos(
    novos.flatMap(({ campos, chaves }, i) =>
      chaves.map((chave) => ({ chave, dia: campos.data_notificacao, posicao: i + 1 })),
    ),
  )

/** Fields that keys are made of. */
const KEYED: ReadonlySet<FieldName> = new Set([
  'tipo_agravo',
  'data_notificacao',
  'paciente_nome',
  'paciente_data_nascimento',
  'municipio_residencia',
])

/** Adds the keys of a changed case; no statement where the change is of other fields. */
export async function keepChanged(
  app: Needs,
  tx: Db,
  id: number,
  campos: Campos,
  alterados: readonly string[],
): Promise<void> {
  if (alterados.some((nome) => KEYED.has(nome as FieldName))) await keepChaves(app, tx, id, campos)
}

/** Adds the keys of a case that is back. */
export async function keepRestored(app: Needs & Pick<App, 'cipher'>, tx: Db, id: number): Promise<void> {
  const row = await findCasoWithSigilo(tx, id)
  if (row !== null) await keepChaves(app, tx, id, toCampos(app.cipher, row))
}

/** Adds the keys of a case; one that has them keeps them. */
export async function keepChaves(app: Needs, tx: Db, id: number, campos: Campos): Promise<void> {
  const chaves = chavesDoCaso(app, campos)
  if (chaves.length > 0) await addChaves(tx, id, campos.data_notificacao, chaves)
}
