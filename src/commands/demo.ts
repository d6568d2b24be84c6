import { StartupError } from '../config/config.ts'
import { defineCommand, usageError } from './command.ts'

const USAGE = `npm run vigia -- demo [cases [seed]]

Fills a sandbox with plausible cases (100000, seed 1). The same seed gives the same cases.`
const MAX_CASOS = 100_000_000
const MAX_SEED = 1_000_000

export const fillWithDemo = defineCommand({
  usage: USAGE,
  positionals: { min: 0, max: 2 },
  async run(config, log, { positionals }) {
    const wanted = readNumbers(positionals)
    if (config.ambiente !== 'sandbox')
      throw new StartupError(`AMBIENTE is ${config.ambiente}: made-up cases belong into a sandbox only`)
    // Loaded when it is used: it brings the whole service.
    const { fillSandbox } = await import('./sandbox.ts')
    await fillSandbox(config, log, wanted)
  },
})

function readNumbers(args: string[]): { casos: number; seed: number } {
  const [casos = 100_000, seed = 1] = args.map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : 0))
  if (casos < 1 || casos > MAX_CASOS) throw usageError(`Cases are a number from 1 to ${MAX_CASOS}`, USAGE)
  if (seed < 1 || seed > MAX_SEED) throw usageError(`The seed is a number from 1 to ${MAX_SEED}`, USAGE)
  return { casos, seed }
}
