import type { Origin } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { redeemToken, revokeTokens } from '../emails/tokens.ts'
import { applyEmailPendente, confirmEmail, dropEmailPendente } from './usuarios.sql.ts'
import { getUsuario } from './usuarios.ts'

/** For whoever received a link through the address: it is the account's own, if it still is its address. */
export function confirmEmailOf(tx: Db, usuarioId: number, email: string): Promise<number> {
  return confirmEmail(tx, usuarioId, email)
}

/** The link of a change of address that waits is dead from here on. */
export async function cancelEmailChange(tx: Db, usuarioId: number): Promise<void> {
  await dropEmailPendente(tx, usuarioId)
}

/** The link of a verification mail: proves the present address, or makes a change of address count. */
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
    // What was sent to the old address must not open the account any more.
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
