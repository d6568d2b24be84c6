import { type TSchema, Type } from 'typebox'
import { type AppError, ERRORS, type ErrorCode, type Problem } from '../errors/catalogue.ts'
import {
  DEFAULT_LANGUAGE,
  errorText,
  type Language,
  passwordRuleText,
  problemText,
  refusalText,
} from '../errors/texts.ts'
import type { RenderError } from '../http/errors.ts'
import { DateTime } from '../http/schemas.ts'

/** Spec 7.1, extended with what each code carries. Used by both descriptions. */
export const envelopeError: RenderError = (error, { requestId, language, timestamp }) => {
  const { headers, fields } = extrasOf(error, language)
  return {
    status: ERRORS[error.code],
    headers,
    body: {
      error: {
        code: error.code,
        message: refusalText(error, language),
        ...fields,
        request_id: requestId,
        timestamp: timestamp.toISOString(),
      },
    },
  }
}

function extrasOf(error: AppError, language: Language): { headers: Record<string, string>; fields: object } {
  if (error.is('VALIDATION_ERROR') || error.is('MALFORMED_REQUEST') || error.is('INVALID_CREDENTIALS')) {
    const details = error.extras?.problems.map((problem) => toDetail(problem, language))
    return { headers: {}, fields: { ...(details && { details }) } }
  }
  if (error.is('PERMISSION_DENIED'))
    return { headers: {}, fields: { required_permission: error.extras.required_permission } }
  if (error.is('ACCOUNT_LOCKED'))
    return { headers: {}, fields: { locked_until: error.extras.locked_until.toISOString() } }
  if (error.is('WEAK_PASSWORD'))
    return {
      headers: {},
      fields: { details: error.extras.rules.map((rule) => passwordRuleText(rule, language)) },
    }
  if (error.is('METHOD_NOT_ALLOWED')) return { headers: { allow: error.extras.allow }, fields: {} }
  if (error.is('UNAVAILABLE') || error.is('RATE_LIMITED'))
    return { headers: { 'retry-after': String(error.extras.retryAfter) }, fields: {} }
  if (error.is('UNAUTHORIZED')) return { headers: { 'www-authenticate': 'Bearer' }, fields: {} }
  return { headers: {}, fields: {} }
}

function toDetail(problem: Problem, language: Language) {
  const detail = {
    field: problem.path.join('.'),
    message: problemText(problem, language),
    code: problem.code,
  }
  return problem.code === 'IN_USE' ? { ...detail, ...problem.params } : detail
}

const Detail = Type.Object(
  {
    field: Type.String(),
    message: Type.String(),
    code: Type.String(),
    total_usuarios: Type.Optional(Type.Integer({ description: 'Com o código IN_USE' })),
  },
  { title: 'ErrorDetail' },
)

/** The envelope as one code fills it, for the OpenAPI document. */
export function envelopeErrorSchema(code: ErrorCode): TSchema {
  const extras: Partial<Record<ErrorCode, Record<string, TSchema>>> = {
    MALFORMED_REQUEST: {
      details: Type.Optional(Type.Array(Detail, { description: 'Onde o motivo pode ser dito' })),
    },
    VALIDATION_ERROR: { details: Type.Array(Detail) },
    INVALID_CREDENTIALS: {
      details: Type.Optional(
        Type.Array(Detail, { description: 'Só depois da senha certa: o `mfa_code` está errado' }),
      ),
    },
    PERMISSION_DENIED: { required_permission: Type.String() },
    ACCOUNT_LOCKED: { locked_until: DateTime },
    WEAK_PASSWORD: { details: Type.Array(Type.String(), { description: 'As regras que faltam' }) },
  }
  return Type.Object(
    {
      error: Type.Object({
        code: Type.Unsafe<string>({ type: 'string', enum: [code] }),
        message: Type.String({ examples: [errorText(code, DEFAULT_LANGUAGE)] }),
        request_id: Type.String(),
        timestamp: DateTime,
        ...extras[code],
      }),
    },
    { title: `Error_${code}` },
  )
}
