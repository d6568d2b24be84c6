// CPU that exports cost the primary while it serves readers, with a standby for long reads (`DATABASE_READ_URL`) and without one.
// `npx node bench/exportacao-primario.ts [cases [seconds of a window [formato [standby or primary]]]]`; exit code 1 where a limit is passed.
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { UFS } from '../src/brasil/uf.ts'
import { attachEmbedded } from '../src/db/embedded/embedded.ts'
import { serverProcesses } from '../src/db/embedded/process.ts'
import { replicatedPair } from '../test/process/replicated-pair.ts'
import { EMAIL, PASSWORD } from './comparison/prepare.ts'
import { cpuOf, runCommand, startService } from './comparison/processes.ts'

const [cases = '100000', seconds = '10', formato = 'parquet', only = ''] = process.argv.slice(2)
const WINDOW_MS = 1_000 * Number(seconds)
const ROUNDS = 3
/** A client's pause between looks at its job. */
const POLL_MS = 500
/** Readers' requests a second, sent whether or not earlier ones were answered: the same work in every window. */
const RATE = 50
/** Rise of the primary's CPU that exports may cause where they read the standby. */
const MOST = 0.1
/** Work of the service itself that fresh cases cause. */
const WAITING = [
  'casos_contagens_pendentes_gerais',
  'casos_contagens_pendentes',
  'casos_lugares_mudados',
  'duplicidades_pendentes',
]
/** Cases with all that the service makes of them by itself, kept for later runs. */
const GROUND = join(process.env.BENCH_DIR ?? join(tmpdir(), 'vigia-bench'), `primario-${cases}`)
const PREPARED = join(GROUND, 'prepared')
const ENV = {
  DATA_DIR: GROUND,
  ADMIN_EMAIL: EMAIL,
  ADMIN_PASSWORD: PASSWORD,
  AMBIENTE: 'sandbox',
  RATE_LIMITS: 'count',
  TRUST_PROXY: '127.0.0.1',
}
const CASOS = '/agravos/casos'
const PATHS = UFS.flatMap((estado) => [
  `${CASOS}?size=50&estado=${estado}`,
  `${CASOS}?size=50&estado=${estado}&agravo_codigo=dengue&data_inicio=2024-01-01&data_fim=2024-12-31`,
  `${CASOS}/estatisticas/resumo?agregacao=mes&estado=${estado}`,
])

interface Server {
  client: pg.Client
  cluster: string
}
interface Service {
  port: number
  token: string
}
/** Seconds of CPU for each second of a window. */
interface Share {
  primary: number
  standby: number
}
interface Window extends Share {
  seconds: number
  exports: number
}

const stack = new AsyncDisposableStack()
const owner = { after: (done: () => Promise<void>) => void stack.defer(done) }
const missed: string[] = []
try {
  await prepareGround()
  const pair = await replicatedPair(owner, { ground: GROUND })
  const env = { ...ENV, DATABASE_URL: pair.url }
  const servers = { primary: await connect(pair.primary()), standby: await connect(pair.standby()) }
  const kinds = [
    { name: 'standby', more: { DATABASE_READ_URL: pair.standbyUrl() }, most: MOST },
    { name: 'primary', more: {}, most: Number.POSITIVE_INFINITY },
  ]
  for (const { name, more, most } of kinds.filter((one) => one.name.includes(only))) {
    const running = await startService({ ...env, ...more })
    try {
      const service = { port: running.port, token: await login(running.port) }
      await untilIdle(servers.primary.client)
      const { rise, refused } = await measure(name, service, servers)
      if (rise > most) missed.push(`${name}: ${percent(rise)} more`)
      if (refused > 0) missed.push(`${name}: ${refused} readers were not answered 200`)
    } finally {
      await running.stop()
    }
  }
} finally {
  await stack.disposeAsync()
}
console.log(missed.length === 0 ? '\nEvery target was reached' : `\nMissed:\n  ${missed.join('\n  ')}`)
if (missed.length > 0) process.exitCode = 1

async function connect(to: pg.ClientConfig): Promise<Server> {
  const client = new pg.Client(to)
  await client.connect()
  stack.defer(() => client.end())
  const { rows } = await client.query('show data_directory')
  return { client, cluster: rows[0].data_directory }
}

async function prepareGround(): Promise<void> {
  if (existsSync(PREPARED)) return
  console.log(`Making ${cases} cases; they are kept in ${GROUND}`)
  const begun = performance.now()
  await rm(GROUND, { recursive: true, force: true })
  await mkdir(GROUND, { recursive: true, mode: 0o711 })
  await runCommand(['demo', cases, '--only-cases'], ENV)
  const service = await startService(ENV)
  const client = new pg.Client({ ...(await attachEmbedded(GROUND)), ssl: false })
  try {
    await client.connect()
    await untilIdle(client)
  } finally {
    await client.end()
    await service.stop()
  }
  await writeFile(PREPARED, '')
  console.log(`Made in ${((performance.now() - begun) / 1_000).toFixed(0)} s`)
}

/** Waits for what the service does by itself with fresh cases, and does what the server would do by itself a little later. */
async function untilIdle(client: pg.Client): Promise<void> {
  const left = WAITING.map((table) => `(select count(*) from ${table})`).join(' + ')
  for (let quiet = 0; quiet < 5; await sleep(1_000)) {
    const { rows } = await client.query(
      `select ${left} + (select count(*) from jobs where status = 'processing') as n`,
    )
    quiet = Number(rows[0].n) === 0 ? quiet + 1 : 0
  }
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

/** Windows without exports before and after each window with them: the median rise, and the readers that were not answered 200. */
async function measure(
  name: string,
  service: Service,
  servers: { primary: Server; standby: Server },
): Promise<{ rise: number; refused: number }> {
  const stop = readAtRate(service)
  const window = (work: () => Promise<number>) => shareOf(servers, work)
  const nothing = () => window(() => sleep(WINDOW_MS, 0))
  const exporting = () => window(() => exportFor(service, WINDOW_MS))
  // The first export compiles its code, and warms the standby, as a window does the readers.
  await nothing()
  await exportFor(service, 1)
  const rises: number[] = []
  let before = await nothing()
  for (let round = 0; round < ROUNDS; round++) {
    const during = await exporting()
    const after = await nothing()
    const calm = (before.primary + after.primary) / 2
    rises.push(during.primary / calm - 1)
    const each = ((during.primary - calm) * during.seconds) / during.exports
    console.log(
      `${name}: primary ${percent(before.primary)}, ${percent(during.primary)}, ${percent(after.primary)} of a core before, during and after; ` +
        `standby ${percent(before.standby)}, ${percent(during.standby)}, ${percent(after.standby)}; ` +
        `${during.exports} exports of ${(during.seconds / during.exports).toFixed(1)} s, each ${each.toFixed(2)} s of the primary's CPU`,
    )
    before = after
  }
  const refused = await stop()
  const rise = rises.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number
  console.log(
    `${name}: ${percent(rise)} more in the median of ${ROUNDS}; ${refused} readers were not answered 200`,
  )
  return { rise, refused }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

async function shareOf(
  servers: { primary: Server; standby: Server },
  work: () => Promise<number>,
): Promise<Window> {
  const cpu = ({ cluster }: Server) => cpuOf(serverProcesses(cluster), { ended: true })
  const [primary, standby, begun] = [cpu(servers.primary), cpu(servers.standby), performance.now()]
  const exports = await work()
  const seconds = (performance.now() - begun) / 1_000
  return {
    seconds,
    exports,
    primary: (cpu(servers.primary) - primary) / seconds,
    standby: (cpu(servers.standby) - standby) / seconds,
  }
}

/** Exports one after the other for at least that long; returns how many. */
async function exportFor(service: Service, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds
  let done = 0
  for (; performance.now() < until; done++) {
    const { job_id } = (await insist(service, `${CASOS}/exportar`, { formato })) as { job_id: string }
    for (let status = 'processing'; status !== 'completed'; await sleep(POLL_MS)) {
      ;({ status } = (await insist(service, `/jobs/${job_id}`)) as { status: string })
      if (!['processing', 'completed'].includes(status)) throw new Error(`${job_id}: ${status}`)
    }
  }
  return done
}

/** Readers; the returned function ends them and tells how many requests failed. */
function readAtRate(service: Service): () => Promise<number> {
  const open = new Set<Promise<void>>()
  let [turn, failed] = [0, 0]
  const begun = performance.now()
  const ask = () => {
    const path = PATHS[turn++ % PATHS.length] as string
    const asked = call(service, path).then(
      () => {},
      () => void failed++,
    )
    open.add(asked)
    asked.finally(() => open.delete(asked))
  }
  const timer = setInterval(() => {
    // As many as are due: a timer alone would send fewer while the cores are busy.
    while (turn < ((performance.now() - begun) * RATE) / 1_000) ask()
  }, 5)
  return async () => {
    clearInterval(timer)
    await Promise.all(open)
    return failed
  }
}

async function login(port: number): Promise<string> {
  const credentials = { username: EMAIL, password: PASSWORD }
  const answer = await call({ port, token: '' }, '/auth/login', credentials)
  return (answer as { access_token: string }).access_token
}

/** Exports go on where a slow machine sheds load. */
async function insist(...asked: Parameters<typeof call>): Promise<unknown> {
  for (;;)
    try {
      return await call(...asked)
    } catch (error) {
      if (!/: 503 /.test(String(error))) throw error
      await sleep(1_000)
    }
}

async function call({ port, token }: Service, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-forwarded-proto': 'https',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
