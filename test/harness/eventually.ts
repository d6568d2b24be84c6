// Waiting for a state: bounds that only a hang exceeds, on a machine with much other work too.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

export const HANG_MS = 240_000
const STEP_MS = 20

/** Repeats the check until it does not throw; the last error, if it always does. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  for (const deadline = Date.now() + HANG_MS; ; await sleep(STEP_MS))
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
}

/** Asks until the answer is true. */
export async function until(what: string, isTrue: () => unknown): Promise<void> {
  for (const deadline = Date.now() + HANG_MS; !(await isTrue()); await sleep(STEP_MS))
    assert.ok(Date.now() < deadline, `never came true: ${what}`)
}
