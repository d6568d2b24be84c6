import { randomInt } from 'node:crypto'
import { Secret } from 'otpauth'
import type { Caller } from '../../caller/caller.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { replaceCookieOf } from '../sessoes/cookies.ts'
import { checkPassword, refuse } from '../sessoes/credentials.ts'
import { acceptCode, findMfa, hashBackupCode, secretContext, totpOf } from '../sessoes/second-factor.ts'
import { activateMfa, lockActiveMfa, removeMfa, replaceCodigosBackup, setPendingSecret } from './mfa.sql.ts'

export { removeMfa } from './mfa.sql.ts'

/**
 * Second factor: off ──enable──▶ pending its first code ──verify──▶ on ──disable (password and code)──▶ off.
 * Enabling again while pending starts anew. Activation and deactivation are notified by mail; the notice of an activation
 * has a link that undoes it (`../usuarios/nao-fui-eu.ts`).
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

/** Returns secret and backup codes, which are never shown again. */
export async function enableMfa({ db, cipher, backupCodeKey }: Needs, caller: Caller): Promise<MfaSetup> {
  const segredo = new Secret({ size: SECRET_BYTES }).base32
  const backup_codes = newBackupCodes()
  await db.transaction(async (tx) => {
    const cifrado = cipher.encrypt(Buffer.from(segredo), secretContext(caller.id))
    if ((await setPendingSecret(tx, caller.id, cifrado)) === 0) throw new AppError('CONFLICT')
    await replaceCodigosBackup(tx, caller.id, hashesOf({ backupCodeKey }, caller.id, backup_codes))
  })
  return {
    secret: segredo,
    qr_code: await qrCodeOf(totpOf(segredo, caller.email).toString()),
    backup_codes,
  }
}

/** Its library is loaded when it is needed, which is once for each account. */
async function qrCodeOf(text: string): Promise<string> {
  const { default: QRCode } = await import('qrcode')
  return QRCode.toDataURL(text)
}

export async function verifyMfa(app: Needs, caller: Caller, code: string): Promise<void> {
  const mfa = await findMfa(app.db, caller.id)
  if (!mfa?.mfa_segredo_cifrado || mfa.mfa_ativado_em !== null) throw new AppError('CONFLICT')
  const { mfa_segredo_cifrado } = mfa
  if (!/^\s*\d{3}\s*\d{3}\s*$/.test(code) || !(await acceptCode(app, caller.id, code)))
    throw invalid('body', ['code'], 'INVALID_CODE', {})
  await app.db.transaction(async (tx) => {
    const now = app.clock.now()
    if ((await activateMfa(tx, caller.id, mfa_segredo_cifrado, now)) === 0) throw new AppError('CONFLICT')
    await replaceCookieOf(tx, caller, now)
    await enqueueEmail(tx, { tipo: 'mfa_ativado', para: caller.email, usuario_id: caller.id })
    await app.auditoria.record(tx, { acao: 'mfa.ativado', ...byCaller(caller) })
  })
  app.mailer.wake()
}

type ProofNeeds = Needs & Pick<App, 'passwords' | 'lockout'>

export interface MfaProof {
  senha: string
  code: string
}

export async function disableMfa(app: ProofNeeds, caller: Caller, proof: MfaProof): Promise<void> {
  await proveOwner(app, caller, proof)
  await app.db.transaction(async (tx) => {
    if ((await removeMfa(tx, caller.id, new Date(0))) === 0) throw new AppError('CONFLICT')
    await replaceCookieOf(tx, caller, app.clock.now())
    await enqueueEmail(tx, { tipo: 'mfa_desativado', para: caller.email, usuario_id: caller.id })
    await app.auditoria.record(tx, { acao: 'mfa.desativado', ...byCaller(caller) })
  })
  app.mailer.wake()
}

/** Replaces all backup codes, used or not; returns the new ones, which are never shown again. */
export async function renewBackupCodes(app: ProofNeeds, caller: Caller, proof: MfaProof): Promise<string[]> {
  await proveOwner(app, caller, proof)
  const codes = newBackupCodes()
  await app.db.transaction(async (tx) => {
    if (!(await lockActiveMfa(tx, caller.id))) throw new AppError('CONFLICT')
    await replaceCodigosBackup(tx, caller.id, hashesOf(app, caller.id, codes))
    await enqueueEmail(tx, { tipo: 'codigos_renovados', para: caller.email, usuario_id: caller.id })
    await app.auditoria.record(tx, { acao: 'mfa.codigos_renovados', ...byCaller(caller) })
  })
  app.mailer.wake()
  return codes
}

/** Asks for the password and a code of the second factor, which must be on. */
async function proveOwner(app: ProofNeeds, caller: Caller, { senha, code }: MfaProof): Promise<void> {
  const { email, origin } = caller
  if (!(await findMfa(app.db, caller.id))?.mfa_ativado_em) throw new AppError('CONFLICT')
  await checkPassword(app, { email, senha }, origin, 'INVALID_CURRENT_PASSWORD', async (usuario, attempt) => {
    if (!(await acceptCode(app, caller.id, code)))
      throw await refuse(app, usuario, attempt, origin, invalid('body', ['code'], 'INVALID_CODE', {}))
  })
}

const byCaller = (caller: Caller) => ({
  ...by(caller),
  recurso: 'usuario',
  recurso_id: caller.id,
})

const newBackupCodes = () => Array.from({ length: BACKUP_CODES }, newBackupCode)

const hashesOf = ({ backupCodeKey }: Pick<App, 'backupCodeKey'>, id: number, codes: string[]) =>
  codes.map((code) => hashBackupCode(backupCodeKey, id, code))

function newBackupCode(): string {
  const characters = Array.from({ length: 10 }, () => BACKUP_ALPHABET[randomInt(BACKUP_ALPHABET.length)])
  return `${characters.slice(0, 5).join('')}-${characters.slice(5).join('')}`
}
