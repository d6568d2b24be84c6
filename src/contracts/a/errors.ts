import { ERRORS, type ErrorCode, type Problem } from '../../errors/catalogue.ts'
import { problemText } from '../../errors/texts.ts'
import type { RenderError } from '../../http/errors.ts'
import { type TSchema, Type } from '../../http/type.ts'
import { envelopeError, envelopeErrorSchema } from '../error-envelope.ts'

/** Spec 2.3. Only validation failures have a form of their own; every other error is the common envelope. */
const ErroDeValidacao = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
        msg: Type.String(),
        type: Type.String(),
      }),
    ),
  },
  {
    title: 'ErroDeValidacao',
    examples: [
      { detail: [{ loc: ['body', 'email'], msg: 'Campo obrigatório', type: 'value_error.required' }] },
    ],
  },
)

export function errorSchemaA(code: ErrorCode): TSchema {
  return code === 'VALIDATION_ERROR' ? ErroDeValidacao : envelopeErrorSchema()
}

export const renderErrorA: RenderError = (error, context) => {
  if (!error.is('VALIDATION_ERROR')) return envelopeError(error, context)
  const toItem = (problem: Problem) => ({
    loc: [problem.at, ...problem.path],
    msg: problemText(problem, context.language),
    type: `value_error.${problem.code.toLowerCase()}`,
  })
  return { status: ERRORS.VALIDATION_ERROR, headers: {}, body: { detail: error.extras.problems.map(toItem) } }
}
