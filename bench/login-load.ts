import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import pg from 'pg'
import { attachEmbedded } from '../src/db/embedded/embedded.ts'
import { dataFolder } from '../test/process/service.ts'

/**
 * Do many logins at once starve the rest? The real service over TLS, `/health` asked all the while from a thread of its
 * own, so that the work of the client does not count. `npm run bench:logins [-- logins]`
 */
const LOGINS = Number(process.argv[2] ?? 200)
const EVERY_MS = 20
const MAX_HEALTH_MS = 200
const PASSWORD = 'Senha#Boa1'
const emailOf = (i: number) => `pessoa${i}@bench.local`

if (isMainThread) await measure()
else await watchHealth()

/** Asks every 20 ms, whether the last answer is there or not, until told to stop; then tells all times. */
async function watchHealth(): Promise<void> {
  const url = new URL('/api/v1/health', workerData)
  const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false })
  const times: number[] = []
  const pending = new Set<Promise<void>>()
  const ask = () =>
    new Promise<void>((done, fail) => {
      const start = performance.now()
      const asked = https.get(url, { agent }, (response) => {
        response.resume().on('end', () => {
          times.push(response.statusCode === 200 ? performance.now() - start : Number.POSITIVE_INFINITY)
          done()
        })
      })
      asked.on('error', fail)
    })
  // The first one pays for the connection.
  await ask()
  times.length = 0
  let stopped = false
  parentPort?.once('message', () => {
    stopped = true
  })
  parentPort?.postMessage('ready')
  while (!stopped) {
    const one: Promise<void> = ask().finally(() => pending.delete(one))
    pending.add(one)
    await sleep(EVERY_MS)
  }
  await Promise.all(pending)
  agent.destroy()
  parentPort?.postMessage(times)
}

async function measure(): Promise<void> {
  const cleanup: (() => Promise<void>)[] = []
  const folder = await dataFolder({ after: (done) => void cleanup.push(done) })
  let worst = Number.POSITIVE_INFINITY
  try {
    const service = await folder.start({
      ADMIN_EMAIL: emailOf(0),
      ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: 'warn',
    })
    const client = new pg.Client({ ...(await attachEmbedded(folder.dataDir)), ssl: false })
    await client.connect()
    await client.query(
      `insert into usuarios (nome, email, senha_hash)
       select 'Pessoa', 'pessoa' || i || '@bench.local', senha_hash from usuarios, generate_series(1, ${LOGINS}) i`,
    )
    await client.end()
    const open = new https.Agent({ keepAlive: true, rejectUnauthorized: false })
    const login = (email: string, agent?: https.Agent) =>
      send(new URL('/api/v1/auth/login', service.url), { email, senha: PASSWORD }, agent)
    const health = () => send(new URL('/api/v1/health', service.url))
    const all = (one: (i: number) => Promise<number>) =>
      Promise.all(Array.from({ length: LOGINS }, (_, i) => one(i + 1)))
    // Warm: compiled code and open connections to the database; then what costs without any login.
    await Promise.all(Array.from({ length: 10 }, () => login(emailOf(0))))
    await under('nothing else', service.url, () => sleep(1000, []))
    await under(`${LOGINS} new connections without a login`, service.url, () => all(health))
    await all(() => send(new URL('/api/v1/health', service.url), undefined, open))
    worst = Math.max(
      await under(`${LOGINS} logins of ${LOGINS} accounts, connections open`, service.url, () =>
        all((i) => login(emailOf(i), open)),
      ),
      await under(`${LOGINS} logins of one account, connections open`, service.url, () =>
        all(() => login(emailOf(1), open)),
      ),
      await under(`${LOGINS} logins of ${LOGINS} accounts, connections new`, service.url, () =>
        all((i) => login(emailOf(i))),
      ),
      await under(`${LOGINS} logins of one account, connections new`, service.url, () =>
        all(() => login(emailOf(1))),
      ),
    )
    open.destroy()
    console.log(`health at most ${worst.toFixed(0)} ms (allowed: ${MAX_HEALTH_MS})`)
    await service.stop()
  } finally {
    for (const done of cleanup) await done()
  }
  process.exit(worst <= MAX_HEALTH_MS ? 0 : 1)
}

/** On a connection of its own, unless an agent is given. Answers the status. */
function send(url: URL, body?: object, agent: https.Agent | false = false): Promise<number> {
  return new Promise((done, fail) => {
    const method = body === undefined ? 'GET' : 'POST'
    const headers = { ...(body !== undefined && { 'content-type': 'application/json' }) }
    const asked = https.request(url, { method, headers, agent, rejectUnauthorized: false }, (response) => {
      response.resume().on('end', () => done(response.statusCode ?? 0))
    })
    asked.on('error', fail).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Runs the work while health is watched; prints what came of both and answers the slowest health. */
async function under(what: string, url: string, work: () => Promise<number[]>): Promise<number> {
  const watcher = new Worker(new URL(import.meta.url), { workerData: url })
  const told = <T>() =>
    new Promise<T>((resolve, reject) => watcher.once('message', resolve).once('error', reject))
  await told()
  const start = performance.now()
  const statuses = await work()
  const seconds = (performance.now() - start) / 1000
  const result = told<number[]>()
  watcher.postMessage('stop')
  const times = (await result).toSorted((a, b) => a - b)
  await watcher.terminate()
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
  const counts = [...Map.groupBy(statuses, (status) => status)].map(
    ([status, those]) => `${status}: ${those.length}`,
  )
  console.log(what)
  if (statuses.length > 0)
    console.log(
      `  ${(statuses.length / seconds).toFixed(0)} answers/s in ${seconds.toFixed(1)} s (${counts.join(', ')})`,
    )
  const [p50, p99, max] = [at(0.5), at(0.99), at(1)].map((ms) => `${ms.toFixed(1)} ms`)
  console.log(`  health: ${times.length} asked, p50 ${p50}, p99 ${p99}, max ${max}`)
  return at(1)
}
