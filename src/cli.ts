import { type Config, readConfig, StartupError } from './config.ts'
import { createLogger, type Logger } from './logging.ts'

type Command = (config: Config, log: Logger) => Promise<void>

/** Each is read when it is asked for: most need little of what serving needs. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  migrate: async () => (await import('./commands/migrate.ts')).runMigrate,
  'keys:rotate': async () => (await import('./commands/keys-rotate.ts')).rotateKeys,
  'audit:verify': async () => (await import('./commands/audit-verify.ts')).verifyAudit,
  'counters:verify': async () => (await import('./commands/counters-verify.ts')).verifyCounters,
  import: async () => (await import('./commands/import.ts')).importFile,
  backup: async () => (await import('./commands/backup.ts')).runBackup,
  restore: async () => (await import('./commands/backup.ts')).runRestore,
  demo: async () => (await import('./commands/demo.ts')).fillWithDemo,
}

const name = process.argv[2] ?? 'serve'
const load = COMMANDS[name]
if (load === undefined) {
  console.error(`Unknown command "${name}". Commands: ${Object.keys(COMMANDS).join(', ')}`)
  process.exit(1)
}

try {
  const config = readConfig(process.env)
  const command = await load()
  await command(config, createLogger(config.logLevel))
} catch (error) {
  // What the operator can mend is told in plain words; anything else shows where it happened.
  console.error(error instanceof StartupError ? `\n${error.message}\n` : error)
  process.exit(1)
}
