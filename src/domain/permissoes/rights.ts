import { type Caller, firstLacking } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import { getUsuario } from '../usuarios/usuarios.ts'
import { anyAdministrador, listPermissoesAtribuidas, lockAdministradores } from './permissoes.sql.ts'

/** Nobody grants what they do not hold. */
export function assertMayGrant(caller: Caller, permissoes: Iterable<{ nome: string }>): void {
  const lacking = firstLacking(
    caller,
    Array.from(permissoes, ({ nome }) => nome),
  )
  if (lacking !== null) throw new AppError('PERMISSION_DENIED', { required_permission: lacking })
}

/** Nobody acts on an account that holds more than they do, or would once its groups are switched on again. */
export async function assertNotAbove(db: Db, caller: Caller, usuarioId: number): Promise<void> {
  if (caller.holdsAll || caller.id === usuarioId) return
  const { admin } = await getUsuario({ db }, usuarioId)
  if (admin) throw new AppError('PERMISSION_DENIED', { required_permission: 'admin' })
  assertMayGrant(caller, await listPermissoesAtribuidas(db, usuarioId))
}

/**
 * Called at the end of every transaction that may take rights away. The lock makes simultaneous ones queue, so that
 * each sees what the others did and the last active administrator cannot go by two requests at once.
 */
export async function assertAdministradorRemains(tx: Db, at: 'body' | 'path', field: string): Promise<void> {
  await lockAdministradores(tx)
  if (!(await anyAdministrador(tx))) throw invalid(at, [field], 'LAST_ADMIN', {})
}
