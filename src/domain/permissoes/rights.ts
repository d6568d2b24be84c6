import { type Caller, firstLacking } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import {
  anyAdministrador,
  findAdminFlag,
  listPermissoesAtribuidas,
  lockAdministradores,
} from './permissoes.sql.ts'

/** Refuses to grant permissions that the caller lacks. */
export function assertMayGrant(caller: Caller, permissoes: Iterable<{ nome: string }>): void {
  const lacking = firstLacking(
    caller,
    Array.from(permissoes, ({ nome }) => nome),
  )
  if (lacking !== null) throw new AppError('PERMISSION_DENIED', { required_permission: lacking })
}

/** Refuses to act on an account that holds more than the caller; permissions of inactive groups count. */
export async function assertNotAbove(db: Db, caller: Caller, usuarioId: number): Promise<void> {
  if (caller.holdsAll || caller.id === usuarioId) return
  const admin = await findAdminFlag(db, usuarioId)
  if (admin === null) throw new AppError('NOT_FOUND')
  if (admin) throw new AppError('PERMISSION_DENIED', { required_permission: 'admin' })
  assertMayGrant(caller, await listPermissoesAtribuidas(db, usuarioId))
}

/**
 * Called at the end of every transaction that may take rights away. The lock serialises them, so that two concurrent
 * requests cannot remove the last two administrators.
 */
export async function assertAdministradorRemains(tx: Db, at: 'body' | 'path', field: string): Promise<void> {
  await lockAdministradores(tx)
  if (!(await anyAdministrador(tx))) throw invalid(at, [field], 'LAST_ADMIN', {})
}
