import { randomUUID } from 'node:crypto'
import { anyNewEvento } from '../eventos/eventos.ts'
import { distribute } from './distribuir.ts'
import { attempt, type Feita, settle } from './entregar.ts'
import { claimFilas, listFirst, releaseFilas, type Tentativa } from './fila.sql.ts'

/**
 * Distributes events and delivers them. Any number of instances share the tables.
 *
 *   queue due ── claimed (leased for 30 s) ── accepted ──► next of the queue, or the queue goes
 *      ▲              │          └── failed ──► due again after the pause of its attempt, or given up
 *      └── lease ran out (instance killed): delivered again, with the same id
 */

const LEASE_MS = 30_000
/** Deliveries in hand at once, in all and for one webhook. One that fails gets a single place. */
const AT_ONCE = 64
const PER_WEBHOOK = { aceitando: 4, falhando: 1 }

export interface WebhookWorkerOptions {
  app: Parameters<typeof attempt>[0] & Parameters<typeof settle>[0]
  /** Told once until it works again. */
  onError(error: unknown): void
  timing?: Partial<typeof TIMING>
}

const TIMING = {
  /** Well below what a person notices. An idle look costs two index probes. */
  poll: 250,
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
  const timing = { ...TIMING, ...options.timing }
  const trabalhador = randomUUID()
  const inHand = new Set<Promise<void>>()
  /** And not yet written down. */
  const attempted: { feita: Feita; written: () => void }[] = []
  let settling = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let lookAgain = false
  let failing = false
  let stopped = false

  async function look(): Promise<void> {
    while (!stopped && (await anyNewEvento(app)) && (await distribute(app)) > 0);
    while (!stopped && (await claim()) > 0);
  }

  async function claim(): Promise<number> {
    const total = AT_ONCE - inHand.size
    if (total === 0) return 0
    const now = app.clock.now()
    const vagas = { total, porWebhook: PER_WEBHOOK }
    const filas = await claimFilas(app.db, trabalhador, vagas, now, new Date(now.getTime() + LEASE_MS))
    if (filas.length === 0) return 0
    for (const tentativa of await listFirst(app.db, filas)) begin(tentativa)
    return filas.length
  }

  function begin(tentativa: Tentativa): void {
    const delivery = deliver(tentativa).finally(() => {
      inHand.delete(delivery)
      wake()
    })
    inHand.add(delivery)
  }

  /** Never rejects: what could not be written down is delivered again when its lease is over. */
  async function deliver(tentativa: Tentativa): Promise<void> {
    try {
      const feita = await attempt(app, tentativa)
      const written = new Promise<void>((resolve) => attempted.push({ feita, written: resolve }))
      if (!settling) void settleAll()
      await written
    } catch (error) {
      report(error)
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
      ).catch(report)
      for (const { written } of those) written()
    }
    settling = false
  }

  function report(error: unknown): void {
    if (!failing && !stopped) onError(error)
    failing = true
  }

  function wake(): void {
    if (stopped) return
    if (looking !== null) {
      lookAgain = true
      return
    }
    looking = look()
      .then(
        () => {
          failing = false
        },
        (error) => {
          lookAgain = false
          report(error)
        },
      )
      .finally(() => {
        looking = null
        if (lookAgain) {
          lookAgain = false
          wake()
        }
      })
  }

  async function settled(): Promise<void> {
    while (looking !== null || inHand.size > 0) await Promise.all([looking, ...inHand])
  }

  return {
    start() {
      timer = setInterval(wake, timing.poll).unref()
      wake()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      let patience: NodeJS.Timeout | undefined
      const outOfPatience = new Promise<void>((resolve) => {
        patience = setTimeout(resolve, timing.stop)
      })
      await Promise.race([settled(), outOfPatience])
      clearTimeout(patience)
      await releaseFilas(app.db, trabalhador).catch(report)
    },
    async runOnce() {
      wake()
      await settled()
    },
  }
}
