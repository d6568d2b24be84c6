import type { Db } from '../../db/db.ts'
import type { Language } from '../../errors/texts.ts'
import { type EmailQueueSize, insertEmail, measureQueue } from './emails.sql.ts'
import type { EmailTipo } from './texts/texts.ts'

/**
 * - `redefinir_senha`: a link to choose a new password. Whether the address has an account is looked up only when
 *   sending, so that asking for it takes the same time either way.
 * - `verificar_email`: a link that proves that the address in `para` is read by the account's owner.
 * - `senha_alterada`, `senha_definida` (by an administrator), `email_devolvido` (to the address that was given up again),
 *   `mfa_desativado`, `webhook_desligado` (by the service): notices.
 * - `email_alterado` (to the old address), `mfa_ativado`: notices with a link that undoes it, for whoever did not do it.
 */
export type NewEmail = { para: string; idioma?: Language } & (
  | { tipo: 'redefinir_senha' }
  | { tipo: Exclude<EmailTipo, 'redefinir_senha'>; usuario_id: number }
)

/** Part of the caller's transaction: with it, the mail is sent or never was. Wake the worker after the commit. */
export async function enqueueEmail(db: Db, email: NewEmail): Promise<void> {
  const { tipo, para, idioma = null } = email
  const usuario_id = email.tipo === 'redefinir_senha' ? null : email.usuario_id
  await insertEmail(db, { tipo, para, usuario_id, idioma })
}

/** Beyond this many, it does not matter how many more. */
const MEASURED_AT_MOST = 100_000

export function measureEmails(db: Db): Promise<EmailQueueSize> {
  return measureQueue(db, MEASURED_AT_MOST)
}
