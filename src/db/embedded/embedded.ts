import { chmod, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { makeFolder } from '../../system/folder.ts'
import { createCluster, findCluster, findSocketDir, PORT, SUPERUSER } from './cluster.ts'
import { rememberDataDir } from './kept.ts'
import { readPostmasterFile } from './leftovers.ts'
import { isLocked, lockDataDir } from './lock.ts'
import { chooseUser, findPrograms } from './owner.ts'
import { identify } from './process.ts'
import { runServer, type Server } from './server.ts'

// PostgreSQL as part of the service: its binaries come from npm, its data is in the data folder, it listens on a Unix
// socket only. Linux and macOS; Node cannot open the Unix sockets of Windows, so there it takes a server of its own.

export { DataDirInUse } from './lock.ts'

const DATABASE = 'vigia'

export interface EmbeddedOptions {
  /** The service's data folder; the database lives in `postgres` inside. */
  dataDir: string
  /** Further settings of PostgreSQL, such as `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>
  /** Receives one line for a human; never data or secrets. */
  report: (message: string) => void
}

export interface Connection {
  /** The folder of the socket. */
  host: string
  port: number
  user: string
  database: string
}

export interface EmbeddedDatabase {
  connection: Connection
  stop(): Promise<void>
}

/** For the service, which becomes the only owner of the data folder until `stop`. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  // Others may pass through but not look inside: PostgreSQL may have to run as another user. The umask would forbid it.
  if (await makeFolder(options.dataDir, 0o711)) await chmod(options.dataDir, 0o711)
  const dataDir = await realpath(options.dataDir)
  const lock = lockDataDir(dataDir)
  try {
    const { connection, stop } = await startServer({ ...options, dataDir })
    let stopped: Promise<void> | undefined
    return {
      connection,
      stop() {
        stopped ??= stop().finally(() => lock.release())
        return stopped
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

export async function holdsDatabase(dataDir: string): Promise<boolean> {
  return (await findCluster(dataDir)) !== null
}

/** For commands beside a running service: its connection, or null when no service runs for this folder. */
export async function attachEmbedded(dataDir: string): Promise<Connection | null> {
  if (!isLocked(dataDir)) return null
  const cluster = await findCluster(dataDir)
  const postmaster = cluster && (await readPostmasterFile(cluster))
  if (!postmaster || identify(postmaster.pid, cluster) === 'stranger') return null
  return connectionOn(postmaster.socketDir, postmaster.port)
}

async function startServer({ dataDir, settings = {}, report }: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const existing = await findCluster(dataDir)
  const user = await chooseUser(existing)
  const programs = await findPrograms(user, report)
  const durable = settings.fsync !== 'off'
  const cluster = existing ?? (await createCluster({ dataDir, programs, user, durable, report }))
  if (cluster !== join(dataDir, 'postgres')) await rememberDataDir(cluster, dataDir)
  const socketDir = await findSocketDir(cluster, user)
  let server: Server | undefined
  const stop = async () => {
    await server?.stop()
    if (socketDir.temporary) await rm(socketDir.path, { recursive: true, force: true })
  }
  try {
    server = await runServer({ programs, cluster, socketDir: socketDir.path, user, settings, report })
    const connection = connectionOn(socketDir.path, PORT)
    await createDatabase(connection)
    return { connection, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function connectionOn(host: string, port: number): Connection {
  return { host, port, user: SUPERUSER, database: DATABASE }
}

/** Looked for at every start: the first one may have been killed before it came to this. */
async function createDatabase(connection: Connection): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres', ssl: false })
  // Without a listener a lost connection would end the process; the query fails all the same.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}
