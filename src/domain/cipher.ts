import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * AES-256-GCM under DATA_KEY, for what must not be readable from the database alone. `context` binds a value to its
 * place (table, column, row): moved elsewhere, it does not decrypt. Layout: nonce (12) | tag (16) | ciphertext.
 */
export interface Cipher {
  encrypt(plain: Buffer, context: string): Buffer
  decrypt(sealed: Buffer, context: string): Buffer
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

export function createCipher(key: Buffer): Cipher {
  return {
    encrypt(plain, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    decrypt(sealed, context) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce)
        .setAAD(Buffer.from(context))
        .setAuthTag(tag)
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    },
  }
}

/** A keyed hash for one purpose, under a key of its own derived from DATA_KEY: without it nothing can be forged or guessed. */
export type KeyedHash = (...parts: string[]) => Buffer

export function createKeyedHash(dataKey: Buffer, purpose: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', `vigia/${purpose}`, 32))
  return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest()
}
