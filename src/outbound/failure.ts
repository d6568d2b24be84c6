import { type EventEmitter, once } from 'node:events'

export type FailureReason = 'refused_target' | 'dns' | 'connection' | 'tls' | 'timeout' | 'protocol'

/** Only a reason: what a stranger's server or a library says in an error has no place in a log or an answer. */
export class Failure extends Error {
  readonly reason: FailureReason

  constructor(reason: FailureReason) {
    super(reason)
    this.reason = reason
  }
}

/** One stage of a request: it ends with its result, or when the signal says so, or fails for its reason. */
export async function stage<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  reason: FailureReason,
): Promise<T> {
  try {
    return await Promise.race([work(), aborted(signal)])
  } catch (error) {
    throw new Failure(reasonOf(error, reason))
  }
}

/** The stage that ends with this event. Later errors are ignored. */
export async function happens(
  emitter: EventEmitter,
  event: string,
  signal: AbortSignal,
  reason: FailureReason,
): Promise<unknown> {
  emitter.on('error', () => {})
  const [value] = await stage(() => once(emitter, event), signal, reason)
  return value
}

export function reasonOf(error: unknown, otherwise: FailureReason): FailureReason {
  if (error instanceof Failure) return error.reason
  return isAboutHttp(error) ? 'protocol' : otherwise
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** From the parser of answers, or about headers that cannot be sent. */
function isAboutHttp(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(?:HPE|ERR_INVALID|ERR_HTTP)_/.test(String(error.code))
  )
}
