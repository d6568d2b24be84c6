import { AppError, invalid } from '../errors/catalogue.ts'

/** Longer than a dropped connection needs to be made again. */
const RETRY_AFTER_SECONDS = 2

const CONNECTION_ERRNOS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Messages of the driver for a connection that is gone; it gives these no code. */
const CONNECTION_MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|connection terminated|query read timeout|client has encountered a connection error|cannot use a pool after/i

/**
 * SQLSTATE classes that say "not now": 08 connection, 53 resources (also disk full), 57 operator intervention
 * (shutdown, statement time-out), 40 rollback (deadlock), 55P03 lock time-out, 25P03 a transaction that was idle for too
 * long, 25006 a replica that was promoted elsewhere.
 */
const UNAVAILABLE_STATE = /^(08|53|57|40|55P03|25P03|25006)/

/** Constraints are named `<table>__<field>__<meaning>`, so that a violation names its field. */
const CONSTRAINT = /^\w+?__(?<field>\w+?)__(?<meaning>\w+)$/

interface DriverError extends Error {
  code?: string
  constraint?: string
}

/** True for transient errors: the same statement may succeed a little later. */
export function isPassing({ code = '', message }: DriverError): boolean {
  return CONNECTION_ERRNOS.has(code) || CONNECTION_MESSAGES.test(message) || UNAVAILABLE_STATE.test(code)
}

export const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.is('UNAVAILABLE')

export function unavailable(): AppError<'UNAVAILABLE'> {
  return new AppError('UNAVAILABLE', { retryAfter: RETRY_AFTER_SECONDS })
}

/** Maps the driver's errors to those of the service; anything else passes unchanged. */
export function translateDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error
  if (isPassing(error)) return unavailable()
  const { code = '', constraint = '' } = error as DriverError
  if (!/^(22|23|54)...$/.test(code)) return error
  const { field, meaning } = CONSTRAINT.exec(constraint)?.groups ?? {}
  const path = field === undefined ? [] : [field]
  if (meaning === 'unique') return invalid('body', path, 'DUPLICATE', {})
  return invalid('body', path, 'INVALID_VALUE', { allowed: '-' })
}
