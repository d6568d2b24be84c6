import { randomUUID } from 'node:crypto'
import type { Caller, Origin } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { endSessaoOfCookie } from './cookies.sql.ts'
import { cookieExpiryOf, newCookie } from './cookies.ts'
import { type LoginInput, openSession, proveLogin } from './login.ts'
import { sha256 } from './tokens.ts'

type Needs = Pick<
  App,
  'db' | 'clock' | 'passwords' | 'lockout' | 'auditoria' | 'cipher' | 'backupCodeKey' | 'callers'
>

/**
 * Login of the console: the same rules, a cookie instead of tokens. Ends the session of the browser's previous cookie, which
 * nobody could use or end from there any more.
 */
export async function openConsole(
  app: Needs,
  input: LoginInput,
  origin: Origin,
  previous: string | null,
): Promise<Caller & Required<Pick<Caller, 'cookie'>>> {
  const proven = await proveLogin(app, input, origin)
  const { lembrar } = input
  const value = newCookie()
  const now = app.clock.now()
  const expira_em = cookieExpiryOf(now, { criado_em: now, lembrar })
  const sessao = { id: randomUUID(), criado_em: now, expira_em, cookie_hash: sha256(value) }
  await openSession(app, proven, input, origin, sessao, async (tx) => {
    if (previous !== null) await endSessaoOfCookie(tx, sha256(previous), now)
  })
  const known = await app.callers.find({ id: sessao.id, usuario_id: proven.usuario.id }, now)
  // Deactivated, or its password changed, since.
  if (known === null) throw new AppError('INVALID_CREDENTIALS')
  return { ...known, origin, cookie: { lembrar, replacement: value } }
}
