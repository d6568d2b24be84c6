import type { Config } from '../config.ts'
import { rotateChaves } from '../domain/chaves/chaves.ts'
import { createCipher } from '../domain/cipher.ts'
import type { Logger } from '../logging.ts'
import { loadDataKey } from '../secrets.ts'
import { withDatabase } from './with-database.ts'

/** A new key signs access tokens within 30 s on every instance; what the old one signed stays valid until it expires. */
export async function rotateKeys(config: Config, log: Logger): Promise<void> {
  const cipher = createCipher(await loadDataKey(config))
  await withDatabase(config, log, async (db) => {
    const kid = await rotateChaves({ db, cipher, clock: { now: () => new Date() } })
    console.log(`New signing key: ${kid}`)
  })
}
