import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it; false when it was there. `mkdir` with `recursive` never returns where the file
 * system answers ENOENT below a folder that exists, as /proc does: here the second such answer is the last.
 */
export async function makeFolder(path: string, mode: number, isSecond = false): Promise<boolean> {
  try {
    await mkdir(path, { mode })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return false
    if (code !== 'ENOENT' || isSecond || dirname(path) === path) throw error
  }
  await makeFolder(dirname(path), mode)
  return makeFolder(path, mode, true)
}
