import type { Caller } from '../../caller/caller.ts'
import { nested } from '../../db/nested.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { canonicalJson } from '../canonical.ts'
import { claimChave, findKept, tryLock, updateResposta } from './idempotency.sql.ts'

/**
 * A request that comes with a key is carried out once; the same request again is answered the same.
 *
 *   free ── claimed (locked: others get 409) ── answered ──→ kept 24 h: the same request is answered from it,
 *    ↑                  │                                    │           another one is 422
 *    └── refused, or ───┘                                    │
 *    │   failed: rolled back                                 │
 *    └───────────────────── 24 h are over, or the caller is removed
 *
 * The key, the change and the answer commit together: whatever dies on the way leaves neither.
 */

const KEPT_MS = 24 * 3_600_000

export interface Pedido {
  caller: Caller
  route: string
  key: string
  /** All that makes it the same request. */
  content: unknown
  /** The body as it may be kept and repeated: without what is shown only once. */
  toKept(body: unknown): unknown
}

export interface Resposta {
  status: number
  body: unknown
}

/** `work` must do everything through the `App` it is given, whose database is this one transaction. */
export async function answerOnce(
  app: App,
  { caller, route, key, content, toKept }: Pedido,
  work: (app: App) => Promise<Resposta>,
): Promise<Resposta & { replayed: boolean }> {
  const { db, clock, cipher, idempotencyKey: hash } = app
  const chave = hash('chave', String(caller.id), route, key)
  const pedido = hash('pedido', canonicalJson(content))
  const id = { usuario_id: caller.id, chave }
  const context = `idempotencia.resposta:${chave.toString('hex')}`
  let mailed = false
  let asked = false

  const answer = await app.keyedRequests(() =>
    db.transaction(async (tx) => {
      if (!(await tryLock(tx, chave.readBigInt64BE()))) throw new AppError('CONFLICT')
      const now = clock.now()
      // Before the work: this locks the caller's row, which must not wait once the audit is held.
      const claimed = await claimChave(
        tx,
        { ...id, pedido, criado_em: now },
        new Date(now.getTime() - KEPT_MS),
      )
      if (claimed === 0) {
        const kept = await findKept(tx, id)
        if (!kept.pedido.equals(pedido))
          throw invalid('header', ['Idempotency-Key'], 'IDEMPOTENCY_KEY_REUSED', {})
        const { status, body } = JSON.parse(cipher.decrypt(kept.resposta, context).toString()) as Resposta
        return { status, body, replayed: true }
      }
      // Woken before the commit, the mail worker would find nothing.
      const mailer = {
        wake() {
          mailed = true
        },
      }
      const jobs = {
        wake() {
          asked = true
        },
      }
      const { status, body } = await work({ ...app, db: nested(tx), mailer, jobs })
      const kept = Buffer.from(JSON.stringify({ status, body: toKept(body) }))
      await updateResposta(tx, id, cipher.encrypt(kept, context))
      return { status, body, replayed: false }
    }),
  )
  if (mailed) app.mailer.wake()
  if (asked) app.jobs.wake()
  return answer
}
