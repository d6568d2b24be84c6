import type { Caller } from '../../caller/caller.ts'
import { nested } from '../../db/nested.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { canonicalJson } from '../canonical.ts'
import { claimChave, getKept, tryLock, updateResposta } from './idempotency.sql.ts'

export { forgetIdempotencia } from './idempotency.sql.ts'

/**
 * Idempotency keys: a request with a key is executed once, and its repetition gets the stored answer.
 *
 *   free ── claimed (locked: others get 409) ── answered ──→ kept 24 h: the same request is answered from it,
 *    ↑                  │                                    │           another one is 422
 *    └── refused, or ───┘                                    │
 *    │   failed: rolled back                                 │
 *    └───────────────────── 24 h are over, or the caller is removed
 *
 * Key, change and answer commit in one transaction: a crash leaves none of them.
 */

const KEPT_MS = 24 * 3_600_000

export interface KeyedRequest {
  caller: Caller
  route: string
  key: string
  /** Identity of the request: everything a repetition must have in common. */
  content: unknown
  /** The body as it may be stored, without secrets that are shown only once. */
  toKept(body: unknown): unknown
}

export interface KeyedAnswer {
  status: number
  body: unknown
}

export const contextOf = (chave: Buffer) => `idempotencia.resposta:${chave.toString('hex')}`

/** `work` must use the `App` it is given, whose database is this transaction. */
export async function answerOnce(
  app: App,
  { caller, route, key, content, toKept }: KeyedRequest,
  work: (app: App) => Promise<KeyedAnswer>,
): Promise<KeyedAnswer & { replayed: boolean }> {
  const { db, clock, cipher, idempotencyKey: hash } = app
  const chave = hash('chave', String(caller.id), route, key)
  const pedido = hash('pedido', canonicalJson(content))
  const id = { usuario_id: caller.id, chave }
  const context = contextOf(chave)
  let mailed = false
  let asked = false

  const answer = await app.keyedRequests(() =>
    db.transaction(async (tx) => {
      if (!(await tryLock(tx, chave.readBigInt64BE()))) throw new AppError('CONFLICT')
      const now = clock.now()
      // Before the work: it locks the caller's row, which must precede the audit's lock in every transaction.
      const claimed = await claimChave(
        tx,
        { ...id, pedido, criado_em: now },
        new Date(now.getTime() - KEPT_MS),
      )
      if (claimed === 0) {
        const kept = await getKept(tx, id)
        if (!kept.pedido.equals(pedido))
          throw invalid('header', ['Idempotency-Key'], 'IDEMPOTENCY_KEY_REUSED', {})
        const { status, body } = JSON.parse(cipher.decrypt(kept.resposta, context).toString()) as KeyedAnswer
        return { status, body, replayed: true }
      }
      // Wake-ups are deferred until the commit: before it the workers would find nothing.
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
