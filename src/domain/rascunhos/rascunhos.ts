import { type Caller, holds } from '../../caller/caller.ts'
import { AppError, because, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import {
  type AlvoDoRascunho,
  countRascunhos,
  deleteRascunho,
  FORMULARIOS,
  type FormularioDeRascunho,
  findRascunho,
  insertRascunho,
  type Legiveis,
  listRascunhos,
  lockRascunhosOf,
  type NewRascunho,
  type RascunhoRow,
  updateRascunho,
} from './rascunhos.sql.ts'

export { FORMULARIOS, type FormularioDeRascunho, forgetRascunhos } from './rascunhos.sql.ts'

/**
 * Drafts of forms of cases and of events in animals, on the server so that nothing of a patient stays in a browser. Each belongs to its account alone; to others
 * it does not exist. A draft ends 30 days after it was last saved: for readers at that moment, in the database with the next cleanup.
 */

type Needs = Pick<App, 'db' | 'clock' | 'cipher'>
type Owner = Pick<Caller, 'id' | 'permissoes' | 'holdsAll'>

export const MAX_RASCUNHOS = 50
export const MAX_RASCUNHO_BYTES = 64 * 1024
export const RASCUNHO_MS = 30 * 86_400_000

export interface Rascunho extends RascunhoRow {
  expira_em: Date
}
export interface RascunhoInput extends AlvoDoRascunho {
  conteudo: object
}

/** Draft of the account; ids in lower case, as the database writes them. */
const keyOf = ({ id: usuario_id }: Pick<Caller, 'id'>, id: string) => ({ usuario_id, id: id.toLowerCase() })
export const contextOf = ({ usuario_id, id }: { usuario_id: number; id: string }) =>
  `rascunhos/${usuario_id}/${id}`

const expired = ({ clock }: Pick<App, 'clock'>) => new Date(clock.now().getTime() - RASCUNHO_MS)

const toRascunho = (row: RascunhoRow): Rascunho => ({
  ...row,
  expira_em: new Date(row.atualizado_em.getTime() + RASCUNHO_MS),
})

/** Rights to send the form, one of which is enough to keep it. */
const SENDERS = {
  caso: ['agravos.criar', 'agravos.editar'],
  epizootia: ['epizootias.registrar'],
} as const

const maySend = (caller: Owner, formulario: FormularioDeRascunho) =>
  SENDERS[formulario].some((one) => holds(caller, one))

/** Drafts of forms that the account may send no more are not read either. */
const legiveisTo = (app: Pick<App, 'clock'>, caller: Owner): Legiveis => ({
  usuario_id: caller.id,
  formularios: FORMULARIOS.filter((one) => maySend(caller, one)),
  after: expired(app),
})

function assertMaySend(caller: Owner, alvo: AlvoDoRascunho): void {
  const { formulario, caso_id, epizootia_id } = alvo
  if (formulario === 'caso' && epizootia_id !== null)
    throw invalid('body', ['epizootia_id'], 'INCONSISTENT', { field: 'formulario' })
  if (formulario === 'epizootia' && caso_id !== null)
    throw invalid('body', ['caso_id'], 'INCONSISTENT', { field: 'formulario' })
  const [required_permission] = SENDERS[formulario]
  if (!maySend(caller, formulario)) throw new AppError('PERMISSION_DENIED', { required_permission })
}

/** Replaces the draft, or makes it; 409 beyond `MAX_RASCUNHOS`. */
export async function saveRascunho(
  app: Needs,
  caller: Owner,
  id: string,
  { conteudo, ...alvo }: RascunhoInput,
): Promise<Rascunho> {
  assertMaySend(caller, alvo)
  const key = keyOf(caller, id)
  const plain = Buffer.from(JSON.stringify(conteudo))
  const sealed = app.cipher.encrypt(plain, contextOf(key))
  const novo: NewRascunho = { ...key, ...alvo, conteudo: sealed, tamanho: plain.length }
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
  const row = await findRascunho(app.db, key.id, legiveisTo(app, caller))
  if (row === null) throw new AppError('NOT_FOUND')
  const conteudo = JSON.parse(app.cipher.decrypt(row.conteudo, contextOf(key)).toString())
  return { ...toRascunho(row), conteudo }
}

export async function allRascunhos(app: Pick<App, 'db' | 'clock'>, caller: Owner): Promise<Rascunho[]> {
  return (await listRascunhos(app.db, legiveisTo(app, caller))).map(toRascunho)
}

export async function removeRascunho(
  app: Pick<App, 'db' | 'clock'>,
  caller: Owner,
  id: string,
): Promise<void> {
  const { id: own } = keyOf(caller, id)
  if ((await deleteRascunho(app.db, own, legiveisTo(app, caller))) === 0) throw new AppError('NOT_FOUND')
}
