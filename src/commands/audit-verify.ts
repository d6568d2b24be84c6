import type { Config } from '../config/config.ts'
import { createAuditoria } from '../domain/auditoria/auditoria.ts'
import { createKeyedHash } from '../domain/cipher.ts'
import type { Logger } from '../system/logging.ts'
import { defineCommand } from './command.ts'
import { findFittingKey } from './data-key.ts'
import { withDatabase } from './with-database.ts'

export const verifyAudit = defineCommand({
  usage: `npm run vigia -- audit:verify

Checks the whole chain of the audit, beside a running service or without it. Exit code 1 when a record was changed,
removed, added or moved.`,
  run: verifyChain,
})

async function verifyChain(config: Config, log: Logger): Promise<void> {
  await withDatabase(config, log, async (db) => {
    const seal = createKeyedHash(await findFittingKey(config, db), 'auditoria')
    const result = await createAuditoria(seal, { now: () => new Date() }).verify(db)
    if (result.ok) console.log(`The audit is whole: ${result.total} records`)
    else {
      console.error(`The audit is broken: record ${result.id} is ${result.problem}`)
      process.exitCode = 1
    }
  })
}
