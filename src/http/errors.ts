import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from '../errors/catalogue.ts'
import type { Language } from '../errors/texts.ts'

export interface ErrorContext {
  requestId: string
  language: Language
  timestamp: Date
}

export interface RenderedError {
  status: number
  headers: Record<string, string>
  body: object
}

export type RenderError = (error: AppError, context: ErrorContext) => RenderedError

export interface ErrorAnswers {
  /** Words the errors of requests that no route answers. */
  renderError: RenderError
  clock: { now(): Date }
  onFault: (error: unknown, request: FastifyRequest) => void
}

/** Error handler of the server: renders whatever was thrown in the form of the contract that answers the request. */
export function errorAnswerer({ renderError, clock, onFault }: ErrorAnswers) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = toAppError(thrown)
    if (error.code === 'INTERNAL_ERROR') onFault(thrown, request)
    const render = request.renderError ?? renderError
    const context = { requestId: request.id, language: request.language, timestamp: clock.now() }
    const { status, headers, body } = render(error, context)
    // Not through the route's reply schemas: an error has its own form.
    reply
      .code(status)
      .headers(headers)
      .type('application/json; charset=utf-8')
      .serializer((text: unknown) => text as string)
      .send(JSON.stringify(body))
  }
}

const FRAMEWORK_ERRORS: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_REQ_FILE_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
}

/** Own errors pass; the framework's are mapped by code, its other 4xx to MALFORMED_REQUEST; the rest is a fault. */
function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const { code = '', statusCode = 500 } = (thrown ?? {}) as { code?: string; statusCode?: number }
  const known = FRAMEWORK_ERRORS[code]
  if (known !== undefined) return new AppError(known as 'PAYLOAD_TOO_LARGE')
  return new AppError(statusCode >= 400 && statusCode < 500 ? 'MALFORMED_REQUEST' : 'INTERNAL_ERROR')
}
