import { randomUUID } from 'node:crypto'
import type { Caller, Origin } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { endSessaoOfCookie } from './cookies.sql.ts'
import { cookieExpiryOf, newCookie } from './cookies.ts'
import { type LoginInput, type NewLogin, openSession, type Proven, proveLogin } from './login.ts'
import { sha256 } from './tokens.ts'

type Needs = Pick<
  App,
  'db' | 'clock' | 'passwords' | 'lockout' | 'auditoria' | 'cipher' | 'backupCodeKey' | 'callers'
>

export type ConsoleCaller = Caller & Required<Pick<Caller, 'cookie'>>

/** Login of the console: the same rules, a cookie instead of tokens. */
export async function openConsole(
  app: Needs,
  input: LoginInput,
  origin: Origin,
  previous: string | null,
): Promise<ConsoleCaller> {
  const proven = await proveLogin(app, input, origin)
  return openConsoleOf(app, proven, input, origin, previous === null ? null : sha256(previous))
}

/**
 * Session of the console for an account that was proven. Ends the session of the browser's previous cookie, which nobody could
 * use or end from there any more.
 */
export async function openConsoleOf(
  app: Pick<App, 'db' | 'clock' | 'lockout' | 'auditoria' | 'callers'>,
  proven: Proven,
  { lembrar, idioma, sso }: Pick<LoginInput, 'lembrar' | 'idioma'> & Pick<NewLogin, 'sso'>,
  origin: Origin,
  previousHash: Buffer | null,
): Promise<ConsoleCaller> {
  const value = newCookie()
  const now = app.clock.now()
  const expira_em = cookieExpiryOf(now, { criado_em: now, lembrar })
  const cookie_hash = sha256(value)
  const sessao = { id: randomUUID(), criado_em: now, expira_em, cookie_hash, ...(sso && { sso }) }
  await openSession(app, proven, { lembrar, idioma }, origin, sessao, async (tx) => {
    if (previousHash !== null) await endSessaoOfCookie(tx, previousHash, now)
  })
  const known = await app.callers.find({ id: sessao.id, usuario_id: proven.usuario.id }, now)
  // Deactivated, or its password changed, since.
  if (known === null) throw new AppError('INVALID_CREDENTIALS')
  return { ...known, origin, cookie: { lembrar, replacement: value } }
}
