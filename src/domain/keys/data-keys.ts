import { StartupError } from '../../config/config.ts'
import type { Db } from '../../db/db.ts'
import { createCipher, type DataKeys, idOfKey } from '../cipher.ts'
import { findRaiz, insertRaiz, raizesExist } from './data-keys.sql.ts'
import { assertCipherFits } from './keys.ts'

/**
 * DATA_KEY encrypts, and its root makes the keyed hashes (seals of the audit, backup codes, keys of duplicates). A rotation
 * replaces the first and keeps the second: one-way hashes cannot be made anew. The root is in the database, encrypted under
 * each key that was in force; the first key of an installation is its own root.
 */

const nameOf = (key: Uint8Array) => idOfKey(key).toString('hex')
const contextOf = (id: string) => `chaves_de_dados.raiz_cifrada:${id}`

/** Root of the keyed hashes of an existing database. */
export async function findRoot(db: Db, { current, others }: DataKeys): Promise<Uint8Array> {
  if (await raizesExist(db)) {
    for (const key of [current, ...others]) {
      const id = nameOf(key)
      const sealed = await findRaiz(db, id)
      if (sealed !== null) return createCipher(key).decrypt(sealed, contextOf(id))
    }
  }
  // Of before roots were kept: the one key that there was.
  for (const key of [current, ...others]) if (await fits(db, key)) return key
  throw new StartupError(
    'None of DATA_KEY and DATA_KEY_PREVIOUS is the key this database was encrypted under',
  )
}

const fits = (db: Db, key: Uint8Array) =>
  assertCipherFits(db, createCipher(key)).then(
    () => true,
    (error) => {
      if (error instanceof StartupError) return false
      throw error
    },
  )

/** Keeps the root under the current key, so that the former ones can be forgotten. */
export async function rememberRoot(db: Db, { current, root }: DataKeys, now: Date): Promise<void> {
  const id = nameOf(current)
  if ((await findRaiz(db, id)) !== null) return
  await insertRaiz(db, id, createCipher(current).encrypt(Buffer.from(root), contextOf(id)), now)
}
