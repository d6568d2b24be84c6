import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openJournal } from './journal.ts'
import { type Attempt, type Outcome, startLoad } from './load.ts'
import type { Strike } from './strikes.ts'
import type { Target } from './target.ts'
import { verify } from './verify.ts'

/** Fault scenario: strikes against a target under load, and the limits it must keep. */
export interface Scenario {
  name: string
  target: () => Promise<Target>
  strikes: Strike[]
  /** Pause between strikes, and after the last. */
  calmMs: number
  /** Answers that writers may get beside 503. */
  allowed: Outcome[]
  writers: number
  /** Limit of the recovery after a strike; null where it is only reported. */
  backToNormalMs: number | null
}

export interface Result {
  figures: string
  findings: string[]
  /** Slowest recovery after a strike. */
  slowestMs: number
}

const WARM_UP_MS = 1_000

export async function play(scenario: Scenario): Promise<Result> {
  const target = await scenario.target()
  const folder = await mkdtemp(join(tmpdir(), 'vigia-journal-'))
  const journal = openJournal(join(folder, 'journal.jsonl'))
  try {
    const begun = performance.now()
    const load = startLoad(target, journal, scenario.writers)
    const struck = await strike(target, scenario).finally(() => load.stop())
    const seconds = (performance.now() - begun) / 1000
    const acknowledged = journal.read()
    const returns = returnsAfter(load.attempts, struck)
    const slowestMs = Math.max(0, ...returns)
    const findings = [
      ...load.findings,
      ...refused(load.attempts, scenario.allowed),
      ...(await verify(target, acknowledged)),
    ]
    if (slowestMs > (scenario.backToNormalMs ?? Number.POSITIVE_INFINITY))
      findings.push(`back to normal only after ${Math.round(slowestMs)} ms`)
    const figures = [
      `${scenario.name}: ${struck.length} faults in ${seconds.toFixed(0)} s, ${scenario.writers} writers`,
      `${acknowledged.length} writes acknowledged`,
      ...(['503', 'cut', 'silent'] as const).map((outcome) => `${count(load.attempts, outcome)} ${outcome}`),
      `back to normal after ${Math.round(slowestMs)} ms at most (${returns.map(Math.round).join(', ')})`,
      `${findings.length} findings`,
      `load average ${loadavg()[0]?.toFixed(1)}`,
    ].join(', ')
    if (findings.length === 0) await rm(folder, { recursive: true })
    else findings.push(`the journal is ${journal.file}`)
    return { figures, findings, slowestMs }
  } finally {
    journal.close()
    await target.close()
  }
}

interface Struck {
  begun: number
  /** End of the fault. */
  ended: number
}

async function strike(target: Target, { strikes, calmMs }: Scenario): Promise<Struck[]> {
  const struck: Struck[] = []
  await sleep(WARM_UP_MS)
  for (const each of strikes) {
    const begun = performance.now()
    await each(target)
    struck.push({ begun, ended: performance.now() })
    await sleep(calmMs)
  }
  return struck
}

const count = (attempts: Attempt[], wanted: Outcome) =>
  attempts.filter(({ outcome }) => outcome === wanted).length

/** Recovery times: from the end of a fault to the last attempt that failed before the next one. */
function returnsAfter(attempts: Attempt[], struck: Struck[]): number[] {
  const failed = attempts.filter(({ outcome }) => outcome !== 'done')
  return struck.map(({ ended }, i) => {
    const until = struck[i + 1]?.begun ?? Number.POSITIVE_INFINITY
    const times = failed.map((attempt) => attempt.ended).filter((time) => time > ended && time < until)
    return Math.max(0, ...times.map((time) => time - ended))
  })
}

function refused(attempts: Attempt[], allowed: Outcome[]): string[] {
  return (['cut', 'silent', 'unexpected'] as const)
    .filter((outcome) => !allowed.includes(outcome) && count(attempts, outcome) > 0)
    .map((outcome) => `${count(attempts, outcome)} attempts: ${outcome}`)
}
