import type { Config } from '../config.ts'
import { createAuditoria } from '../domain/auditoria/auditoria.ts'
import { createKeyedHash } from '../domain/cipher.ts'
import type { Logger } from '../logging.ts'
import { loadDataKey } from '../secrets.ts'
import { withDatabase } from './with-database.ts'

/** Checks the whole chain; exit code 1 when a row was changed or is missing. */
export async function verifyAudit(config: Config, log: Logger): Promise<void> {
  const seal = createKeyedHash(await loadDataKey(config), 'auditoria')
  await withDatabase(config, log, async (db) => {
    const result = await createAuditoria(seal, { now: () => new Date() }).verify(db)
    if (result.ok) console.log(`The audit is whole: ${result.total} records`)
    else {
      console.error(`The audit is broken: record ${result.id} is ${result.problem}`)
      process.exitCode = 1
    }
  })
}
