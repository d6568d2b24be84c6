import { createHmac } from 'node:crypto'
import type { TestApp } from './app.ts'

export const STEP = 30_000

/** RFC 4648 and RFC 6238, written from the RFCs: what an authenticator app does. */
export function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map((c) => alphabet.indexOf(c).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
export function totp(key: Buffer, ms: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / STEP)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const number = mac.readUInt32BE((mac[19] as number) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** Turns on the second factor of somebody; a code of an earlier step was used for it. */
export async function enrol(
  t: TestApp,
  person: Parameters<TestApp['as']>[0],
): Promise<{ secret: string; backup_codes: string[] }> {
  const { secret, backup_codes } = (await t.as(person).post('/auth/mfa/enable')).body
  const code = totp(fromBase32(secret), t.clock.now().getTime())
  const { status, text } = await t.as(person).post('/auth/mfa/verify', { code })
  if (status !== 200) throw new Error(`${status} ${text}`)
  t.clock.advance(2 * STEP)
  return { secret, backup_codes }
}
