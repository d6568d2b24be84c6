import type { Caller } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { lockReached } from '../contas/contas.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { assertNotAbove } from '../permissoes/rights.ts'

/** Sends the link to choose the first password, again. An account that was entered before, or is inactive, is not invited. */
export async function inviteUsuario(
  { db, auditoria, mailer }: Pick<App, 'db' | 'auditoria' | 'mailer'>,
  caller: Caller,
  id: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { email, ativo, ultimo_login, servico } = await lockReached(tx, caller, id)
    await assertNotAbove(tx, caller, id)
    if (!ativo || ultimo_login !== null || servico) throw new AppError('CONFLICT')
    await enqueueEmail(tx, { tipo: 'convite', para: email, usuario_id: id })
    await auditoria.record(tx, {
      acao: 'usuario.convidado',
      ...by(caller),
      recurso: 'usuario',
      recurso_id: id,
    })
  })
  mailer.wake()
}
