import type pg from 'pg'
import { type Config, StartupError } from '../config/config.ts'
import {
  DATA_KEY_FILE,
  findDataKey,
  loadMasterKey,
  type MasterKeySource,
  makeDataKey,
} from '../config/secrets.ts'
import type { Db } from '../db/db.ts'
import { createPool } from '../db/pool.ts'
import { createCipher } from '../domain/cipher.ts'
import { assertCipherFits, isEncrypted } from '../domain/keys/keys.ts'

export interface Keys {
  dataKey: Buffer
  masterKey: MasterKeySource
}

/** Refuses a key that is not the one of the database, before the master key is made. */
export async function loadKeys(config: Config, connection: pg.ClientConfig): Promise<Keys> {
  const dataKey = await prepareDataKey(config, connection)
  return { dataKey, masterKey: await loadMasterKey(config) }
}

/** The key of an existing database. Any other one is refused before anything is read or changed with it. */
export async function findFittingKey(config: Config, db: Db): Promise<Buffer> {
  const key = await findDataKey(config)
  if (key === null)
    throw new StartupError(
      `The key of this database is missing: set DATA_KEY, or put ${DATA_KEY_FILE} back into ${config.dataDir}`,
    )
  await assertCipherFits(db, createCipher(key))
  return key
}

/** For a start: makes a key, where none is given, only for a database that holds nothing encrypted. */
async function prepareDataKey(config: Config, connection: pg.ClientConfig): Promise<Buffer> {
  const db = createPool({ connection, max: 1 })
  try {
    if (await isEncrypted(db)) return await findFittingKey(config, db)
    return (await findDataKey(config)) ?? (await makeDataKey(config))
  } finally {
    await db.end()
  }
}
