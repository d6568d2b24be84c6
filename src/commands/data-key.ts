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
import { createCipher, type DataKeys } from '../domain/cipher.ts'
import { findRoot } from '../domain/keys/data-keys.ts'
import { assertCipherFits, isEncrypted } from '../domain/keys/keys.ts'

export interface Keys {
  dataKey: DataKeys
  masterKey: MasterKeySource
}

/** Refuses a key that is not the one of the database, before the master key is made. */
export async function loadKeys(config: Config, connection: pg.ClientConfig): Promise<Keys> {
  const dataKey = await prepareDataKey(config, connection)
  return { dataKey, masterKey: await loadMasterKey(config) }
}

/** The keys of an existing database. Any other ones are refused before anything is read or changed with them. */
export async function findFittingKey(config: Config, db: Db): Promise<DataKeys> {
  const current = await findDataKey(config)
  if (current === null)
    throw new StartupError(
      `The key of this database is missing: set DATA_KEY, or put ${DATA_KEY_FILE} back into ${config.dataDir}`,
    )
  const keys = { current, others: config.otherDataKeys, root: current }
  await assertCipherFits(db, createCipher(keys))
  return { ...keys, root: await findRoot(db, keys) }
}

/** For a start: makes a key, where none is given, only for a database that holds nothing encrypted. */
async function prepareDataKey(config: Config, connection: pg.ClientConfig): Promise<DataKeys> {
  const db = createPool({ connection, max: 1 })
  try {
    if (await isEncrypted(db)) return await findFittingKey(config, db)
    const current = (await findDataKey(config)) ?? (await makeDataKey(config))
    return { current, others: config.otherDataKeys, root: current }
  } finally {
    await db.end()
  }
}
