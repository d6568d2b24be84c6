import type { Erro, ErroDeCampo, ErroDeValidacao } from './gerado.ts'

/** Codes of the service, and of one that is not reached, whose certificate is not trusted, or that falls silent. */
export type ErrorCode = Erro['error']['code'] | 'UNREACHABLE' | 'UNTRUSTED' | 'TIMEOUT'

/** A refusal. `code` is stable; `message` is in the language asked for; `status` is 0 where no answer came. */
export class VigiaError extends Error {
  override name = 'VigiaError'
  readonly status: number = 0
  readonly code: ErrorCode = 'UNREACHABLE'
  /** Problems one by one; `field` is empty where one is that of no field, such as a rule of passwords. */
  readonly fields: ErroDeCampo[] = []
  readonly requestId: string | null = null
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number | null = null
}

/** Reads a refusal of either contract: `detail` is the form of the formal one. */
export async function errorOf(response: Response): Promise<VigiaError> {
  const { status, headers } = response
  const { error, detail } = (await response.json().catch(() => ({}))) as Partial<Erro & ErroDeValidacao>
  const unnamed = status === 401 ? 'UNAUTHORIZED' : detail ? 'VALIDATION_ERROR' : 'INTERNAL_ERROR'
  const code = error?.code ?? unnamed
  const fields =
    detail?.map(({ loc, msg, type }) => ({ field: loc.slice(1).join('.'), message: msg, code: type })) ??
    error?.details?.map((one) => (typeof one === 'string' ? { field: '', message: one, code } : one)) ??
    []
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  const retryAfter = Number.isNaN(seconds) ? null : seconds
  const told = new VigiaError(error?.message ?? fields[0]?.message ?? `HTTP ${status}`)
  return Object.assign(told, { status, code, fields, requestId: headers.get('x-request-id'), retryAfter })
}

/** `fetch` hides the reason in the cause of its error, or in the first of several. */
export function unreachable(error: unknown): VigiaError {
  if (error instanceof VigiaError) return error
  let inner = error as { cause?: unknown; errors?: unknown[]; message?: string }
  while (inner.cause ?? inner.errors?.[0]) inner = (inner.cause ?? inner.errors?.[0]) as Error
  const reason = inner.message ?? String(inner)
  const untrusted = /certificate|self-signed|altnames/i.test(reason) ? { code: 'UNTRUSTED' as const } : {}
  return Object.assign(new VigiaError(reason, { cause: error }), untrusted)
}

export const silent = (seconds: number): VigiaError =>
  Object.assign(new VigiaError(`no byte for ${seconds} s`), { code: 'TIMEOUT' as const })
