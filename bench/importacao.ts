import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { serverProcesses } from '../src/db/embedded/process.ts'
import { START_OPTIONS } from '../test/process/service.ts'
import { cpuOf, treeOf } from './comparison/processes.ts'
import { KINDS, type Kind, writeImportFile } from './import-file.ts'
import { watchStatements } from './statements.ts'

/**
 * Compares the import of a file in our own layout with a plain COPY of the very same rows into the same table with its indexes, on
 * the same server (CPU: of the service and of the database); measures memory and the latency of the list meanwhile.
 * `npx node bench/importacao.ts [rows [complete|few-places|demo]]`
 */
const ROWS = Number(process.argv[2] ?? 1_000_000)
const KIND = (process.argv[3] ?? 'complete') as Kind
if (!KINDS.includes(KIND)) throw new Error(`one of ${KINDS.join(', ')}`)
const PASSWORD = 'Senha#Boa1'
const EMAIL = 'bench@vigia.local'
const PORT = 18_443
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false })

const dataDir = await mkdtemp(join(tmpdir(), 'vigia-bench-'))
// Traversable: as root, PostgreSQL runs as another user.
await chmod(dataDir, 0o711)
const postgres = await startEmbedded({ dataDir, report: () => {} })
const { user, database, host } = postgres.connection
const client = new pg.Client({ user, database, host } as pg.ClientConfig)
const file = join(dataDir, 'casos.csv')
await writeImportFile(file, ROWS, KIND)
const service = await startService()
try {
  await client.connect()
  await warmUp()
  const idle = await rss(service.pid)
  const watching = watch(service.pid)
  const statements = watchStatements({ user, database, host } as pg.ClientConfig)
  const first = await timed(() => importFile(file))
  const busy = await statements.stop()
  const details = await timed(untilAddedUp)
  const again = await timed(() => importFile(file))
  const seen = watching.stop()
  await client.query('analyze casos')
  const plain = await copyAnew()
  const ratio = plain.seconds / first.seconds
  console.log(`rows                    ${ROWS} of ${KIND} (${Math.round((await stat(file)).size / 1e6)} MB)`)
  console.log(`plain COPY              ${rate(plain.seconds)}, ${cpuARow(plain)}`)
  console.log(
    `import                  ${rate(first.seconds)}, ${cpuARow(first)} = ${ratio.toFixed(2)} of COPY`,
  )
  console.log(`result                  ${JSON.stringify(first.result)}`)
  console.log(
    `same file again         ${again.seconds.toFixed(1)} s = ${(again.seconds / first.seconds).toFixed(3)} of the first, ${JSON.stringify(again.result)}`,
  )
  console.log(`memory of the service   ${mb(idle)} idle, ${mb(seen.peak)} at most (+${mb(seen.peak - idle)})`)
  console.log(
    `list meanwhile          ${seen.list.length} requests, p50 ${at(seen.list, 0.5)} ms, p99 ${at(seen.list, 0.99)} ms`,
  )
  console.log(
    `details added up        after ${details.seconds.toFixed(1)} s more; list of a municipality until then: ${details.result.length} requests, p50 ${at(details.result, 0.5)} ms, p99 ${at(details.result, 0.99)} ms`,
  )
  console.log('statements during the first import, by the share of time each was at work')
  for (const [statement, share] of busy.slice(0, 10)) console.log(`  ${share.toFixed(3)}  ${statement}`)
  const good = ratio >= 0.35 && again.seconds <= first.seconds / 10 && seen.peak - idle < 150 * 1024 * 1024
  if (!good || at(seen.list, 0.99) > 250) process.exitCode = 1
} finally {
  service.stop()
  await client.end()
  await sleep(1_000)
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

function rate(seconds: number): string {
  return `${seconds.toFixed(1)} s, ${Math.round(ROWS / seconds)} rows/s`
}
function mb(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}
function at(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

/** COPY out and in again of the rows that the import stored. */
async function copyAnew(): Promise<Timed<void>> {
  const path = join(dataDir, 'casos.copy')
  await pipeline(client.query(copyTo('copy casos to stdout')), createWriteStream(path))
  await client.query('truncate casos cascade')
  // The triggers of the counters are a part of the import, not of plain COPY.
  await client.query('alter table casos disable trigger user')
  return timed(() => pipeline(createReadStream(path), client.query(copyFrom('copy casos from stdin'))))
}

interface Timed<T> {
  seconds: number
  /** Seconds of CPU, which depend less than time on other work of the machine. */
  cpu: { service: number; database: number }
  result: T
}

async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const before = cpuSoFar()
  const start = performance.now()
  const result = await work()
  const seconds = (performance.now() - start) / 1000
  const after = cpuSoFar()
  return {
    seconds,
    cpu: { service: after.service - before.service, database: after.database - before.database },
    result,
  }
}

function cpuSoFar() {
  return {
    service: cpuOf(treeOf(service.pid), { ended: true }),
    database: cpuOf(serverProcesses(join(dataDir, 'postgres')), { ended: true }),
  }
}

function cpuARow({ cpu }: Timed<unknown>): string {
  const micros = (seconds: number) => Math.round((seconds * 1e6) / ROWS)
  return `CPU a row ${micros(cpu.service)} + ${micros(cpu.database)} µs`
}

async function startService() {
  const child = spawn(process.execPath, [...START_OPTIONS, MAIN], {
    env: {
      ...process.env,
      DATA_DIR: join(dataDir, 'service'),
      DATA_KEY: randomBytes(32).toString('base64'),
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}`,
      ADMIN_EMAIL: EMAIL,
      ADMIN_PASSWORD: PASSWORD,
      PORT: String(PORT),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (data) => String(data).includes('ready') && resolve())
  })
  return { pid: child.pid as number, stop: () => child.kill('SIGTERM') }
}

async function rss(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}

/** Warm-up: a login hashes a password and first requests compile code, none of which is the import's cost. */
async function warmUp(): Promise<void> {
  const token = await logIn()
  for (let i = 0; i < 50; i++) await request('GET', '/agravos/casos', token)
  await sleep(1_000)
}

/** Samples memory five times a second, and the latency of the list's first page in a closed loop with a pause. */
function watch(pid: number) {
  let going = true
  let peak = 0
  const list: number[] = []
  const memory = setInterval(async () => {
    peak = Math.max(peak, await rss(pid).catch(() => 0))
  }, 200)
  const asking = (async () => {
    const token = await logIn()
    while (going) {
      const { seconds } = await timed(() =>
        request('GET', '/agravos/casos?size=50&estado=PE&data_inicio=2025-10-01', token),
      )
      list.push(seconds * 1000)
      await sleep(100)
    }
  })()
  return {
    stop() {
      going = false
      clearInterval(memory)
      asking.catch((error) => console.error(error))
      return { peak, list }
    },
  }
}

/** Latency of a list that adds up the queue of details, until the fold after an import is complete. */
async function untilAddedUp(): Promise<number[]> {
  const token = await logIn()
  const times: number[] = []
  for (;;) {
    const { rows } = await client.query('select exists (select from casos_contagens_pendentes) as waiting')
    if (!rows[0].waiting) return times
    const { seconds } = await timed(() => request('GET', '/agravos/casos?estado=PE&municipio=Recife', token))
    times.push(seconds * 1000)
    await sleep(100)
  }
}

function request(
  method: string,
  path: string,
  token: string | null,
  body?: { type: string; content: AsyncIterable<Buffer> | Buffer[]; length?: number },
  // biome-ignore lint/suspicious/noExplicitAny: answers of several routes
): Promise<any> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': body.type }),
      ...(body?.length && { 'content-length': body.length }),
    }
    const outgoing = https.request({ port: PORT, path: `/api/v1${path}`, method, headers, agent })
    outgoing.on('error', reject)
    outgoing.on('response', async (incoming) => {
      const text = Buffer.concat(await incoming.toArray()).toString()
      if ((incoming.statusCode ?? 500) >= 400) reject(new Error(`${incoming.statusCode} ${text}`))
      else resolve(JSON.parse(text))
    })
    if (body) pipeline(body.content, outgoing).catch(reject)
    else outgoing.end()
  })
}

async function logIn(): Promise<string> {
  const content = [Buffer.from(JSON.stringify({ email: EMAIL, senha: PASSWORD }))]
  const { access_token } = await request('POST', '/auth/login', null, { type: 'application/json', content })
  return access_token
}

/** Imports a file; timed from the first byte sent to the result. */
async function importFile(path: string): Promise<Record<string, number>> {
  const token = await logIn()
  const boundary = 'vigia-bench'
  const part = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  async function* content() {
    yield Buffer.from(
      `${part('formato', 'csv')}${part('modo', 'importar')}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="casos.csv"\r\n\r\n`,
    )
    yield* createReadStream(path) as AsyncIterable<Buffer>
    yield Buffer.from(`\r\n--${boundary}--\r\n`)
  }
  const type = `multipart/form-data; boundary=${boundary}`
  const uploaded = await timed(() =>
    request('POST', '/agravos/casos/bulk', token, { type, content: content() }),
  )
  for (;;) {
    const job = await request('GET', `/jobs/${uploaded.result.job_id}`, token)
    if (job.status === 'failed') throw new Error(JSON.stringify(job))
    if (job.status === 'completed') {
      const { importados, atualizados, inalterados, erros, tempo_processamento } = job.resultado
      return {
        importados,
        atualizados,
        inalterados,
        erros,
        upload: Math.round(uploaded.seconds * 10) / 10,
        tempo_processamento,
      }
    }
    await sleep(200)
  }
}
