import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Caller } from '../caller/caller.ts'
import { AppError, because, type ErrorCode, problem } from '../errors/catalogue.ts'
import { DEFAULT_LANGUAGE, type Language } from '../errors/texts.ts'
import type { LiveValues } from '../system/live-list.ts'
import { type Authenticate, type AuthenticateBearer, type Authentication, callerOf } from './authenticate.ts'
import { consoleProof } from './console-cookie.ts'
import { CORS_HEADERS, PREFLIGHT_HEADERS } from './cors.ts'
import { type Candidate, type Collision, type EndpointNeeds, toFastify, toFastifyPath } from './endpoint.ts'
import { type ErrorAnswers, errorAnswerer, type RenderError } from './errors.ts'
import { isNestedDeeperThan, MAX_NESTING } from './json.ts'
import { chooseLanguage } from './language.ts'
import type { Listener } from './listener/listener.ts'
import { type OverloadOptions, refusingExcess } from './overload.ts'
import type { RateLimit } from './rate-limit.ts'
import { requestId } from './request-id.ts'
import { type AnyRow, MEDIA_TYPES, METHODS, type Method } from './route.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import type { TSchema } from './type.ts'
import { acceptUploads } from './uploads.ts'
import { validators } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    /** Of a key that was known: why it does not work. */
    refusal: AppError | null
    language: Language
    /** Words the errors of this request; set once it is known which contract answers. */
    renderError: RenderError | null
  }
  interface FastifyContextConfig {
    /** The path as the row writes it, for logs and metrics: never the URL, which may hold personal data. */
    route?: string
    /** Takes a file: exempt from the body's time limit. */
    upload?: boolean
    /** Reads the access token, so that requests count for an account. */
    authenticated?: boolean
    /** As the row says. */
    forMonitors?: boolean
    /** As the row says. */
    isPublic?: boolean
    /** Files of a page, served from memory: outside of the rate limits. */
    uncounted?: boolean
  }
}

/** One description of the interface: its routes, how it words its errors, and the schema of each wording. */
export interface Contract<App> {
  /** By which collisions name it. */
  name: string
  rows: AnyRow<App>[]
  renderError: RenderError
  errorSchema: (code: ErrorCode) => TSchema
  /** Path of its password grant (OAuth 2.0), where it has one. */
  passwordGrant?: string
}

export interface ServerOptions<App> extends ErrorAnswers {
  app: App
  contracts: Contract<App>[]
  collisions: Collision[]
  authenticate: AuthenticateBearer
  /** By the cookie of the console; without it there is no console. */
  authenticateCookie?: Authenticate
  /** Address of our own pages; they are known by the host they asked, too. */
  publicUrl?: string | null
  /** Without it there are no limits. */
  rateLimit?: RateLimit
  answerOnce: EndpointNeeds<App>['answerOnce']
  /** True for paths that are different routes with and without a final slash; elsewhere the slash is dropped. */
  slashMatters: (method: string, path: string) => boolean
  fastify: FastifyServerOptions & Partial<Listener>
  overload?: OverloadOptions
  /** True when the client spoke TLS to the proxy in front; without it every request is secure. */
  isSecure?: (request: FastifyRequest) => boolean
  onResponse?: (request: FastifyRequest, reply: FastifyReply) => void
  /** Answers an unknown address with a page for people, or resolves to false. */
  answerUnknown?: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>
  /** Milliseconds the body of a request may take; uploads have the listener's own, longer limit. */
  bodyTimeoutMs?: number
  /** Values of now, for enumerations that grow. */
  live?: () => LiveValues | null
}

/** `BODY_LIMIT` at 280 kbit/s. */
const BODY_TIMEOUT_MS = 30_000
const BODY_LIMIT = 1024 * 1024

export function createServer<App>(options: ServerOptions<App>): FastifyInstance {
  const { bodyTimeoutMs = BODY_TIMEOUT_MS } = options
  const answerError = errorAnswerer(options)
  const serverFactory = serverFactoryOf(options)
  const authentication = { ...options, isFromConsole: consoleProof(options.publicUrl ?? null) }
  const server = Fastify({
    bodyLimit: BODY_LIMIT,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    requestIdHeader: false,
    return503OnClosing: false,
    // The listener drains connections itself (`listener/closing.ts`).
    forceCloseConnections: false,
    rewriteUrl: (request) =>
      withoutFinalSlash(request.method ?? '', request.url ?? '/', options.slashMatters),
    frameworkErrors: (error, request, reply) => {
      prepare(request, reply)
      // Hooks do not run for a URL that cannot be decoded.
      reply.raw.once('finish', () => options.onResponse?.(request, reply))
      const counted = options.rateLimit?.(request, reply) ?? Promise.resolve()
      counted.then(
        () => answerError(error, request, reply),
        (refusal) => answerError(refusal, request, reply),
      )
    },
    ...options.fastify,
    ...(serverFactory && { serverFactory }),
  })
  server.decorateRequest('caller', null)
  server.decorateRequest('refusal', null)
  server.decorateRequest('language', DEFAULT_LANGUAGE)
  server.decorateRequest('renderError', null)
  acceptBodies(server)
  acceptUploads(server)

  server.addHook('onRequest', async (request, reply) => {
    prepare(request, reply)
    if (!request.routeOptions.config.upload) cutSlowBody(request, reply, bodyTimeoutMs)
    await admit(request, reply, options, authentication)
  })
  if (options.onResponse) {
    const { onResponse } = options
    server.addHook('onResponse', async (request, reply) => onResponse(request, reply))
  }
  server.setErrorHandler(answerError)
  server.setNotFoundHandler(async (request, reply) => {
    const isAnswered = await options.answerUnknown?.(request, reply)
    if (isAnswered) return reply
    throw because('ROUTE_NOT_FOUND')
  })
  // After the plugins: a route that takes a file needs them.
  server.after(() => mount(server, options, authentication))
  return server
}

function serverFactoryOf<App>(options: ServerOptions<App>): Listener['serverFactory'] | undefined {
  const { overload, renderError, clock, contracts } = options
  const { serverFactory } = options.fastify
  if (serverFactory === undefined || overload === undefined) return serverFactory
  const rows = contracts.flatMap((contract) => contract.rows)
  const always = new Set(rows.filter((row) => row.forMonitors).map(({ path }) => path))
  return refusingExcess(serverFactory, { ...overload, renderError, clock, always })
}

function mount<App>(
  server: FastifyInstance,
  options: ServerOptions<App>,
  { isFromConsole }: Authentication,
): void {
  const { app, answerOnce } = options
  const { live = () => null } = options
  const needs = { app, answerOnce, compile: validators, isFromConsole, live }
  const candidates = options.contracts.flatMap(({ name, rows, renderError }) =>
    rows.map((row) => ({ contract: name, row, renderError })),
  )
  for (const those of Map.groupBy(candidates, ({ row }) => `${row.method} ${row.path}`).values()) {
    const { method, path } = (those[0] as Candidate<App>).row
    const collision = options.collisions.find((one) => one.method === method && one.path === path) ?? null
    server.route(toFastify(those, collision, needs))
  }
  for (const [path, those] of Map.groupBy(candidates, ({ row }) => row.path))
    refuseOtherMethods(
      server,
      path,
      those.map(({ row }) => row.method),
    )
}

/** Authenticates and counts the request before anything else; without a caller it counts for the address. */
async function admit<App>(
  request: FastifyRequest,
  reply: FastifyReply,
  { isSecure, rateLimit }: ServerOptions<App>,
  authentication: Authentication,
): Promise<void> {
  const secure = isSecure?.(request) ?? true
  try {
    if (secure && request.routeOptions.config.authenticated)
      await recogniseCaller(request, reply, authentication)
  } finally {
    if (!request.routeOptions.config.uncounted) await rateLimit?.(request, reply)
  }
  if (!secure) throw new AppError('HTTPS_REQUIRED')
}

async function recogniseCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  authentication: Authentication,
): Promise<void> {
  const found = await callerOf(request, reply, authentication)
  if (found instanceof AppError) request.refusal = found
  else request.caller = found
}

/** Answers 408 and cuts the connection when the body does not end within the limit. */
function cutSlowBody({ raw, server }: FastifyRequest, reply: FastifyReply, limitMs: number): void {
  if (raw.complete) return
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('the body is too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    server.server.emit('clientError', error, raw.socket)
  }, limitMs)
  timer.unref()
  // Also when the answer went out before the body was read.
  for (const end of [raw, reply.raw]) end.once('close', () => clearTimeout(timer))
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
    else if (isNestedDeeperThan(body as string, MAX_NESTING)) done(tooDeep(), undefined)
    else parseJson(request, body as string, done)
  })
  server.addContentTypeParser(MEDIA_TYPES.form, { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)))
  })
}

const tooDeep = () =>
  new AppError('MALFORMED_REQUEST', { problems: [problem('body', [], 'TOO_DEEP', { limit: MAX_NESTING })] })

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

/** The route's pattern, never the URL: bounded in number, free of personal data. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.config.route ?? 'unmatched'
}
