import type { Caller } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { getReached, lockReached } from '../contas/contas.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { assertNotAbove } from '../permissoes/rights.ts'
import { deleteIdentidade, type IdentidadeVinculada, listIdentidades } from './identidades.sql.ts'

export {
  deleteIdentidadesSince,
  findIdentidade,
  insertIdentidade,
  listIdentidades,
  touchIdentidade,
} from './identidades.sql.ts'

/** Identities at providers of single sign-on by which an account is entered. `../oidc` links them. */

export async function listIdentidadesOf(
  { db }: Pick<App, 'db'>,
  caller: Caller,
  usuarioId: number,
): Promise<IdentidadeVinculada[]> {
  await getReached({ db }, caller, usuarioId)
  return listIdentidades(db, usuarioId)
}

/** The owner is told by mail, whoever unlinks. Sessions stay: those of a stolen identity end with all others. */
export async function unlinkIdentidade(
  { db, auditoria, mailer }: Pick<App, 'db' | 'auditoria' | 'mailer'>,
  caller: Caller,
  usuarioId: number,
  id: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { email } = await lockReached(tx, caller, usuarioId)
    await assertNotAbove(tx, caller, usuarioId)
    const unlinked = await deleteIdentidade(tx, { id, usuario_id: usuarioId })
    if (unlinked === null) throw new AppError('NOT_FOUND')
    await enqueueEmail(tx, { tipo: 'identidade_desvinculada', para: email, usuario_id: usuarioId })
    await auditoria.record(tx, {
      acao: 'identidade.desvinculada',
      ...by(caller),
      recurso: 'usuario',
      recurso_id: usuarioId,
      detalhes: { provedor: unlinked.provedor },
    })
  })
  mailer.wake()
}
