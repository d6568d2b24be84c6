import { randomUUID } from 'node:crypto'
import { anyNewEvento, sweepNewEventos } from '../eventos/eventos.ts'
import { createRunner } from '../runner.ts'
import { attempt, type Feita, settle } from './deliver.ts'
import { distribute } from './distribute.ts'
import { claimFilas, listFirst, releaseFilas, type Tentativa } from './queue.sql.ts'

/**
 * Distributes events and delivers them. Any number of instances share the tables.
 *
 *   queue due ── claimed (leased for 30 s) ── accepted ──► next of the queue, or the queue goes
 *      ▲              │          └── failed ──► due again after the pause of its attempt, or given up
 *      └── lease ran out (instance killed): delivered again, with the same id
 */

/** Deliveries in hand at once, in all and for one webhook. One that fails gets a single place. */
const AT_ONCE = 64
const PER_WEBHOOK = { aceitando: 4, falhando: 1 }

export interface WebhookWorkerOptions {
  app: Parameters<typeof attempt>[0] & Parameters<typeof settle>[0]
  /** Told once until it works again. */
  onError(error: unknown): void
  timing?: Partial<typeof TIMING>
}

/** Milliseconds. */
const TIMING = {
  /** Above the 15 s that one delivery may take; an instance that dies delays its queues for this long. */
  lease: 30_000,
  /** Often, so that each look has little to do and delays nobody. An idle one costs two index probes. */
  poll: 100,
  /** How long `stop` waits for deliveries in hand. */
  stop: 2_000,
}

export interface WebhookWorker {
  start(): void
  stop(): Promise<void>
  /** Distributes and delivers all that is due, and resolves when nothing is in hand. */
  runOnce(): Promise<void>
}

export function createWebhookWorker({ app, onError, ...options }: WebhookWorkerOptions): WebhookWorker {
  const { poll, lease, stop: patience } = { ...TIMING, ...options.timing }
  const trabalhador = randomUUID()
  const runner = createRunner({ look, onError, poll, patience })
  /** And not yet written down. */
  const attempted: { feita: Feita; written: () => void }[] = []
  let settling = false

  async function look(): Promise<void> {
    if (await anyNewEvento(app)) await distributeAll()
    while (!runner.isStopped() && (await claim()) > 0);
  }

  /** What comes meanwhile waits for the next look: under load, one transaction for many. */
  async function distributeAll(): Promise<void> {
    while (!runner.isStopped() && (await distribute(app)));
    await sweepNewEventos(app)
  }

  async function claim(): Promise<number> {
    const total = AT_ONCE - runner.inHand()
    if (total === 0) return 0
    const now = app.clock.now()
    const vagas = { total, porWebhook: PER_WEBHOOK }
    const filas = await claimFilas(app.db, trabalhador, vagas, now, new Date(now.getTime() + lease))
    if (filas.length === 0) return 0
    for (const tentativa of await listFirst(app.db, filas)) runner.hold(deliver(tentativa))
    return filas.length
  }

  /** Never rejects: what could not be written down is delivered again when its lease is over. */
  async function deliver(tentativa: Tentativa): Promise<void> {
    try {
      const feita = await attempt(app, tentativa)
      const written = new Promise<void>((resolve) => attempted.push({ feita, written: resolve }))
      if (!settling) void settleAll()
      await written
    } catch (error) {
      runner.report(error)
    }
  }

  /** What is attempted while one transaction runs waits for the next. */
  async function settleAll(): Promise<void> {
    settling = true
    while (attempted.length > 0) {
      const those = attempted.splice(0)
      await settle(
        app,
        trabalhador,
        those.map(({ feita }) => feita),
      ).catch(runner.report)
      for (const { written } of those) written()
    }
    settling = false
  }

  return {
    start: runner.start,
    async stop() {
      await runner.stop()
      await releaseFilas(app.db, trabalhador).catch(runner.report)
    },
    runOnce: runner.runOnce,
  }
}
