import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto'
import { StartupError } from '../../config/config.ts'
import type { Database, Db } from '../../db/db.ts'
import type { Clock } from '../../system/clock.ts'
import type { Cipher } from '../cipher.ts'
import {
  type ChaveRow,
  chavesTableExists,
  deleteChave,
  insertChave,
  listChaves,
  lockChaves,
} from './keys.sql.ts'

/** A key pair that signs access tokens. The newest signs; all that are kept verify. */
export interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
  jwk: Record<string, unknown>
}

/** Cache of the keys, newest first. Other instances may add keys at any time. */
export interface Keyring {
  newest(): SigningKey
  all(): SigningKey[]
  /** Finds a key by id; reloads from the database when it is unknown. */
  find(kid: string): Promise<SigningKey | null>
  /** Reloads unless that was done in the last 30 seconds. */
  reload(): Promise<void>
}

/** Exceeds the life of an access token plus the reload interval: a key must verify all it signed. */
const OVERLAP_MS = 2 * 60 * 60_000
const RELOAD_INTERVAL_MS = 30_000
const UNKNOWN_KID_INTERVAL_MS = 1_000

export const contextOf = (kid: string) => `chaves_assinatura.privada_cifrada:${kid}`

type Needs = { db: Database; cipher: Cipher; clock: Clock }

/** True once data was encrypted: the first start stores a signing key first, and the newest is never deleted. */
export async function isEncrypted(db: Db): Promise<boolean> {
  return (await chavesTableExists(db)) && (await listChaves(db)).length > 0
}

/** Throws unless the cipher can decrypt the signing keys. */
export async function assertCipherFits(db: Db, cipher: Cipher): Promise<void> {
  const [newest] = await listChaves(db)
  if (newest !== undefined) openChave(newest, cipher)
}

export async function openKeyring(needs: Needs): Promise<Keyring> {
  let keys = await loadOrCreate(needs)
  let loadedAt = needs.clock.now().getTime()

  let loading: Promise<void> | null = null

  async function load(): Promise<void> {
    loadedAt = needs.clock.now().getTime()
    keys = (await listChaves(needs.db)).map((row) => openChave(row, needs.cipher))
  }

  /** Concurrent callers share one load. */
  async function reload(interval = RELOAD_INTERVAL_MS): Promise<void> {
    if (loading === null && needs.clock.now().getTime() - loadedAt <= interval) return
    loading ??= load().finally(() => {
      loading = null
    })
    await loading
  }

  return {
    newest: () => keys[0] as SigningKey,
    all: () => keys,
    async find(kid) {
      const known = () => keys.find((key) => key.kid === kid) ?? null
      await reload()
      // Rate-limits the queries that invented key ids cause.
      if (known() === null) await reload(UNKNOWN_KID_INTERVAL_MS)
      return known()
    },
    reload: () => reload(),
  }
}

/** Adds a key, which signs from now on, and deletes those whose last token has expired. Returns the new key's id. */
export async function rotateChaves({ db, cipher, clock }: Needs): Promise<string> {
  const now = clock.now()
  return db.transaction(async (tx) => {
    await lockChaves(tx)
    const [newest, ...older] = await listChaves(tx)
    // An older key signed its last token before the one after it was created.
    if (newest && now.getTime() - newest.criada_em.getTime() > OVERLAP_MS)
      for (const { kid } of older) await deleteChave(tx, kid)
    // Newer than the last key even if that was created by a clock that is ahead.
    return createChave(tx, cipher, new Date(Math.max(now.getTime(), (newest?.criada_em.getTime() ?? 0) + 1)))
  })
}

async function loadOrCreate({ db, cipher, clock }: Needs): Promise<SigningKey[]> {
  const rows = await db.transaction(async (tx) => {
    await lockChaves(tx)
    if ((await listChaves(tx)).length === 0) await createChave(tx, cipher, clock.now())
    return listChaves(tx)
  })
  return rows.map((row) => openChave(row, cipher))
}

async function createChave(tx: Db, cipher: Cipher, criada_em: Date): Promise<string> {
  const kid = randomUUID()
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' })
  const publica = { ...publicKey.export({ format: 'jwk' }) }
  await insertChave(tx, { kid, publica, privada_cifrada: cipher.encrypt(pkcs8, contextOf(kid)), criada_em })
  return kid
}

function openChave({ kid, publica, privada_cifrada }: ChaveRow, cipher: Cipher): SigningKey {
  try {
    const pkcs8 = cipher.decrypt(privada_cifrada, contextOf(kid))
    return {
      kid,
      privateKey: createPrivateKey({ key: pkcs8, type: 'pkcs8', format: 'der' }),
      publicKey: createPublicKey({ key: publica, format: 'jwk' }),
      jwk: publica,
    }
  } catch {
    throw new StartupError('DATA_KEY is not the key this database was encrypted under')
  }
}
