import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { START_OPTIONS } from '../../test/process/service.ts'
import type { Load, Loaded } from './load.ts'

/** Processes of a comparison, with their CPU and memory from Linux's /proc; elsewhere those columns stay empty. */

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const MAIN = fileOf('../../src/main.ts')

export interface Running {
  pid: number
  port: number
  stop(): Promise<void>
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

export async function startService(
  env: Record<string, string>,
  nodeOptions: string[] = [],
): Promise<Running> {
  const child = spawn(process.execPath, [...START_OPTIONS, ...nodeOptions, MAIN], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<number>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
      const ready = /ready at \S+:(\d+)/.exec(output)
      if (ready) resolve(Number(ready[1]))
    })
    child.on('exit', () => reject(new Error(`the service ended\n${output}`)))
  })
  return { pid: child.pid as number, port, stop: () => end(child) }
}

export async function startBaseline(databaseUrl: string): Promise<Running> {
  const child = fork(fileOf('./baseline.ts'), [databaseUrl])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { pid: child.pid as number, port, stop: () => end(child) }
}

export interface Loader {
  run(load: Load): Promise<Loaded>
  stop(): Promise<void>
}

export function startLoader(): Loader {
  const child = fork(fileOf('./load.ts'))
  return {
    async run(load) {
      child.send(load)
      const [{ loaded, error }] = (await once(child, 'message')) as [{ loaded?: Loaded; error?: string }]
      if (loaded === undefined) throw new Error(error)
      return loaded
    },
    stop: () => end(child),
  }
}

/** Runs a command of the service to its end. */
export async function runCommand(args: string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Process tree: a process and its descendants. */
export function treeOf(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return [pid, ...children.flatMap(treeOf)]
}

const TICKS = 100

/** Seconds of CPU so far; `ended`: with those of children that are gone. */
export function cpuOf(pids: number[], { ended = false } = {}): number {
  const ticks = pids.flatMap((pid) => {
    const stat = read(`/proc/${pid}/stat`)
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, ended ? 15 : 13).map(Number)
  })
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS
}

/** Resident memory of the largest of these processes, in MiB. */
export function memoryOf(pids: number[]): number {
  return Math.max(
    0,
    ...pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024),
  )
}
