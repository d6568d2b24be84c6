// Runs test files one after another in one process, so that modules are loaded and compiled once for all of them.
import { join } from 'node:path'
import { describe } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { closeKept, releaseFile } from '../harness/kept.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The next file, or null when there is none. */
export interface Order {
  file: string | null
}
/** Kinds of the resources that keep a worker alive although its files are over. */
export interface LeftOpen {
  leftOpen: string[]
}
/** A worker that outlives its last file by this much holds a socket, a timer or a child that the file did not close. */
const ENDING_MS = 60_000

process.on('message', ({ file }: Order) => {
  releaseFile()
  // Without a listener the channel keeps nothing alive: the process ends, unless a file left something open.
  if (file === null) {
    process.removeAllListeners('message')
    setTimeout(giveUp, ENDING_MS).unref()
    // Behind the listeners of node's runner.
    process.on('exit', exitAtOnce)
    void closeKept()
  }
  // Hooks at the top of the file belong to its suite, not to the files that follow.
  else
    describe(file, async () => {
      await import(pathToFileURL(join(ROOT, file)).href)
    })
})

/** Ends without node's clean-up of handles, which was seen to spin for ever on one that never closes. */
function exitAtOnce(code: number): void {
  ;(process as unknown as { reallyExit(code: number): never }).reallyExit(code)
}

function giveUp(): void {
  const leftOpen = process.getActiveResourcesInfo()
  process.send?.({ leftOpen } satisfies LeftOpen, () => process.exit(1))
}
