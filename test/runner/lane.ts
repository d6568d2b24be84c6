// A lane: a queue of test files and the workers that run them side by side, each one file at a time.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Outcome, TestBegun } from './reporter.ts'
import type { LeftOpen, Order } from './worker.ts'

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))
const REPORTER = new URL('reporter.ts', import.meta.url).href
/** Modules are never unloaded, and each file keeps its service alive: beyond this heap a new worker costs less than collections. */
const MOST_HEAP_BYTES = 400 * 1024 * 1024
/** Requests and answers are garbage at once; with room for many of them, few are copied. */
const NURSERY = ['--min-semi-space-size=32', '--max-semi-space-size=64']
/**
 * Only a hang takes longer than this for one file, on a busy machine too: its worker is killed, which fails the file. The runner of
 * node bounds tests, but neither the import of a file nor its hooks.
 */
const FILE_MS = 720_000

export interface Lane {
  /** Files that are left; a worker takes the first. Lanes may share one. */
  queue: string[]
  /** Number of workers. */
  workers: number
}

/** Runs all files; `done` is called with the outcome of each, as it ends. */
export async function runLane(
  { queue, workers }: Lane,
  env: NodeJS.ProcessEnv,
  done: (outcome: Outcome) => void,
): Promise<void> {
  const runNext = async (): Promise<void> => {
    while (queue.length > 0) await runWorker(queue, env, done)
  }
  await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, runNext))
}

/** One worker until the queue is empty, its heap is large, or it dies, which fails the file it was running. */
async function runWorker(
  queue: string[],
  env: NodeJS.ProcessEnv,
  done: (outcome: Outcome) => void,
): Promise<void> {
  const worker = fork(WORKER, {
    env,
    execArgv: [`--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout', ...NURSERY],
  })
  const kill = () => worker.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(worker, 'exit') as Promise<[number | null, string | null]>
  let current: string | undefined
  let last = ''
  let lastTest = ''
  let hasFailed = false
  let hangs = false
  const watch = setTimeout(() => {
    hangs = true
    kill()
  }, FILE_MS)
  const next = (heapBytes: number) => {
    current = heapBytes > MOST_HEAP_BYTES ? undefined : queue.shift()
    last = current ?? last
    lastTest = ''
    watch.refresh()
    worker.send({ file: current ?? null } satisfies Order)
  }
  let leftOpen: string[] | undefined
  worker.on('message', (message: Outcome | TestBegun | LeftOpen) => {
    if ('leftOpen' in message) {
      leftOpen = message.leftOpen
      return
    }
    if ('begun' in message) {
      lastTest = message.begun
      return
    }
    hasFailed ||= message.failed > 0
    done(message)
    next(message.heapBytes)
  })
  next(0)
  const [code, signal] = await exited
  process.removeListener('exit', kill)
  clearTimeout(watch)
  if (hangs) done(failed(last, hanging(current, lastTest)))
  else if (current !== undefined) done(failed(current, `its process ended with ${signal ?? code}`))
  else if (leftOpen)
    done(failed(last, `it or an earlier file of its process left open: ${leftOpen.join(', ')}`))
  else if (code !== 0 && !hasFailed) done(failed(last, 'an error came when its tests were over (see above)'))
}

function hanging(file: string | undefined, lastTest: string): string {
  const within = lastTest === '' ? 'while it was imported' : `in "${lastTest}"`
  return `hung ${file === undefined ? 'after its end' : within}, killed after ${FILE_MS / 60_000} minutes`
}

function failed(file: string, why: string): Outcome {
  const failures = [`✖ ${file}: ${why}`]
  return {
    file,
    passed: 0,
    failed: 1,
    skipped: 0,
    tree: failures,
    failures,
    reasons: [],
    ms: 0,
    cpuMs: 0,
    heapBytes: 0,
  }
}
