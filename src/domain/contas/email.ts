import type { Origin } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { redeemToken, revokeTokens } from '../emails/tokens.ts'
import { applyEmailPendente, confirmEmail } from './contas.sql.ts'
import { getUsuario } from './contas.ts'

export { confirmEmail, dropEmailPendente, forgetOldEmailsAnteriores } from './contas.sql.ts'

/** Redeems the link of a verification mail: verifies the current address or applies a pending one. */
export async function verifyEmail(
  { db, clock, auditoria }: Pick<App, 'db' | 'clock' | 'auditoria'>,
  token: string,
  origin: Origin,
): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const redeemed = await redeemToken(tx, 'verificar_email', token, now)
    if (redeemed === null) throw new AppError('INVALID_VERIFICATION_TOKEN')
    const { usuario_id, email } = redeemed
    const moved = (await applyEmailPendente(tx, usuario_id, email, now)) > 0
    // Reset links sent to the old address must not open the account any more.
    if (moved) await revokeTokens(tx, usuario_id, 'redefinir_senha')
    // The address was changed again since the mail was sent.
    else if ((await confirmEmail(tx, usuario_id, email)) === 0)
      throw new AppError('INVALID_VERIFICATION_TOKEN')
    const ator = await getUsuario({ db: tx }, redeemed.usuario_id)
    await auditoria.record(tx, {
      acao: 'email.verificado',
      ator,
      origin,
      recurso: 'usuario',
      recurso_id: ator.id,
    })
  })
}
