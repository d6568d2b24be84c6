import { type DestinationStream, type Logger, pino } from 'pino'
import { prettyFactory } from 'pino-pretty'

export type { Logger }

/** JSON lines, or readable ones on a terminal. What is logged is chosen field by field: never a URL, body or header. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const stream = destination ?? (process.stdout.isTTY ? terminalLines(process.stdout) : undefined)
  const options = { level, base: { pid: process.pid }, serializers: { err: describeError } }
  return stream ? pino(options, stream) : pino(options)
}

/** Formats log lines for people: one line each, a request by what it asked and what it got. */
export function terminalLines(terminal: DestinationStream): DestinationStream {
  const options = { singleLine: true, translateTime: 'SYS:HH:MM:ss' }
  const format = prettyFactory({ ...options, ignore: 'pid,hostname' })
  const formatRequest = prettyFactory({
    ...options,
    ignore: 'pid,hostname,request_id,method,route,status,ms,usuario_id',
    messageFormat: '{method} {route} {status} {ms} ms',
  })
  return {
    write(line) {
      const isRequest = line.includes('"msg":"request"')
      terminal.write(isRequest ? formatRequest(line) : format(line))
    },
  }
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
