// The real service as a process of its own, in a data folder that is gone when the test ends, with all that runs there.
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Tuning } from '../../src/app.ts'
import { isTrueWithin, sendSignal, serverProcesses } from '../../src/db/embedded/process.ts'
import { HANG_MS } from '../harness/eventually.ts'
import { databaseFolder } from '../harness/folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/vigia-test', import.meta.url))

/** Options of node in `npm start`. */
export const START_OPTIONS = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  .scripts.start.split(' ')
  .filter((word: string) => word.startsWith('--max')) as string[]

export type Env = Record<string, string>

export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  body: any
}

export interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  token?: string
  body?: unknown
  /** Sent as it is, instead of `body`. */
  text?: string
}

/** A process of `src/main.ts`, whether it serves or not. */
export interface Started {
  process: ChildProcess
  /** What it wrote so far. */
  output: { stdout: string; stderr: string }
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

export interface Service extends Started {
  url: string
  /** Milliseconds from spawn to the line that says it is ready. */
  startedIn: number
  request(path: string, options?: RequestOptions): Promise<Answer>
  login(email: string, senha: string): Promise<string>
  /** Signals it and waits; the time it took to end is in the answer. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; ms: number }>
  /** SIGKILL to the service alone. */
  kill(): Promise<void>
}

export interface Folder {
  dataDir: string
  /** Begins `node src/main.ts …` and waits for nothing. */
  begin(args?: string[], env?: Env): Started
  /** Starts the service and waits until it is ready. */
  start(env?: Env, tuning?: Tuning): Promise<Service>
  /** Runs to the end. */
  run(args: string[], env?: Env): Promise<{ code: number | null; stdout: string; stderr: string }>
  /** The running PostgreSQL processes of this folder. */
  databaseProcesses(): number[]
  endDatabaseProcesses(): Promise<void>
}

/** `owner` is a test's context, or `{ after }` of node:test for a folder that all tests of a file share. */
export async function dataFolder(owner: { after(done: () => Promise<void>): void }): Promise<Folder> {
  const parent = await databaseFolder('vigia-process-')
  const dataDir = join(parent, 'data')
  const cluster = join(dataDir, 'postgres')
  const all: Started[] = []

  function begin(args: string[] = [], env: Env = {}): Started {
    // Tests ask more than one address may; those of the limits switch them on.
    const started = spawnMain(args, { DATA_DIR: dataDir, PORT: '0', RATE_LIMITS: 'off', ...env })
    all.push(started)
    return started
  }

  async function endDatabaseProcesses(): Promise<void> {
    for (const pid of serverProcesses(cluster)) sendSignal(pid, 'SIGKILL')
    await isTrueWithin(HANG_MS, () => serverProcesses(cluster).length === 0)
  }

  owner.after(async () => {
    for (const { process } of all) process.kill('SIGKILL')
    await Promise.all(all.map(({ ended }) => ended))
    await endDatabaseProcesses()
    await rm(parent, { recursive: true, force: true, maxRetries: 10 })
  })

  return {
    dataDir,
    begin,
    start: async (env, tuning) =>
      untilReady(begin(tuning ? ['serve', `--tuning=${JSON.stringify(tuning)}`] : [], env)),
    async run(args, env) {
      const { ended, output } = begin(args, env)
      const { code } = await ended
      return { code, ...output }
    },
    databaseProcesses: () => serverProcesses(cluster),
    endDatabaseProcesses,
  }
}

export interface NpmStarted extends Started {
  servicePid: number
}

/** `npm start` as a supervisor runs it, until the service is ready. */
export async function npmStart(
  owner: { after(done: () => Promise<void>): void },
  { dataDir }: Folder,
): Promise<NpmStarted> {
  const env = { ...basicEnvironment(), DATA_DIR: dataDir, PORT: '0' }
  const started = watch(spawn('npm', ['start'], { cwd: ROOT, env, ...PIPES, detached: true }))
  owner.after(async () => {
    // The whole group: the service may have outlived npm.
    sendSignal(-(started.process.pid as number), 'SIGKILL')
    await started.ended
  })
  await readyUrl(started)
  const servicePid = Number.parseInt(readFileSync(join(dataDir, 'vigia.pid'), 'utf8'), 10)
  return { ...started, servicePid }
}

/** The processes that serve, below the supervisor. */
export function instancesOf({ process }: Started): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'src/main.ts'], {
    encoding: 'utf8',
  })
  return stdout.split('\n').filter(Boolean).map(Number)
}

/** For a service that is to be found at the same address after a restart. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

function spawnMain(args: string[], env: Env): Started {
  // Dozens of starts read the same modules; node keeps them compiled there.
  const options = { env: { ...basicEnvironment(), NODE_COMPILE_CACHE, ...env }, ...PIPES }
  return watch(spawn(process.execPath, [...START_OPTIONS, MAIN, ...args], options))
}

const PIPES = { stdio: ['ignore', 'pipe', 'pipe'] } as const satisfies SpawnOptions

/** Only what a process needs, so that variables of the developer's shell change nothing. */
function basicEnvironment(): NodeJS.ProcessEnv {
  const inherited = ['PATH', 'HOME', 'TMPDIR', 'NODE_V8_COVERAGE']
  return Object.fromEntries(inherited.map((name) => [name, process.env[name]]))
}

export function watch(child: ChildProcess): Started {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text) => {
      output[name] += text
    })
  // Not 'exit', which may come before the last line of output.
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return { process: child, output, ended }
}

/** `signal`: how it is reached where the process that was spawned is not the service itself. */
export async function untilReady(
  started: Started,
  signal: (name: NodeJS.Signals) => void = (name) => void started.process.kill(name),
): Promise<Service> {
  const begun = performance.now()
  const url = await readyUrl(started)
  const startedIn = Math.round(performance.now() - begun)
  const send = (path: string, options: RequestOptions = {}) => request(new URL(path, url), options)
  return {
    ...started,
    url,
    startedIn,
    request: send,
    async login(email, senha) {
      const { status, text, body } = await send('/api/v1/auth/login', {
        body: { username: email, password: senha },
      })
      if (status !== 200) throw new Error(`login answered ${status} ${text}`)
      return body.access_token
    },
    async stop(name = 'SIGTERM') {
      const asked = performance.now()
      signal(name)
      const { code } = await started.ended
      return { code, ms: Math.round(performance.now() - asked) }
    },
    async kill() {
      signal('SIGKILL')
      await started.ended
    },
  }
}

async function readyUrl({ process, output }: Started): Promise<string> {
  const find = () => /^Vigia is ready at (\S+)$/m.exec(output.stdout)?.[1]
  const hasEnded = () => process.exitCode !== null || process.signalCode !== null
  await isTrueWithin(HANG_MS, () => find() !== undefined || hasEnded())
  const url = find()
  if (url === undefined) throw new Error(`the service did not start:\n${output.stdout}${output.stderr}`)
  return url
}

/** One request on a connection of its own; the self-signed certificate is accepted. */
export async function request(url: URL, options: RequestOptions = {}): Promise<Answer> {
  const outgoing = beginRequest(url, options)
  outgoing.end(options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body)))
  return answerOf(outgoing)
}

/** A request whose body the caller sends. */
export function beginRequest(
  url: URL,
  { method, headers, token, ...payload }: RequestOptions,
): http.ClientRequest {
  const { request } = url.protocol === 'https:' ? https : http
  const hasBody = payload.body !== undefined || payload.text !== undefined
  return request(url, {
    method: method ?? (hasBody ? 'POST' : 'GET'),
    agent: false,
    rejectUnauthorized: false,
    headers: {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  } as https.RequestOptions)
}

export async function answerOf(outgoing: http.ClientRequest): Promise<Answer> {
  const [response] = (await once(outgoing, 'response')) as [http.IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const isJson = response.headers['content-type']?.startsWith('application/json')
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}
