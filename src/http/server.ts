import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  type RouteOptions,
} from 'fastify'
import type { TSchema } from 'typebox'
import { type Caller, holds, type Origin } from '../caller.ts'
import { AppError, type ErrorCode, type Problem } from '../errors/catalogue.ts'
import { DEFAULT_LANGUAGE, type Language } from '../errors/texts.ts'
import type { Access } from './access.ts'
import { CORS_HEADERS, PREFLIGHT_HEADERS } from './cors.ts'
import { chooseLanguage } from './language.ts'
import { originOf } from './origin.ts'
import { listParameters, parseList } from './paging.ts'
import { requestId } from './request-id.ts'
import { type AnyRow, MEDIA_TYPES, METHODS, type Method, NoContent } from './route.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import { createValidators, type Validate } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    language: Language
  }
  interface FastifyContextConfig {
    /** The path as the row writes it, for logs and metrics: never the URL, which may hold personal data. */
    route?: string
    renderError?: RenderError
  }
}

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

/** One description of the interface: its routes, how it words its errors, and the schema of each wording. */
export interface Contract<App> {
  rows: AnyRow<App>[]
  renderError: RenderError
  errorSchema: (code: ErrorCode) => TSchema
}

export interface ServerOptions<App> {
  app: App
  contracts: Contract<App>[]
  /** Words the errors of requests that no route answers. */
  renderError: RenderError
  authenticate: (accessToken: string, origin: Origin) => Promise<Caller | null>
  /** Where the path with and without a final slash are different routes; elsewhere the slash does not matter. */
  slashMatters: (method: string, path: string) => boolean
  clock: { now(): Date }
  fastify: FastifyServerOptions
  /** Refuses a request before anything else is looked at (plain HTTP behind a proxy). */
  admit?: (request: FastifyRequest) => void
  onResponse?: (request: FastifyRequest, reply: FastifyReply) => void
  onFault: (error: unknown, request: FastifyRequest) => void
}

const BODY_LIMIT = 1024 * 1024

export function createServer<App>(options: ServerOptions<App>): FastifyInstance {
  const answerError = errorAnswerer(options)
  const server = Fastify({
    bodyLimit: BODY_LIMIT,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: (request) =>
      withoutFinalSlash(request.method ?? '', request.url ?? '/', options.slashMatters),
    frameworkErrors: (error, request, reply) => {
      prepare(request, reply)
      // A URL that cannot be decoded never comes to the hooks.
      reply.raw.once('finish', () => options.onResponse?.(request, reply))
      answerError(error, request, reply)
    },
    ...options.fastify,
  })
  server.decorateRequest('caller', null)
  server.decorateRequest('language', DEFAULT_LANGUAGE)
  acceptBodies(server)

  server.addHook('onRequest', async (request, reply) => {
    prepare(request, reply)
    options.admit?.(request)
  })
  if (options.onResponse) {
    const { onResponse } = options
    server.addHook('onResponse', async (request, reply) => onResponse(request, reply))
  }
  server.setErrorHandler(answerError)
  server.setNotFoundHandler(() => {
    throw new AppError('NOT_FOUND')
  })
  const compile = createValidators()
  for (const contract of options.contracts)
    for (const row of contract.rows) server.route(toFastify(row, contract.renderError, options, compile))
  const rows = options.contracts.flatMap((contract) => contract.rows)
  for (const [path, those] of Map.groupBy(rows, (row) => row.path))
    refuseOtherMethods(
      server,
      path,
      those.map((row) => row.method),
    )
  return server
}

/** Headers that every answer carries, also errors and answers to requests that match no route. */
function prepare(request: FastifyRequest, reply: FastifyReply): void {
  request.language = chooseLanguage(request.headers['accept-language'])
  reply.headers({ 'x-request-id': request.id, ...SECURITY_HEADERS, ...CORS_HEADERS })
}

function withoutFinalSlash(
  method: string,
  url: string,
  slashMatters: ServerOptions<unknown>['slashMatters'],
): string {
  const [path = '/', ...query] = url.split('?')
  if (path.length < 2 || !path.endsWith('/') || slashMatters(method, path)) return url
  // Not with a regular expression: on a path of many slashes it would take the square of their number.
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  return [path.slice(0, end), ...query].join('?')
}

/** JSON and form bodies; an empty one is absent, whatever its content type says. */
function acceptBodies(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(MEDIA_TYPES.json, { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else parseJson(request, body as string, done)
  })
  server.addContentTypeParser(MEDIA_TYPES.form, { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)))
  })
}

function toFastify<App>(
  row: AnyRow<App>,
  renderError: RenderError,
  { app, authenticate }: ServerOptions<App>,
  compile: ReturnType<typeof createValidators>,
): RouteOptions {
  const read = inputReader(row, compile)
  return {
    method: row.method,
    url: toFastifyPath(row.path),
    config: { route: row.path, renderError },
    schema: { response: responseSchemas(row) },
    // Before the body is read: 401 and 403 come before 413, 415 and 422.
    onRequest: async (request) => {
      request.caller = await admitCaller(row, request, authenticate)
      refuseMediaType(row, request)
    },
    handler: async (request, reply) => {
      const input = read(request)
      const result = await row.handle({ ...input, caller: request.caller, request, reply } as never, app)
      if (!(reply.statusCode in row.replies))
        throw new Error(`${row.method} ${row.path}: undeclared ${reply.statusCode}`)
      if (row.replies[reply.statusCode] === NoContent) return reply.send()
      return result
    },
  }
}

export const toFastifyPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

function responseSchemas(row: AnyRow<never>): Record<string, TSchema> {
  const entries = Object.entries(row.replies as Record<string, TSchema>)
  return Object.fromEntries(entries.filter(([, schema]) => schema !== NoContent))
}

async function admitCaller(
  { access, whilePasswordMustChange }: Pick<AnyRow<never>, 'access' | 'whilePasswordMustChange'>,
  request: FastifyRequest,
  authenticate: ServerOptions<never>['authenticate'],
): Promise<Caller | null> {
  if (access.kind === 'anyone') return null
  const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? []
  const caller = token === undefined ? null : await authenticate(token, originOf(request))
  if (caller === null) throw new AppError('UNAUTHORIZED')
  if (caller.mustChangePassword && !whilePasswordMustChange) throw new AppError('PASSWORD_CHANGE_REQUIRED')
  if (access.kind === 'requires' && !holds(caller, access.permission) && !isSelf(access, request, caller))
    throw new AppError('PERMISSION_DENIED', { required_permission: access.permission })
  return caller
}

function isSelf(
  access: Extract<Access, { kind: 'requires' }>,
  request: FastifyRequest,
  caller: Caller,
): boolean {
  return (
    access.orSelf !== undefined &&
    (request.params as Record<string, string>)[access.orSelf] === String(caller.id)
  )
}

function refuseMediaType(row: AnyRow<never>, request: FastifyRequest): void {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (row.input.body && type !== undefined && type !== MEDIA_TYPES[row.consumes ?? 'json'])
    throw new AppError('UNSUPPORTED_MEDIA_TYPE')
}

/** Reads and checks everything a row takes; refuses with all problems at once. */
function inputReader(row: AnyRow<never>, compile: ReturnType<typeof createValidators>) {
  const { params, query, body, list } = row.input
  const check: Record<string, Validate> = {}
  if (params) check.params = compile.parameters(params)
  if (query) check.query = compile.parameters(query)
  if (list) check.list = compile.parameters(listParameters(list))
  if (body) check.body = row.consumes === 'form' ? compile.parameters(body) : compile.body(body)
  return (request: FastifyRequest) => {
    const problems: Problem[] = []
    const input: Record<string, unknown> = {}
    if (check.params) {
      input.params = request.params
      problems.push(...check.params(input.params, 'path'))
    }
    if (check.query) {
      input.query = { ...(request.query as object) }
      problems.push(...check.query(input.query, 'query'))
    }
    if (check.list && list) {
      const parsed = parseList(request.query as Record<string, unknown>, list, check.list)
      input.list = parsed.list
      problems.push(...parsed.problems)
    }
    if (check.body && !(row.bodyOptional && request.body === undefined)) {
      input.body = request.body
      problems.push(...check.body(input.body, 'body'))
    }
    if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
    return input
  }
}

/** On a known path, the methods it does not have: 405 with `Allow`, and the answer to CORS preflights. */
export function refuseOtherMethods(server: FastifyInstance, path: string, methods: Iterable<Method>): void {
  const allowed = new Set<string>(methods)
  const allow = [...allowed, ...(allowed.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  const route = { url: toFastifyPath(path), config: { route: path } }
  server.route({
    ...route,
    method: [...METHODS, 'TRACE'].filter((method) => !allowed.has(method)),
    handler: async () => {
      throw new AppError('METHOD_NOT_ALLOWED', { allow })
    },
  })
  server.route({
    ...route,
    method: 'OPTIONS',
    handler: async (_request, reply) =>
      reply
        .code(204)
        .headers({ allow, ...PREFLIGHT_HEADERS })
        .send(),
  })
}

function errorAnswerer(options: ServerOptions<never> | ServerOptions<unknown>) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = toAppError(thrown)
    if (error.code === 'INTERNAL_ERROR') options.onFault(thrown, request)
    const render = request.routeOptions?.config?.renderError ?? options.renderError
    const context = { requestId: request.id, language: request.language, timestamp: options.clock.now() }
    const { status, headers, body } = render(error, context)
    // Not through the route's reply schemas: an error has its own form.
    reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body))
  }
}

const FRAMEWORK_ERRORS: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
}

/** Ours as they are; the framework's by its code; what the client caused is malformed; the rest is a fault of ours. */
function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const { code = '', statusCode = 500 } = (thrown ?? {}) as { code?: string; statusCode?: number }
  const known = FRAMEWORK_ERRORS[code]
  if (known !== undefined) return new AppError(known as 'PAYLOAD_TOO_LARGE')
  return new AppError(statusCode >= 400 && statusCode < 500 ? 'MALFORMED_REQUEST' : 'INTERNAL_ERROR')
}
