import { execFile } from 'node:child_process'
import { chown, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Connection, type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded/embedded.ts'
import { isTrueWithin, sendSignal, serverProcesses } from '../../src/db/embedded/process.ts'
import { HANG_MS } from '../harness/eventually.ts'
import { databaseFolder } from '../harness/folder.ts'
import { type DatabaseProxy, databaseProxy } from './database-proxy.ts'

/** A primary and its synchronous standby, each reached through an address of its own that survives their changing places. */
export interface ReplicatedPair {
  /** Both hosts, as `DATABASE_URL` names them. */
  url: string
  /** The standby of the moment, as `DATABASE_READ_URL` names it. */
  standbyUrl(): string
  primary(): pg.ClientConfig
  standby(): pg.ClientConfig
  /** Makes a standby of the server that failed last, where there is none; returns when it is synchronous. */
  replicate(): Promise<void>
  /** Kills the primary with all its processes and promotes the standby. */
  failOver(): Promise<void>
  /** Kills the standby with all its processes, and lets writes go on without one. */
  loseStandby(): Promise<void>
}

interface Node {
  dataDir: string
  cluster: string
  proxy: DatabaseProxy | null
  server: EmbeddedDatabase | null
}

const run = promisify(execFile)

/** Room for what is written while a standby is copied. */
const SETTINGS = { wal_keep_size: '1GB', hot_standby_feedback: 'on' }
const AUTO_CONF = 'postgresql.auto.conf'
const SYNCHRONOUS = 'synchronous_standby_names'

/** `ground`: data folder of a stopped database that the primary begins as a copy of. */
export async function replicatedPair(
  owner: { after(done: () => Promise<void>): void },
  { ground }: { ground?: string } = {},
): Promise<ReplicatedPair> {
  const parent = await databaseFolder('vigia-pair-')
  const nodes = ['a', 'b'].map((name): Node => {
    const dataDir = join(parent, name)
    return { dataDir, cluster: join(dataDir, 'postgres'), proxy: null, server: null }
  }) as [Node, Node]
  let [primary, standby] = nodes
  owner.after(async () => {
    await Promise.all(nodes.map(({ server }) => server?.stop()))
    await rm(parent, { recursive: true, force: true, maxRetries: 10 })
  })

  async function start(node: Node, settings: Record<string, string>): Promise<void> {
    node.server = await startEmbedded({
      dataDir: node.dataDir,
      settings: { ...SETTINGS, ...settings },
      report: () => {},
    })
    node.proxy ??= await databaseProxy(owner, undefined, node.server.connection)
  }

  async function replicate(): Promise<void> {
    if (standby.server !== null) return
    await copyCluster(primary, standby)
    const { host, port, user } = connectionOf(primary)
    await start(standby, { primary_conninfo: `host=${host} port=${port} user=${user}` })
    await onPrimary(async (client) => {
      await client.query(`alter system set ${SYNCHRONOUS} = '*'`)
      await client.query('select pg_reload_conf()')
      await untilSynchronous(client)
    })
  }

  async function onPrimary(work: (client: pg.Client) => Promise<void>): Promise<void> {
    await using client = await connect(connectionOf(primary))
    await work(client.client)
  }

  if (ground !== undefined) {
    await mkdir(primary.dataDir, { mode: 0o711 })
    await copyFiles(await realpath(join(ground, 'postgres')), primary.cluster)
  }
  await start(primary, {})
  await replicate()
  const addresses = nodes.map(({ proxy }) => new URL((proxy as DatabaseProxy).url('vigia')))
  const [first] = addresses as [URL]
  return {
    url: `postgres://${first.username}@${addresses.map(({ host }) => host).join(',')}/vigia?sslmode=disable&target_session_attrs=read-write`,
    standbyUrl: () => `${(standby.proxy as DatabaseProxy).url('vigia')}?sslmode=disable`,
    primary: () => connectionOf(primary),
    standby: () => connectionOf(standby),
    replicate,
    async failOver() {
      const killed = await kill(primary)
      await using promoting = await connect(connectionOf(standby))
      await promoting.client.query('select pg_promote(true, 60)')
      await killed.gone
      ;[primary, standby] = [standby, primary]
    },
    async loseStandby() {
      const killed = await kill(standby)
      await onPrimary(async (client) => {
        await client.query(`alter system set ${SYNCHRONOUS} = ''`)
        await client.query('select pg_reload_conf()')
      })
      await killed.gone
    },
  }
}

/** Without a restart by the one who started it, who has noticed once `gone` is over. */
async function kill(node: Node): Promise<{ gone: Promise<void> }> {
  const stopped = node.server?.stop()
  for (const pid of serverProcesses(node.cluster)) sendSignal(pid, 'SIGKILL')
  await isTrueWithin(HANG_MS, () => serverProcesses(node.cluster).length === 0)
  return {
    gone: Promise.resolve(stopped).then(() => {
      node.server = null
    }),
  }
}

function connectionOf({ server }: Node): Connection & { ssl: false } {
  if (server === null) throw new Error('the server does not run')
  return { ...server.connection, ssl: false }
}

async function connect(to: pg.ClientConfig) {
  const client = new pg.Client(to)
  client.on('error', () => {})
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

/** With owners and modes. */
async function copyFiles(from: string, to: string): Promise<void> {
  await run('cp', ['--archive', from, to])
}

/** Base backup by PostgreSQL's functions and a copy of the files: the embedded binaries have no `pg_basebackup`. */
async function copyCluster(from: Node, to: Node): Promise<void> {
  await rm(to.dataDir, { recursive: true, force: true, maxRetries: 10 })
  await mkdir(to.dataDir, { mode: 0o711 })
  await using session = await connect(connectionOf(from))
  await session.client.query(`select pg_backup_start('standby', true)`)
  // Its exit code tells of files that were removed meanwhile, which the log replays.
  await copyFiles(from.cluster, to.cluster).catch(() => {})
  const { rows } = await session.client.query('select labelfile from pg_backup_stop(false)')
  await removeOwn(to.cluster)
  const settings = await readFile(join(to.cluster, AUTO_CONF), 'utf8')
  const asynchronous = settings.replaceAll(new RegExp(`^${SYNCHRONOUS}.*$`, 'gm'), '')
  const { uid, gid } = await stat(from.cluster)
  const files = { backup_label: rows[0].labelfile, 'standby.signal': '', [AUTO_CONF]: asynchronous }
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(to.cluster, name), content)
    await chown(join(to.cluster, name), uid, gid)
  }
}

/** Lock files and the log of the running server: a standby reads the log from the primary. */
async function removeOwn(cluster: string): Promise<void> {
  const segments = (await readdir(join(cluster, 'pg_wal'))).filter((name) => /^[\dA-F]{24}/.test(name))
  const locks = ['postmaster.pid', 'postmaster.opts', '.s.PGSQL.5432', '.s.PGSQL.5432.lock']
  for (const name of [...locks, ...segments.map((segment) => join('pg_wal', segment))])
    await rm(join(cluster, name), { force: true })
}

async function untilSynchronous(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `select from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`,
    )
    if (rows.length === 1) return
    await sleep(50)
  }
}
