import { randomInt } from 'node:crypto'
import { Secret } from 'otpauth'
import QRCode from 'qrcode'
import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { checkPassword, refuse } from '../sessoes/credentials.ts'
import { acceptCode, hashCodigoBackup, segredoContext, totpOf } from './codigo.ts'
import { activateMfa, findMfa, removeMfa, replaceCodigosBackup, setPendingSegredo } from './mfa.sql.ts'

/**
 * The second factor: off ──enable──▶ waiting for its first code ──verify──▶ on ──disable (password and code)──▶ off.
 * Enabling again while waiting starts anew. Switching on and off is told by mail; the notice of the first has a link that
 * switches it off again, for an owner who did not do it (`../usuarios/nao-fui-eu.ts`).
 */
const BACKUP_CODES = 10
const SECRET_BYTES = 20
/** No letters or digits that look alike. */
const BACKUP_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'backupCodeKey' | 'auditoria' | 'mailer'>

export interface MfaSetup {
  secret: string
  qr_code: string
  backup_codes: string[]
}

/** Secret and backup codes are shown here and never again. */
export async function enableMfa({ db, cipher, backupCodeKey }: Needs, caller: Caller): Promise<MfaSetup> {
  const segredo = new Secret({ size: SECRET_BYTES }).base32
  const backup_codes = Array.from({ length: BACKUP_CODES }, newBackupCode)
  await db.transaction(async (tx) => {
    const cifrado = cipher.encrypt(Buffer.from(segredo), segredoContext(caller.id))
    if ((await setPendingSegredo(tx, caller.id, cifrado)) === 0) throw new AppError('CONFLICT')
    const hashes = backup_codes.map((codigo) => hashCodigoBackup(backupCodeKey, caller.id, codigo))
    await replaceCodigosBackup(tx, caller.id, hashes)
  })
  return {
    secret: segredo,
    qr_code: await QRCode.toDataURL(totpOf(segredo, caller.email).toString()),
    backup_codes,
  }
}

export async function verifyMfa(app: Needs, caller: Caller, code: string): Promise<void> {
  const mfa = await findMfa(app.db, caller.id)
  if (!mfa?.mfa_segredo_cifrado || mfa.mfa_ativado_em !== null) throw new AppError('CONFLICT')
  const { mfa_segredo_cifrado } = mfa
  if (!/^\s*\d{3}\s*\d{3}\s*$/.test(code) || !(await acceptCode(app, caller.id, code)))
    throw invalid('body', ['code'], 'INVALID_CODE', {})
  await app.db.transaction(async (tx) => {
    if ((await activateMfa(tx, caller.id, mfa_segredo_cifrado, app.clock.now())) === 0)
      throw new AppError('CONFLICT')
    await enqueueEmail(tx, { tipo: 'mfa_ativado', para: caller.email, usuario_id: caller.id })
    await app.auditoria.record(tx, { acao: 'mfa.ativado', ...byCaller(caller) })
  })
  app.mailer.wake()
}

export async function disableMfa(
  app: Needs & Pick<App, 'passwords' | 'lockout'>,
  caller: Caller,
  { senha, code }: { senha: string; code: string },
): Promise<void> {
  const { email, origin } = caller
  if (!(await findMfa(app.db, caller.id))?.mfa_ativado_em) throw new AppError('CONFLICT')
  await checkPassword(app, { email, senha }, origin, 'INVALID_CURRENT_PASSWORD', async (usuario, attempt) => {
    if (!(await acceptCode(app, caller.id, code)))
      throw await refuse(app, usuario, attempt, origin, invalid('body', ['code'], 'INVALID_CODE', {}))
  })
  await app.db.transaction(async (tx) => {
    if (!(await removeMfaOf(tx, caller.id, new Date(0)))) throw new AppError('CONFLICT')
    await enqueueEmail(tx, { tipo: 'mfa_desativado', para: caller.email, usuario_id: caller.id })
    await app.auditoria.record(tx, { acao: 'mfa.desativado', ...byCaller(caller) })
  })
  app.mailer.wake()
}

/** Answers whether there was one that was switched on since. */
export async function removeMfaOf(tx: Db, usuarioId: number, since: Date): Promise<boolean> {
  return (await removeMfa(tx, usuarioId, since)) > 0
}

const byCaller = (caller: Caller) => ({
  ...by(caller),
  recurso: 'usuario',
  recurso_id: caller.id,
})

function newBackupCode(): string {
  const characters = Array.from({ length: 10 }, () => BACKUP_ALPHABET[randomInt(BACKUP_ALPHABET.length)])
  return `${characters.slice(0, 5).join('')}-${characters.slice(5).join('')}`
}
