import type { Caller, Origin } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { countRecusa } from '../auditoria/recusas.ts'
import type { Known, KnownByChave } from './callers.ts'
import { CHAVE } from './chave.ts'
import { cookieExpiryOf, renewDaily } from './cookies.ts'
import { touchChave, touchSessao } from './sessoes.sql.ts'
import { sha256 } from './tokens.ts'

/** Resolution of `last_activity`: finer would make every request a write. */
const ACTIVITY_MS = 60_000

/** Value of the header `Authorization` → caller; the error of a key that is known and does not work. */
export function authenticateBearer(
  app: Pick<App, 'db' | 'clock' | 'accessTokens' | 'callers'>,
  secret: string,
  origin: Origin,
): Promise<Caller | AppError | null> {
  return CHAVE.test(secret) ? authenticateChave(app, secret, origin) : authenticate(app, secret, origin)
}

/**
 * Key of a service account → caller. Looked up by its hash: how long that takes tells nothing of a key. Its first characters
 * stand in what it does to be audited.
 */
async function authenticateChave(
  app: Pick<App, 'db' | 'clock' | 'callers'>,
  secret: string,
  origin: Origin,
): Promise<Caller | AppError | null> {
  const now = app.clock.now()
  const known = await app.callers.findByChave(sha256(secret), now)
  if (known === null) return null
  const refusal = refusalOf(known, origin, now)
  if (refusal !== null) {
    await countRecusa(app, 'chave.recusada', origin)
    return refusal
  }
  const { chave, ...caller } = known
  if (isStale(known, now)) {
    known.ultima_atividade = now
    await touchChave(app.db, { id: chave.id, usuario_id: known.id }, origin.endereco_ip, now)
  }
  return { ...caller, origin, chave: { id: chave.id, prefixo: chave.prefixo } }
}

function refusalOf({ chave, expira_em }: KnownByChave, { endereco_ip }: Origin, now: Date): AppError | null {
  if (chave.revogada_em !== null) return new AppError('API_KEY_REVOKED')
  if (expira_em <= now) return new AppError('API_KEY_EXPIRED')
  return chave.allows(endereco_ip ?? undefined) ? null : new AppError('API_KEY_NETWORK')
}

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
  if (!isStale(known, now)) return
  known.ultima_atividade = now
  await touchSessao(db, { id: known.sessao_id, usuario_id: known.id }, now, expira_em)
}

const isStale = ({ ultima_atividade }: Known, now: Date) =>
  now.getTime() - ultima_atividade.getTime() > ACTIVITY_MS
