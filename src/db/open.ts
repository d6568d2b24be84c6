import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Config, StartupError } from '../config.ts'
import { attachEmbedded, DataDirInUse, startEmbedded } from './embedded.ts'

/** Where PostgreSQL is, and how to let go of it. */
export interface OpenDatabase {
  connection: pg.ClientConfig
  close(): Promise<void>
}

const CONNECT_PATIENCE_MS = 30_000

type Source = Pick<Config, 'databaseUrl' | 'dataDir'>

/** For the service: the server of DATABASE_URL, or an embedded one that nobody else uses. */
export async function openForService(
  source: Source,
  report: (message: string) => void,
): Promise<OpenDatabase> {
  if (source.databaseUrl !== null) return openServer(source.databaseUrl, report)
  try {
    const embedded = await startEmbedded({ dataDir: source.dataDir, report })
    return { connection: { ...embedded.connection, ssl: false }, close: () => embedded.stop() }
  } catch (error) {
    throw error instanceof DataDirInUse ? new StartupError(error.message) : error
  }
}

/** For a command: beside a running service it uses the service's embedded database. */
export async function openForCommand(
  source: Source,
  report: (message: string) => void,
): Promise<OpenDatabase> {
  const running = source.databaseUrl === null ? await attachEmbedded(source.dataDir) : null
  if (running === null) return openForService(source, report)
  return { connection: { ...running, ssl: false }, close: async () => {} }
}

/** A server that starts together with us may be a little later. */
async function openServer(databaseUrl: string, report: (message: string) => void): Promise<OpenDatabase> {
  const connection = { connectionString: withLibpqMeaning(databaseUrl) }
  const giveUpAt = Date.now() + CONNECT_PATIENCE_MS
  for (;;) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return { connection, close: async () => {} }
    } catch (error) {
      const reason = (error as { code?: string }).code ?? (error as Error).message
      if (Date.now() > giveUpAt) throw new StartupError(`DATABASE_URL cannot be reached: ${reason}`)
      report(`waiting for the database server (${reason})`)
      await sleep(1_000)
    }
  }
}

/** `sslmode` as every PostgreSQL tool understands it; the driver alone reads `require` as `verify-full`. */
function withLibpqMeaning(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  if (!url.searchParams.has('uselibpqcompat')) url.searchParams.set('uselibpqcompat', 'true')
  return url.href
}
