import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PORT, SUPERUSER, serverEnvironment } from './cluster.ts'
import { endServer, hasPostmasterFile, settleLeftovers } from './leftovers.ts'
import type { OsUser } from './owner.ts'
import { errorCode } from './process.ts'

// One PostgreSQL server as a child process: started, started again whenever it ends by itself, and stopped.

const FIRST_PAUSE = 100
const LONGEST_PAUSE = 2000
const SETTLED_AFTER = 10_000
const LEFTOVER_TIMEOUT_MS = 10_000
const ANSWER_TIMEOUT_MS = 60_000
const CANNOT_CONNECT_NOW = '57P03'

export interface ServerOptions {
  programs: string
  cluster: string
  socketDir: string
  user: OsUser | null
  settings: Record<string, string>
  report: (message: string) => void
}

export interface Server {
  stop(): Promise<void>
}

interface Postmaster {
  child: ChildProcess
  startedAt: number
  /** Resolves with the way it ended. */
  ended: Promise<string>
  /** Resolves once everything it said has been read. */
  silent: Promise<unknown>
  hasEnded: boolean
  isReady: boolean
  /** Output before it was ready. No statement has run by then, so there is no data in it. */
  startLines: string[]
}

export async function runServer(options: ServerOptions): Promise<Server> {
  const stopping = new AbortController()
  let postmaster: Postmaster | null = null
  let pause = FIRST_PAUSE

  async function launch(): Promise<Postmaster> {
    await settleLeftovers(options.cluster, options.report)
    await removeSocket(options.socketDir)
    stopping.signal.throwIfAborted()
    const launched = spawnPostmaster(options, stopping.signal)
    postmaster = launched
    try {
      await untilReady(launched, options.socketDir)
    } catch (error) {
      await endPostmaster(launched)
      throw error
    }
    return launched
  }

  async function launchFirst(): Promise<Postmaster> {
    const deadline = Date.now() + LEFTOVER_TIMEOUT_MS
    while (true) {
      try {
        return await launch()
      } catch (error) {
        // A server that cannot begin takes its lock file with it; one that is there now is in the way.
        if (Date.now() > deadline || !(await hasPostmasterFile(options.cluster))) throw error
        await sleep(FIRST_PAUSE)
      }
    }
  }

  async function launchAgain(): Promise<Postmaster | null> {
    while (true) {
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return null
      pause = Math.min(pause * 2, LONGEST_PAUSE)
      try {
        return await launch()
      } catch (error) {
        if (!stopping.signal.aborted) options.report(oneLine(error))
      }
    }
  }

  async function keepRunning(first: Postmaster): Promise<void> {
    let running: Postmaster | null = first
    while (running) {
      const ending = await running.ended
      if (stopping.signal.aborted) return
      options.report(`The database server ended unexpectedly (${ending}): starting it again`)
      if (Date.now() - running.startedAt > SETTLED_AFTER) pause = FIRST_PAUSE
      running = await launchAgain()
      if (running) options.report('The database server is running again')
    }
  }

  // For a service that ends by an error. It cannot wait here; the next start waits for the server to end.
  const interrupt = () => postmaster?.child.kill('SIGINT')
  process.once('exit', interrupt)
  try {
    const supervision = keepRunning(await launchFirst())
    return {
      async stop() {
        stopping.abort()
        if (postmaster) await endPostmaster(postmaster)
        await supervision
        process.off('exit', interrupt)
      },
    }
  } catch (error) {
    process.off('exit', interrupt)
    throw error
  }
}

function spawnPostmaster(options: ServerOptions, stopping: AbortSignal): Postmaster {
  const settings = { ...serverSettings(options.socketDir), ...options.settings }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(options.programs, 'postgres'), ['-D', options.cluster, ...flags], {
    ...options.user,
    // Its own process group: Ctrl-C is for the service, which stops the database last.
    detached: true,
    cwd: options.programs,
    env: serverEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const silent = new Promise((resolve) => child.once('close', resolve))
  const postmaster: Postmaster = {
    child,
    startedAt: Date.now(),
    ended,
    silent,
    hasEnded: false,
    isReady: false,
    startLines: [],
  }
  ended.then(() => {
    postmaster.hasEnded = true
  })
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!postmaster.isReady) postmaster.startLines.push(line)
    else if (mayBeReported(line) && !stopping.aborted) options.report(`PostgreSQL: ${line}`)
  })
  return postmaster
}

function serverSettings(socketDir: string): Record<string, string> {
  return {
    listen_addresses: '',
    port: String(PORT),
    // The setting is a list; in quotes a comma is part of the name.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: `${sharedBuffersMb()}MB`,
    timezone: 'UTC',
    // Statements and their values hold patient data, which must never reach a log.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_statement: 'none',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: '',
  }
}

/** A sixteenth of the memory there is, taken only as it is used. What does not fit is read through the system's own cache. */
function sharedBuffersMb(): number {
  const constrained = process.constrainedMemory()
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return Math.min(Math.max(Math.floor(memory / 16 / 1024 ** 2), 128), 1024)
}

/** ERROR is the answer to one statement and quotes values ("invalid input syntax …"): it belongs to the client only. */
function mayBeReported(line: string): boolean {
  return /^(WARNING|LOG|FATAL|PANIC): /.test(line)
}

/** PostgreSQL would respect a socket's lock file whose pid is a stranger's by now. */
async function removeSocket(socketDir: string): Promise<void> {
  await rm(join(socketDir, `.s.PGSQL.${PORT}`), { force: true })
  await rm(join(socketDir, `.s.PGSQL.${PORT}.lock`), { force: true })
}

async function untilReady(postmaster: Postmaster, socketDir: string): Promise<void> {
  let deadline = Date.now() + ANSWER_TIMEOUT_MS
  while (!postmaster.hasEnded) {
    const answer = await tryToConnect(socketDir)
    if (answer === 'connected') {
      postmaster.isReady = true
      return
    }
    // It recovers, which takes as long as it takes.
    if (answer === CANNOT_CONNECT_NOW) deadline = Date.now() + ANSWER_TIMEOUT_MS
    if (Date.now() > deadline) throw startFailure('does not answer on its socket', postmaster)
    await Promise.race([postmaster.ended, sleep(20)])
  }
  await Promise.race([postmaster.silent, sleep(500)])
  throw startFailure(await postmaster.ended, postmaster)
}

async function tryToConnect(socketDir: string): Promise<string | undefined> {
  const client = new pg.Client({
    host: socketDir,
    port: PORT,
    user: SUPERUSER,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return 'connected'
  } catch (error) {
    return errorCode(error)
  }
}

function startFailure(reason: string, { startLines }: Postmaster): Error {
  return new Error([`PostgreSQL did not start: ${reason}`, ...startLines.slice(-10)].join('\n'))
}

async function endPostmaster({ child, ended }: Postmaster): Promise<void> {
  await endServer(
    (signal) => child.kill(signal),
    // The timer must not keep a service alive whose database has ended.
    (timeoutMs) => Promise.race([ended.then(() => true), sleep(timeoutMs, false, { ref: false })]),
  )
}

function oneLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).replaceAll('\n', ' / ')
}
