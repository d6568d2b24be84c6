import { dateInBrazil, isCalendarDate } from '../brasil/calendar.ts'
import { StartupError } from '../config/config.ts'
import { FIRST_YEAR } from '../demo/epidemics.ts'
import { defineCommand, usageError } from './command.ts'

const USAGE = `npm run vigia -- demo [cases [seed [last day]]] [--only-cases] [--agravo=CODE]

Fills a sandbox with plausible cases (100000, seed 1) up to today, or to another day (2026-06-30), and with the rest of what an office
has: staff with territories, a file with mistakes and duplicates, bulletins, news, webhooks that are paused, with made-up deliveries. The same seed and last day
give the same cases.

  --only-cases   the cases alone, as many as asked for
  --agravo=CODE  cases of that disease instead, with its own fields at random; of a model that is not defined yet, it is put in force`
const MAX_CASOS = 100_000_000
const MAX_SEED = 1_000_000
/** Years before the last day that the cases need at least. */
const FIRST_END = `${FIRST_YEAR + 1}-01-01`

export const fillWithDemo = defineCommand({
  usage: USAGE,
  positionals: { min: 0, max: 3 },
  options: { 'only-cases': { type: 'boolean' }, agravo: { type: 'string' } },
  async run(config, log, { positionals, options }) {
    const wanted = {
      ...readWanted(positionals),
      onlyCases: options['only-cases'] === true,
      agravo: typeof options.agravo === 'string' ? options.agravo : null,
    }
    if (config.ambiente !== 'sandbox')
      throw new StartupError(`AMBIENTE is ${config.ambiente}: made-up cases belong into a sandbox only`)
    // Loaded when it is used: it brings the whole service.
    const { fillSandbox } = await import('./sandbox.ts')
    await fillSandbox(config, log, wanted)
  },
})

function readWanted([casosText, seedText, until]: string[]): { casos: number; seed: number; until: string } {
  const numberOf = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : 0)
  const casos = numberOf(casosText ?? '100000')
  const seed = numberOf(seedText ?? '1')
  const today = dateInBrazil(new Date())
  if (casos < 1 || casos > MAX_CASOS) throw usageError(`Cases are a number from 1 to ${MAX_CASOS}`, USAGE)
  if (seed < 1 || seed > MAX_SEED) throw usageError(`The seed is a number from 1 to ${MAX_SEED}`, USAGE)
  if (until !== undefined && !(isCalendarDate(until) && until >= FIRST_END && until <= today))
    throw usageError(`The last day is a date from ${FIRST_END} to today`, USAGE)
  return { casos, seed, until: until ?? today }
}
