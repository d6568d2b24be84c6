import { randomBytes } from 'node:crypto'
import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import type { KnownByCookie } from './callers.ts'
import { replaceCookie, rotateCookie } from './cookies.sql.ts'
import { LONGEST_SESSION_MS, sha256, successorOf } from './tokens.ts'

/**
 * Value of the console's cookie: opaque, 256 bits, stored as a hash on the row of its session. The states of a value:
 *
 *   present ──used after a day──▶ previous ──used within 60 s──▶ answered, with the present value again (tabs, lost answers)
 *      │                             └──────used later──────────▶ nobody
 *      └──new password, second factor──▶ nobody, at once
 */
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const UNUSED_MS = 8 * HOUR_MS
const REMEMBERED_MS = 30 * DAY_MS
const GRACE_MS = 60_000

export const newCookie = () => randomBytes(32).toString('base64url')

/** End of a session of the console without further activity, at most 90 days after the login. */
export function cookieExpiryOf(
  now: Date,
  { criado_em, lembrar }: { criado_em: Date; lembrar: boolean },
): Date {
  const unused = now.getTime() + (lembrar ? REMEMBERED_MS : UNUSED_MS)
  return new Date(Math.min(unused, criado_em.getTime() + LONGEST_SESSION_MS))
}

/**
 * Replaces a value that is a day old. The new one is derived from the old one with a key, as refresh tokens are: it can be
 * sent again without being stored. Null if there is nothing to send.
 */
export async function renewDaily(
  { db, cookieKey }: Pick<App, 'db' | 'cookieKey'>,
  value: string,
  { sessao_id, cookie }: KnownByCookie,
  now: Date,
): Promise<string | null> {
  if (cookie.anterior_ate !== null) return successorOf(cookieKey, value)
  if (now.getTime() - cookie.cookie_desde.getTime() < DAY_MS) return null
  const sucessor = successorOf(cookieKey, value)
  const rotation = {
    hash: sha256(value),
    sucessor: sha256(sucessor),
    anterior_ate: new Date(now.getTime() + GRACE_MS),
  }
  // Replaced meanwhile, by another tab perhaps, or with the password: that answer has the value.
  return (await rotateCookie(db, sessao_id, rotation, now)) === 0 ? null : sucessor
}

/** New value for a caller of the console whose credentials changed; leaves it with the caller, for the answer. */
export async function replaceCookieOf(tx: Db, { cookie, sessao_id }: Caller, now: Date): Promise<void> {
  if (cookie === undefined) return
  const value = newCookie()
  await replaceCookie(tx, sessao_id, sha256(value), now)
  cookie.replacement = value
}
