import { verifyAudit } from './commands/audit-verify.ts'
import { runBackup, runRestore } from './commands/backup.ts'
import { verifyCounters } from './commands/counters-verify.ts'
import { fillWithDemo } from './commands/demo.ts'
import { importFile } from './commands/import.ts'
import { rotateKeys } from './commands/keys-rotate.ts'
import { runMigrate } from './commands/migrate.ts'
import { serve } from './commands/serve.ts'
import { readConfig, StartupError } from './config.ts'
import { createLogger } from './logging.ts'

const COMMANDS: Record<string, typeof serve> = {
  serve,
  migrate: runMigrate,
  'keys:rotate': rotateKeys,
  'audit:verify': verifyAudit,
  'counters:verify': verifyCounters,
  import: importFile,
  backup: runBackup,
  restore: runRestore,
  demo: fillWithDemo,
}

const name = process.argv[2] ?? 'serve'
const command = COMMANDS[name]
if (command === undefined) {
  console.error(`Unknown command "${name}". Commands: ${Object.keys(COMMANDS).join(', ')}`)
  process.exit(1)
}

try {
  const config = readConfig(process.env)
  await command(config, createLogger(config.logLevel))
} catch (error) {
  // What the operator can mend is told in plain words; anything else shows where it happened.
  console.error(error instanceof StartupError ? `\n${error.message}\n` : error)
  process.exit(1)
}
