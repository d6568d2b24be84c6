import type { Origin } from '../../caller/caller.ts'
import { sourceOf } from '../../caller/source.ts'
import type { App } from '../app.ts'
import { createRunner } from '../runner.ts'
import { countRecusaRow, type RecusaRow, takeRecusas } from './recusas.sql.ts'

/**
 * Aggregates refusals of unauthenticated requests by source and minute: one audit record each would let a stranger fill the
 * audit. After the minute, one instance turns each counter into one record in a transaction, so that a kill neither loses
 * nor doubles any.
 */
export type Recusa = 'cadastro.recusado' | 'login.recusado' | 'chave.recusada' | 'sso.recusado'

const MINUTE_MS = 60_000
/** Allowance for requests counted just after the end of their minute, and for clock skew. */
const GRACE_MS = 5_000
const LOOK_MS = 10_000
const STOP_MS = 2_000
/** Batch size: other audit records are blocked while a batch is written. */
const AT_ONCE = 100

export async function countRecusa(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  acao: Recusa,
  { endereco_ip, request_id }: Origin,
): Promise<void> {
  const minuto = minuteOf(clock.now().getTime())
  await countRecusaRow(db, { minuto, acao, origem: sourceOf(endereco_ip), endereco_ip, request_id })
}

type Needs = Pick<App, 'db' | 'clock' | 'auditoria'>

/** Records the counters of all past minutes. */
export async function recordRecusas({ db, clock, auditoria }: Needs): Promise<void> {
  const before = minuteOf(clock.now().getTime() - GRACE_MS)
  for (;;) {
    const recorded = await db.transaction(async (tx) => {
      const taken = await takeRecusas(tx, before, AT_ONCE)
      for (const recusa of taken) await auditoria.record(tx, toEntry(recusa))
      return taken.length
    })
    if (recorded < AT_ONCE) return
  }
}

/** Returns the function that stops it. */
export function startRecordingRecusas(app: Needs, onError: (error: unknown) => void): () => Promise<void> {
  const runner = createRunner({ look: () => recordRecusas(app), onError, poll: LOOK_MS, stopMs: STOP_MS })
  runner.start()
  return () => runner.stop()
}

const minuteOf = (ms: number) => new Date(ms - (ms % MINUTE_MS))

function toEntry({ acao, minuto, total, endereco_ip, request_id }: RecusaRow) {
  const origin = { endereco_ip, agente: null, request_id }
  return { acao, ator: null, origin, detalhes: { minuto: minuto.toISOString(), total } }
}
