import { lstat, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readPostmasterFile } from './leftovers.ts'
import { existingHomes } from './owner.ts'
import { identify, serverProcesses } from './process.ts'

// Databases that a service of root's keeps outside of its data folder, which links to them: removing the folder leaves
// them behind. Each notes the data folder that last used it.

const NOTE = 'vigia.data-dir'

export interface KeptDatabase {
  name: string
  path: string
  /** Null for one that was last started before folders were noted. */
  dataDir: string | null
  /** `orphan`: the noted folder does not link to it any more. */
  state: 'running' | 'linked' | 'orphan' | 'unknown'
  lastUsed: Date
}

export async function rememberDataDir(cluster: string, dataDir: string): Promise<void> {
  const note = join(cluster, NOTE)
  // The folder is PostgreSQL's user's: removed and made anew, a link put there is not followed.
  await rm(note, { force: true })
  await writeFile(note, dataDir, { flag: 'wx', mode: 0o600 })
}

export async function listKept(): Promise<KeptDatabase[]> {
  const kept: (KeptDatabase | null)[] = []
  for (const home of await existingHomes())
    for (const name of (await readdir(home)).filter((entry) => /^[\da-f]{12}$/.test(entry)).sort())
      kept.push(await describeKept(join(home, name)).catch(nullWhereGone))
  return kept.filter((one) => one !== null)
}

/** Removed since the folder was read, by another process. */
function nullWhereGone(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}

/** Only for one that nothing refers to: the caller has looked at its state. */
export async function removeKept({ path }: KeptDatabase): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10 })
}

/** Null for an entry that is no folder. */
async function describeKept(path: string): Promise<KeptDatabase | null> {
  if (!(await lstat(path)).isDirectory()) return null
  const dataDir = await readFile(join(path, NOTE), 'utf8').catch(() => null)
  const { mtime } = await stat(join(path, 'global', 'pg_control')).catch(() => stat(path))
  return { name: basename(path), path, dataDir, state: await stateOf(path, dataDir), lastUsed: mtime }
}

async function stateOf(path: string, dataDir: string | null): Promise<KeptDatabase['state']> {
  if (await isRunning(path)) return 'running'
  if (dataDir === null) return 'unknown'
  for (const link of ['postgres', `postgres.new-${basename(path)}`])
    if ((await realpath(join(dataDir, link)).catch(() => null)) === path) return 'linked'
  return 'orphan'
}

async function isRunning(path: string): Promise<boolean> {
  const postmaster = await readPostmasterFile(path)
  if (postmaster && identify(postmaster.pid, path) !== 'stranger') return true
  return serverProcesses(path).length > 0
}
