import type { Config } from '../config/config.ts'
import { rebuildContagens, verifyContagens } from '../domain/casos/counters/counters.ts'
import { listDiferencas, recountEpizootias } from '../domain/epizootias/contagens.ts'
import type { Logger } from '../system/logging.ts'
import { defineCommand } from './command.ts'
import { withDatabase } from './with-database.ts'

/** It reads every case. */
const LONG_STATEMENTS = { statementTimeoutMs: 6 * 3_600_000 }

export const verifyCounters = defineCommand({
  usage: `npm run vigia -- counters:verify [--rebuild]

Compares the counters of cases and of events in animals with both, beside a running service or without it. Exit code 1 when they differ.

  --rebuild   counts all anew first; meanwhile cases can be read, not changed`,
  options: { rebuild: { type: 'boolean', default: false } },
  run: (config, log, { options }) => compareCounters(config, log, options.rebuild),
})

async function compareCounters(config: Config, log: Logger, rebuild: boolean): Promise<void> {
  await withDatabase(
    config,
    log,
    async (db) => {
      if (rebuild) {
        await rebuildContagens(db)
        await db.transaction(recountEpizootias)
      }
      const differences = await verifyContagens(db)
      for (const { total, hospitalizados, obitos, ...key } of differences) {
        const missing = `${total} cases, ${hospitalizados} in hospital, ${obitos} deaths`
        console.error(`${Object.values(key).join(' | ')}: the counters lack ${missing}`)
      }
      const ofAnimals = await listDiferencas(db)
      for (const { eventos, animais_mortos, ...key } of ofAnimals)
        console.error(
          `${Object.values(key).join(' | ')}: the counters lack ${eventos} events in animals, ${animais_mortos} deaths`,
        )
      if (differences.length + ofAnimals.length > 0) process.exitCode = 1
      else console.log(rebuild ? 'The counters were rebuilt and agree' : 'The counters agree with the cases')
    },
    LONG_STATEMENTS,
  )
}
