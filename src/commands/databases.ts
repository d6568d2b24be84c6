import { type Config, StartupError } from '../config/config.ts'
import { type KeptDatabase, listKept, removeKept } from '../db/embedded/kept.ts'
import type { Logger } from '../system/logging.ts'
import { defineCommand, usageError } from './command.ts'

const USAGE = `npm run vigia -- databases [--remove [--force] name ...]

Lists the databases that services of root keep outside of their data folder. Removing such a folder leaves its
database behind, as an orphan.

  --remove   removes the orphans that are named; one that runs or that its folder links to is never removed
  --force    also removes one whose folder is unknown, since it was last started by an older version`

export const listDatabases = defineCommand({
  usage: USAGE,
  options: { remove: { type: 'boolean', default: false }, force: { type: 'boolean', default: false } },
  positionals: { min: 0, max: 1_000 },
  async run(_config: Config, _log: Logger, { options, positionals: names }) {
    if (process.getuid?.() !== 0) throw new StartupError('Only root keeps databases elsewhere, and sees them')
    if (options.remove) await removeNamed(await listKept(), names, options.force)
    else if (names.length > 0) throw usageError(`Unexpected argument "${names[0]}"`, USAGE)
    else printAll(await listKept())
  },
})

function printAll(kept: KeptDatabase[]): void {
  if (kept.length === 0) console.log('No database is kept outside of its data folder')
  for (const { name, path, state, lastUsed, dataDir } of kept)
    console.log(`${name}  ${state.padEnd(7)}  ${lastUsed.toISOString()}  ${path}  ${dataDir ?? '(unknown)'}`)
}

/** All or none. */
async function removeNamed(kept: KeptDatabase[], names: string[], force: boolean): Promise<void> {
  if (names.length === 0) throw usageError('Name what is to be removed', USAGE)
  const found = names.map((name) => removable(kept, name, force))
  for (const database of found) {
    await removeKept(database)
    console.log(`Removed ${database.path}`)
  }
}

function removable(kept: KeptDatabase[], name: string, force: boolean): KeptDatabase {
  const database = kept.find((one) => one.name === name)
  if (database === undefined) throw new StartupError(`There is no database ${name}`)
  const { state, dataDir } = database
  if (state === 'running') throw new StartupError(`${name} is running: nothing was removed`)
  if (state === 'linked') throw new StartupError(`${name} belongs to ${dataDir}: nothing was removed`)
  if (state === 'unknown' && !force)
    throw new StartupError(`The data folder of ${name} is unknown: nothing was removed; --force removes it`)
  return database
}
