import assert from 'node:assert/strict'
import { createHmac, hkdfSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { createLineHash } from '../../src/domain/cipher.ts'

describe('The hash of a line', () => {
  const root = Buffer.alloc(32, 7)
  const key = Buffer.from(hkdfSync('sha256', root, '', 'vigia/linha', 32))
  const hash = createLineHash(root, 'linha')
  const expected = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, 16)

  for (const [what, text] of [
    ['no text', ''],
    ['a short text', 'dengue|1|MR|SMT|1990'],
    ['letters of several bytes', 'Conceição 🦟 '.repeat(40)],
    ['a text as long as its buffer', 'x'.repeat(4_096)],
    ['a longer one', 'ã'.repeat(40_000)],
    ['a short one behind it', 'x'],
  ] as const)
    it(`is the beginning of the HMAC of ${what}`, () => {
      assert.deepEqual(hash(text), expected(text))
    })
})
