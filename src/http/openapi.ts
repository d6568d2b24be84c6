import type { TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../errors/catalogue.ts'
import type { Access } from './access.ts'
import { IdempotencyHeaders, REPLAY_HEADER } from './idempotency.ts'
import { filterSchema, listSchema } from './paging.ts'
import { RATE_LIMIT_HEADERS, RETRY_AFTER_HEADER } from './rate-limit.ts'
import { type AnyRow, Binary, errorsOf, MEDIA_TYPES, NoContent } from './route.ts'
import type { Contract } from './server.ts'
import type { AnyUploadRule } from './uploads.ts'

type Json = Record<string, unknown>

/** Errors that any request may meet before or beside its route; documented once, on every operation. */
export const COMMON_ERRORS: ErrorCode[] = [
  'MALFORMED_REQUEST',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
]
export const BODY_ERRORS: ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

export interface OpenApiInfo {
  title: string
  version: string
  description: string
  serverUrl: string
  tokenUrl: string
}

/** OpenAPI 3.1 from the same rows that answer the requests. Schemas with a title become components. */
export function openApiDocument(contracts: Contract<never>[], info: OpenApiInfo): Json {
  const components = new Components()
  const paths: Record<string, Json> = {}
  for (const { rows, errorSchema } of contracts) {
    for (const row of rows) {
      paths[row.path] ??= {}
      const methods = paths[row.path] as Record<string, Operation>
      const method = row.method.toLowerCase()
      const described = operation(row, errorSchema, components)
      // Where contracts share a method and path, one operation describes what either may take and answer.
      methods[method] = methods[method] ? mergeOperations(methods[method], described) : described
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: info.description,
      license: { name: 'Proprietary' },
    },
    servers: [{ url: info.serverUrl }],
    tags: tagsOf(contracts.flatMap(({ rows }) => rows)),
    paths,
    components: {
      schemas: components.schemas,
      headers: RATE_LIMIT_HEADERS,
      securitySchemes: {
        senha: {
          type: 'oauth2',
          description: 'Entre com o e-mail (`username`) e a senha da conta',
          flows: { password: { tokenUrl: info.tokenUrl, scopes: {} } },
        },
        bearer: {
          type: 'http',
          description: 'Ou cole um `access_token`',
          scheme: 'bearer',
          bearerFormat: 'JWT',
        },
      },
    },
  }
}

/** A tag tells which part of the address space it covers. */
function tagsOf(rows: AnyRow<never>[]): Json[] {
  return [...Map.groupBy(rows, (row) => row.tag)].map(([name, those]) => {
    const places = new Set(those.map(({ path }) => `\`${path.split('/').slice(0, 4).join('/')}\``))
    return { name, description: [...places].join(', ') }
  })
}

function operation(
  row: AnyRow<never>,
  errorSchema: (code: ErrorCode) => TSchema,
  components: Components,
): Operation {
  const { params, query, list, filter, body, upload } = row.input
  const parameters = [
    ...parametersOf(params, 'path', components),
    ...parametersOf(query, 'query', components),
    ...parametersOf(list ? listSchema(list) : filter && filterSchema(filter), 'query', components),
    ...parametersOf(row.idempotent && IdempotencyHeaders, 'header', components),
  ]
  return {
    operationId: operationId(row),
    summary: row.summary,
    description: `${accessText(row.access)} (especificação, ${row.spec})`,
    tags: [row.tag],
    security: row.access.kind === 'anyone' ? [] : [{ senha: [] }, { bearer: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !row.bodyOptional,
        content: { [MEDIA_TYPES[row.consumes ?? 'json']]: { schema: components.use(body) } },
      },
    }),
    ...(upload && {
      requestBody: { required: true, content: { [MEDIA_TYPES.multipart]: { schema: uploadSchema(upload) } } },
    }),
    responses: withRateLimit({
      ...Object.fromEntries(
        Object.entries(row.replies as Record<string, TSchema>).map(([status, schema]) => [
          status,
          { ...reply(schema, row.produces, components), ...(row.idempotent && { headers: REPLAY_HEADERS }) },
        ]),
      ),
      ...errorReplies(row, errorSchema, components),
    }),
  }
}

const REPLAY_HEADERS = {
  [REPLAY_HEADER]: { description: 'Só em uma resposta repetida', schema: { type: 'string', enum: ['true'] } },
}

const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` })
const RATE_LIMIT_REFS = Object.fromEntries(
  Object.keys(RATE_LIMIT_HEADERS).map((name) => [name, headerRef(name)]),
)

/** On every answer; the refusal itself also says when to come again. */
function withRateLimit(responses: Operation['responses']): Operation['responses'] {
  const described = Object.entries(responses).map(([status, response]) => {
    const retry = Number(status) === ERRORS.RATE_LIMITED && RETRY_AFTER_HEADER
    return [status, { ...response, headers: { ...response.headers, ...RATE_LIMIT_REFS, ...retry } }]
  })
  return Object.fromEntries(described)
}

interface Operation extends Json {
  summary: string
  parameters?: Parameter[]
  requestBody?: Content & { required: boolean }
  responses: Record<string, Content & { description: string; headers?: Json }>
}
type Parameter = Json & { name: string; in: string; required: boolean }
type Content = { content?: Record<string, { schema: unknown }> }

function mergeOperations(one: Operation, other: Operation): Operation {
  const statuses = new Set([...Object.keys(one.responses), ...Object.keys(other.responses)])
  const parameters = mergeParameters(one.parameters ?? [], other.parameters ?? [])
  return {
    ...one,
    summary: `${one.summary}; ou: ${other.summary}`,
    ...(parameters.length > 0 && { parameters }),
    ...(one.requestBody && { requestBody: mergeContent(one.requestBody, other.requestBody) }),
    responses: Object.fromEntries(
      [...statuses].map((status) => [status, mergeContent(one.responses[status], other.responses[status])]),
    ),
  } as Operation
}

/** What only one of them takes, or only one demands, is optional. */
function mergeParameters(one: Parameter[], other: Parameter[]): Parameter[] {
  const names = new Map(
    [...other, ...one].map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
  )
  const demanded = (list: Parameter[], { name, in: place }: Parameter) =>
    list.some((parameter) => parameter.name === name && parameter.in === place && parameter.required)
  return [...names.values()].map((parameter) => ({
    ...parameter,
    required: demanded(one, parameter) && demanded(other, parameter),
  }))
}

function mergeContent<T extends Content>(one: T | undefined, other: T | undefined): T {
  if (!one?.content || !other?.content) return (one ?? other) as T
  const content = { ...other.content, ...one.content }
  for (const type of Object.keys(one.content)) {
    const schemas = [one.content[type]?.schema, other.content[type]?.schema].filter(
      (schema) => schema !== undefined,
    )
    const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
    content[type] = { schema: distinct.length === 1 ? distinct[0] : { anyOf: distinct } }
  }
  return { ...one, content }
}

function uploadSchema({ field, fields }: AnyUploadRule): Json {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  const { properties } = (fields ?? {}) as { properties?: Json }
  const demanded = fields ? demandedOf(fields) : []
  return { type: 'object', properties: { [field]: file, ...properties }, required: [field, ...demanded] }
}

/** What has a default may be left out, though whoever reads it finds it there. */
function demandedOf(schema: TSchema): string[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, object>
    required?: string[]
  }
  return required.filter((name) => !('default' in (properties[name] ?? {})))
}

function reply(
  schema: TSchema,
  produces: string | readonly string[] | undefined,
  components: Components,
): Content & { description: string } {
  if (schema === NoContent) return { description: 'Sem corpo' }
  if (schema === Binary)
    return {
      description: 'Sucesso',
      content: Object.fromEntries(
        [produces ?? []].flat().map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
      ),
    }
  return { description: 'Sucesso', content: { [MEDIA_TYPES.json]: { schema: components.use(schema) } } }
}

/** One response a status; where several codes share it, any of their forms. */
function errorReplies(
  row: AnyRow<never>,
  errorSchema: (code: ErrorCode) => TSchema,
  components: Components,
): Operation['responses'] {
  const codes = new Set([
    ...errorsOf(row),
    ...COMMON_ERRORS,
    // Also where none is asked for: what comes is read before it is ignored.
    ...(row.method === 'GET' ? [] : BODY_ERRORS),
  ])
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code])
  const replies = [...byStatus].map(([status, those]) => {
    const schemas = [...new Set(those.map((code) => errorSchema(code)))].map((schema) =>
      components.use(schema),
    )
    // A route may answer the same status as a success form of its own (health: 503).
    const declared = (row.replies as Record<number, TSchema>)[status]
    if (declared) schemas.push(components.use(declared))
    const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas }
    return [status, { description: those.join(', '), content: { [MEDIA_TYPES.json]: { schema } } }]
  })
  return Object.fromEntries(replies)
}

function parametersOf(
  schema: TSchema | undefined,
  place: 'path' | 'query' | 'header',
  components: Components,
): Json[] {
  if (schema === undefined) return []
  const { properties = {} } = schema as { properties?: Record<string, TSchema> }
  const demanded = demandedOf(schema)
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as TSchema & { description?: string }
    return {
      name,
      in: place,
      required: place === 'path' || demanded.includes(name),
      ...(description !== undefined && { description }),
      schema: components.use(rest as TSchema),
    }
  })
}

function accessText(access: Access): string {
  if (access.kind === 'anyone') return 'Aberta a todos'
  if (access.kind === 'loggedIn') return 'Qualquer usuário autenticado'
  return `Permissão \`${access.permission}\`${access.orSelf ? ', ou o próprio usuário' : ''}`
}

function operationId({ method, path }: AnyRow<never>): string {
  const words = path
    .replace('/api/v1/', '')
    .replaceAll(/[{}]/g, '')
    .split(/[/_.-]/)
  const slash = path.endsWith('/') ? 'Lista' : ''
  return (
    method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') + slash
  )
}

/** Collects titled schemas; the same title must always mean the same schema. */
class Components {
  readonly schemas: Record<string, unknown> = {}
  readonly #seen = new Map<string, string>()

  use(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.use(item))
    if (typeof schema !== 'object' || schema === null) return schema
    const { title, ...rest } = schema as { title?: string } & Json
    if (typeof title !== 'string') return this.#children(schema as Json)
    const text = JSON.stringify(schema)
    if ((this.#seen.get(title) ?? text) !== text) throw new Error(`two schemas are called ${title}`)
    this.#seen.set(title, text)
    this.schemas[title] ??= this.#children(rest)
    return { $ref: `#/components/schemas/${title}` }
  }

  #children(schema: Json): Json {
    return Object.fromEntries(
      Object.entries(schema)
        .filter(([key]) => !key.startsWith('~'))
        .map(([key, value]) => [key, key === 'examples' || key === 'enum' ? value : this.use(value)]),
    )
  }
}
