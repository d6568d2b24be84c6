import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isTrueWithin, sendSignal } from '../src/db/embedded/process.ts'
import type { Target } from './target.ts'

const INSTANCES_MS = 30_000

/** Injects a fault; resolves when the fault is over, or done where it stays. */
export type Strike = (target: Target) => Promise<void>

export const killInstance: Strike = async (target) => sendSignal(await oneOfTwo(target), 'SIGKILL')

export const killDatabase: Strike = ({ folder }) => folder.endDatabaseProcesses()

/** Connection storm: terminates every connection to the database again and again for that long. */
export const terminateConnections =
  (milliseconds: number): Strike =>
  async (target) => {
    const client = await connectAs('storm', target)
    const end = performance.now() + milliseconds
    while (performance.now() < end) {
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
                           where backend_type = 'client backend' and application_name <> 'storm'`)
      await sleep(250)
    }
    await client.end()
  }

export const stallDatabase =
  (milliseconds: number): Strike =>
  async ({ proxy }) => {
    proxy?.stall()
    await sleep(milliseconds)
    await proxy?.back()
  }

export const pauseInstance =
  (milliseconds: number): Strike =>
  async (target) => {
    const pid = await oneOfTwo(target)
    sendSignal(pid, 'SIGSTOP')
    await sleep(milliseconds)
    sendSignal(pid, 'SIGCONT')
  }

/** Kills the primary and promotes its standby; the killed one becomes the next standby first. */
export const failOver: Strike = async ({ pair }) => {
  await pair?.replicate()
  await pair?.failOver()
}

export const killPatroniPrimary: Strike = async ({ patroni }) => {
  await patroni?.replicate()
  await patroni?.killPrimary()
}

export const switchOver: Strike = async ({ patroni }) => {
  await patroni?.replicate()
  await patroni?.switchOver()
}

export const fillDisk =
  (milliseconds: number): Strike =>
  async ({ folder }) => {
    const filling = join(folder.dataDir, 'filling')
    mkdirSync(filling)
    const end = performance.now() + milliseconds
    // Repeated: the database frees some space by itself.
    for (let i = 0; performance.now() < end; i++) {
      const { bavail, bsize } = statfsSync(folder.dataDir)
      if (bavail > 0) fill(join(filling, String(i)), bavail * bsize)
      await sleep(100)
    }
    rmSync(filling, { recursive: true })
  }

function fill(file: string, bytes: number): void {
  try {
    writeFileSync(file, Buffer.alloc(bytes))
  } catch {
    // ENOSPC: the disk is full earlier than its free space says.
  }
}

/** Retries: the database may be recovering from the strike before. */
async function connectAs(application_name: string, target: Target): Promise<pg.Client> {
  for (;;) {
    try {
      const client = new pg.Client({ ...(await target.connection()), application_name })
      client.on('error', () => {})
      await client.connect()
      return client
    } catch {
      await sleep(50)
    }
  }
}

/** Process id of one instance, once two of them serve. */
async function oneOfTwo(target: Target): Promise<number> {
  if (!(await isTrueWithin(INSTANCES_MS, () => instancesOf(target).length === 2)))
    throw new Error(`two instances did not serve within ${INSTANCES_MS} ms`)
  return instancesOf(target)[randomInt(2)] as number
}

/** Instances: the processes below the supervisor that listen on its port. */
function instancesOf({ service }: Target): number[] {
  const port = Number(new URL(service.url).port).toString(16).toUpperCase().padStart(4, '0')
  const listening = new RegExp(`:${port} \\S+ 0A (?:\\S+ +){5}(\\d+)`)
  const socket = `socket:[${listening.exec(readFileSync('/proc/net/tcp', 'utf8'))?.[1]}]`
  const { stdout } = spawnSync('pgrep', ['-P', String(service.process.pid)], { encoding: 'utf8' })
  const below = stdout.split('\n').filter(Boolean).map(Number)
  return below.filter((pid) => handlesOf(pid).includes(socket))
}

/** File handles of a process; none for one that has just ended. */
function handlesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`)
      } catch {
        return ''
      }
    })
  } catch {
    return []
  }
}
