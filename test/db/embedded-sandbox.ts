// A data folder with everything that runs on it, gone when the test ends, whatever the test left behind.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Connection, type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded/embedded.ts'
import { isTrueWithin, sendSignal, serverProcesses } from '../../src/db/embedded/process.ts'
import { HANG_MS } from '../harness/eventually.ts'

const run = promisify(execFile)

export const isRoot = process.getuid?.() === 0

export interface Sandbox {
  parent: string
  dataDir: string
  /** What the databases started here reported. */
  lines: string[]
  start(settings?: Record<string, string>): Promise<EmbeddedDatabase>
  service(script?: string): Service
  postmasterPid(): Promise<number>
}

export interface Service {
  child: ChildProcess
  pid: number
  /** Resolves with false when it ended instead. */
  ready: Promise<boolean>
  ended: Promise<unknown>
  said(): string
}

export interface SandboxOptions {
  /** A data folder with a database to begin with; making one takes a second. */
  copyOf?: string
  /** Folders between the sandbox and its data folder. */
  below?: string
}

export async function sandbox(t: TestContext, { copyOf, below = '' }: SandboxOptions = {}): Promise<Sandbox> {
  const parent = await realpath(await mkdtemp(join(tmpdir(), 'vigia-embedded-')))
  // mkdtemp makes it private, which is the subject of one test and an obstacle to the others.
  await chmod(parent, 0o711)
  const dataDir = join(parent, below, 'data')
  if (copyOf) await run('cp', ['-a', copyOf, dataDir])
  const databases: EmbeddedDatabase[] = []
  const services: Service[] = []
  const lines: string[] = []
  t.after(async () => {
    for (const service of services) service.child.kill('SIGKILL')
    await Promise.all(services.map((service) => service.ended))
    await Promise.all(databases.map((database) => database.stop()))
    await removeClusters(dataDir)
    await rm(parent, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    parent,
    dataDir,
    lines,
    async start(settings = { fsync: 'off' }) {
      const report = (line: string) => lines.push(line)
      const database = await startEmbedded({ dataDir, settings, report })
      databases.push(database)
      return database
    },
    service(script = join(import.meta.dirname, 'embedded-service.ts')) {
      const service = runService(script, dataDir)
      services.push(service)
      return service
    },
    async postmasterPid() {
      return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
    },
  }
}

function runService(script: string, dataDir: string): Service {
  const child = spawn(process.execPath, [script, dataDir], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const ready = Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)])
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  return { child, pid: child.pid ?? 0, ready, ended, said: () => said }
}

/** The folders may be links to clusters that are kept elsewhere. */
export async function removeClusters(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => [])
  for (const name of names.filter((name) => name.startsWith('postgres'))) {
    const cluster = await realpath(join(dataDir, name)).catch(() => null)
    if (!cluster) continue
    for (const pid of serverProcesses(cluster)) sendSignal(pid, 'SIGKILL')
    await isTrueWithin(HANG_MS, () => serverProcesses(cluster).length === 0)
    await rm(cluster, { recursive: true, force: true, maxRetries: 5 })
  }
}

export async function query(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

export async function queryWithin(milliseconds: number, connection: Connection, sql: string) {
  const deadline = Date.now() + milliseconds
  while (true) {
    try {
      return await query(connection, sql)
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(20)
    }
  }
}
