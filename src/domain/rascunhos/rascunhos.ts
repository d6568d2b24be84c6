import type { Caller } from '../../caller/caller.ts'
import { AppError, because } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import {
  countRascunhos,
  deleteRascunho,
  findRascunho,
  insertRascunho,
  listRascunhos,
  lockRascunhosOf,
  type NewRascunho,
  type RascunhoRow,
  updateRascunho,
} from './rascunhos.sql.ts'

export { forgetRascunhos } from './rascunhos.sql.ts'

/**
 * Drafts of case forms, on the server so that nothing of a patient stays in a browser. Each belongs to its account alone; to others
 * it does not exist. A draft ends 30 days after it was last saved: for readers at that moment, in the database with the next cleanup.
 */

type Needs = Pick<App, 'db' | 'clock' | 'cipher'>
type Owner = Pick<Caller, 'id'>

export const MAX_RASCUNHOS = 50
export const MAX_RASCUNHO_BYTES = 64 * 1024
export const RASCUNHO_MS = 30 * 86_400_000

export interface Rascunho extends RascunhoRow {
  expira_em: Date
}
export interface RascunhoInput {
  caso_id: number | null
  conteudo: object
}

/** Draft of the account; ids in lower case, as the database writes them. */
const keyOf = ({ id: usuario_id }: Owner, id: string) => ({ usuario_id, id: id.toLowerCase() })
export const contextOf = ({ usuario_id, id }: { usuario_id: number; id: string }) =>
  `rascunhos/${usuario_id}/${id}`

const expired = ({ clock }: Pick<App, 'clock'>) => new Date(clock.now().getTime() - RASCUNHO_MS)

const toRascunho = (row: RascunhoRow): Rascunho => ({
  ...row,
  expira_em: new Date(row.atualizado_em.getTime() + RASCUNHO_MS),
})

/** Replaces the draft, or makes it; 409 beyond `MAX_RASCUNHOS`. */
export async function saveRascunho(
  app: Needs,
  caller: Owner,
  id: string,
  { caso_id, conteudo }: RascunhoInput,
): Promise<Rascunho> {
  const key = keyOf(caller, id)
  const plain = Buffer.from(JSON.stringify(conteudo))
  const sealed = app.cipher.encrypt(plain, contextOf(key))
  const novo: NewRascunho = { ...key, caso_id, conteudo: sealed, tamanho: plain.length }
  // Saved every few seconds, made once.
  return toRascunho((await updateRascunho(app.db, novo, app.clock.now())) ?? (await makeRascunho(app, novo)))
}

function makeRascunho(app: Needs, novo: NewRascunho): Promise<RascunhoRow> {
  return app.db.transaction(async (tx) => {
    await lockRascunhosOf(tx, novo.usuario_id)
    const made = await updateRascunho(tx, novo, app.clock.now())
    if (made !== null) return made
    if ((await countRascunhos(tx, novo.usuario_id, expired(app))) >= MAX_RASCUNHOS)
      throw because('TOO_MANY_DRAFTS')
    return insertRascunho(tx, novo, app.clock.now())
  })
}

export async function getRascunho(
  app: Needs,
  caller: Owner,
  id: string,
): Promise<Rascunho & { conteudo: Record<string, unknown> }> {
  const key = keyOf(caller, id)
  const row = await findRascunho(app.db, key, expired(app))
  if (row === null) throw new AppError('NOT_FOUND')
  const conteudo = JSON.parse(app.cipher.decrypt(row.conteudo, contextOf(key)).toString())
  return { ...toRascunho(row), conteudo }
}

export async function allRascunhos(app: Pick<App, 'db' | 'clock'>, caller: Owner): Promise<Rascunho[]> {
  return (await listRascunhos(app.db, caller.id, expired(app))).map(toRascunho)
}

export async function removeRascunho(
  app: Pick<App, 'db' | 'clock'>,
  caller: Owner,
  id: string,
): Promise<void> {
  if ((await deleteRascunho(app.db, keyOf(caller, id), expired(app))) === 0) throw new AppError('NOT_FOUND')
}
