import type { Config } from '../config/config.ts'
import { createCipher } from '../domain/cipher.ts'
import { rotateChaves } from '../domain/keys/keys.ts'
import type { Logger } from '../system/logging.ts'
import { defineCommand } from './command.ts'
import { findFittingKey } from './data-key.ts'
import { withDatabase } from './with-database.ts'

export const rotateKeys = defineCommand({
  usage: `npm run vigia -- keys:rotate

Makes a new key that signs access tokens, within 30 s on every running instance. Tokens that the old one signed stay
valid until they expire.`,
  run: rotate,
})

async function rotate(config: Config, log: Logger): Promise<void> {
  await withDatabase(config, log, async (db) => {
    const cipher = createCipher(await findFittingKey(config, db))
    const kid = await rotateChaves({ db, cipher, clock: { now: () => new Date() } })
    console.log(`New signing key: ${kid}`)
  })
}
