import { readdirSync, readFileSync } from 'node:fs'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { attachEmbedded } from '../src/db/embedded/embedded.ts'
import { answerOf, type Folder, type Service } from '../test/process/service.ts'

/** Mixed load on a service, with samples of its process. */
export interface SoakLoad {
  service: Service
  /** Sends one request of the mix. */
  any(): Promise<Done>
  /** Health check on a connection of its own: a monitor does not queue behind the others. */
  health(): Promise<Done>
  /** Opens every connection that the load may use. */
  openAll(): Promise<void>
  /** Open loop: arrivals at a rate, whether earlier requests are answered or not. */
  arrive(perSecond: number, milliseconds: number): Promise<Done[]>
  sample(): Promise<Sample>
  close(): Promise<void>
}

export interface Done {
  /** Status; 0 where no answer came. */
  status: number
  ms: number
}

export interface Sample {
  rssMb: number
  heapMb: number
  /** File handles without connections of clients, whose number the clients decide. */
  handles: number
  /** Connections to the database. */
  connections: number
}

const PASSWORD = 'Senha#Boa1'
const EMAIL = 'admin@vigia.local'
const CASES = 500
/** Number of clients; with more, the handshakes keep this process busy and it would measure its own delay. */
const CONNECTIONS = 200

export async function startSoakLoad(
  folder: Folder,
  { cases = CASES, maxSockets = CONNECTIONS } = {},
): Promise<SoakLoad> {
  const service = await folder.start({ ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'error', METRICS_PORT: '0' })
  const token = await service.login(EMAIL, PASSWORD)
  const metricsUrl = /^Metrics: (\S+)$/m.exec(service.output.stdout)?.[1] as string
  const database = new pg.Client({ ...(await attachEmbedded(folder.dataDir)), ssl: false })
  await database.connect()
  const clients = keptConnections(maxSockets)
  const monitor = keptConnections(1)

  async function ask(method: string, path: string, body?: object, agent = clients): Promise<Done> {
    const begun = performance.now()
    const request = https.request(new URL(`/api/v1${path}`, service.url), {
      method,
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    })
    request.end(body && JSON.stringify(body))
    const { status } = await answerOf(request)
    return { status, ms: performance.now() - begun }
  }

  let numbers = 0
  const caso = () => ({
    tipo_agravo: 'dengue',
    numero_notificacao: `S${++numbers}`,
    data_notificacao: '2024-03-12',
    paciente_nome: 'Maria da Silva',
    municipio_residencia: 'Recife',
    estado_residencia: 'PE',
    bairro_residencia: `Bairro ${numbers % 50}`,
  })
  const someId = () => 1 + Math.floor(Math.random() * cases)
  const any = oneOf([
    [40, () => ask('GET', `/agravos/casos?size=20&page=${1 + (numbers % 20)}`)],
    [25, () => ask('GET', `/agravos/casos/${someId()}`)],
    [12, () => ask('POST', '/agravos/casos', caso())],
    [12, () => ask('PUT', `/agravos/casos/${someId()}`, { bairro_residencia: `B ${numbers}` })],
    [6, () => ask('GET', '/agravos/casos/estatisticas/resumo')],
    [4, () => ask('GET', '/agravos/casos/mapa-calor?nivel=municipio')],
    [1, () => ask('POST', '/auth/login', { email: EMAIL, senha: PASSWORD })],
  ])
  for (let i = 0; i < cases; i++) await ask('POST', '/agravos/casos', caso())

  return {
    service,
    any,
    health: () => ask('GET', '/health', undefined, monitor),
    async openAll() {
      await Promise.all(Array.from({ length: maxSockets }, () => ask('GET', '/health')))
    },
    async arrive(perSecond, milliseconds) {
      const answers: Promise<Done>[] = []
      const begun = performance.now()
      for (let elapsed = 0; elapsed < milliseconds; elapsed = performance.now() - begun) {
        const due = (elapsed / 1000) * perSecond
        while (answers.length < due) answers.push(any().catch(() => ({ status: 0, ms: 0 })))
        await sleep(5)
      }
      return Promise.all(answers)
    },
    async sample() {
      const { pid } = service.process
      const rss = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      const metrics = await (await fetch(metricsUrl)).text()
      const heap = /^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]
      const { rows } = await database.query(
        `select count(*)::int as total from pg_stat_activity where application_name = 'vigia'`,
      )
      return {
        rssMb: Number(rss) / 1024,
        heapMb: Number(heap) / 1024 ** 2,
        handles: readdirSync(`/proc/${pid}/fd`).length - countOf(clients) - countOf(monitor),
        connections: rows[0].total,
      }
    },
    async close() {
      clients.destroy()
      monitor.destroy()
      await database.end()
      await service.stop()
    },
  }
}

const keptConnections = (maxSockets: number) =>
  new https.Agent({ keepAlive: true, maxSockets, rejectUnauthorized: false })

const countOf = ({ sockets, freeSockets }: https.Agent) =>
  [...Object.values(sockets), ...Object.values(freeSockets)].reduce(
    (sum, those) => sum + (those?.length ?? 0),
    0,
  )

/** Weighted mix: most requests read, some write, hardly any logs in. */
function oneOf(mix: [weight: number, request: () => Promise<Done>][]): () => Promise<Done> {
  const requests = mix.flatMap(([weight, request]) => Array<typeof request>(weight).fill(request))
  return () => (requests[Math.floor(Math.random() * requests.length)] as (typeof requests)[0])()
}
