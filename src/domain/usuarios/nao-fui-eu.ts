import type { Origin } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import type { UsuarioRow } from '../contas/contas.sql.ts'
import { getUsuario } from '../contas/contas.ts'
import { dropEmailPendente } from '../contas/email.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { redeemToken, revokeTokens } from '../emails/tokens.ts'
import { deleteIdentidadesSince } from '../identidades/identidades.ts'
import { removeMfa } from '../mfa/mfa.ts'
import { endSessoes } from '../sessoes/sessoes.ts'
import { type EmailAnterior, findEmailAnterior, restoreEmail } from './usuarios.sql.ts'

/**
 * Account recovery by the link "this was not me" in the notice of a changed email or a new second factor. Undoes the change,
 * ends all sessions and mails a link for a new password, since a thief may know the current one. Login locks stay.
 *
 * A link is valid if sent to the current address or to one that the owner's own changes replaced. Restoring an address
 * invalidates all later ones, never earlier ones: a thief who moves the account twice cannot undo the recovery.
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
    await dropEmailPendente(tx, usuario.id)
    // A second factor activated after the address moved: its notice did not reach the owner.
    const since = ofEmail === null ? new Date(0) : (anterior?.trocado_em ?? null)
    const mfa_desativado = since !== null && (await removeMfa(tx, usuario.id, since)) > 0
    // Linked by the thief's address: it would open the account again.
    const identidades_desvinculadas =
      anterior === null ? 0 : await deleteIdentidadesSince(tx, usuario.id, anterior.trocado_em)
    await revokeTokens(tx, usuario.id, 'redefinir_senha')
    await revokeTokens(tx, usuario.id, 'verificar_email')
    const sessoes_encerradas = await endSessoes(tx, usuario.id, now)
    await enqueueEmail(tx, { tipo: 'redefinir_senha', para: redeemed.email })
    await app.auditoria.record(tx, {
      acao: 'conta.retomada',
      ator: usuario,
      origin,
      recurso: 'usuario',
      recurso_id: usuario.id,
      detalhes: {
        email_restaurado: anterior !== null,
        mfa_desativado,
        sessoes_encerradas,
        ...(identidades_desvinculadas > 0 && { identidades_desvinculadas }),
      },
    })
  })
  app.mailer.wake()
}

/** Former address to restore; null if the link was sent to the current one. */
async function claimOf(tx: Db, usuario: UsuarioRow, email: string): Promise<EmailAnterior | null> {
  if (usuario.email.toLowerCase() === email.toLowerCase()) return null
  const anterior = await findEmailAnterior(tx, usuario.id, email)
  if (anterior === null) throw new AppError('INVALID_UNDO_TOKEN')
  return anterior
}

/** Also notifies the replaced address: it may be the owner's, and the thief may read the former one. */
async function giveBack(tx: Db, usuario: UsuarioRow, anterior: EmailAnterior, now: Date): Promise<void> {
  await restoreEmail(tx, usuario.id, anterior, now)
  await enqueueEmail(tx, { tipo: 'email_devolvido', para: usuario.email, usuario_id: usuario.id })
}
