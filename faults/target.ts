import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { attachEmbedded, type Connection, startEmbedded } from '../src/db/embedded/embedded.ts'
import { type DatabaseProxy, databaseProxy } from '../test/process/database-proxy.ts'
import { type ReplicatedPair, replicatedPair } from '../test/process/replicated-pair.ts'
import { dataFolder, type Env, type Folder, freePort, type Service } from '../test/process/service.ts'
import { type PatroniCluster, patroniCluster } from './patroni.ts'

/** System under test: two instances of the service and their database. */
export interface Target {
  folder: Folder
  env: Env
  service: Service
  token: string
  /** Direct connection to the database, which no fault interrupts. */
  connection(): Promise<pg.ClientConfig>
  /** Proxy between service and database, where there is one. */
  proxy: DatabaseProxy | null
  /** Primary and standby, where there are two servers. */
  pair: ReplicatedPair | null
  patroni: PatroniCluster | null
  close(): Promise<void>
}

export const ADMIN = 'admin@vigia.local'
export const PASSWORD = 'Senha#Boa1'
const ENV = { INSTANCES: '2', ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'error', RATE_LIMITS: 'off' }

/** Closes in reverse order of opening. */
function createOwner() {
  const closing: (() => Promise<void>)[] = []
  return {
    after: (done: () => Promise<void>) => void closing.unshift(done),
    async close() {
      for (const close of closing) await close()
    },
  }
}

/** Target with embedded PostgreSQL, as `npm start` runs it. */
export async function embeddedTarget(): Promise<Target> {
  const owner = createOwner()
  const folder = await dataFolder(owner)
  return start(folder, ENV, owner, null, () => ofFolder(folder))
}

/** Embedded target on a tmpfs of `megabytes`; needs the right to mount one. */
export async function smallDiskTarget(megabytes: number): Promise<Target> {
  const owner = createOwner()
  const folder = await dataFolder(owner)
  await mkdir(folder.dataDir)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', folder.dataDir])
  const unmount = () => execFileSync('umount', ['--lazy', folder.dataDir])
  try {
    const target = await start(folder, ENV, owner, null, () => ofFolder(folder))
    return {
      ...target,
      async close() {
        // Before the unmount: later its processes could not be told from others.
        await target.service.kill()
        await folder.endDatabaseProcesses()
        unmount()
        await target.close()
      },
    }
  } catch (error) {
    unmount()
    throw error
  }
}

/** Target on a PostgreSQL server that is reached through a proxy. */
export async function proxiedTarget(): Promise<Target> {
  const owner = createOwner()
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-faults-'))
  // Traversable: as root, PostgreSQL runs as another user.
  await chmod(dataDir, 0o711)
  owner.after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))
  const server = await startEmbedded({ dataDir, report: () => {} })
  owner.after(() => server.stop())
  const proxy = await databaseProxy(owner, undefined, server.connection)
  const folder = await dataFolder(owner)
  const env = { ...ENV, DATABASE_URL: proxy.url(server.connection.database) }
  return start(folder, env, owner, proxy, async () => ({ ...server.connection, ssl: false }))
}

/** Target on a primary with a synchronous standby. */
export async function replicatedTarget(): Promise<Target> {
  const owner = createOwner()
  const pair = await replicatedPair(owner)
  const folder = await dataFolder(owner)
  const env = { ...ENV, DATABASE_URL: pair.url }
  return { ...(await start(folder, env, owner, null, async () => pair.primary())), pair }
}

/** Target on two servers that Patroni manages. */
export async function patroniTarget(): Promise<Target> {
  const owner = createOwner()
  try {
    const patroni = await patroniCluster(owner)
    const folder = await dataFolder(owner)
    const env = { ...ENV, DATABASE_URL: patroni.url }
    return { ...(await start(folder, env, owner, null, patroni.primary)), patroni }
  } catch (error) {
    await owner.close()
    throw error
  }
}

async function start(
  folder: Folder,
  env: Env,
  owner: ReturnType<typeof createOwner>,
  proxy: DatabaseProxy | null,
  connection: Target['connection'],
): Promise<Target> {
  try {
    // Fixed port: instances that replace dead ones must listen on the same one.
    const service = await folder.start({ ...env, PORT: String(await freePort()) })
    const token = await service.login(ADMIN, PASSWORD)
    return { folder, env, service, token, connection, proxy, pair: null, patroni: null, close: owner.close }
  } catch (error) {
    await owner.close()
    throw error
  }
}

async function ofFolder({ dataDir }: Folder): Promise<pg.ClientConfig> {
  return { ...((await attachEmbedded(dataDir)) as Connection), ssl: false }
}
