import type { Caller, Origin } from '../../caller.ts'
import type { App } from '../app.ts'
import { findCaller, touchSessao } from './sessoes.sql.ts'

/** How exact `last_activity` is: finer would make every read a write. */
const ACTIVITY_MS = 60_000

/**
 * Access token → caller. The token only names the session; whether it lives and what its account may do is read anew
 * for every request, so a change holds from the next request on, on every instance.
 */
export async function authenticate(
  { db, clock, accessTokens }: Pick<App, 'db' | 'clock' | 'accessTokens'>,
  token: string,
  origin: Origin,
): Promise<Caller | null> {
  const subject = await accessTokens.verify(token)
  if (subject === null) return null
  const sessao = { id: subject.sessao_id, usuario_id: subject.usuario_id }
  const now = clock.now()
  const row = await findCaller(db, sessao, now)
  if (row === null) return null
  if (now.getTime() - row.ultima_atividade.getTime() > ACTIVITY_MS) await touchSessao(db, sessao, now)
  const permissoes = new Set(row.permissoes)
  return {
    id: row.id,
    nome: row.nome,
    email: row.email,
    sessao_id: sessao.id,
    plano: row.plano,
    permissoes,
    holdsAll: row.admin || permissoes.has('admin'),
    mustChangePassword: row.trocar_senha,
    origin,
  }
}
