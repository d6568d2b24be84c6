import { createHash, timingSafeEqual } from 'node:crypto'
import type { MasterKey } from '../app.ts'

/** Hashes are compared, so that neither the content nor the length of a wrong key shows in the time it takes. */
export function createMasterKey(value: string): MasterKey {
  const expected = digest(value)
  return { matches: (candidate) => timingSafeEqual(digest(candidate), expected) }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
