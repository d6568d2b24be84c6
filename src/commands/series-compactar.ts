import { dateInBrazil, isCalendarDate } from '../brasil/calendar.ts'
import type { Config } from '../config/config.ts'
import { dropImagens } from '../domain/series/compactar.sql.ts'
import type { Logger } from '../system/logging.ts'
import { defineCommand, usageError } from './command.ts'
import { withDatabase } from './with-database.ts'

/** It may delete images of many years. */
const LONG_STATEMENTS = { statementTimeoutMs: 6 * 3_600_000 }

const USAGE = `npm run vigia -- series:compactar --antes AAAA-MM-DD

Drops the images of values of series from before a day, beside a running service or without it. Values as they are now stay;
how they were before that day can no longer be asked, and imports of before can no longer be undone.`

export const compactSeries = defineCommand({
  usage: USAGE,
  options: { antes: { type: 'string' } },
  run: (config, log, { options: { antes } }) => compact(config, log, antes),
})

async function compact(config: Config, log: Logger, antes: string | undefined): Promise<void> {
  if (antes === undefined) throw usageError('--antes is missing', USAGE)
  if (!isCalendarDate(antes)) throw usageError('--antes is no date', USAGE)
  if (antes > dateInBrazil(new Date())) throw usageError('--antes is in the future', USAGE)
  // Midnight in Brasília.
  const moment = new Date(`${antes}T03:00:00Z`)
  await withDatabase(
    config,
    log,
    async (db) => {
      const dropped = await db.transaction((tx) => dropImagens(tx, moment))
      console.log(`${dropped} images of values from before ${antes} were dropped`)
    },
    LONG_STATEMENTS,
  )
}
