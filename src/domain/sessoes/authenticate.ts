import type { Caller } from '../../caller.ts'
import type { App } from '../app.ts'
import { findCaller } from './sessoes.sql.ts'

/**
 * Access token → caller. The token only names the session; whether it lives and what its account may do is read anew
 * for every request, so a change holds from the next request on, on every instance.
 */
export async function authenticate(
  app: Pick<App, 'db' | 'clock' | 'accessTokens'>,
  token: string,
): Promise<Caller | null> {
  const claims = await app.accessTokens.verify(token)
  if (claims === null) return null
  const row = await findCaller(
    app.db,
    { id: claims.sessao_id, usuario_id: claims.usuario_id },
    app.clock.now(),
  )
  if (row === null) return null
  const permissoes = new Set(row.permissoes)
  return {
    id: row.id,
    nome: row.nome,
    email: row.email,
    sessao_id: claims.sessao_id,
    permissoes,
    holdsAll: row.admin || permissoes.has('admin'),
  }
}
