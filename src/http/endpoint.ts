import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type Caller, holds } from '../caller/caller.ts'
import { AppError, type Problem } from '../errors/catalogue.ts'
import type { Filter, ListQuery } from '../filter.ts'
import type { LiveValues } from '../system/live-list.ts'
import type { Access } from './access.ts'
import { compressed, mayCompress } from './compression.ts'
import { type FromConsole, sendCookie } from './console-cookie.ts'
import type { RenderError } from './errors.ts'
import { parseFilters } from './filters.ts'
import { type AnswerOnce, answerKeyed, IdempotencyHeaders, refuseUnkeyable } from './idempotency.ts'
import { listParameters, parseList } from './paging.ts'
import { type AnyRow, Binary, MEDIA_TYPES, NoContent } from './route.ts'
import type { TSchema } from './type.ts'
import { type AnyUploadRule, readUpload } from './uploads.ts'
import { type createValidators, unreported, type Validate } from './validation.ts'

/** A row as one contract mounts it. */
export interface Candidate<App> {
  contract: string
  row: AnyRow<App>
  renderError: RenderError
}

/** Chooses the contract that answers on a shared method and path, by the request's query or body. */
export interface Collision {
  method: string
  path: string
  by: 'query' | 'body'
  choose(request: FastifyRequest): string
}

export interface EndpointNeeds<App> {
  app: App
  answerOnce: AnswerOnce<App>
  compile: ReturnType<typeof createValidators>
  isFromConsole: FromConsole
  /** Values of now, for enumerations that grow. */
  live: () => LiveValues | null
}

interface Reading {
  input: Record<string, unknown>
  /** Violations of the schemas. */
  problems: Problem[]
  key: string | undefined
}
type Reader = (request: FastifyRequest) => Promise<Reading>
type Prepared<App> = Candidate<App> & {
  read: Reader
  receive: ReturnType<typeof uploadReceiver<App>>
}

/** One Fastify route for one method and path, which several contracts may share. */
export function toFastify<App>(
  candidates: Candidate<App>[],
  collision: Collision | null,
  needs: EndpointNeeds<App>,
): RouteOptions {
  const prepared = prepare(candidates, needs)
  refuseUnanswerable(prepared, collision)
  const [first] = prepared as [Prepared<App>]
  const chosen = (request: FastifyRequest): Prepared<App> =>
    prepared.find(({ contract }) => contract === collision?.choose(request)) ?? first
  const beforeBody = (request: FastifyRequest) => (collision?.by === 'query' ? chosen(request) : first)

  return {
    ...routeOf(prepared),
    // Before the body is read: 401 and 403 come before 413, 415 and 422.
    onRequest: async (request) => {
      const { row, renderError } = beforeBody(request)
      request.renderError = renderError
      if (row.consoleOnly && !needs.isFromConsole(request)) throw new AppError('CONSOLE_ONLY')
      admitCaller(row, request)
      refuseMediaType(row, request)
    },
    handler: async (request, reply) => {
      const candidate = chosen(request)
      request.renderError = candidate.renderError
      const result = await answer(candidate, request, reply, needs)
      if (request.caller?.cookie) sendCookie(reply, request.caller.cookie)
      return send(candidate.row, request, reply, result)
    },
  }
}

function prepare<App>(
  candidates: Candidate<App>[],
  { compile, live }: Pick<EndpointNeeds<App>, 'compile' | 'live'>,
): Prepared<App>[] {
  // The parameters of all: on a shared route, one contract does not refuse those of the other.
  const parameters = candidates.flatMap(({ row }) => Object.keys(row.input.query?.properties ?? {}))
  return candidates.map((one) => ({
    ...one,
    read: inputReader(one.row, { compile, live }, parameters),
    receive: uploadReceiver(one.row, { compile, live }),
  }))
}

/** Throws at start-up for rows that could not be answered as they promise. */
function refuseUnanswerable<App>(candidates: Candidate<App>[], collision: Collision | null): void {
  for (const { row } of candidates) refuseUnkeyable(row)
  const { method, path } = (candidates[0] as Candidate<App>).row
  if (candidates.length > 1 && collision === null)
    throw new Error(`${method} ${path}: nothing chooses who answers`)
  if (collision?.by === 'body' && new Set(candidates.map(({ row }) => JSON.stringify(row.access))).size > 1)
    throw new Error(`${method} ${path}: access is checked before the body that chooses`)
}

/** The static part of a route. */
function routeOf<App>(candidates: Candidate<App>[]) {
  const { row } = candidates[0] as Candidate<App>
  return {
    method: row.method,
    url: toFastifyPath(row.path),
    config: {
      route: row.path,
      upload: row.input.upload !== undefined,
      authenticated: candidates.some(({ row }) => row.access.kind !== 'anyone'),
      forMonitors: row.forMonitors === true,
      isPublic: row.isPublic === true,
    },
    ...(row.bodyLimit !== undefined && { bodyLimit: row.bodyLimit }),
  }
}

/** Reads the input, calls the row's handler (once for each idempotency key) and discards a file that it did not use. */
async function answer<App>(
  { row, read, receive }: Prepared<App>,
  request: FastifyRequest,
  reply: FastifyReply,
  { app, answerOnce }: EndpointNeeds<App>,
): Promise<unknown> {
  const reading = await read(request)
  const received = await receive(reading, request, app)
  const handle = async (app: App) => {
    await refuseProblems(row, reading, app)
    const { caller } = request
    const context = { ...reading.input, upload: received?.upload, caller, request, reply }
    const result = await row.handle(context as never, app)
    received?.use()
    return result
  }
  try {
    const { input, problems, key } = reading
    if (key === undefined || problems.length > 0) return await handle(app)
    const content = { ...input, upload: received?.content }
    // The domain's own checks come after the key: a repeated request would find its own e-mail in use.
    return await answerKeyed(row, { key, content }, { request, reply }, handle, { app, answerOnce })
  } finally {
    await received?.discardUnused()
  }
}

export const toFastifyPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Encoding beside what the handler says that the answer depends on. */
const varyOf = (reply: FastifyReply) =>
  [...new Set([reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat())].join(', ')

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Serialises through the schema that the row declares for the status; an undeclared status is a fault. Compiled when it is
 * first needed: given to Fastify, the schemas of all routes would be compiled at every start.
 */
function send(row: AnyRow<never>, request: FastifyRequest, reply: FastifyReply, result: unknown): unknown {
  const schema = (row.replies as Record<number, TSchema>)[reply.statusCode]
  if (schema === undefined) throw new Error(`${row.method} ${row.path}: undeclared ${reply.statusCode}`)
  if (schema === NoContent) return reply.send()
  if (schema === Binary) return result
  const isBytes = Buffer.isBuffer(result)
  // A route with a second media type makes the bytes of that itself, and names it.
  if (!isBytes || row.produces === undefined) reply.type(JSON_TYPE)
  const isNegotiable = mayCompress(request)
  if (isNegotiable) reply.header('vary', varyOf(reply))
  if (isNegotiable && request.headers['accept-encoding'] !== undefined)
    return compressed(isBytes ? result : serializerOf(schema, reply)(result), request, reply)
  // With a serialiser of its own, Fastify leaves the media type to us.
  if (!isBytes) reply.serializer(serializerOf(schema, reply))
  return result
}

type Serializer = (payload: unknown) => string
const serializers = new WeakMap<TSchema, Serializer>()

/** Fastify keeps one for each route; many routes answer by the same schema. */
function serializerOf(schema: TSchema, reply: FastifyReply): Serializer {
  const known = serializers.get(schema)
  if (known !== undefined) return known
  const compiled = reply.compileSerializationSchema(schema as never) as Serializer
  serializers.set(schema, compiled)
  return compiled
}

function admitCaller(row: AnyRow<never>, request: FastifyRequest): void {
  const { access, whilePasswordMustChange, whileMfaIsMissing } = row
  if (access.kind === 'anyone') return
  const { caller } = request
  if (caller === null) throw request.refusal ?? new AppError('UNAUTHORIZED')
  if (caller.chave && row.personOnly) throw new AppError('PERSON_ONLY')
  if (caller.mustChangePassword && !whilePasswordMustChange) throw new AppError('PASSWORD_CHANGE_REQUIRED')
  if (caller.mustEnrolMfa && !whileMfaIsMissing) throw new AppError('MFA_ENROLMENT_REQUIRED')
  if (access.kind === 'requires' && !holdsAny(caller, access) && !isSelf(access, request, caller))
    throw new AppError('PERMISSION_DENIED', { required_permission: access.permission })
}

const holdsAny = (caller: Caller, { permission, or }: Extract<Access, { kind: 'requires' }>) =>
  [permission, ...(or ?? [])].some((one) => holds(caller, one))

function isSelf(
  access: Extract<Access, { kind: 'requires' }>,
  request: FastifyRequest,
  caller: Caller,
): boolean {
  const params = request.params as Record<string, string>
  // The own account of a machine is not its to change without the permission for it.
  if (caller.chave && request.method !== 'GET') return false
  return access.orSelf !== undefined && params[access.orSelf] === String(caller.id)
}

function refuseMediaType(row: AnyRow<never>, request: FastifyRequest): void {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const takesBody = row.input.body || row.input.upload
  if (takesBody && type !== undefined && type !== MEDIA_TYPES[row.consumes ?? 'json'])
    throw new AppError('UNSUPPORTED_MEDIA_TYPE')
}

/** Receives the form of a row that takes a file; a stored file that the handler does not use is discarded. */
function uploadReceiver<App>(
  row: AnyRow<App>,
  { compile, live }: Pick<EndpointNeeds<App>, 'compile' | 'live'>,
) {
  const rule = row.input.upload as AnyUploadRule | undefined
  const validate = rule?.fields && compile.parameters(rule.fields)
  const validateFields: Validate | undefined = validate && ((value, at) => validate(value, at, live()))
  return async ({ problems }: Reading, request: FastifyRequest, app: App) => {
    if (rule === undefined || problems.length > 0) return null
    const upload = await readUpload(request, rule, validateFields, app)
    let used = false
    return {
      upload,
      content: {
        fields: upload.fields,
        digest: upload.stored === undefined ? undefined : rule.digest?.(upload.stored),
      },
      use() {
        used = true
      },
      discardUnused: async () =>
        used || upload.stored === undefined || (await rule.discard?.(upload.stored, app)),
    }
  }
}

/** Reads everything a row takes and checks it against the row's schemas. */
function inputReader(
  row: AnyRow<never>,
  { compile, live: liveNow }: Pick<EndpointNeeds<never>, 'compile' | 'live'>,
  parameters: string[],
): Reader {
  const { params, query, body, list, filter } = row.input
  const check: Record<string, Validate> = {}
  if (params) check.params = compile.parameters(params)
  if (query) check.query = compile.parameters(query)
  if (list) check.list = compile.parameters(listParameters(list))
  if (body) check.body = row.consumes === 'form' ? compile.parameters(body) : compile.body(body)
  if (row.idempotent) check.headers = compile.parameters(IdempotencyHeaders)
  return async (request) => {
    const problems: Problem[] = []
    const input: Record<string, unknown> = {}
    const live = liveNow()
    if (check.params) {
      input.params = request.params
      problems.push(...check.params(input.params, 'path', live))
    }
    if (check.query) {
      input.query = { ...(request.query as object) }
      problems.push(...check.query(input.query, 'query', live))
    }
    if (check.list && list) {
      const parsed = parseList(request.query as Record<string, unknown>, list, check.list, {
        others: parameters,
        live,
      })
      input.list = parsed.list
      problems.push(...parsed.problems)
    }
    if (filter) {
      const parsed = parseFilters(request.query as Record<string, unknown>, filter, parameters, live)
      input.filter = parsed.filter
      problems.push(...parsed.problems)
    }
    if (check.body && !(row.bodyOptional && request.body === undefined)) {
      input.body = request.body
      problems.push(...check.body(input.body, 'body', live))
    }
    const key = row.idempotent && request.headers['idempotency-key']?.toString()
    if (check.headers) problems.push(...check.headers({ 'Idempotency-Key': key }, 'header'))
    return { input, problems, key }
  }
}

/** Throws all problems at once: those of the schemas and those that only the domain can find. */
async function refuseProblems<App>(row: AnyRow<App>, reading: Reading, app: App): Promise<void> {
  const { input } = reading
  const filter = (input.filter ?? (input.list as ListQuery | undefined)?.filter) as Filter
  const problems = [...reading.problems, ...(row.checkFilter?.(filter, app) ?? [])]
  if (problems.length === 0) return
  const more = row.check && 'body' in input ? await row.check(input.body, app) : []
  throw new AppError('VALIDATION_ERROR', { problems: [...problems, ...unreported(problems, more)] })
}
