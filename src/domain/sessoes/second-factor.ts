import { Secret, TOTP } from 'otpauth'
import type { App } from '../app.ts'
import type { KeyedHash } from '../cipher.ts'
import { findMfa, useCodigoBackup, useStep } from './second-factor.sql.ts'

export { findMfa } from './second-factor.sql.ts'

/** RFC 6238 with the parameters every authenticator app assumes; one step of drift either way. */
const PERIOD_SECONDS = 30
const DRIFT_STEPS = 1

export const secretContext = (usuarioId: number) => `usuarios.mfa_segredo_cifrado:${usuarioId}`

export function totpOf(segredo: string, email = ''): TOTP {
  return new TOTP({
    issuer: 'Vigia',
    label: email,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(segredo),
  })
}

/** Keyed hash, since a plain hash of a short code can be brute-forced. Ignores case and separators: `ABCDE-23456`, `abcde23456`. */
export function hashBackupCode(hashOf: KeyedHash, usuarioId: number, codigo: string): Buffer {
  return hashOf(String(usuarioId), codigo.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))
}

/** Accepts a TOTP code or a backup code, each only once. */
export async function acceptCode(
  { db, clock, cipher, backupCodeKey }: Pick<App, 'db' | 'clock' | 'cipher' | 'backupCodeKey'>,
  usuarioId: number,
  code: string,
): Promise<boolean> {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits))
    return (
      (await useCodigoBackup(db, usuarioId, hashBackupCode(backupCodeKey, usuarioId, code), clock.now())) > 0
    )
  const mfa = await findMfa(db, usuarioId)
  if (!mfa?.mfa_segredo_cifrado) return false
  const segredo = cipher.decrypt(mfa.mfa_segredo_cifrado, secretContext(usuarioId)).toString()
  const timestamp = clock.now().getTime()
  const delta = totpOf(segredo).validate({ token: digits, timestamp, window: DRIFT_STEPS })
  if (delta === null) return false
  return (await useStep(db, usuarioId, Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta)) > 0
}
