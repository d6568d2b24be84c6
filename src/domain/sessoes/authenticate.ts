import type { Caller, Origin } from '../../caller/caller.ts'
import type { App } from '../app.ts'
import type { Known } from './callers.ts'
import { cookieExpiryOf, renewDaily } from './cookies.ts'
import { touchSessao } from './sessoes.sql.ts'
import { sha256 } from './tokens.ts'

/** Resolution of `last_activity`: finer would make every request a write. */
const ACTIVITY_MS = 60_000

/** Access token → caller. The token only names the session; its state and the account's rights are read from the database. */
export async function authenticate(
  { db, clock, accessTokens, callers }: Pick<App, 'db' | 'clock' | 'accessTokens' | 'callers'>,
  token: string,
  origin: Origin,
): Promise<Caller | null> {
  const subject = await accessTokens.verify(token)
  if (subject === null) return null
  const now = clock.now()
  const known = await callers.find({ id: subject.sessao_id, usuario_id: subject.usuario_id }, now)
  if (known === null) return null
  await noteActivity({ db }, known, now, null)
  return { ...known, origin }
}

/** Cookie of the console → caller. Activity prolongs its session, and a value of yesterday is renewed. */
export async function authenticateCookie(
  app: Pick<App, 'db' | 'clock' | 'callers' | 'cookieKey'>,
  value: string,
  origin: Origin,
): Promise<Caller | null> {
  const now = app.clock.now()
  const known = await app.callers.findByCookie(sha256(value), now)
  if (known === null) return null
  const { cookie, ...caller } = known
  await noteActivity(app, known, now, cookieExpiryOf(now, cookie))
  const replacement = await renewDaily(app, value, known, now)
  return { ...caller, origin, cookie: { lembrar: cookie.lembrar, replacement } }
}

async function noteActivity(
  { db }: Pick<App, 'db'>,
  known: Known,
  now: Date,
  expira_em: Date | null,
): Promise<void> {
  if (now.getTime() - known.ultima_atividade.getTime() <= ACTIVITY_MS) return
  known.ultima_atividade = now
  await touchSessao(db, { id: known.sessao_id, usuario_id: known.id }, now, expira_em)
}
