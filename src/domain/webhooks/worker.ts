import { randomUUID } from 'node:crypto'
import { createBatcher } from '../../db/batch.ts'
import { anyNewEvento, sweepNewEventos } from '../eventos/eventos.ts'
import { createRunner } from '../runner.ts'
import { attempt, type DeliveryAttempt, settle } from './deliver.ts'
import { type DistributeNeeds, distribute } from './distribute.ts'
import { claimQueues, type DueEntrega, listHeads, releaseQueues } from './queue.sql.ts'

/**
 * Distributes events and delivers them. Any number of instances share the tables.
 *
 *   queue due ── claimed (leased for 30 s) ── accepted ──► next of the queue, or the queue is deleted
 *      ▲              │          └── failed ──► due again after its backoff, or given up
 *      └── lease expired (instance killed): delivered again, with the same id
 */

/** Concurrent deliveries of a process, and of one webhook: receivers that hang must not take all places. */
const CONCURRENT = 64
const CONCURRENT_PER_WEBHOOK = { accepting: 4, failing: 1 }

export interface WebhookWorkerOptions {
  app: Parameters<typeof attempt>[0] & Parameters<typeof settle>[0] & DistributeNeeds
  /** Called once until it works again. */
  onError(error: unknown): void
  timing?: Partial<typeof TIMING>
}

/** Milliseconds. */
const TIMING = {
  /** Short, so that each poll has little to do; an idle one costs two index probes. */
  poll: 100,
  /** Above the 15 s that one delivery may take; an instance that dies delays its queues for this long. */
  lease: 30_000,
  /** Grace of `stop` for deliveries under way. */
  stop: 2_000,
}

export interface WebhookWorker {
  start(): void
  stop(): Promise<void>
  /** Distributes and delivers all that is due, and resolves when nothing is under way. */
  runOnce(): Promise<void>
}

export function createWebhookWorker({ app, onError, ...options }: WebhookWorkerOptions): WebhookWorker {
  const { poll, lease, stop } = { ...TIMING, ...options.timing }
  const worker = randomUUID()
  const runner = createRunner({ look, onError, poll, stopMs: stop })
  const settled = createBatcher(async (attempts: DeliveryAttempt[]) => {
    await settle(app, worker, attempts)
    return attempts
  })

  async function look(): Promise<void> {
    if (await anyNewEvento(app.db)) await distributeAll()
    while (!runner.isStopped() && (await claim()) > 0);
  }

  async function distributeAll(): Promise<void> {
    while (!runner.isStopped() && (await distribute(app)));
    await sweepNewEventos(app.db)
  }

  async function claim(): Promise<number> {
    const total = CONCURRENT - runner.underWay()
    if (total === 0) return 0
    const now = app.clock.now()
    const capacity = { total, perWebhook: CONCURRENT_PER_WEBHOOK }
    const queues = await claimQueues(app.db, worker, capacity, now, new Date(now.getTime() + lease))
    if (queues.length === 0) return 0
    for (const entrega of await listHeads(app.db, queues)) runner.track(deliver(entrega))
    return queues.length
  }

  /** Never rejects: an attempt whose outcome could not be written is repeated when its lease expires. */
  async function deliver(entrega: DueEntrega): Promise<void> {
    try {
      await settled.add(await attempt(app, entrega))
    } catch (error) {
      runner.report(error)
    }
  }

  return {
    start: runner.start,
    async stop() {
      await runner.stop()
      await releaseQueues(app.db, worker).catch(runner.report)
    },
    runOnce: runner.runOnce,
  }
}
