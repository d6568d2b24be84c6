import { type AppError, ERRORS, type Problem } from '../errors/catalogue.ts'
import { type Language, passwordRuleText, problemText, refusalText } from '../errors/texts.ts'
import type { RenderError } from '../http/errors.ts'
import { DateTime, OneOf } from '../http/schemas.ts'
import { type TSchema, Type } from '../http/type.ts'

/** Spec 7.1, with the extra fields of each code. Used by both descriptions. */
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

/** Refusals of the header `Authorization`, not of a password in the body. */
const BEARER_REFUSALS = new Set<string>([
  'UNAUTHORIZED',
  'API_KEY_EXPIRED',
  'API_KEY_REVOKED',
  'API_KEY_NETWORK',
])

function extrasOf(error: AppError, language: Language): { headers: Record<string, string>; fields: object } {
  if (error.is('VALIDATION_ERROR') || error.is('MALFORMED_REQUEST') || error.is('INVALID_CREDENTIALS')) {
    const details = error.extras?.problems.map((problem) => toDetail(problem, language))
    return { headers: {}, fields: { ...(details && { details }) } }
  }
  if (error.is('PERMISSION_DENIED'))
    return { headers: {}, fields: { required_permission: error.extras.required_permission } }
  if (error.is('POSSIBLE_DUPLICATE'))
    return { headers: {}, fields: { duplicidades: error.extras.duplicidades } }
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
  if (BEARER_REFUSALS.has(error.code)) return { headers: { 'www-authenticate': 'Bearer' }, fields: {} }
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
  { title: 'ErroDeCampo' },
)

/** Envelope of any code; each response lists its codes. */
const Erro = Type.Object(
  {
    error: Type.Object({
      code: OneOf(Object.keys(ERRORS)),
      message: Type.String({ description: 'No idioma de `Accept-Language`' }),
      request_id: Type.String(),
      timestamp: DateTime,
      details: Type.Optional(
        Type.Array(Type.Union([Detail, Type.String()]), {
          description:
            'VALIDATION_ERROR: cada problema; MALFORMED_REQUEST e INVALID_CREDENTIALS: o motivo, onde pode ser dito; WEAK_PASSWORD: as regras que faltam',
        }),
      ),
      required_permission: Type.Optional(Type.String({ description: 'Com PERMISSION_DENIED' })),
      duplicidades: Type.Optional(
        Type.Array(Type.Object({ id: Type.Integer(), faixa: Type.String() }), {
          description: 'Com POSSIBLE_DUPLICATE',
        }),
      ),
      locked_until: Type.Optional(Type.Unsafe<string>({ ...DateTime, description: 'Com ACCOUNT_LOCKED' })),
    }),
  },
  { title: 'Erro' },
)

/** One schema for every code. */
export const envelopeErrorSchema = (): TSchema => Erro
