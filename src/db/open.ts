import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Config, StartupError } from '../config/config.ts'
import { serverUrls } from '../config/database-url.ts'
import { attachEmbedded, holdsDatabase, startEmbedded } from './embedded/embedded.ts'
import { isPassing } from './pg-errors.ts'
import { poolsByTransaction } from './pooler.ts'
import { type Connection, refuseStandby } from './servers.ts'

/** Connection settings of the server, and how to release it. */
export interface OpenDatabase {
  connection: Connection
  close(): Promise<void>
}

/** A server started together with the service is usually up within seconds. */
const CONNECT_TIMEOUT_MS = 30_000
const TRANSACTION_MODE =
  'it leads to a pooler in transaction mode, which loses locks, settings and notices of a session: give it session mode (pool_mode = session)'
/** `max_connections` of the embedded server: the pools of one instance, its jobs, commands beside it. */
const CONNECTIONS = { first: 100, further: 30 }

type Report = (message: string) => void
type Source = Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'instances'>>

/** For the service: the server of DATABASE_URL, or an embedded one of its own. */
export async function openForService(
  source: Source,
  report: Report,
  { timeoutMs = CONNECT_TIMEOUT_MS } = {},
): Promise<OpenDatabase> {
  if (source.databaseUrl !== null) return openServer(source.databaseUrl, report, timeoutMs)
  const max_connections = String(CONNECTIONS.first + CONNECTIONS.further * ((source.instances ?? 1) - 1))
  const embedded = await inDataDir(() =>
    startEmbedded({ dataDir: source.dataDir, settings: { max_connections }, report }),
  )
  return { connection: { ...embedded.connection, ssl: false }, close: () => embedded.stop() }
}

/** For one of several instances: what their supervisor opened. */
export async function openBeside(source: Source): Promise<Connection> {
  if (source.databaseUrl !== null)
    return (await openServer(source.databaseUrl, () => {}, CONNECT_TIMEOUT_MS)).connection
  const running = await inDataDir(() => attachEmbedded(source.dataDir))
  if (running === null) throw new StartupError('The embedded database is not running')
  return { ...running, ssl: false }
}

/** For a command on what there is: refuses a folder without a database instead of making one. */
export async function openForCommand(source: Source, report: Report): Promise<OpenDatabase> {
  if (source.databaseUrl === null && !(await inDataDir(() => holdsDatabase(source.dataDir))))
    throw new StartupError(`DATA_DIR: ${source.dataDir} holds no database`)
  return openOrCreate(source, report)
}

/** For a command that may begin with nothing. Beside a running service it uses the service's embedded database. */
export async function openOrCreate(source: Source, report: Report): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = source
  const running = databaseUrl === null ? await inDataDir(() => attachEmbedded(dataDir)) : null
  if (running === null) return openForService(source, report)
  return { connection: { ...running, ssl: false }, close: async () => {} }
}

/** Reports any failure of the embedded database in one line. */
async function inDataDir<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new StartupError(`DATA_DIR: ${(error as Error).message.trim().replaceAll(/\s*\n\s*/g, ' / ')}`)
  }
}

async function openServer(databaseUrl: string, report: Report, timeoutMs: number): Promise<OpenDatabase> {
  const servers = serverUrls(databaseUrl).map(withLibpqMeaning)
  const giveUpAt = Date.now() + timeoutMs
  for (let attempt = 0; ; attempt++) {
    const connection = connectionTo(servers, attempt)
    const error = await tryToConnect(connection)
    if (error === null) return { connection, close: async () => {} }
    if (attempt % servers.length < servers.length - 1) continue
    const { code, message } = error
    // Retried only while the server may still be starting; a refusal stays a refusal.
    if (!isPassing(error) || Date.now() > giveUpAt)
      throw new StartupError(`DATABASE_URL cannot be used: ${message || code}`)
    report(`waiting for the database server (${code ?? message})`)
    await sleep(1_000)
  }
}

const connectionTo = (servers: string[], index: number): Connection => ({
  connectionString: servers[index % servers.length] as string,
  ...(servers.length > 1 && { servers }),
})

/** Standbys for long reads: nothing waits for them, the primary is read where they are away. */
export function standbyConnection({ databaseReadUrl }: Pick<Config, 'databaseReadUrl'>): Connection | null {
  if (databaseReadUrl === null) return null
  return { ...connectionTo(serverUrls(databaseReadUrl).map(withLibpqMeaning), 0), readOnly: true }
}

type ConnectionError = Error & { code?: string }

async function tryToConnect(connection: Connection): Promise<ConnectionError | null> {
  const client = newClient({ ...connection, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    if (connection.servers !== undefined) await refuseStandby(client)
    if (await poolsByTransaction(connection)) throw new Error(TRANSACTION_MODE)
    return null
  } catch (error) {
    return error as ConnectionError
  } finally {
    await client.end()
  }
}

/** The driver reads the certificate files that a URL names here. */
function newClient(connection: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client(connection)
  } catch (error) {
    throw new StartupError(`DATABASE_URL cannot be used: ${(error as Error).message}`)
  }
}

/** `sslmode` as every PostgreSQL tool understands it; the driver alone reads `require` as `verify-full`. */
function withLibpqMeaning(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  if (!url.searchParams.has('uselibpqcompat')) url.searchParams.set('uselibpqcompat', 'true')
  return url.href
}
