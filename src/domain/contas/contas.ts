import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import { assertWithinReach, isWithinReach } from '../territorios/alcance.ts'
import { versaoDe } from '../versoes.ts'
import {
  findUsuario,
  findUsuarioForUpdate,
  findUsuarioWithRights,
  type UsuarioRow,
  type UsuarioWithRights,
} from './contas.sql.ts'
import { PERFIL, pick } from './perfil.ts'

export {
  findContasOf,
  findUsuario,
  findUsuarioForUpdate,
  findUsuarioWithRights,
  listUsuariosWithRights,
} from './contas.sql.ts'

/** Of all that others may change of an account, its groups and places included; not of its password, photo or sign-ins. */
export function versaoDaConta(usuario: UsuarioWithRights): string {
  const fields = pick(usuario, [...PERFIL, 'email', 'admin', 'ativo', 'plano', 'territorios'])
  const ids = (items: readonly { id: number }[]) => items.map(({ id }) => id)
  return versaoDe([fields, ids(usuario.grupos), ids(usuario.permissoes_diretas)])
}

type Reader = Pick<Caller, 'id' | 'territorio'>

export async function getUsuario({ db }: { db: Db }, id: number): Promise<UsuarioRow> {
  return (await findUsuario(db, id)) ?? notFound()
}

export async function getUsuarioWithRights({ db }: { db: Db }, id: number): Promise<UsuarioWithRights> {
  return (await findUsuarioWithRights(db, id)) ?? notFound()
}

/**
 * Account that a request names. Every route that takes the id of an account ends at one of these: an account out of the
 * caller's reach is not there.
 */
export async function getReached({ db }: { db: Db }, caller: Reader, id: number): Promise<UsuarioRow> {
  await assertWithinReach(db, caller, id)
  return getUsuario({ db }, id)
}

export async function getReachedWithRights(
  { db }: { db: Db },
  caller: Reader,
  id: number,
): Promise<UsuarioWithRights> {
  await assertWithinReach(db, caller, id)
  return getUsuarioWithRights({ db }, id)
}

/** Null instead of a refusal, for an account that a field names. */
export async function findReachedWithRights(
  db: Db,
  caller: Reader,
  id: number,
): Promise<UsuarioWithRights | null> {
  return (await isWithinReach(db, caller, id)) ? findUsuarioWithRights(db, id) : null
}

/** Locks the account first, so that its territory stays what it is until the end of the transaction. */
export async function lockReached(tx: Db, caller: Reader, id: number): Promise<UsuarioRow> {
  const usuario = (await findUsuarioForUpdate(tx, id)) ?? notFound()
  await assertWithinReach(tx, caller, id)
  return usuario
}

function notFound(): never {
  throw new AppError('NOT_FOUND')
}
