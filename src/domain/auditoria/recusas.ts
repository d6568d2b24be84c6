import type { Origin } from '../../caller/caller.ts'
import { sourceOf } from '../../caller/source.ts'
import type { App } from '../app.ts'
import { createRunner } from '../runner.ts'
import { countRecusaRow, type RecusaRow, takeRecusas } from './recusas.sql.ts'

/**
 * Refusals that anybody can cause, as often as they like and without an account. A record of each would let a stranger
 * fill the audit, so they are counted in a table by source and minute. Once the minute is over, whichever instance looks
 * first turns the counter into one record, in one transaction: kills lose nothing and double nothing.
 */
export type Recusa = 'cadastro.recusado' | 'login.recusado'

const MINUTE_MS = 60_000
/** Requests that began in a minute may be counted a little after its end, and clocks differ a little. */
const GRACE_MS = 5_000
const LOOK_MS = 10_000
const STOP_MS = 2_000
/** Other records wait while these are written. */
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

/** Records the counts of all minutes that are over. */
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

/** Answers the way to stop. */
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
