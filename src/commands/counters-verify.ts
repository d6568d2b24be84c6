import { parseArgs } from 'node:util'
import { type Config, StartupError } from '../config.ts'
import { rebuildContagens, verifyContagens } from '../domain/casos/contagens.ts'
import type { Logger } from '../logging.ts'
import { withDatabase } from './with-database.ts'

/** It reads every case. */
const PATIENCE = { statementTimeoutMs: 6 * 3_600_000 }

/** Compares the counters with the cases; exit code 1 when they differ. `--rebuild` first counts all anew. */
export async function verifyCounters(config: Config, log: Logger): Promise<void> {
  const { rebuild } = readOptions(process.argv.slice(3))
  await withDatabase(
    config,
    log,
    async (db) => {
      if (rebuild) await rebuildContagens(db)
      const differences = await verifyContagens(db)
      for (const { total, hospitalizados, obitos, ...key } of differences) {
        const missing = `${total} cases, ${hospitalizados} in hospital, ${obitos} deaths`
        console.error(`${Object.values(key).join(' | ')}: the counters lack ${missing}`)
      }
      if (differences.length > 0) process.exitCode = 1
      else console.log(rebuild ? 'The counters were rebuilt and agree' : 'The counters agree with the cases')
    },
    PATIENCE,
  )
}

function readOptions(args: string[]): { rebuild: boolean } {
  try {
    return parseArgs({ args, options: { rebuild: { type: 'boolean', default: false } } }).values
  } catch (error) {
    throw new StartupError(`${(error as Error).message}\n\nnpm run counters:verify [-- --rebuild]`)
  }
}
