import {
  type ApplicationText,
  ArgumentScannerError,
  buildApplication,
  formatMessageForArgumentScannerError,
  proposeCompletions,
  run,
  text_en,
} from '@stricli/core'
import { type Context, EXIT, type Io } from './context.ts'
import { ROUTES } from './routes.ts'

const TEXT: ApplicationText = {
  ...text_en,
  keywords: { default: 'padrão =', separator: 'separador =' },
  headers: {
    usage: 'USO',
    aliases: 'OUTROS NOMES',
    commands: 'COMANDOS',
    flags: 'OPÇÕES',
    arguments: 'ARGUMENTOS',
  },
  briefs: {
    help: 'Mostra esta ajuda',
    helpAll: 'Mostra toda a ajuda',
    version: 'Mostra a versão',
    argumentEscapeSequence: 'O que segue são argumentos',
  },
  noCommandRegisteredForInput: ({ input, corrections }) =>
    `Não há o comando ${input}${corrections.length > 0 ? `; seria ${corrections.join(', ')}?` : ''}`,
  exceptionWhileParsingArguments: (error) =>
    error instanceof ArgumentScannerError
      ? formatMessageForArgumentScannerError(error, SCANNER_ERRORS)
      : `Argumentos: ${String(error)}`,
}

const SCANNER_ERRORS: Parameters<typeof formatMessageForArgumentScannerError>[1] = {
  FlagNotFoundError: ({ input, corrections }) =>
    `Não há a opção --${input}${corrections.length > 0 ? `; seria --${corrections.join(', --')}?` : ''}`,
  AliasNotFoundError: ({ input }) => `Não há a opção -${input}`,
  ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, input, exception }) =>
    `${name}: ${input} não serve (${exception instanceof Error ? exception.message : exception})`,
  EnumValidationError: ({ externalFlagName: name, input, values }) =>
    `--${name}: ${input} não serve; há ${values.join(', ')}`,
  UnsatisfiedFlagError: ({ externalFlagName: name }) => `--${name}: falta o valor`,
  UnsatisfiedPositionalError: ({ placeholder }) => `Falta o argumento <${placeholder}>`,
  UnexpectedPositionalError: ({ input }) => `Argumento a mais: ${input}`,
  UnexpectedFlagError: ({ externalFlagName: name }) => `--${name}: repetida`,
}

const APP = buildApplication<Context>(ROUTES, {
  name: 'vigia',
  versionInfo: { currentVersion: '0.1.0' },
  scanner: { caseStyle: 'allow-kebab-for-camel' },
  documentation: {
    caseStyle: 'convert-camel-to-kebab',
    disableAnsiColor: true,
    onlyRequiredInUsageLine: true,
  },
  localization: { text: TEXT },
})

/** Runs a command line to its exit code. */
export async function runVigia(args: readonly string[], io: Io): Promise<number> {
  const context: Context = { process: { stdout: io.stdout, stderr: io.stderr, env: io.env }, io }
  if (args[0] === 'completar' && args[1] === 'palavras') return complete(args.slice(2), context)
  await run(APP, args, context)
  const code = Number(context.process.exitCode ?? EXIT.done)
  // Negative codes are the parser's.
  return code < 0 ? EXIT.usage : code
}

/** Prints what the last word, which may be unfinished, could become. */
async function complete(words: string[], context: Context): Promise<number> {
  for (const { completion } of await proposeCompletions(APP, words, context))
    context.io.stdout.write(`${completion}\n`)
  return EXIT.done
}
