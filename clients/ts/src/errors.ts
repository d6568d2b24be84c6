import type { Erro } from './gerado.ts'

/** Codes of the service, and of one that does not answer or whose certificate is not trusted. */
export type ErrorCode = Erro['error']['code'] | 'UNREACHABLE' | 'UNTRUSTED'
export type FieldError = { field: string; message: string; code: string }

/** A refusal. `code` is stable; `message` is in the language asked for. */
export class VigiaError extends Error {
  override name = 'VigiaError'
  /** 0 where no answer came. */
  readonly status: number = 0
  readonly code: ErrorCode = 'UNREACHABLE'
  /** Problems by field, of a `VALIDATION_ERROR`. */
  readonly fields: FieldError[] = []
  readonly requestId: string | null = null
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number | null = null

  constructor(message: string, facts: Partial<VigiaError>, options?: ErrorOptions) {
    super(message, options)
    Object.assign(this, facts)
  }
}

interface ErrorBody {
  error?: { code: ErrorCode; message: string; details?: unknown }
  /** Form of the formal contract. */
  detail?: { loc: (string | number)[]; msg: string; type: string }[]
}

export async function errorOf(response: Response): Promise<VigiaError> {
  const { status, headers } = response
  const { error, detail } = (await response.json().catch(() => ({}))) as ErrorBody
  const fields = detail?.map(({ loc, msg, type }) => ({
    field: loc.slice(1).join('.'),
    message: msg,
    code: type,
  }))
  const told = Array.isArray(error?.details) ? (error.details as FieldError[]) : []
  const unnamed = status === 401 ? 'UNAUTHORIZED' : detail ? 'VALIDATION_ERROR' : 'INTERNAL_ERROR'
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  return new VigiaError(error?.message ?? fields?.[0]?.message ?? `HTTP ${status}`, {
    status,
    code: error?.code ?? unnamed,
    fields: fields ?? told,
    requestId: headers.get('x-request-id'),
    retryAfter: Number.isNaN(seconds) ? null : seconds,
  })
}

export function unreachable(cause: unknown): VigiaError {
  const reason = reasonOf(cause)
  const code = /certificate|self-signed|altnames/i.test(reason) ? 'UNTRUSTED' : 'UNREACHABLE'
  return new VigiaError(reason, { code }, { cause })
}

/** `fetch` hides the reason in the cause of its error, or in the first of several. */
function reasonOf(error: unknown): string {
  const { cause, errors, message } = error as { cause?: unknown; errors?: unknown[]; message?: string }
  const inner = cause ?? errors?.[0]
  return inner === undefined ? (message ?? String(error)) : reasonOf(inner)
}
