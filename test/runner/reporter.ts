// Reporter of a worker: sends the outcome of each file to the parent, which prints it and sends the next file.
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

export interface Outcome {
  file: string
  passed: number
  failed: number
  skipped: number
  /** Tests and suites in the order of the file, indented. */
  tree: string[]
  failures: string[]
  /** Reasons of tests and suites that were left out. */
  reasons: string[]
  ms: number
  /** CPU time of the worker, without that of its children and of the database. */
  cpuMs: number
  /** Heap of the worker at the end of the file. */
  heapBytes: number
}

/** Name of a test that begins, for the note on a file that hangs in it. */
export interface TestBegun {
  begun: string
}

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let file = createFile()
  for await (const event of events) {
    // Errors of what a test left behind belong to no test.
    if (event.type === 'test:diagnostic' && /^(Error|Warning)/.test(event.data.message))
      yield `${event.data.message}\n`
    if (event.type === 'test:dequeue') process.send?.({ begun: event.data.name } satisfies TestBegun)
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    file.add(event)
    if (event.data.nesting > 0) continue
    process.send?.(file.outcome(event))
    file = createFile()
  }
}

function createFile() {
  const begun = performance.now()
  const cpuBefore = process.cpuUsage()
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures: string[] = []
  const reasons = new Set<string>()
  /** Lines by depth; those of a suite end up below its title when it ends, after its tests. */
  const levels: string[][] = []

  function add({ type, data }: Ended): void {
    const { name, nesting, details, skip } = data
    const isSkipped = skip !== undefined && skip !== false
    const mark = type === 'test:fail' ? '✖' : isSkipped ? '﹣' : '✔'
    const title = `${'  '.repeat(nesting)}${mark} ${name} (${Math.round(details.duration_ms)} ms)`
    const below = levels[nesting + 1] ?? []
    levels[nesting + 1] = []
    levels[nesting] = [...(levels[nesting] ?? []), title, ...below]
    // A suite that was left out has no tests to count.
    if (details.type !== 'suite' || isSkipped)
      counts[type === 'test:fail' ? 'failed' : isSkipped ? 'skipped' : 'passed']++
    if (typeof skip === 'string') reasons.add(skip)
    if (type === 'test:fail') addFailure(data as FailureData)
  }

  function addFailure({ name, details, file, line }: FailureData): void {
    const { error } = details
    // A suite whose tests failed has nothing to add; one whose set-up failed has.
    if (error.failureType === 'subtestsFailed') return
    if (details.type === 'suite') counts.failed++
    failures.push(`✖ ${name} (${file}:${line})\n${inspect(error.cause ?? error)}`)
  }

  function outcome({ data }: Ended): Outcome {
    const { user, system } = process.cpuUsage(cpuBefore)
    const cpuMs = Math.round((user + system) / 1000)
    const ms = Math.round(performance.now() - begun)
    const { heapUsed: heapBytes } = process.memoryUsage()
    return {
      file: data.name,
      ...counts,
      tree: levels[0] ?? [],
      failures,
      reasons: [...reasons],
      ms,
      cpuMs,
      heapBytes,
    }
  }

  return { add, outcome }
}

interface FailureData {
  name: string
  file?: string
  line?: number
  details: { type?: string; error: Error & { failureType?: string; cause?: unknown } }
}
