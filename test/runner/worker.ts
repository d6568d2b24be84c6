// Runs test files one after another in one process, so that modules are loaded and compiled once for all of them.
import { join } from 'node:path'
import { describe } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The next file, or null when there is none. */
export interface Order {
  file: string | null
}

/** Only a hang takes longer, on a busy machine too; inherited by each test of the file. */
const FILE_MS = 1_800_000

process.on('message', ({ file }: Order) => {
  // Without a listener the channel keeps nothing alive: the process ends, unless a file left something open.
  if (file === null) process.removeAllListeners('message')
  // Hooks at the top of the file belong to its suite, not to the files that follow.
  else
    describe(file, { timeout: FILE_MS }, async () => {
      await import(pathToFileURL(join(ROOT, file)).href)
    })
})
