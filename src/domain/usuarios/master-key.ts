import { createHash, timingSafeEqual } from 'node:crypto'
import type { MasterKey } from '../app.ts'

/** Constant-time comparison of hashes: the time leaks neither content nor length of the key. */
export function createMasterKey(value: string): MasterKey {
  const expected = digest(value)
  return { matches: (candidate) => timingSafeEqual(digest(candidate), expected) }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
