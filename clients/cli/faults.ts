import { VigiaError } from '../ts/src/index.ts'
import { CliError, EXIT } from './context.ts'
import type { Texts } from './texts.ts'

/** Words for what the system calls by a code, such as ENOSPC. */
export function reasonOf(error: unknown, t: Texts): string {
  const { code, message = String(error) } = error as Partial<NodeJS.ErrnoException>
  if (code === undefined) return message
  return Object.entries(t.faults).find(([codes]) => codes.split(' ').includes(code))?.[1] ?? code
}

/** Any error as a line for the user and an exit code. */
export function toldOf(error: unknown, url: string, t: Texts): CliError {
  if (error instanceof CliError) return error
  if (error instanceof VigiaError) return refusalOf(error, url, t)
  const { path } = error as Partial<NodeJS.ErrnoException>
  return new CliError(t.fault([path, reasonOf(error, t)].filter(Boolean).join(': ')))
}

function refusalOf({ code, message, fields }: VigiaError, url: string, t: Texts): CliError {
  if (code === 'UNREACHABLE') return new CliError(t.unreachable(url, message))
  if (code === 'TIMEOUT') return new CliError(t.silent(url))
  if (code === 'UNTRUSTED') return new CliError(`${t.untrusted(url, message)}\n${t.caHint}`)
  if (code === 'UNAUTHORIZED') return new CliError(t.notLoggedIn, EXIT.notLoggedIn)
  const lines = fields.map(({ field, message }) => `  ${[field, message].filter(Boolean).join(': ')}`)
  return new CliError([message, ...lines].join('\n'))
}
