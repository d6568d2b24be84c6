import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { type Caller, holds } from '../caller/caller.ts'
import { AppError, type Problem } from '../errors/catalogue.ts'
import type { Filter, ListQuery } from '../filter.ts'
import type { Access } from './access.ts'
import type { RenderError } from './errors.ts'
import { parseFilters } from './filters.ts'
import { type AnswerOnce, answerKeyed, IdempotencyHeaders, refuseUnkeyable } from './idempotency.ts'
import { listParameters, parseList } from './paging.ts'
import { type AnyRow, Binary, MEDIA_TYPES, NoContent } from './route.ts'
import { type AnyUploadRule, readUpload } from './uploads.ts'
import type { createValidators, Validate } from './validation.ts'

/** A row as one contract mounts it. */
export interface Candidate<App> {
  contract: string
  row: AnyRow<App>
  renderError: RenderError
}

/** Where contracts share a method and path: which of them answers a request, told by its query or by its body. */
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
}

interface Reading {
  input: Record<string, unknown>
  /** What the schemas find wrong. */
  problems: Problem[]
  key: string | undefined
}
type Reader = (request: FastifyRequest) => Promise<Reading>
type Prepared<App> = Candidate<App> & {
  read: Reader
  receive: ReturnType<typeof uploadReceiver<App>>
}

/** One Fastify route for one method and path, whether one row answers there or several do. */
export function toFastify<App>(
  candidates: Candidate<App>[],
  collision: Collision | null,
  { app, answerOnce, compile }: EndpointNeeds<App>,
): RouteOptions {
  // Where contracts share a route, one does not refuse the parameters of the other.
  const parameters = candidates.flatMap(({ row }) => Object.keys(row.input.query?.properties ?? {}))
  const prepared = candidates.map((one) => ({
    ...one,
    read: inputReader(one.row, compile, parameters),
    receive: uploadReceiver(one.row, compile),
  }))
  for (const { row } of prepared) refuseUnkeyable(row)
  const [first] = prepared as [Prepared<App>]
  const { method, path } = first.row
  if (prepared.length > 1 && collision === null)
    throw new Error(`${method} ${path}: nothing chooses who answers`)
  if (collision?.by === 'body' && new Set(candidates.map(({ row }) => JSON.stringify(row.access))).size > 1)
    throw new Error(`${method} ${path}: access is checked before the body that chooses`)

  const chosen = (request: FastifyRequest): Prepared<App> =>
    prepared.find(({ contract }) => contract === collision?.choose(request)) ?? first
  const beforeBody = (request: FastifyRequest) => (collision?.by === 'query' ? chosen(request) : first)

  return {
    method,
    url: toFastifyPath(path),
    config: {
      route: path,
      upload: first.row.input.upload !== undefined,
      authenticated: prepared.some(({ row }) => row.access.kind !== 'anyone'),
      forMonitors: first.row.forMonitors === true,
    },
    ...(first.row.bodyLimit !== undefined && { bodyLimit: first.row.bodyLimit }),
    ...(prepared.length === 1 && { schema: { response: responseSchemas(first.row) } }),
    // Before the body is read: 401 and 403 come before 413, 415 and 422.
    onRequest: async (request) => {
      const { row, renderError } = beforeBody(request)
      request.renderError = renderError
      admitCaller(row, request)
      refuseMediaType(row, request)
    },
    handler: async (request, reply) => {
      const { row, renderError, read, receive } = chosen(request)
      request.renderError = renderError
      const reading = await read(request)
      const received = await receive(reading, request, app)
      try {
        const answer = async (app: App) => {
          await refuseProblems(row, reading, app)
          const context = {
            ...reading.input,
            upload: received?.upload,
            caller: request.caller,
            request,
            reply,
          }
          const result = await row.handle(context as never, app)
          received?.use()
          return result
        }
        const { input, problems, key } = reading
        const content = { ...input, upload: received?.content }
        // What only the domain sees is checked after the key: a repetition would find its own email in use.
        const result =
          key === undefined || problems.length > 0
            ? await answer(app)
            : await answerKeyed(row, { key, content }, { request, reply }, answer, { app, answerOnce })
        return send(row, reply, result, prepared.length > 1)
      } finally {
        await received?.discardUnused()
      }
    },
  }
}

export const toFastifyPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

const JSON_TYPE = 'application/json; charset=utf-8'

/** Through the schema the row declares for its status; a status it does not declare is a mistake of ours. */
function send(row: AnyRow<never>, reply: FastifyReply, result: unknown, shared: boolean): unknown {
  const schema = (row.replies as Record<number, TSchema>)[reply.statusCode]
  if (schema === undefined) throw new Error(`${row.method} ${row.path}: undeclared ${reply.statusCode}`)
  if (schema === NoContent) return reply.send()
  if (shared && schema !== Binary)
    // With a serialiser of its own, Fastify leaves the media type to us.
    reply.type(JSON_TYPE).serializer(reply.compileSerializationSchema(schema as never))
  return result
}

function responseSchemas(row: AnyRow<never>): Record<string, TSchema> {
  const entries = Object.entries(row.replies as Record<string, TSchema>)
  return Object.fromEntries(entries.filter(([, schema]) => schema !== NoContent && schema !== Binary))
}

function admitCaller({ access, whilePasswordMustChange }: AnyRow<never>, request: FastifyRequest): void {
  if (access.kind === 'anyone') return
  const { caller } = request
  if (caller === null) throw new AppError('UNAUTHORIZED')
  if (caller.mustChangePassword && !whilePasswordMustChange) throw new AppError('PASSWORD_CHANGE_REQUIRED')
  if (access.kind === 'requires' && !holds(caller, access.permission) && !isSelf(access, request, caller))
    throw new AppError('PERMISSION_DENIED', { required_permission: access.permission })
}

function isSelf(
  access: Extract<Access, { kind: 'requires' }>,
  request: FastifyRequest,
  caller: Caller,
): boolean {
  const params = request.params as Record<string, string>
  return access.orSelf !== undefined && params[access.orSelf] === String(caller.id)
}

function refuseMediaType(row: AnyRow<never>, request: FastifyRequest): void {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const takesBody = row.input.body || row.input.upload
  if (takesBody && type !== undefined && type !== MEDIA_TYPES[row.consumes ?? 'json'])
    throw new AppError('UNSUPPORTED_MEDIA_TYPE')
}

/** The form of a row that takes a file; what the handler does not come to use goes away again. */
function uploadReceiver<App>(row: AnyRow<App>, compile: ReturnType<typeof createValidators>) {
  const rule = row.input.upload as AnyUploadRule | undefined
  const validateFields = rule?.fields && compile.parameters(rule.fields)
  return async ({ problems }: Reading, request: FastifyRequest, app: App) => {
    if (rule === undefined || problems.length > 0) return null
    const upload = await readUpload(request, rule, validateFields, app)
    let used = false
    return {
      upload,
      content: { fields: upload.fields, digest: rule.digest?.(upload.stored) },
      use() {
        used = true
      },
      discardUnused: async () => used || (await rule.discard?.(upload.stored, app)),
    }
  }
}

/** Reads everything a row takes and checks it against the row's schemas. */
function inputReader(
  row: AnyRow<never>,
  compile: ReturnType<typeof createValidators>,
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
    if (check.params) {
      input.params = request.params
      problems.push(...check.params(input.params, 'path'))
    }
    if (check.query) {
      input.query = { ...(request.query as object) }
      problems.push(...check.query(input.query, 'query'))
    }
    if (check.list && list) {
      const parsed = parseList(request.query as Record<string, unknown>, list, check.list, parameters)
      input.list = parsed.list
      problems.push(...parsed.problems)
    }
    if (filter) {
      const parsed = parseFilters(request.query as Record<string, unknown>, filter, parameters)
      input.filter = parsed.filter
      problems.push(...parsed.problems)
    }
    if (check.body && !(row.bodyOptional && request.body === undefined)) {
      input.body = request.body
      problems.push(...check.body(input.body, 'body'))
    }
    const key = row.idempotent && request.headers['idempotency-key']?.toString()
    if (check.headers) problems.push(...check.headers({ 'Idempotency-Key': key }, 'header'))
    return { input, problems, key }
  }
}

/** All problems at once: those of the schemas and those that only the domain can see. */
async function refuseProblems<App>(row: AnyRow<App>, reading: Reading, app: App): Promise<void> {
  const { input } = reading
  const filter = (input.filter ?? (input.list as ListQuery | undefined)?.filter) as Filter
  const problems = [...reading.problems, ...(row.checkFilter?.(filter, app) ?? [])]
  if (problems.length === 0) return
  const more = row.check && 'body' in input ? await row.check(input.body, app) : []
  throw new AppError('VALIDATION_ERROR', { problems: [...problems, ...unreported(problems, more)] })
}

/** What the schema already found wrong with a field need not be said twice. */
function unreported(problems: Problem[], more: Problem[]): Problem[] {
  const known = new Set(problems.map(({ path }) => path.join()))
  return more.filter(({ path }) => !known.has(path.join()))
}
