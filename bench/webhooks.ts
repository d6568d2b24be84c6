import { setTimeout as sleep } from 'node:timers/promises'
import { dataFolder, freePort, type Service } from '../test/process/service.ts'
import { type Behaviour, Receiver } from './webhook-receivers.ts'

/**
 * Delivery test of webhooks: events to many receivers, some faulty until they are mended, while the service and its database are
 * killed repeatedly. Everything must be delivered, in the order of each case, repetitions under the same id. Before that, it
 * measures how long a healthy receiver waits for its first attempt while ten others hang.
 * `npx node bench/webhooks.ts [events [service kills [database kills]]]`
 */
const EVENTS = Number(process.argv[2] ?? 20_000)
const KILLS = Number(process.argv[3] ?? 5)
const DATABASE_KILLS = Number(process.argv[4] ?? 2)
const EVENTS_OF_A_CASE = 10
const WRITERS = 8
const LATENCY_EVENTS = 500
const HANGING = 10
const HEALTHY = 14
const MISBEHAVING: Behaviour[] = ['answers 500', 'answers 429', 'hangs', 'resets', 'redirects', 'drips']
/** Time to drain; a delivery still missing then counts as lost. */
const DRAIN_MS = 120_000 + EVENTS * 60
const PASSWORD = 'Senha#Boa1'

const cleanups: (() => Promise<void>)[] = []
const folder = await dataFolder({ after: (done) => cleanups.push(done) })
const port = await freePort()
const start = () =>
  folder.start({
    ADMIN_PASSWORD: PASSWORD,
    LOG_LEVEL: 'error',
    PORT: String(port),
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMITS: 'off',
  })
let service: Service = await start()
const token = await logIn()

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any
}

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '127.0.0.1',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

async function logIn(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-proto': 'https' },
    body: JSON.stringify({ username: 'admin@vigia.local', password: PASSWORD }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Retries until the service answers: it may have been killed. */
async function insist(method: string, path: string, body?: unknown): Promise<Answer> {
  for (;;) {
    try {
      const answer = await call(method, path, body)
      if (answer.status < 500) return answer
    } catch {}
    await sleep(100)
  }
}

async function register(receiver: Receiver): Promise<string> {
  await receiver.listen()
  const eventos = ['agravo.criado', 'agravo.atualizado']
  const { status, body } = await insist('POST', '/webhooks', { url: receiver.url, eventos })
  if (status !== 201) throw new Error(`no webhook: ${status} ${JSON.stringify(body)}`)
  return body.id
}

let numbers = 0
const newCaso = () => ({
  tipo_agravo: 'dengue',
  numero_notificacao: `W${++numbers}`,
  data_notificacao: '2024-03-12',
  paciente_nome: 'Maria da Silva',
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
})

/** Acknowledged changes, as `case:version`. */
const acknowledged = new Set<string>()
let written = 0

/** Creates a case and changes it step by step. Unacknowledged requests are retried: they may have been carried out. */
async function writeCase(): Promise<void> {
  const created = await insist('POST', '/agravos/casos', newCaso())
  // 422: it was created by the attempt that got no answer. Its changes are then somebody else's.
  if (created.status !== 201) return
  const { id } = created.body
  acknowledged.add(`${id}:1`)
  written += 1
  for (let i = 1; i < EVENTS_OF_A_CASE; i++) {
    const { status } = await insist('PUT', `/agravos/casos/${id}`, { bairro_residencia: `Bairro ${i}` })
    if (status !== 200) throw new Error(`a change was answered ${status}`)
    written += 1
  }
  const { body } = await insist('GET', `/agravos/casos/${id}?include=historico`)
  for (let versao = 2; versao <= body.historico.length; versao++) acknowledged.add(`${id}:${versao}`)
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

async function measureLatency(): Promise<number> {
  const healthy = new Receiver('accepts')
  const ids = [await register(healthy)]
  for (let i = 0; i < HANGING; i++) ids.push(await register(new Receiver('hangs')))
  for (let i = 0; i < LATENCY_EVENTS; i++) {
    await insist('POST', '/agravos/casos', newCaso())
    await sleep(20)
  }
  for (let i = 0; i < 100 && healthy.accepted.size < LATENCY_EVENTS; i++) await sleep(100)
  for (const id of ids) await insist('DELETE', `/webhooks/${id}`)
  const [p50, p99] = [percentile(healthy.delays, 0.5), percentile(healthy.delays, 0.99)]
  console.log(
    `beside ${HANGING} receivers that hang, a healthy one got ${healthy.accepted.size} of ${LATENCY_EVENTS}: first attempt p50 ${p50} ms, p99 ${p99} ms`,
  )
  return healthy.accepted.size === LATENCY_EVENTS ? p99 : Number.POSITIVE_INFINITY
}

/** Kills the service, now and then the database, at even intervals of written events. */
async function killAlong(): Promise<void> {
  const faults = [
    ...Array.from({ length: KILLS }, (_, i) => ({ at: (i + 1) / (KILLS + 1), what: 'service' })),
    ...Array.from({ length: DATABASE_KILLS }, (_, i) => ({
      at: (i + 0.5) / DATABASE_KILLS,
      what: 'database',
    })),
  ].sort((a, b) => a.at - b.at)
  for (const { at, what } of faults) {
    while (written < EVENTS * at) await sleep(50)
    if (what === 'database') {
      await folder.endDatabaseProcesses()
      continue
    }
    await service.kill()
    service = await start()
  }
}

/** Reads every event from the feed. */
async function readFeed(since: string): Promise<{ id: string; caso: number; versao: number }[]> {
  const events = []
  let cursor: string | null = null
  for (;;) {
    const query: string = cursor === null ? `desde=${encodeURIComponent(since)}` : `cursor=${cursor}`
    const { body } = await insist('GET', `/eventos?size=100&tipo=agravo.criado,agravo.atualizado&${query}`)
    for (const { id, dados } of body.eventos) events.push({ id, caso: dados.id, versao: dados.versao })
    cursor = body.cursor
    if (!body.mais) return events
  }
}

async function storm(): Promise<string[]> {
  const receivers = [...Array.from({ length: HEALTHY }, () => 'accepts' as const), ...MISBEHAVING].map(
    (behaviour) => new Receiver(behaviour),
  )
  const ids = new Map<Receiver, string>()
  for (const receiver of receivers) ids.set(receiver, await register(receiver))
  const since = new Date().toISOString()
  const begun = performance.now()
  const killing = killAlong()
  const writers = Array.from({ length: WRITERS }, async () => {
    while (written < EVENTS) await writeCase()
  })
  await Promise.all([...writers, killing])
  const wrote = (performance.now() - begun) / 1000
  for (const receiver of receivers) {
    if (receiver.behaviour === 'accepts') continue
    receiver.behaviour = 'accepts'
    // As its owner would after mending it: makes all pending deliveries due.
    for (const act of ['pausar', 'retomar']) await insist('POST', `/webhooks/${ids.get(receiver)}/${act}`)
  }
  const feed = await readFeed(since)
  const isDone = () => receivers.every((receiver) => receiver.accepted.size >= feed.length)
  const deadline = Date.now() + DRAIN_MS
  while (!isDone() && Date.now() < deadline) await sleep(500)
  const seconds = (performance.now() - begun) / 1000
  const told = new Set(feed.map(({ caso, versao }) => `${caso}:${versao}`))
  const findings: string[] = []
  const missing = [...acknowledged].filter((change) => !told.has(change)).length
  if (missing > 0) findings.push(`${missing} acknowledged changes have no event`)
  if (told.size !== feed.length) findings.push(`${feed.length - told.size} changes have two events`)
  for (const receiver of receivers) {
    const lost = feed.filter(({ id }) => !receiver.accepted.has(id)).length
    const strange = [...receiver.accepted.keys()].length - (feed.length - lost)
    if (lost > 0) findings.push(`${receiver.name}: ${lost} lost`)
    if (strange > 0) findings.push(`${receiver.name}: ${strange} that the feed does not have`)
    if (receiver.outOfOrder() > 0)
      findings.push(`${receiver.name}: ${receiver.outOfOrder()} cases out of order`)
  }
  const sum = (of: (receiver: Receiver) => number) => receivers.reduce((total, one) => total + of(one), 0)
  const accepted = sum(({ accepted }) => accepted.size)
  console.log(
    `${feed.length} events (${acknowledged.size} acknowledged) to ${receivers.length} receivers, ${MISBEHAVING.length} of which misbehaved, ${KILLS} kills of the service, ${DATABASE_KILLS} of the database: written in ${wrote.toFixed(0)} s, all delivered after ${seconds.toFixed(0)} s (${(accepted / seconds).toFixed(0)}/s), ${accepted} accepted, ${sum((one) => one.repeated())} twice with the same id, ${sum(({ requests }) => requests)} requests`,
  )
  return findings
}

const p99 = await measureLatency()
const findings = await storm()
if (p99 > 2_000) findings.push(`p99 of the first attempt ${p99} ms`)
for (const finding of findings) console.log(`FOUND ${finding}`)
console.log(findings.length === 0 ? 'none lost, order kept for each case' : `${findings.length} findings`)
await service.stop()
for (const cleanup of cleanups) await cleanup()
process.exit(findings.length === 0 ? 0 : 1)
