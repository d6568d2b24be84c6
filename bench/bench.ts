import { randomInt } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadMunicipios } from '../src/brasil/municipios.ts'
import { serverProcesses } from '../src/db/embedded/process.ts'
import { createRandom } from '../src/demo/random.ts'
import { FORWARDED, logIn, measureAnswers } from './comparison/answers.ts'
import { requestOf } from './comparison/load.ts'
import { type Ground, type Prepared, prepare } from './comparison/prepare.ts'
import {
  cpuOf,
  type Loader,
  memoryOf,
  type Running,
  startBaseline,
  startLoader,
  startService,
  treeOf,
} from './comparison/processes.ts'
import { HEADER, lineOf, type Measured } from './comparison/table.ts'
import { type Workload, workloadsOf } from './comparison/workloads.ts'

/**
 * Compares the whole service (accounts, permissions, validation, counted limits) with bare `node:http` and `pg` on the same data,
 * by turns in one run. Every request of a kind is different, from a seed that is printed, so that no cache of answers can help.
 * Each line is a ratio with its bar; exit code 1 when one is missed. `npm run bench [-- cases [seconds [seed]]]`
 */
const CASES = Number(process.argv[2] ?? 1_000_000)
const SECONDS = Number(process.argv[3] ?? 4)
const SEED = Number(process.argv[4] ?? randomInt(1_000_000))
const ROUNDS = 3
const CONNECTIONS = 32
/** Warm-up of a process that just began, until its code is compiled; two processes share the requests. */
const NEW_SECONDS = 15
const MAX_MEMORY_MIB = 300
const REFERENCE = 1_000_000
const ROOT = process.env.BENCH_DIR ?? join(tmpdir(), 'vigia-bench')
const folder = join(ROOT, String(CASES))

interface Side {
  name: string
  running: Running
  secure: boolean
  headers: Record<string, string>
}

const missed: string[] = []
const stack = new AsyncDisposableStack()
try {
  const ground = await prepare(folder, CASES)
  stack.defer(() => ground.postgres.stop())
  stack.defer(() => ground.client.end())
  await measureAll(ground)
} finally {
  await stack.disposeAsync()
}
console.log(missed.length === 0 ? '\nEvery target was reached' : `\nMissed:\n  ${missed.join('\n  ')}`)
if (missed.length > 0) process.exitCode = 1

async function measureAll({ client, databaseUrl, env, prepared }: Ground): Promise<void> {
  const loader = startLoader()
  stack.defer(() => loader.stop())
  const started = async (more: Record<string, string>) => {
    const running = await startService({ ...env, ...more })
    stack.defer(() => running.stop())
    return running
  }
  const running = await startBaseline(databaseUrl)
  stack.defer(() => running.stop())
  const baseline: Side = { name: 'baseline', running, secure: false, headers: {} }
  const behindProxy = { TRUST_PROXY: '127.0.0.1' }
  const plain = await started(behindProxy)
  const authorization = `Bearer ${await logIn(plain)}`
  const ofService = (name: string, process: Running): Side => ({
    name,
    running: process,
    secure: false,
    headers: { ...FORWARDED, authorization },
  })
  const service = ofService('service', plain)
  const { rows } = await client.query(
    'select min(id) as first, max(id) as last from casos where importacao_id is not null',
  )
  const { all } = await loadMunicipios()
  const workloads = workloadsOf(createRandom(SEED), all, rows[0], CASES)
  const [listing] = workloads as [Workload]

  console.log(
    `${CASES} cases, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s by turns, requests of seed ${SEED}\n`,
  )
  console.log(HEADER)
  const results: Record<string, Measured> = {}
  for (const workload of workloads) {
    const [ours, theirs] = (await inTurns(loader, workload, [service, baseline])) as [Measured, Measured]
    results[workload.name] = ours
    judge(workload, ours, theirs)
  }
  judgeImport(prepared)
  const counters = await client.query('select count(*)::float / $1 as rows from casos_contagens', [CASES])
  console.log(`rows of counters per case: ${counters.rows[0].rows.toFixed(2)}`)
  missed.push(...(await measureAnswers(loader, service, all, SEED)))

  console.log('\nThe list again, each beside the service as above:')
  const tls = { ...ofService('TLS', await started({ WORKER: 'off' })), secure: true }
  const two = ofService('INSTANCES=2', await started({ ...behindProxy, INSTANCES: '2', WORKER: 'off' }))
  // Warm-up of the new processes; the service above is warm already.
  for (const side of [tls, two]) await turnOf(loader, listing, side, NEW_SECONDS)
  const [one, secured, twice] = (await inTurns(loader, listing, [service, tls, two])) as [
    Measured,
    Measured,
    Measured,
  ]
  console.log(lineOf('with TLS', secured, one))
  console.log(lineOf('INSTANCES=2', twice, one))
  expectAtLeast('INSTANCES=2 against one process', twice.perSecond / one.perSecond, 1.3)
  await compareWithReference(results, workloads)
}

/**
 * Alternates between the sides, round by round. The first half of the rounds is warm-up: database pages are read, and code is
 * compiled anew when the first connections close, which takes both cores for a while.
 */
async function inTurns(loader: Loader, workload: Workload, sides: Side[]): Promise<Measured[]> {
  const turns = sides.map((): Measured[] => [])
  for (let round = 0; round < 2 * ROUNDS; round++)
    for (const [i, side] of sides.entries()) {
      const turn = await turnOf(loader, workload, side, SECONDS)
      if (round >= ROUNDS) turns[i]?.push(turn)
    }
  return turns.map(medianOf)
}

async function turnOf(
  loader: Loader,
  { method, asks }: Workload,
  side: Side,
  seconds: number,
): Promise<Measured> {
  const { pid, port } = side.running
  const which = side.name === 'baseline' ? 'baseline' : 'service'
  const server = treeOf(pid)
  const database = serverProcesses(join(folder, 'postgres'))
  const before = [cpuOf(server), cpuOf(database)] as const
  const loaded = await loader.run({
    port,
    secure: side.secure,
    connections: CONNECTIONS,
    seconds,
    requests: asks.map((ask) => requestOf(method, ask[which], side.headers, ask.body)),
    status: method === 'POST' ? 201 : 200,
  })
  const milliseconds = (used: number) => (1_000 * used) / loaded.requests
  return {
    perSecond: loaded.requests / loaded.seconds,
    p50: loaded.p50,
    p99: loaded.p99,
    memory: memoryOf(treeOf(pid)),
    cpu: {
      server: milliseconds(cpuOf(server) - before[0]),
      database: milliseconds(cpuOf(database) - before[1]),
    },
  }
}

function medianOf(turns: Measured[]): Measured {
  const middle = (numberOf: (turn: Measured) => number) =>
    turns.map(numberOf).sort((a, b) => a - b)[Math.floor(turns.length / 2)] as number
  return {
    perSecond: middle((turn) => turn.perSecond),
    p50: middle((turn) => turn.p50),
    p99: middle((turn) => turn.p99),
    memory: Math.max(...turns.map(({ memory }) => memory)),
    cpu: {
      server: middle(({ cpu }) => cpu.server),
      database: middle(({ cpu }) => cpu.database),
    },
  }
}

function expectAtLeast(what: string, value: number, target: number): void {
  if (value < target) missed.push(`${what}: ${value.toFixed(2)}, at least ${target}`)
}
function expectAtMost(what: string, value: number, target: number): void {
  if (value > target) missed.push(`${what}: ${value.toFixed(1)}, at most ${target.toFixed(1)}`)
}

function judge({ name, atLeast, p99AtMost }: Workload, ours: Measured, theirs: Measured): void {
  console.log(lineOf(name, ours, theirs, atLeast))
  expectAtLeast(name, ours.perSecond / theirs.perSecond, atLeast)
  expectAtMost(`${name}: p99 in ms`, ours.p99, p99AtMost * theirs.p99)
  expectAtMost(`${name}: memory in MiB`, ours.memory, MAX_MEMORY_MIB)
}

function judgeImport({ rows, importSeconds, copySeconds, bytesPerCase }: Prepared): void {
  const target = 0.35
  const ratio = copySeconds / importSeconds
  const speed = (seconds: number) => `${Math.round(rows / seconds)} rows/s`
  console.log(
    `\nimport of ${rows} complete rows, when the data were prepared: ${speed(importSeconds)}, COPY ${speed(copySeconds)} = ${ratio.toFixed(2)} (≥ ${target})`,
  )
  expectAtLeast('import against COPY', ratio, target)
  const { table, indexes, counters } = bytesPerCase
  console.log(
    `bytes per case: table ${Math.round(table)}, indexes ${Math.round(indexes)}, counters ${Math.round(counters)}`,
  )
}

/** Growth of cost: the service's speed at this size as a share of its speed at a million, where that was measured here. */
async function compareWithReference(results: Record<string, Measured>, workloads: Workload[]): Promise<void> {
  await writeFile(join(folder, 'result.json'), JSON.stringify(results))
  if (CASES === REFERENCE) return
  const kept = await readFile(join(ROOT, String(REFERENCE), 'result.json'), 'utf8').catch(() => null)
  if (kept === null) return
  const reference: Record<string, Measured> = JSON.parse(kept)
  console.log(`\nAgainst the same at ${REFERENCE} cases:`)
  for (const { name, within } of workloads) {
    const share = (results[name]?.perSecond ?? 0) / (reference[name]?.perSecond ?? 1)
    console.log(`${name.padEnd(32)} ${share.toFixed(2).padStart(7)}  (≥ ${1 - within})`)
    if (CASES > REFERENCE) expectAtLeast(`${name} against ${REFERENCE} cases`, share, 1 - within)
  }
}
