import { type Caller, firstLacking } from '../../caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import { findUsuario } from '../usuarios/usuarios.sql.ts'
import {
  anyAdministrador,
  listPermissoesByIds,
  listPermissoesEfetivas,
  lockAdministradores,
  type PermissaoRow,
} from './permissoes.sql.ts'

/** Nobody grants what they do not hold. */
export function assertMayGrant(caller: Caller, permissoes: Iterable<{ nome: string }>): void {
  const lacking = firstLacking(
    caller,
    Array.from(permissoes, ({ nome }) => nome),
  )
  if (lacking !== null) throw new AppError('PERMISSION_DENIED', { required_permission: lacking })
}

/** Nobody acts on an account that holds more than they do. */
export async function assertNotAbove(db: Db, caller: Caller, usuarioId: number): Promise<void> {
  if (caller.holdsAll || caller.id === usuarioId) return
  const usuario = await findUsuario(db, usuarioId)
  if (usuario?.admin) throw new AppError('PERMISSION_DENIED', { required_permission: 'admin' })
  assertMayGrant(caller, await listPermissoesEfetivas(db, usuarioId))
}

/**
 * Called at the end of every transaction that may take rights away. The lock makes simultaneous ones queue, so that
 * each sees what the others did and the last active administrator cannot go by two requests at once.
 */
export async function assertAdministradorRemains(tx: Db, at: 'body' | 'path', field: string): Promise<void> {
  await lockAdministradores(tx)
  if (!(await anyAdministrador(tx))) throw invalid(at, [field], 'LAST_ADMIN', {})
}

/** The permissions with these ids, or a 422 that names those that do not exist. */
export async function getPermissoes(db: Db, ids: number[], field: string): Promise<PermissaoRow[]> {
  if (ids.length === 0) return []
  const permissoes = await listPermissoesByIds(db, ids)
  const known = new Set(permissoes.map(({ id }) => id))
  const unknown = [...new Set(ids)].filter((id) => !known.has(id))
  if (unknown.length > 0) throw invalid('body', [field], 'UNKNOWN', { ids: unknown })
  return permissoes
}
