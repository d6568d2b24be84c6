import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataFolder } from '../test/process/service.ts'
import { growthIn, mean, type Stretch } from './soak-growth.ts'
import { type Sample, startSoakLoad } from './soak-load.ts'

/**
 * Soak and overload test. A mixed load at 70 % of the measured capacity for some minutes: memory, file handles, connections and
 * latency must not grow. Then twice the capacity: the excess is refused quickly, accepted requests and `/health` stay fast.
 * `npm run soak [-- minutes]`; with 0 minutes, only the second part.
 */
const MINUTES = Number(process.argv[2] ?? 20)
const SHARE = 0.7
const CAPACITY_MS = 15_000
const CAPACITY_CLIENTS = 16
const OVERLOAD_MS = 30_000
/** Samples a minute. */
const SAMPLES = 6

const cleanups: (() => Promise<void>)[] = []
const load = await startSoakLoad(await dataFolder({ after: (done) => cleanups.push(done) }))

async function findCapacity(): Promise<number> {
  const end = performance.now() + CAPACITY_MS
  let count = 0
  const clients = Array.from({ length: CAPACITY_CLIENTS }, async () => {
    while (performance.now() < end) {
      await load.any()
      count += 1
    }
  })
  await Promise.all(clients)
  return count / (CAPACITY_MS / 1000)
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

async function stretch(rate: number, milliseconds: number): Promise<Stretch> {
  const samples: Sample[] = []
  const answers = load.arrive(rate, milliseconds)
  for (let i = 0; i < SAMPLES; i++) {
    await sleep(milliseconds / (SAMPLES + 1))
    samples.push(await load.sample())
  }
  const done = await answers
  const times = done.map(({ ms }) => ms)
  const of = (name: keyof Sample) => mean(samples.map((one) => one[name]))
  return {
    rssMb: of('rssMb'),
    heapMb: of('heapMb'),
    handles: of('handles'),
    connections: of('connections'),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    failures: done.filter(({ status }) => status < 200 || status > 299).length,
  }
}

async function soak(capacity: number): Promise<string[]> {
  const stretches: Stretch[] = []
  const count = Math.max(4, Math.round(MINUTES))
  const milliseconds = (MINUTES * 60_000) / count
  console.log('stretch   rss MB  heap MB  handles  connections  p50 ms  p99 ms  failures  load')
  for (let i = 1; i <= count; i++) {
    const one = await stretch(SHARE * capacity, milliseconds)
    stretches.push(one)
    const { rssMb, heapMb, handles, connections, p50, p99, failures } = one
    const cells = [rssMb, heapMb, handles, connections, p50, p99, failures].map((cell) =>
      cell.toFixed(0).padStart(8),
    )
    console.log(`${String(i).padStart(7)} ${cells.join(' ')}  ${loadavg()[0]?.toFixed(1)}`)
  }
  const findings = growthIn(stretches)
  const failures = stretches.reduce((sum, one) => sum + one.failures, 0)
  if (failures > 0) findings.push(`${failures} requests failed`)
  return findings
}

async function overload(capacity: number): Promise<string[]> {
  const before = await load.sample()
  const health: number[] = []
  let over = false
  const watching = (async () => {
    while (!over) {
      health.push((await load.health()).ms)
      await sleep(100)
    }
  })()
  // All connections are open: the measurement is about requests, not handshakes.
  await load.openAll()
  const done = await load.arrive(2 * capacity, OVERLOAD_MS)
  over = true
  await watching
  const after = await load.sample()
  const share = (test: (status: number) => boolean) =>
    `${((100 * done.filter(({ status }) => test(status)).length) / done.length).toFixed(1)} %`
  const times = (test: (status: number) => boolean) =>
    done.filter(({ status }) => test(status)).map(({ ms }) => ms)
  const isAccepted = (status: number) => status >= 200 && status < 300
  const isRefused = (status: number) => status === 429 || status === 503
  const [p99, refusal, healthP99] = [
    percentile(times(isAccepted), 0.99),
    percentile(times(isRefused), 0.99),
    percentile(health, 0.99),
  ]
  console.log(
    `overload: ${(2 * capacity).toFixed(0)}/s for ${OVERLOAD_MS / 1000} s: ${share(isAccepted)} accepted, ${share((status) => status === 429)} 429, ${share((status) => status === 503)} 503, p99 of the accepted ${p99.toFixed(0)} ms, of the refused ${refusal.toFixed(0)} ms, of /health ${healthP99.toFixed(0)} ms, memory ${before.rssMb.toFixed(0)} → ${after.rssMb.toFixed(0)} MB, load average ${loadavg()[0]?.toFixed(1)}`,
  )
  const strange = done.filter(({ status }) => !isAccepted(status) && !isRefused(status)).length
  return [
    ...(p99 > 1_000 ? [`p99 of the accepted ${p99.toFixed(0)} ms`] : []),
    ...(healthP99 > 200 ? [`p99 of /health ${healthP99.toFixed(0)} ms`] : []),
    ...(strange > 0 ? [`${strange} requests were answered neither 2xx nor 429 nor 503`] : []),
  ]
}

const capacity = await findCapacity()
console.log(`capacity: ${capacity.toFixed(0)} requests a second, load average ${loadavg()[0]?.toFixed(1)}`)
const findings = [...(MINUTES > 0 ? await soak(capacity) : []), ...(await overload(capacity))]
for (const finding of findings) console.log(`FOUND ${finding}`)
console.log(
  findings.length === 0 ? `soak: ${MINUTES} min, nothing grew` : `soak: ${findings.length} findings`,
)
await load.close()
for (const cleanup of cleanups) await cleanup()
process.exit(findings.length === 0 ? 0 : 1)
