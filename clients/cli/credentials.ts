import { type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenStore, Tokens } from '../ts/src/index.ts'

/** Tokens of a login and where they belong, never the password. */
export interface Credentials {
  url: string
  /** Certificate to trust there, a file. */
  ca: string | null
  tokens: Tokens
}

/** `$XDG_CONFIG_HOME/vigia/credenciais.json`, readable by its owner alone. */
export function fileOf({ XDG_CONFIG_HOME, HOME }: Record<string, string | undefined>): string {
  return join(XDG_CONFIG_HOME || join(HOME ?? homedir(), '.config'), 'vigia', 'credenciais.json')
}

export async function readCredentials(file: string): Promise<Credentials | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Credentials
  } catch {
    // None, or none that can be used: a login makes it anew.
    return null
  }
}

/** Replaces the file as a whole: a reader sees the old one or the new one. */
export async function writeCredentials(file: string, credentials: Credentials | null): Promise<void> {
  if (credentials === null) return rm(file, { force: true })
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  await writeFile(next, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  await rename(next, file)
}

/** Tokens of the file, for the service that they belong to. */
export function storeOf(
  file: string,
  { url, ca }: Pick<Credentials, 'url' | 'ca'>,
  signal: AbortSignal,
): TokenStore {
  return {
    async read() {
      const kept = await readCredentials(file)
      return kept?.url === url ? kept.tokens : null
    },
    write: (tokens) => writeCredentials(file, tokens && { url, ca, tokens }),
    exclusive: (work) => locked(`${file}.lock`, signal, work),
  }
}

/** No holder says that it lives for so long: it was killed. A renewal itself may take minutes, as `Retry-After` asks. */
const STALE_MS = 30_000
const ALIVE_MS = 10_000
const LOOK_MS = 50

async function locked<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const lock = await acquire(file, signal)
  const alive = setInterval(() => touch(lock), ALIVE_MS)
  try {
    return await work()
  } finally {
    clearInterval(alive)
    await release(file, lock)
  }
}

async function acquire(file: string, signal: AbortSignal): Promise<FileHandle> {
  for (;;) {
    const lock = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      return null
    })
    if (lock !== null) return lock
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > STALE_MS) await rm(file, { force: true })
    else await sleep(LOOK_MS, undefined, { signal })
  }
}

/** Over the open file: where another process took the lock over, this is no longer the file of that name. */
const touch = (lock: FileHandle) => lock.utimes(new Date(), new Date()).catch(() => {})

async function release(file: string, lock: FileHandle): Promise<void> {
  const [own, present] = await Promise.all([lock.stat(), stat(file).catch(() => null)])
  if (present?.ino === own.ino) await rm(file, { force: true })
  await lock.close()
}
