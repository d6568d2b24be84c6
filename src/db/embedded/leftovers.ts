import { lchown, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, identify, isTrueWithin, sendSignal, serverProcesses } from './process.ts'

// Leftovers of an earlier service that was killed: its server still running, some of the server's
// processes, or only the server's lock file. The caller holds the lock on the data folder, so nothing here is in use.

export interface PostmasterFile {
  pid: number
  port: number
  socketDir: string
}

export async function settleLeftovers(cluster: string, report: (message: string) => void): Promise<void> {
  const left = await readPostmasterFile(cluster)
  if (left && identify(left.pid, cluster) === 'server') {
    report(`Stopping the database server that an earlier process left running (process ${left.pid})`)
    await endServer(
      (signal) => sendSignal(left.pid, signal),
      (timeoutMs) => isTrueWithin(timeoutMs, () => identify(left.pid, cluster) !== 'server'),
    )
  }
  await endLingeringProcesses(cluster)
  if (await hasPostmasterFile(cluster)) {
    report('The database was not shut down properly last time: recovering')
    await disownPostmasterFile(cluster)
  }
}

/** Asks for a fast shutdown and insists after a while; with SIGQUIT and SIGKILL the next start recovers from the log. */
export async function endServer(
  send: (signal: NodeJS.Signals) => void,
  hasEndedWithin: (milliseconds: number) => Promise<boolean>,
): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 8000],
    ['SIGQUIT', 2000],
    ['SIGKILL', 2000],
  ]
  for (const [signal, timeoutMs] of steps) {
    send(signal)
    if (await hasEndedWithin(timeoutMs)) return
  }
}

/** Line by line: pid, data folder, start time, port, socket folder, listen address, shared memory key, status. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  const text = await postmasterText(cluster)
  const [pid, , , port, socketDir] = (text ?? '').split('\n')
  if (!Number(pid)) return null
  return { pid: Number(pid), port: Number(port), socketDir: socketDir ?? '' }
}

export async function hasPostmasterFile(cluster: string): Promise<boolean> {
  return (await postmasterText(cluster)) !== null
}

/** Backends whose postmaster is dead finish their statement first, however long, and keep a new server from starting. */
async function endLingeringProcesses(cluster: string): Promise<void> {
  for (const pid of serverProcesses(cluster)) sendSignal(pid, 'SIGKILL')
  await isTrueWithin(2000, () => serverProcesses(cluster).length === 0)
}

/**
 * PostgreSQL takes a lock file for valid as long as any process has its pid, be it a zombie or a stranger. It disregards
 * the pid of its own parent and still checks the shared memory that the file names, which removing the file would skip.
 */
async function disownPostmasterFile(cluster: string): Promise<void> {
  const path = postmasterPath(cluster)
  const text = await postmasterText(cluster)
  const [pid, ...rest] = (text ?? '').split('\n')
  // PostgreSQL refuses to judge a file that a crash left empty.
  if (!Number(pid)) return rm(path, { force: true })
  if (identify(Number(pid), cluster) !== 'stranger') return
  const { uid, gid } = await stat(path)
  const disowned = `${path}.disowned`
  await rm(disowned, { force: true })
  await writeFile(disowned, [process.pid, ...rest].join('\n'), { flag: 'wx', mode: 0o600 })
  await lchown(disowned, uid, gid)
  await rename(disowned, path)
}

async function postmasterText(cluster: string): Promise<string | null> {
  try {
    return await readFile(postmasterPath(cluster), 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

function postmasterPath(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}
