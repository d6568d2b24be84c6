import type { Db } from '../../db/db.ts'
import type { Language } from '../../errors/texts.ts'
import { type EmailQueueSize, insertEmail, measureQueue } from './emails.sql.ts'
import type { BoletimNoEmail, EmailTipo } from './texts/texts.ts'

/**
 * - `redefinir_senha`: a link to choose a new password. The account is looked up only when sending, so that the
 *   request takes the same time for known and unknown addresses.
 * - `verificar_email`: a link that verifies the address in `para`.
 * - `convite`: a link to choose the first password of a new account.
 * - `identidade_vinculada`, `identidade_desvinculada` (single sign-on): notices.
 * - `mfa_encerrado`, `sessoes_encerradas` (by an administrator), `codigos_renovados`: notices.
 * - `senha_alterada`, `senha_definida` (by an administrator), `email_devolvido` (to the address that was given up again),
 *   `mfa_desativado`, `webhook_desligado` (by the service): notices.
 * - `muitas_fusoes`: notice to administrators that an account merged many cases.
 * - `boletim_pronto`: a link to a bulletin of the console; dropped where the bulletin or the right to be told is gone.
 * - `email_alterado` (to the old address), `mfa_ativado`: notices with a link that undoes the change.
 */
export type NewEmail = { para: string; idioma?: Language } & (
  | { tipo: 'redefinir_senha' }
  | { tipo: Exclude<EmailTipo, 'redefinir_senha' | 'boletim_pronto'>; usuario_id: number }
  | { tipo: 'boletim_pronto'; usuario_id: number; boletim_id: number; boletim: BoletimNoEmail }
)

/** Transactional outbox: the mail is queued in the caller's transaction. Wake the worker after the commit. */
export async function enqueueEmail(db: Db, email: NewEmail): Promise<void> {
  const { tipo, para, idioma = null } = email
  const usuario_id = email.tipo === 'redefinir_senha' ? null : email.usuario_id
  const { boletim_id, boletim } =
    email.tipo === 'boletim_pronto' ? email : { boletim_id: null, boletim: null }
  await insertEmail(db, { tipo, para, usuario_id, idioma, boletim_id, boletim })
}

/** Bound of the count: a larger queue is reported as this. */
const MEASURED_AT_MOST = 100_000

export function measureEmails(db: Db): Promise<EmailQueueSize> {
  return measureQueue(db, MEASURED_AT_MOST)
}
