import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'

/**
 * AES-256-GCM under DATA_KEY, for values that must not be readable from the database alone. `context` binds a value to its
 * place (table, column, row): moved elsewhere, it does not decrypt. Layout: nonce (12) | tag (16) | ciphertext.
 */
export interface Cipher {
  encrypt(plain: Buffer, context: string): Buffer
  decrypt(sealed: Buffer, context: string): Buffer
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
const NONCES_AT_ONCE = 256

export function createCipher(dataKey: Buffer): Cipher {
  // Key object: raw bytes would be imported for every value, at three times the cost of encrypting a name.
  const key = createSecretKey(dataKey)
  const nextNonce = nonces()
  return {
    encrypt(plain, context) {
      const nonce = nextNonce()
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const sealed = cipher.update(plain)
      cipher.final()
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

/** Random nonces, generated in batches to save calls. */
function nonces(): () => Buffer {
  let left = Buffer.alloc(0)
  return () => {
    if (left.length === 0) left = randomBytes(NONCE_BYTES * NONCES_AT_ONCE)
    const nonce = left.subarray(0, NONCE_BYTES)
    left = left.subarray(NONCE_BYTES)
    return nonce
  }
}

/** HMAC-SHA-256 for one purpose, under a key derived from DATA_KEY by HKDF. */
export type KeyedHash = (...parts: string[]) => Buffer

export function createKeyedHash(dataKey: Buffer, purpose: string): KeyedHash {
  const key = keyFor(dataKey, purpose)
  return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest()
}

/** The same for the single text of a line, of which millions are stored: 16 bytes of the HMAC. */
export type LineHash = (text: string) => Buffer

export function createLineHash(dataKey: Buffer, purpose: string): LineHash {
  const key = keyFor(dataKey, purpose)
  return (text) => createHmac('sha256', key).update(text).digest().subarray(0, 16)
}

const keyFor = (dataKey: Buffer, purpose: string) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', dataKey, '', `vigia/${purpose}`, 32)))
