import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { isTrueWithin, sendSignal, serverProcesses } from '../src/db/embedded/process.ts'
import { freePort } from '../test/process/service.ts'

/** Two PostgreSQL servers under Patroni and one etcd on this machine, with the settings of `deploy/patroni.yml`. */
export interface PatroniCluster {
  /** Both hosts, as `DATABASE_URL` names them. */
  url: string
  primary(): Promise<pg.ClientConfig>
  /** Starts a killed node again; returns when there is a synchronous standby. */
  replicate(): Promise<void>
  /** Loss of the primary's machine: kills its server and its Patroni, and returns at once. */
  killPrimary(): Promise<void>
  /** Planned change of places, begun; `replicate` waits for its end. */
  switchOver(): Promise<void>
}

interface Node {
  name: string
  api: number
  port: number
  cluster: string
  config: string
  patroni: ChildProcess | null
}

const EXAMPLE = new URL('../deploy/patroni.yml', import.meta.url)
const BINARIES = '/usr/lib/postgresql/15/bin'
const SETTLED_MS = 120_000

/** Null where Patroni can be run; otherwise the reason why not. */
export function patroniMissing(): string | null {
  for (const tool of ['patroni', 'etcd'])
    if (spawnSync(tool, ['--version']).error !== undefined) return `there is no ${tool} here`
  return existsSync(BINARIES) ? null : 'there is no PostgreSQL 15 here'
}

export async function patroniCluster(owner: {
  after(done: () => Promise<void>): void
}): Promise<PatroniCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-patroni-'))
  const user = await handOver(folder)
  const started: ChildProcess[] = []
  const nodes: Node[] = []
  const password = randomBytes(16).toString('hex')
  owner.after(async () => {
    for (const { patroni } of nodes) patroni?.kill('SIGKILL')
    for (const child of started) child.kill('SIGKILL')
    for (const { cluster } of nodes) await killServers(cluster)
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })

  function run(command: string, args: string[]): ChildProcess {
    const child = spawn(command, args, { ...user, cwd: folder, stdio: 'ignore' })
    started.push(child)
    return child
  }

  const etcd = await startEtcd(run, folder)
  for (const name of ['db1', 'db2']) nodes.push(await configure(name, { folder, etcd, password, user }))
  const startNode = (node: Node) => {
    node.patroni = run('patroni', [node.config])
  }
  const connectionOf = ({ port }: Node, database = 'vigia') => ({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database,
    ssl: false,
  })
  let switching: Promise<unknown> = Promise.resolve()
  const nodeThat = (is: 'primary' | 'sync') =>
    eventuallyFound(`a node that is ${is}`, async () => {
      for (const node of nodes) if (await answers(node, is)) return node
    })

  // One after the other: two that begin together race for the right to initialise.
  startNode(nodes[0] as Node)
  await createDatabase(connectionOf(await nodeThat('primary'), 'postgres'), password)
  startNode(nodes[1] as Node)
  await nodeThat('sync')
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
  return {
    url: `postgres://vigia:${password}@${hosts}/vigia?sslmode=disable&target_session_attrs=read-write`,
    primary: async () => connectionOf(await nodeThat('primary')),
    async replicate() {
      await switching
      for (const node of nodes) if (node.patroni === null) startNode(node)
      await nodeThat('primary')
      await nodeThat('sync')
    },
    async killPrimary() {
      const node = await nodeThat('primary')
      node.patroni?.kill('SIGKILL')
      node.patroni = null
      await killServers(node.cluster)
    },
    async switchOver() {
      const { config } = await nodeThat('primary')
      switching = promisify(execFile)('patronictl', ['-c', config, 'switchover', '--force'])
      // Told by the next `await`, not as a rejection that nobody handles.
      switching.catch(() => {})
    },
  }
}

/** PostgreSQL refuses to run as root. */
async function handOver(folder: string): Promise<{ uid?: number; gid?: number }> {
  await chmod(folder, 0o700)
  if (process.getuid?.() !== 0) return {}
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  const user = { uid: id('-u'), gid: id('-g') }
  await chown(folder, user.uid, user.gid)
  return user
}

async function startEtcd(run: (command: string, args: string[]) => ChildProcess, folder: string) {
  const [client, peer] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]
  const addresses = {
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
  }
  const args = Object.entries(addresses).map(([name, address]) => `--${name}=http://${address}`)
  run('etcd', [`--data-dir=${join(folder, 'etcd')}`, `--initial-cluster=default=http://${peer}`, ...args])
  await eventuallyFound('etcd', async () => (await isOk(`http://${client}/health`)) || undefined)
  return client
}

async function configure(
  name: string,
  given: { folder: string; etcd: string; password: string; user: { uid?: number; gid?: number } },
): Promise<Node> {
  const { folder, etcd, password, user } = given
  const own = join(folder, name)
  await mkdir(own, { mode: 0o700 })
  const node = { name, api: await freePort(), port: await freePort(), cluster: join(own, 'cluster') }
  const replacements: [string, string][] = [
    ['name: db1', `name: ${name}`],
    ['10.0.0.1:2379, 10.0.0.2:2379, 10.0.0.3:2379', etcd],
    ['10.0.0.1:8008', `127.0.0.1:${node.api}`],
    ['10.0.0.1:5432', `127.0.0.1:${node.port}`],
    ['/var/lib/postgresql/15/vigia', node.cluster],
    ['/var/lib/postgresql/.pgpass-patroni', join(own, 'pgpass')],
    ['/var/run/postgresql', own],
    ['10.0.0.0/24', '127.0.0.1/32'],
    ['CHANGE-ME', password],
  ]
  const config = join(own, 'patroni.yml')
  const example = readFileSync(EXAMPLE, 'utf8')
  const text = replacements.reduce((rest, [from, to]) => rest.replaceAll(from, to), example)
  await writeFile(config, text, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [own, config]) await chown(path, user.uid, user.gid)
  return { ...node, config, patroni: null }
}

async function createDatabase(connection: pg.ClientConfig, password: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`create role vigia login password '${password}'`)
  await client.query('create database vigia owner vigia')
  await client.end()
}

async function killServers(cluster: string): Promise<void> {
  for (const pid of serverProcesses(cluster)) sendSignal(pid, 'SIGKILL')
  await isTrueWithin(SETTLED_MS, () => serverProcesses(cluster).length === 0)
}

const answers = ({ api }: Node, path: string) => isOk(`http://127.0.0.1:${api}/${path}`)

async function isOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}

async function eventuallyFound<T>(name: string, find: () => Promise<T | undefined>): Promise<T> {
  const giveUpAt = Date.now() + SETTLED_MS
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > giveUpAt) throw new Error(`${name} did not come up`)
    await sleep(200)
  }
}
