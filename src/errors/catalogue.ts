/**
 * Every error the service answers, once: code → status. The status belongs to the code, never to the place
 * that throws. Codes are never reused for another meaning. Texts are in `messages/`, one file a language.
 */
export const ERRORS = {
  MALFORMED_REQUEST: 400,
  MISSING_REASON: 400,
  WEAK_PASSWORD: 400,
  INVALID_RESET_TOKEN: 400,
  INVALID_VERIFICATION_TOKEN: 400,
  INVALID_UNDO_TOKEN: 400,
  INVALID_SSO_ATTEMPT: 400,
  UNAUTHORIZED: 401,
  API_KEY_EXPIRED: 401,
  API_KEY_REVOKED: 401,
  API_KEY_NETWORK: 401,
  INVALID_CREDENTIALS: 401,
  INVALID_REFRESH_TOKEN: 401,
  INVALID_CURRENT_PASSWORD: 401,
  PERMISSION_DENIED: 403,
  OUT_OF_TERRITORY: 403,
  HTTPS_REQUIRED: 403,
  CONSOLE_ONLY: 403,
  PERSON_ONLY: 403,
  INVALID_MASTER_KEY: 403,
  ACCOUNT_INACTIVE: 403,
  PASSWORD_CHANGE_REQUIRED: 403,
  MFA_ENROLMENT_REQUIRED: 403,
  NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  POSSIBLE_DUPLICATE: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  ACCOUNT_LOCKED: 423,
  MFA_REQUIRED: 428,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof ERRORS

/** Reasons: where one code has several causes, each has a text of its own. Status and code stay. */
export const REASONS = {
  ROUTE_NOT_FOUND: 'NOT_FOUND',
  WRONG_MFA_CODE: 'INVALID_CREDENTIALS',
  SSO_RULES: 'INVALID_SSO_ATTEMPT',
  JOB_IS_NO_EXPORT: 'NOT_FOUND',
  JOB_IS_NO_IMPORT: 'NOT_FOUND',
  JOB_IS_NO_VALIDATION: 'NOT_FOUND',
  JOB_FILE_EXPIRED: 'NOT_FOUND',
  JOB_NOT_OVER: 'CONFLICT',
  JOB_WITHOUT_FILE: 'CONFLICT',
  JOB_OVER: 'CONFLICT',
  TOO_MANY_DRAFTS: 'CONFLICT',
  TOO_MANY_SCHEDULES: 'CONFLICT',
  TOO_MANY_KEYS: 'CONFLICT',
  KEY_OVER: 'CONFLICT',
  ALREADY_ACKNOWLEDGED: 'CONFLICT',
  ALREADY_DECIDED: 'CONFLICT',
  CASE_MERGED: 'CONFLICT',
  MERGE_UNDONE: 'CONFLICT',
  PRINCIPAL_EXCLUDED: 'CONFLICT',
  NOTIFICATION_TAKEN: 'CONFLICT',
  TOO_MANY_JOBS: 'RATE_LIMITED',
  TOO_MANY_STREAMS: 'RATE_LIMITED',
} as const satisfies Record<string, ErrorCode>

export type Reason = keyof typeof REASONS

/** Extras of a code besides its message: fields of the answer, or headers derived from them. */
export interface ErrorExtras {
  /** Only where the reason can be told. */
  MALFORMED_REQUEST: { problems: Problem[] } | undefined
  /** Only after the right password: what else was wrong. */
  INVALID_CREDENTIALS: { problems: Problem[] } | undefined
  PERMISSION_DENIED: { required_permission: string }
  METHOD_NOT_ALLOWED: { allow: string }
  POSSIBLE_DUPLICATE: { duplicidades: { id: number; faixa: string }[] }
  ACCOUNT_LOCKED: { locked_until: Date }
  WEAK_PASSWORD: { rules: PasswordRule[] }
  VALIDATION_ERROR: { problems: Problem[] }
  /** Seconds. */
  RATE_LIMITED: { retryAfter: number }
  UNAVAILABLE: { retryAfter: number }
}

/** Rules that a new password can break. */
export const PASSWORD_RULES = [
  'length',
  'uppercase',
  'lowercase',
  'digit',
  'special',
  'common',
  'unchanged',
] as const
export type PasswordRule = (typeof PASSWORD_RULES)[number]

/** Problems of a single field, with the parameters of their messages. */
export interface ProblemParams {
  REQUIRED: object
  INVALID_TYPE: { expected: string }
  INVALID_FORMAT: { expected: string }
  INVALID_EMAIL: object
  INVALID_CPF: object
  INVALID_VALUE: { allowed: string }
  TOO_SHORT: { limit: number }
  TOO_LONG: { limit: number }
  TOO_SMALL: { limit: number }
  TOO_LARGE: { limit: number }
  TOO_FEW: { limit: number }
  TOO_MANY: { limit: number }
  REPEATED: object
  DUPLICATE: object
  UNKNOWN: { ids: (number | string)[] }
  UNKNOWN_FIELD: { allowed: string }
  UNKNOWN_OPERATOR: { allowed: string }
  TOO_DEEP: { limit: number }
  PROTECTED: object
  /** Without a number: by something else than accounts. */
  IN_USE: { total_usuarios?: number }
  LAST_ADMIN: object
  WEAK_PASSWORD: { rules: PasswordRule[] }
  MISMATCH: object
  INVALID_CODE: object
  NOT_EDITABLE: object
  INVALID_IMAGE: object
  INVALID_FILE: object
  IN_FUTURE: object
  BEFORE: { field: string }
  AFTER: { field: string }
  INCONSISTENT: { field: string }
  UNKNOWN_MUNICIPIO: object
  IDEMPOTENCY_KEY_REUSED: object
  FORBIDDEN_TARGET: { reason: TargetReason }
  FORBIDDEN_HEADER: object
  /** A warning, in answers that succeed. */
  IGNORED: object
  HIDDEN: object
}

/** Reasons for which an address is not called. */
export const TARGET_REASONS = ['INVALID_URL', 'NOT_HTTPS', 'CREDENTIALS', 'PRIVATE_ADDRESS', 'PORT'] as const
export type TargetReason = (typeof TARGET_REASONS)[number]

export type ProblemCode = keyof ProblemParams

export type Problem = {
  [C in ProblemCode]: {
    at: 'body' | 'query' | 'path' | 'header'
    path: (string | number)[]
    code: C
    params: ProblemParams[C]
  }
}[ProblemCode]

type ExtrasOf<C extends ErrorCode> = C extends keyof ErrorExtras
  ? undefined extends ErrorExtras[C]
    ? [ErrorExtras[C]?]
    : [ErrorExtras[C]]
  : []

/** The one way to refuse. Anything else that is thrown is a fault of ours and becomes `INTERNAL_ERROR`. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C
  readonly extras: C extends keyof ErrorExtras ? ErrorExtras[C] : undefined
  /** Words the message more exactly than the code alone. */
  reason: Reason | null = null

  constructor(code: C, ...extras: ExtrasOf<C>) {
    super(code)
    this.code = code
    this.extras = extras[0] as typeof this.extras
  }

  is<D extends ErrorCode>(code: D): this is AppError<D> {
    return (this.code as ErrorCode) === code
  }
}

/** A refusal by its reason, which implies the code. */
export function because<R extends Reason>(
  reason: R,
  ...extras: ExtrasOf<(typeof REASONS)[R]>
): AppError<(typeof REASONS)[R]> {
  const error = new AppError<(typeof REASONS)[R]>(REASONS[reason], ...extras)
  error.reason = reason
  return error
}

export function problem<C extends ProblemCode>(
  at: Problem['at'],
  path: (string | number)[],
  code: C,
  params: ProblemParams[C],
): Problem {
  return { at, path, code, params } as Problem
}

/** A refusal for one field, the commonest kind. */
export function invalid<C extends ProblemCode>(
  at: Problem['at'],
  path: (string | number)[],
  code: C,
  params: ProblemParams[C],
): AppError<'VALIDATION_ERROR'> {
  return new AppError('VALIDATION_ERROR', { problems: [problem(at, path, code, params)] })
}
