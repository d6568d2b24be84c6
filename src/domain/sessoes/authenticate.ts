import type { Caller, Origin } from '../../caller/caller.ts'
import type { App } from '../app.ts'
import { touchSessao } from './sessoes.sql.ts'

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
  const sessao = { id: subject.sessao_id, usuario_id: subject.usuario_id }
  const now = clock.now()
  const known = await callers.find(sessao, now)
  if (known === null) return null
  if (now.getTime() - known.ultima_atividade.getTime() > ACTIVITY_MS) {
    known.ultima_atividade = now
    await touchSessao(db, sessao, now)
  }
  return { ...known, origin }
}
