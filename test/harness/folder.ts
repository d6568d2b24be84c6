import { chmod, mkdtemp, realpath, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Memory as a folder, on Linux. */
const IN_MEMORY = '/dev/shm'
/** More than all databases of a run take at once. */
const ROOM_BYTES = 6 * 1024 ** 3

/**
 * New folder for a database: in memory where there is room. A run makes and drops hundreds of databases of 300 files each,
 * which on a disk takes twice the CPU, and many times that beside others who use the disk.
 */
export async function databaseFolder(prefix: string): Promise<string> {
  const parent = (await hasRoom()) ? IN_MEMORY : tmpdir()
  const folder = await realpath(await mkdtemp(join(parent, prefix)))
  // As root, PostgreSQL runs as another user, who must be able to pass through.
  await chmod(folder, 0o711)
  return folder
}

async function hasRoom(): Promise<boolean> {
  const system = await statfs(IN_MEMORY).catch(() => null)
  if (system === null) return false
  return Math.min(system.bavail * system.bsize, process.availableMemory()) > ROOM_BYTES
}
