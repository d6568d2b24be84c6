import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

// Facts about other processes: from /proc on Linux, elsewhere from the pid and `ps`.

/** Null when the process is not running; otherwise its start time, which distinguishes it from a later one with the same pid. */
export function startOf(pid: number): string | null {
  if (!hasProc()) return exists(pid) ? '' : null
  const stat = textOf(`/proc/${pid}/stat`)
  // The command name in parentheses may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startTicks] = [fields[0], fields[19]]
  // A zombie still has its pid and can do nothing any more.
  if (!startTicks || state === 'Z' || state === 'X') return null
  // Ticks count from boot, and a machine that boots the same way every time repeats them.
  return `${startTicks} ${textOf('/proc/sys/kernel/random/boot_id').trim()}`
}

/** State of the pid in a cluster's postmaster.pid: a server of that cluster, certainly not one, or undecidable. */
export function identify(pid: number, cluster: string): 'server' | 'stranger' | 'unclear' {
  if (hasProc()) return isServerOf(cluster, pid) ? 'server' : 'stranger'
  const command = commandOf(pid)
  if (!command.includes('postgres')) return 'stranger'
  return command.includes(`-D ${cluster} `) ? 'server' : 'unclear'
}

/** The running PostgreSQL processes of a cluster, its backends included. Linux only. */
export function serverProcesses(cluster: string): number[] {
  if (!hasProc()) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isServerOf(cluster, pid))
}

/** Every PostgreSQL process works in its data folder, so its working directory is proof. */
function isServerOf(cluster: string, pid: number): boolean {
  if (textOf(`/proc/${pid}/comm`).trim() !== 'postgres') return false
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster
  } catch {
    return false
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

export async function isTrueWithin(milliseconds: number, condition: () => boolean): Promise<boolean> {
  const deadline = Date.now() + milliseconds
  while (!condition()) {
    if (Date.now() > deadline) return false
    await sleep(20)
  }
  return true
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

function hasProc(): boolean {
  return process.platform === 'linux' && existsSync('/proc/self/stat')
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
