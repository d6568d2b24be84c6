import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

export type { Logger }

/** JSON lines, or readable ones on a terminal. What is logged is chosen field by field: never a URL, body or header. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const stream =
    destination ?? (process.stdout.isTTY ? pretty({ sync: true, ignore: 'pid,hostname' }) : undefined)
  const options = { level, base: { pid: process.pid }, serializers: { err: describeError } }
  return stream ? pino(options, stream) : pino(options)
}

interface Described {
  type: string
  code?: string
  message?: string
  stack?: string
}

/** A database error's text may quote a value of the row, so only its code and our own stack are kept. */
export function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code } = error as { code?: string }
  const fromDatabase = 'severity' in error
  const frames = error.stack?.slice(error.stack.indexOf('\n    at')) ?? ''
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    ...(!fromDatabase && { message: error.message }),
    stack: frames,
  }
}
