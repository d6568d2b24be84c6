/** One problem of a field, as the API words it. */
export interface FieldProblem {
  field: string
  message: string
  code: string
}

interface Envelope {
  code?: string
  message?: string
  request_id?: string
  details?: (FieldProblem | string)[]
  required_permission?: string
  locked_until?: string
  duplicidades?: Candidato[]
}

/** Case that a new one may repeat. */
export interface Candidato {
  id: number
  faixa: 'quase_certa' | 'provavel' | 'possivel'
}

/** A refusal of the API, in the user's language. Status 0: the service could not be reached. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: (FieldProblem | string)[]
  readonly requestId: string | null
  /** Seconds. */
  readonly retryAfter: number | null
  readonly requiredPermission: string | null
  readonly lockedUntil: Date | null
  readonly duplicidades: Candidato[]

  constructor(
    status: number,
    envelope: Envelope,
    headers: { requestId?: string | null; retryAfter?: number | null },
  ) {
    super(envelope.message ?? '')
    this.name = 'ApiError'
    this.status = status
    this.code = envelope.code ?? (status === 0 ? 'UNREACHABLE' : 'UNKNOWN')
    this.details = envelope.details ?? []
    this.requestId = headers.requestId ?? envelope.request_id ?? null
    this.retryAfter = headers.retryAfter ?? null
    this.requiredPermission = envelope.required_permission ?? null
    this.duplicidades = envelope.duplicidades ?? []
    this.lockedUntil = envelope.locked_until === undefined ? null : new Date(envelope.locked_until)
  }

  /** The message for a field, undefined where it has none. */
  of(field: string): string | undefined {
    const found = this.details.filter((detail) => typeof detail !== 'string' && detail.field === field)
    return found.length === 0 ? undefined : found.map((detail) => (detail as FieldProblem).message).join('; ')
  }
}

export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as { error?: Envelope }
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(response.status, body.error ?? {}, {
    requestId: response.headers.get('x-request-id'),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  })
}

export const unreachable = () => new ApiError(0, {}, {})
