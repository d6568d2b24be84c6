import type { Config } from '../config/config.ts'
import { createCipher, idOfKey } from '../domain/cipher.ts'
import { rememberRoot } from '../domain/keys/data-keys.ts'
import { reencrypt, situationOfKeys } from '../domain/recifragem/recifragem.ts'
import type { Logger } from '../system/logging.ts'
import { defineCommand } from './command.ts'
import { findFittingKey } from './data-key.ts'
import { withDatabase } from './with-database.ts'

export const rotateDataKey = defineCommand({
  usage: `npm run vigia -- keys:rotate-data [--status]

Encrypts everything anew that is under a key of DATA_KEY_PREVIOUS, with DATA_KEY, beside a running service or without it. Killed
or interrupted, it goes on where it was when it is run again. At its end the former keys are needed for backups alone.

  --status   changes nothing; tells how many values are under former keys. Exit code 1 while there are any`,
  options: { status: { type: 'boolean', default: false } },
  run: (config, log, { options }) => rotate(config, log, options.status),
})

async function rotate(config: Config, log: Logger, statusOnly: boolean): Promise<void> {
  await withDatabase(config, log, async (db) => {
    const keys = await findFittingKey(config, db)
    const cipher = createCipher(keys)
    const left = async () => {
      const situation = await situationOfKeys({ db, cipher })
      for (const { table, column, older, total } of situation)
        console.log(`${table}.${column}: ${older} of ${total} under former keys`)
      return situation.reduce((sum, { older }) => sum + older, 0)
    }
    console.log(`DATA_KEY: ${idOfKey(keys.current).toString('hex')}`)
    if (!statusOnly) {
      await rememberRoot(db, keys, new Date())
      const done = await reencrypt({ db, cipher }, ({ table, column }, count) =>
        console.log(`${table}.${column}: ${count} encrypted anew`),
      )
      console.log(`Encrypted anew: ${done}`)
    }
    const older = await left()
    console.log(older === 0 ? 'Nothing is under former keys' : `Under former keys: ${older}`)
    if (older > 0) process.exitCode = 1
  })
}
