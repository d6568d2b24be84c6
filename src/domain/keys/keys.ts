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

/** The keys as this instance knows them, newest first. Another instance may make a new one at any time. */
export interface Keyring {
  newest(): SigningKey
  all(): SigningKey[]
  /** The key with this id, asking the database when it is new to us. */
  find(kid: string): Promise<SigningKey | null>
  /** Asks the database what is new, unless that was done a moment ago. */
  reload(): Promise<void>
}

/** Longer than an access token lives: a key must verify all it signed, also with an instance that learns late. */
const OVERLAP_MS = 2 * 60 * 60_000
const RELOAD_INTERVAL_MS = 30_000
const UNKNOWN_KID_INTERVAL_MS = 1_000

const contextOf = (kid: string) => `chaves_assinatura.privada_cifrada:${kid}`

type Needs = { db: Database; cipher: Cipher; clock: Clock }

/** The first start encrypts a signing key before anything else, and the newest one is never removed. */
export async function isEncrypted(db: Db): Promise<boolean> {
  return (await chavesTableExists(db)) && (await listChaves(db)).length > 0
}

/** Throws when the cipher has not the key that the signing keys are encrypted under. */
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

  /** Whoever comes while the keys are being read waits for them, too. */
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
      // A made-up key id must not cost a query each time.
      if (known() === null) await reload(UNKNOWN_KID_INTERVAL_MS)
      return known()
    },
    reload: () => reload(),
  }
}

/** A new key signs from now on; those whose last token has expired go. Answers the new key's id. */
export async function rotateChaves({ db, cipher, clock }: Needs): Promise<string> {
  const now = clock.now()
  return db.transaction(async (tx) => {
    await lockChaves(tx)
    const [newest, ...older] = await listChaves(tx)
    // What an older key signed last, it signed when the one after it was made.
    if (newest && now.getTime() - newest.criada_em.getTime() > OVERLAP_MS)
      for (const { kid } of older) await deleteChave(tx, kid)
    // The newest even if the clock of who made the last one was ahead.
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
