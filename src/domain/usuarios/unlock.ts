import type { Caller } from '../../caller/caller.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { getReached } from '../contas/contas.ts'
import { assertNotAbove } from '../permissoes/rights.ts'

/** Ends every lock of the account's login; harmless when there is none. */
export async function unlockUsuario(
  { db, clock, lockout, auditoria }: Pick<App, 'db' | 'clock' | 'lockout' | 'auditoria'>,
  caller: Caller,
  id: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const usuario = await getReached({ db: tx }, caller, id)
    await assertNotAbove(tx, caller, id)
    await lockout.unlock(tx, usuario.email, clock.now())
    await auditoria.record(tx, {
      acao: 'conta.desbloqueada',
      ...by(caller),
      recurso: 'usuario',
      recurso_id: id,
    })
  })
}
