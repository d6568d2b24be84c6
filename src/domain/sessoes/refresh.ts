import type { Origin } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { findRefreshToken, lockSessaoOf, type RefreshRow, rotateRefreshToken } from './refresh.sql.ts'
import { endSessao } from './sessoes.sql.ts'
import { expiryOf, sha256, successorOf, type TokenPair, tokenPair } from './tokens.ts'

/**
 * Refresh tokens are rotated at every use. The states of one token:
 *
 *   live ──used──▶ rotated ──used within 10 s, successor unused──▶ the same pair again (several tabs, lost answers)
 *                     └─────used later, or successor used──────────▶ stolen: the whole session ends
 *
 * Whatever its refreshes, a session ends 90 days after its login.
 */
const GRACE_MS = 10_000

type Needs = Pick<App, 'db' | 'clock' | 'accessTokens' | 'refreshKey' | 'auditoria'>

export async function refresh(app: Needs, token: string, origin: Origin): Promise<TokenPair> {
  const now = app.clock.now()
  const sucessor = successorOf(app.refreshKey, token)
  const outcome = await app.db.transaction(async (tx) => {
    const hash = sha256(token)
    await lockSessaoOf(tx, hash)
    const row = await findRefreshToken(tx, hash, sha256(sucessor), now)
    if (row === null || !row.alive) return null
    if (row.rotacionado_em === null) {
      const { sessao_id } = row
      await rotateRefreshToken(
        tx,
        { hash, sucessor: sha256(sucessor), sessao_id, expira_em: expiryOf(now, row) },
        now,
      )
      return { row, issuedAt: now }
    }
    if (now.getTime() - row.rotacionado_em.getTime() <= GRACE_MS && !row.successor_used)
      return { row, issuedAt: row.rotacionado_em }
    await endStolenSession(app, tx, row, origin, now)
    return null
  })
  if (outcome === null) throw new AppError('INVALID_REFRESH_TOKEN')
  const { row, issuedAt } = outcome
  const sessao = { id: row.sessao_id, expira_em: expiryOf(issuedAt, row) }
  const user = { id: row.usuario_id, nome: row.nome, email: row.email }
  return tokenPair(app, sessao, user, sucessor, issuedAt)
}

async function endStolenSession(
  { auditoria }: Needs,
  tx: Db,
  row: RefreshRow,
  origin: Origin,
  now: Date,
): Promise<void> {
  await endSessao(tx, { id: row.sessao_id, usuario_id: row.usuario_id }, now)
  const ator = { id: row.usuario_id, nome: row.nome }
  await auditoria.record(tx, {
    acao: 'sessao.reuso_detectado',
    ator,
    origin,
    recurso: 'sessao',
    recurso_id: row.sessao_id,
  })
}
