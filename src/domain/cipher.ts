import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** Key that values are encrypted under, others that some still are under, and the root of keyed hashes, which stays. */
export interface DataKeys {
  current: Uint8Array
  others: readonly Uint8Array[]
  root: Uint8Array
}

/** A sole key is all of it. */
export type KeyMaterial = Uint8Array | DataKeys

/**
 * AES-256-GCM under DATA_KEY, for values that must not be readable from the database alone. `context` binds a value to its
 * place (table, column, row): moved elsewhere, it does not decrypt. Layout: mark (1) | key id (4) | nonce (12) | tag (16) |
 * ciphertext; values of before key ids begin with the nonce.
 */
export interface Cipher {
  encrypt(plain: Buffer, context: string): Buffer
  decrypt(sealed: Buffer, context: string): Buffer
  /** First bytes of every value under the current key. */
  readonly prefix: Buffer
}

const MARK = 0x01
const ID_BYTES = 4
const PREFIX_BYTES = 1 + ID_BYTES
const NONCE_BYTES = 12
const TAG_BYTES = 16
const NONCES_AT_ONCE = 256

/** Names a key without telling anything of it. */
export const idOfKey = (key: Uint8Array): Buffer =>
  createHmac('sha256', key).update('vigia/id').digest().subarray(0, ID_BYTES)

const isSole = (keys: KeyMaterial): keys is Uint8Array => keys instanceof Uint8Array

export function createCipher(keys: KeyMaterial): Cipher {
  const { current, others } = isSole(keys) ? { current: keys, others: [] } : keys
  // Key objects: raw bytes would be imported for every value, at three times the cost of encrypting a name.
  const ring = [current, ...others].map((key) => ({ prefix: prefixOf(key), key: createSecretKey(key) }))
  const [{ prefix, key }] = ring as [(typeof ring)[number]]
  const nextNonce = nonces()
  return {
    prefix,
    encrypt(plain, context) {
      const nonce = nextNonce()
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const sealed = cipher.update(plain)
      cipher.final()
      return Buffer.concat([prefix, nonce, cipher.getAuthTag(), sealed])
    },
    decrypt(sealed, context) {
      const named = ring.find((one) => sealed.subarray(0, PREFIX_BYTES).equals(one.prefix))
      const value = named && open(named.key, sealed.subarray(PREFIX_BYTES), context)
      if (value) return value
      // Of before key ids, or one whose nonce happens to begin like a prefix.
      for (const one of ring) {
        const older = open(one.key, sealed, context)
        if (older !== null) return older
      }
      throw new Error('a value is under none of the keys, or in another place than it was encrypted for')
    },
  }
}

const prefixOf = (key: Uint8Array) => Buffer.concat([Buffer.of(MARK), idOfKey(key)])

/** Null unless the value is under this key and of this place. */
function open(key: KeyObject, sealed: Buffer, context: string): Buffer | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag)
  const plain = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    return null
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

/** HMAC-SHA-256 for one purpose, under a key derived from the root by HKDF. */
export type KeyedHash = (...parts: string[]) => Buffer

export function createKeyedHash(keys: KeyMaterial, purpose: string): KeyedHash {
  const key = keyFor(keys, purpose)
  return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest()
}

/** The same for the single text of a line, of which millions are stored: 16 bytes of the HMAC. */
export type LineHash = (text: string) => Buffer

export function createLineHash(keys: KeyMaterial, purpose: string): LineHash {
  const hmac = hmacOfTexts(keyFor(keys, purpose).export())
  return (text) => Buffer.from(hmac(text).slice(0, 2 * LINE_HASH_BYTES), 'hex')
}

const LINE_HASH_BYTES = 16
const [BLOCK_BYTES, DIGEST_BYTES] = [64, 32]
/** Longer texts get a buffer of their own. */
const USUAL_BYTES = 4_096

/** HMAC-SHA-256 as two plain hashes (RFC 2104): half the time of an HMAC object, of which a scan for duplicates would make eight million. */
function hmacOfTexts(key: Buffer): (text: string) => string {
  const padded = (filler: number) => Buffer.alloc(BLOCK_BYTES, filler).map((byte, i) => byte ^ (key[i] ?? 0))
  const inner = Buffer.concat([padded(0x36), Buffer.alloc(USUAL_BYTES)])
  const outer = Buffer.concat([padded(0x5c), Buffer.alloc(DIGEST_BYTES)])
  return (text) => {
    const bytes = BLOCK_BYTES + Buffer.byteLength(text)
    const message = bytes <= inner.length ? inner : Buffer.concat([inner.subarray(0, BLOCK_BYTES)], bytes)
    message.write(text, BLOCK_BYTES)
    outer.write(hash('sha256', message.subarray(0, bytes), 'hex'), BLOCK_BYTES, 'hex')
    return hash('sha256', outer, 'hex')
  }
}

const keyFor = (keys: KeyMaterial, purpose: string) =>
  createSecretKey(
    Buffer.from(hkdfSync('sha256', isSole(keys) ? keys : keys.root, '', `vigia/${purpose}`, 32)),
  )
