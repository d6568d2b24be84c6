import type { Origin } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { redeemToken, revokeTokens } from '../emails/tokens.ts'
import { removeMfaOf } from '../mfa/mfa.ts'
import { endSessoesOf } from '../sessoes/sessoes.ts'
import { cancelEmailChange } from './email.ts'
import { type EmailAnterior, findEmailAnterior, restoreEmail, type UsuarioRow } from './usuarios.sql.ts'
import { getUsuario } from './usuarios.ts'

/**
 * "This was not me": the link in the notice of a changed email or of a new second factor. Undoes it, ends all sessions and
 * mails a link for a new password, since the present one may be known to the thief. Locks of the login stand.
 *
 * Links count for the present address and for those that the owner's own changes replaced. Setting one of them back takes
 * the claim from all that came later, never from an earlier one: a thief who moves the account twice cannot undo the
 * owner's undoing.
 */
export async function undoDisowned(
  app: Pick<App, 'db' | 'clock' | 'auditoria' | 'mailer'>,
  token: string,
  origin: Origin,
): Promise<void> {
  const now = app.clock.now()
  await app.db.transaction(async (tx) => {
    const ofEmail = await redeemToken(tx, 'desfazer_email', token, now)
    const redeemed = ofEmail ?? (await redeemToken(tx, 'desfazer_mfa', token, now))
    if (redeemed === null) throw new AppError('INVALID_UNDO_TOKEN')
    const usuario = await getUsuario({ db: tx }, redeemed.usuario_id)
    const anterior = await claimOf(tx, usuario, redeemed.email)
    if (anterior !== null) await giveBack(tx, usuario, anterior, now)
    await cancelEmailChange(tx, usuario.id)
    // The notice of one that was switched on after the address had moved did not reach the owner.
    const since = ofEmail === null ? new Date(0) : (anterior?.trocado_em ?? null)
    const mfa_desativado = since !== null && (await removeMfaOf(tx, usuario.id, since))
    await revokeTokens(tx, usuario.id, 'redefinir_senha')
    await revokeTokens(tx, usuario.id, 'verificar_email')
    const sessoes_encerradas = await endSessoesOf(tx, usuario.id, now)
    await enqueueEmail(tx, { tipo: 'redefinir_senha', para: redeemed.email })
    await app.auditoria.record(tx, {
      acao: 'conta.retomada',
      ator: usuario,
      origin,
      recurso: 'usuario',
      recurso_id: usuario.id,
      detalhes: { email_restaurado: anterior !== null, mfa_desativado, sessoes_encerradas },
    })
  })
  app.mailer.wake()
}

/** The former address that is to be set back; null when the link was sent to the present one. */
async function claimOf(tx: Db, usuario: UsuarioRow, email: string): Promise<EmailAnterior | null> {
  if (usuario.email.toLowerCase() === email.toLowerCase()) return null
  const anterior = await findEmailAnterior(tx, usuario.id, email)
  if (anterior === null) throw new AppError('INVALID_UNDO_TOKEN')
  return anterior
}

/** The address that is given up is told: it may be the owner's, and the thief the one who reads the former. */
async function giveBack(tx: Db, usuario: UsuarioRow, anterior: EmailAnterior, now: Date): Promise<void> {
  await restoreEmail(tx, usuario.id, anterior, now)
  await enqueueEmail(tx, { tipo: 'email_devolvido', para: usuario.email, usuario_id: usuario.id })
}
