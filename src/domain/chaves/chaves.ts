import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto'
import { StartupError } from '../../config.ts'
import type { Database } from '../../db/db.ts'
import type { Cipher } from '../cipher.ts'
import { type ChaveRow, insertChave, listChaves, lockChaves } from './chaves.sql.ts'

/** A key pair that signs access tokens. The newest signs; all of them verify. */
export interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
}

const contextOf = (kid: string) => `chaves_assinatura.privada_cifrada:${kid}`

/** The keys of this installation, newest first; the first one is made when there is none. */
export async function loadSigningKeys(db: Database, cipher: Cipher): Promise<SigningKey[]> {
  const rows = await db.transaction(async (tx) => {
    await lockChaves(tx)
    const existing = await listChaves(tx)
    if (existing.length > 0) return existing
    const first = newChave(cipher)
    await insertChave(tx, first)
    return [first]
  })
  return rows.map((row) => openChave(row, cipher))
}

function newChave(cipher: Cipher): ChaveRow {
  const kid = randomUUID()
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' })
  return {
    kid,
    publica: { ...publicKey.export({ format: 'jwk' }) },
    privada_cifrada: cipher.encrypt(pkcs8, contextOf(kid)),
  }
}

function openChave({ kid, publica, privada_cifrada }: ChaveRow, cipher: Cipher): SigningKey {
  try {
    const pkcs8 = cipher.decrypt(privada_cifrada, contextOf(kid))
    return {
      kid,
      privateKey: createPrivateKey({ key: pkcs8, type: 'pkcs8', format: 'der' }),
      publicKey: createPublicKey({ key: publica, format: 'jwk' }),
    }
  } catch {
    throw new StartupError('DATA_KEY is not the key this database was encrypted under')
  }
}
