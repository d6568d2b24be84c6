import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Config, StartupError } from '../config/config.ts'
import type { Logger } from '../system/logging.ts'

export { isUnavailable } from '../db/pg-errors.ts'

/** Refuses what was typed: one line, exit code 2. */
export class UsageError extends StartupError {}

type Run = (config: Config, log: Logger) => Promise<void>

export interface Command {
  /** Printed by `--help`. Its first line is the synopsis. */
  usage: string
  /** Reads the arguments, before the configuration is read. */
  prepare(args: string[]): Run
}

type Values<O extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true }>
>['values']

interface Definition<O extends ParseArgsOptionsConfig> {
  usage: string
  options?: O
  /** Number of arguments besides the options; none by default. */
  positionals?: { min: number; max: number }
  run(config: Config, log: Logger, given: { options: Values<O>; positionals: string[] }): Promise<void>
}

export function defineCommand<const O extends ParseArgsOptionsConfig>(definition: Definition<O>): Command {
  const { usage, run } = definition
  return {
    usage,
    prepare(args) {
      const given = readArguments(definition, args)
      return (config, log) => run(config, log, given)
    },
  }
}

export const asksForHelp = (args: string[]) => args.includes('--help') || args.includes('-h')

export function usageError(problem: string, usage: string): UsageError {
  return new UsageError(`${problem}. Usage: ${usage.split('\n')[0]}`)
}

function readArguments<O extends ParseArgsOptionsConfig>(definition: Definition<O>, args: string[]) {
  const { usage, options = {} as O, positionals: { min, max } = { min: 0, max: 0 } } = definition
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (positionals.length < min) throw new Error('An argument is missing')
    if (positionals.length > max) throw new Error(`Unexpected argument "${positionals[max]}"`)
    return { options: values as Values<O>, positionals }
  } catch (error) {
    // Only the first sentence, which names the option; the others explain arguments that begin with a dash.
    throw usageError((error as Error).message.split('. ')[0] as string, usage)
  }
}
