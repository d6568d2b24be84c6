import { Secret, TOTP } from 'otpauth'
import type { App } from '../app.ts'
import type { KeyedHash } from '../cipher.ts'
import { findMfa, useCodigoBackup, useStep } from './mfa.sql.ts'

/** RFC 6238 with the parameters every authenticator app assumes; one step of drift either way. */
const PERIOD_SECONDS = 30
const DRIFT_STEPS = 1

export const segredoContext = (usuarioId: number) => `usuarios.mfa_segredo_cifrado:${usuarioId}`

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

/**
 * Keyed, since a backup code is short enough to be guessed from a plain hash. `ABCDE-23456` or `abcde23456`: people type what
 * they printed in their own way.
 */
export function hashCodigoBackup(hashOf: KeyedHash, usuarioId: number, codigo: string): Buffer {
  return hashOf(String(usuarioId), codigo.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))
}

/** Takes a code of the app or a backup code, each only once. */
export async function acceptCode(
  { db, clock, cipher, backupCodeKey }: Pick<App, 'db' | 'clock' | 'cipher' | 'backupCodeKey'>,
  usuarioId: number,
  code: string,
): Promise<boolean> {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits))
    return (
      (await useCodigoBackup(db, usuarioId, hashCodigoBackup(backupCodeKey, usuarioId, code), clock.now())) >
      0
    )
  const mfa = await findMfa(db, usuarioId)
  if (!mfa?.mfa_segredo_cifrado) return false
  const segredo = cipher.decrypt(mfa.mfa_segredo_cifrado, segredoContext(usuarioId)).toString()
  const timestamp = clock.now().getTime()
  const delta = totpOf(segredo).validate({ token: digits, timestamp, window: DRIFT_STEPS })
  if (delta === null) return false
  return (await useStep(db, usuarioId, Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta)) > 0
}
