import { asksForHelp, isUnavailable, UsageError } from './commands/command.ts'
import { COMMANDS } from './commands/commands.ts'
import { readConfig, StartupError } from './config/config.ts'
import { createLogger } from './system/logging.ts'

const NAMES = `Commands: ${Object.keys(COMMANDS).join(', ')}`

try {
  await runCommand(process.argv.slice(2))
} catch (error) {
  // Refusals of ours and of the system are plain lines; anything else shows where it happened.
  if (isUnavailable(error)) console.error('The database does not answer, or takes no writes')
  else console.error(error instanceof StartupError || isSystemError(error) ? error.message : error)
  process.exit(error instanceof UsageError ? 2 : 1)
}

/** `node src/main.ts` alone serves. `npm run vigia` puts `--` before the command; without one, it lists them. */
async function runCommand([name = 'serve', ...args]: string[]): Promise<void> {
  if (name === '--') return runCommand(args.length === 0 ? ['--help'] : args)
  if (asksForHelp([name])) return console.log(await listCommands())
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (load === undefined) throw new UsageError(`Unknown command "${name}". ${NAMES}`)
  const command = await load()
  if (asksForHelp(args)) return console.log(command.usage)
  const run = command.prepare(args)
  const config = readConfig(process.env)
  await run(config, createLogger(config.logLevel))
}

async function listCommands(): Promise<string> {
  const lines = Object.entries(COMMANDS).map(async ([name, load]) => {
    const [, description = ''] = (await load()).usage.split('\n\n')
    const [sentence] = description.replaceAll('\n', ' ').split(/(?<=\.) /)
    return `  ${name.padEnd(17)}${sentence}`
  })
  return ['npm run vigia -- <command> [--help]', '', ...(await Promise.all(lines))].join('\n')
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
