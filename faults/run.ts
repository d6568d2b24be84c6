import { patroniMissing } from './patroni.ts'
import { play, type Scenario } from './scenario.ts'
import {
  failOver,
  fillDisk,
  killDatabase,
  killInstance,
  killPatroniPrimary,
  pauseInstance,
  type Strike,
  stallDatabase,
  switchOver,
  terminateConnections,
} from './strikes.ts'
import { embeddedTarget, patroniTarget, proxiedTarget, replicatedTarget, smallDiskTarget } from './target.ts'

/**
 * Fault injection: every acknowledged write survives kills, failovers, storms, black holes, pauses and a full disk, exactly once.
 * `npm run faults [-- seconds [part …]]`: without seconds, the whole of it; with them, about so long for each part.
 */
const [seconds, ...wanted] = process.argv.slice(2)
const CALM_MS = 4_000
const SMALL_DISK_MB = 400
/** Above the 20 s after which Patroni notices a lost primary. */
const PATRONI_CALM_MS = 30_000

const times = (count: number, strike: Strike) => {
  const within = seconds === undefined ? count : Math.max(1, Math.round((Number(seconds) * 1000) / CALM_MS))
  return Array.from({ length: within }, () => strike)
}
/** Losses of the primary and planned changes by turns. */
const patroniStrikes = () => {
  const pairs = seconds === undefined ? 5 : Math.max(1, Math.round((Number(seconds) * 500) / PATRONI_CALM_MS))
  return Array.from({ length: pairs }, () => [killPatroniPrimary, switchOver]).flat()
}
const lasting = (whole: number) => 1000 * Number(seconds ?? whole)

const usual = { calmMs: CALM_MS, writers: 50, backToNormalMs: 5_000, allowed: [] }
/** Pause after a fault, long enough for requests that still hang then. */
const calmMs = 20_000
const all: Scenario[] = [
  {
    ...usual,
    name: 'instances',
    target: embeddedTarget,
    strikes: times(50, killInstance),
    allowed: ['cut'],
  },
  { ...usual, name: 'database', target: embeddedTarget, strikes: times(20, killDatabase) },
  { ...usual, name: 'failover', target: replicatedTarget, strikes: times(20, failOver) },
  {
    ...usual,
    name: 'patroni',
    target: patroniTarget,
    strikes: patroniStrikes(),
    backToNormalMs: 40_000,
    calmMs: PATRONI_CALM_MS,
  },
  {
    ...usual,
    name: 'connections',
    target: embeddedTarget,
    strikes: [terminateConnections(lasting(30))],
  },
  { ...usual, name: 'black-hole', target: proxiedTarget, strikes: [stallDatabase(lasting(30))], calmMs },
  {
    ...usual,
    name: 'pause',
    target: embeddedTarget,
    strikes: [pauseInstance(lasting(60))],
    allowed: ['cut', 'silent'],
    calmMs,
  },
  {
    ...usual,
    name: 'disk-full',
    target: () => smallDiskTarget(SMALL_DISK_MB),
    strikes: [fillDisk(lasting(20))],
    calmMs,
  },
]

let findings = 0
for (const scenario of all.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  if (scenario.name === 'disk-full' && process.getuid?.() !== 0) {
    console.log('disk-full: left out, only root can mount a small disk')
    continue
  }
  const missing = scenario.name === 'patroni' ? patroniMissing() : null
  if (missing !== null) {
    console.log(`patroni: left out, ${missing}`)
    continue
  }
  const result = await play(scenario)
  console.log(result.figures)
  for (const finding of result.findings.slice(0, 20)) console.log(`  FOUND ${finding}`)
  findings += result.findings.length
}
console.log(
  findings === 0 ? 'faults: every acknowledged write is there once' : `faults: ${findings} findings`,
)
process.exit(findings === 0 ? 0 : 1)
