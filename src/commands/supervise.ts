import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../config/config.ts'
import type { Logger } from '../system/logging.ts'

/**
 * Several processes that share one port. One that ends by itself is replaced:
 *
 *   forked ── listens ──► serving ── ends ──► replaced at once
 *      └── ends ──► forked again, later and later
 *                            └── SIGHUP: its successor serves first, then it finishes its requests
 */
export interface Instances {
  port: number
  renderMetrics(): Promise<string>
  /** One by one, each after its successor listens. */
  replaceAll(): Promise<void>
  stop(): Promise<void>
}

/** Exponential backoff of restarts. */
const PAUSES_MS = { first: 1_000, longest: 30_000 }
/** SIGKILL after this long; an instance ends by itself well before. */
const STOP_MS = 9_000

export async function supervise(count: number, log: Logger): Promise<Instances> {
  // Instances accept from the shared socket themselves: a connection handed to one that just died would be lost.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const serving = new Set<Worker>()
  let stopping = false

  async function fork(): Promise<{ worker: Worker; port: number }> {
    const worker = cluster.fork()
    const listens = Promise.withResolvers<{ port: number }>()
    worker.once('listening', listens.resolve)
    worker.once('exit', () => listens.reject(new StartupError('an instance could not start')))
    const { port } = await listens.promise
    serving.add(worker)
    worker.once('exit', (code, signal) => {
      if (!serving.delete(worker) || stopping) return
      log.error({ pid: worker.process.pid, code, signal }, 'an instance ended; another one takes its place')
      void forkAfter(0)
    })
    return { worker, port }
  }

  async function forkAfter(pause: number): Promise<void> {
    await sleep(pause)
    if (stopping) return
    await fork().catch((error) => {
      log.error({ err: error }, 'an instance could not start')
      return forkAfter(Math.min(Math.max(2 * pause, PAUSES_MS.first), PAUSES_MS.longest))
    })
  }

  async function end(worker: Worker): Promise<void> {
    serving.delete(worker)
    if (worker.isDead()) return
    const ended = once(worker, 'exit')
    worker.process.kill('SIGTERM')
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(timer)
  }

  let replacing: Promise<void> = Promise.resolve()
  async function replaceEach(): Promise<void> {
    for (const worker of [...serving]) {
      if (stopping) return
      await fork()
      await end(worker)
    }
  }

  const [first] = await Promise.all(Array.from({ length: count }, fork))
  return {
    port: (first as { port: number }).port,
    renderMetrics: lazySumOfInstances(),
    replaceAll() {
      replacing = replacing.catch(() => {}).then(replaceEach)
      return replacing
    },
    async stop() {
      stopping = true
      await Promise.all([...serving].map(end))
    },
  }
}

/** Loads the metrics' library when they are first asked for. */
function lazySumOfInstances(): () => Promise<string> {
  let loaded: Promise<() => Promise<string>> | undefined
  return async () => {
    loaded ??= import('../http/metrics.ts').then(({ sumOfInstances }) => sumOfInstances())
    return (await loaded)()
  }
}
