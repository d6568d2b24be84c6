import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { attachEmbedded, type Connection, startEmbedded } from '../src/db/embedded/embedded.ts'
import { type DatabaseProxy, databaseProxy } from '../test/process/database-proxy.ts'
import { dataFolder, type Env, type Folder, freePort, type Service } from '../test/process/service.ts'

/** Two instances of the service and their database, to be struck. */
export interface Target {
  folder: Folder
  env: Env
  service: Service
  token: string
  /** A way to the database that no fault stands in. */
  connection(): Promise<pg.ClientConfig>
  /** Stands between service and database, where there is one. */
  proxy: DatabaseProxy | null
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

/** With its own PostgreSQL, as `npm start` runs it. */
export async function embeddedTarget(): Promise<Target> {
  const owner = createOwner()
  const folder = await dataFolder(owner)
  return start(folder, ENV, owner, null, () => ofFolder(folder))
}

/** The same on a disk of `megabytes`. Needs the right to mount one. */
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
        // Later its processes could not be told from others.
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

/** On a server that is reached through a proxy. */
export async function proxiedTarget(): Promise<Target> {
  const owner = createOwner()
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-faults-'))
  // As root, PostgreSQL runs as another user, who must be able to pass through.
  await chmod(dataDir, 0o711)
  owner.after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))
  const server = await startEmbedded({ dataDir, report: () => {} })
  owner.after(() => server.stop())
  const proxy = await databaseProxy(owner, undefined, server.connection)
  const folder = await dataFolder(owner)
  const env = { ...ENV, DATABASE_URL: proxy.url(server.connection.database) }
  return start(folder, env, owner, proxy, async () => ({ ...server.connection, ssl: false }))
}

async function start(
  folder: Folder,
  env: Env,
  owner: ReturnType<typeof createOwner>,
  proxy: DatabaseProxy | null,
  connection: Target['connection'],
): Promise<Target> {
  try {
    // Were all instances dead at once, the next ones could not find a port again that was any.
    const service = await folder.start({ ...env, PORT: String(await freePort()) })
    const token = await service.login(ADMIN, PASSWORD)
    return { folder, env, service, token, connection, proxy, close: owner.close }
  } catch (error) {
    await owner.close()
    throw error
  }
}

async function ofFolder({ dataDir }: Folder): Promise<pg.ClientConfig> {
  return { ...((await attachEmbedded(dataDir)) as Connection), ssl: false }
}
