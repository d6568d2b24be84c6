import { ERRORS, type ErrorCode } from '../../errors/catalogue.ts'
import type { LiveValues } from '../../system/live-list.ts'
import type { Access } from '../access.ts'
import { ETAG_HEADER, IfMatchHeaders } from '../etag.ts'
import { IdempotencyHeaders, REPLAY_HEADER } from '../idempotency.ts'
import { filterSchema, listSchema } from '../paging.ts'
import { RATE_LIMIT_HEADERS, RETRY_AFTER_HEADER } from '../rate-limit.ts'
import { type AnyRow, Binary, errorsOf, MEDIA_TYPES, NoContent } from '../route.ts'
import type { Contract } from '../server.ts'
import type { TSchema } from '../type.ts'
import type { AnyUploadRule } from '../uploads.ts'
import { Components, shareParts } from './components.ts'
import { mergeOperations, type Operation, type Parameter, type Response } from './merge.ts'

type Json = Record<string, unknown>

/** Path of the document. */
export const DOCUMENT_PATH = '/api/v1/openapi.json'

/** Errors that any request may meet before or beside its route: the `default` response of every operation. */
export const COMMON_ERRORS: ErrorCode[] = [
  'MALFORMED_REQUEST',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
]
/** Also where no body is asked for: what comes is read before it is ignored. */
export const BODY_ERRORS: ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

export interface OpenApiInfo {
  title: string
  version: string
  description: string
  /** Null: wherever the document was read. */
  publicUrl: string | null
}

/** Ways to get and send a token; the password grant only where a contract has one. */
function securitySchemesOf(contracts: Contract<never>[], { publicUrl }: OpenApiInfo): Json {
  const grant = contracts.find(({ passwordGrant }) => passwordGrant !== undefined)?.passwordGrant
  const senha = {
    type: 'oauth2',
    description: 'Entre com o e-mail (`username`) e a senha da conta',
    flows: { password: { tokenUrl: `${publicUrl ?? ''}${grant}`, scopes: {} } },
  }
  const bearer = {
    type: 'http',
    description: 'Ou cole um `access_token`',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  }
  return { ...(grant !== undefined && { senha }), bearer }
}

/** OpenAPI 3.1 from the same rows that answer the requests. Schemas with a title become components. */
/** `live`: values of now, for enumerations that grow. */
export function openApiDocument(
  contracts: Contract<never>[],
  info: OpenApiInfo,
  live: LiveValues | null = null,
): Json {
  const components = new Components(live)
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { rows, errorSchema } of contracts) {
    for (const row of rows) {
      paths[row.path] ??= {}
      const methods = paths[row.path] as Record<string, Operation>
      const method = row.method.toLowerCase()
      const described = operation(row, errorSchema, components)
      methods[method] = methods[method] ? mergeOperations(methods[method], described) : described
    }
  }
  const securitySchemes = securitySchemesOf(contracts, info)
  const shared = shareParts(Object.values(paths).flatMap((methods) => Object.values(methods)))
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: info.description,
      license: { name: 'Proprietary' },
    },
    servers: [{ url: info.publicUrl ?? '/' }],
    tags: tagsOf(contracts.flatMap(({ rows }) => rows)),
    // Default of all operations.
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    paths,
    components: {
      schemas: components.schemas,
      ...shared,
      securitySchemes,
    },
  }
}

/** Describes each tag by the paths of its routes. */
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
    ...parametersOf(row.versioned === 'write' ? IfMatchHeaders : undefined, 'header', components),
  ]
  return {
    operationId: operationId(row),
    summary: row.summary,
    description: descriptionOf(row),
    ...(row.replacedBy && { deprecated: true }),
    tags: [row.tag],
    ...(row.access.kind === 'anyone' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !row.bodyOptional,
        content: { [MEDIA_TYPES[row.consumes ?? 'json']]: { schema: components.use(body) } },
      },
    }),
    ...(upload && {
      requestBody: {
        required: true,
        content: { [MEDIA_TYPES.multipart]: { schema: components.use(uploadSchema(upload)) } },
      },
    }),
    responses: {
      ...successReplies(row, components),
      ...errorReplies(row, errorSchema, components),
    },
  }
}

const REPLAY_HEADERS = {
  [REPLAY_HEADER]: { description: 'Só em uma resposta repetida', schema: { type: 'string', enum: ['true'] } },
}

function successReplies(row: AnyRow<never>, components: Components): Operation['responses'] {
  const headers = { ...(row.idempotent && REPLAY_HEADERS), ...(row.versioned === 'read' && ETAG_HEADER) }
  const replies = Object.entries(row.replies as Record<string, TSchema>).map(([status, schema]) => [
    status,
    { ...reply(schema, row.produces, components), ...(Object.keys(headers).length > 0 && { headers }) },
  ])
  return Object.fromEntries(replies)
}

function uploadSchema({ field, fields, withoutFile }: AnyUploadRule): Json {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  const { properties } = (fields ?? {}) as { properties?: Json }
  const demanded = fields ? demandedOf(fields) : []
  const required = withoutFile === undefined ? [field, ...demanded] : demanded
  return { type: 'object', properties: { [field]: file, ...properties }, required }
}

/** Required fields of a request: those with a default may be left out. */
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
): Response {
  if (schema === NoContent) return { description: 'Sem corpo' }
  const files = Object.fromEntries(
    [produces ?? []].flat().map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
  )
  const json = schema === Binary ? {} : { [MEDIA_TYPES.json]: { schema: components.use(schema) } }
  return { description: 'Sucesso', content: { ...json, ...files } }
}

const EVERYWHERE = [...COMMON_ERRORS, ...BODY_ERRORS]
const withStatus = (code: ErrorCode) => `${code} (${ERRORS[code]})`

/** Shared by all operations; the headers stand here alone, though every answer carries the first four. */
function commonReply(errorSchema: (code: ErrorCode) => TSchema, components: Components): Response {
  const schema = components.use(errorSchema('INTERNAL_ERROR'))
  return {
    description: EVERYWHERE.map(withStatus).join(', '),
    content: { [MEDIA_TYPES.json]: { schema } },
    headers: { ...RATE_LIMIT_HEADERS, ...RETRY_AFTER_HEADER },
  }
}

/** One response a status; where several codes share it, any of their forms. */
function errorReplies(
  row: AnyRow<never>,
  errorSchema: (code: ErrorCode) => TSchema,
  components: Components,
): Operation['responses'] {
  const declared = row.replies as Record<number, TSchema>
  const own = errorsOf(row)
  // A status of the route's own hides `default`, so it has to name the common errors, too.
  const statuses = new Set([...own.map((code) => ERRORS[code]), ...Object.keys(declared).map(Number)])
  const codes = [...own, ...EVERYWHERE.filter((code) => statuses.has(ERRORS[code]))]
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code])
  const replies = [...byStatus].map(([status, those]) => {
    const schemas = [...new Set(those.map((code) => errorSchema(code)))].map((schema) =>
      components.use(schema),
    )
    if (declared[status]) schemas.push(components.use(declared[status]))
    const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas }
    return [status, { description: those.join(', '), content: { [MEDIA_TYPES.json]: { schema } } }]
  })
  return { ...Object.fromEntries(replies), default: commonReply(errorSchema, components) }
}

function parametersOf(
  schema: TSchema | undefined,
  place: 'path' | 'query' | 'header',
  components: Components,
): Parameter[] {
  if (schema === undefined) return []
  const { properties = {} } = schema as { properties?: Record<string, TSchema> }
  const demanded = demandedOf(schema)
  return Object.entries(properties).map(([name, property]) => {
    const { description, deprecated, ...rest } = property as TSchema & {
      description?: string
      deprecated?: true
    }
    return {
      name,
      in: place,
      ...((place === 'path' || demanded.includes(name)) && { required: true }),
      ...(description !== undefined && { description }),
      ...(deprecated && { deprecated }),
      // A plain value, or operators in brackets.
      ...('anyOf' in rest && { style: 'deepObject', explode: true }),
      schema: components.use(rest as TSchema),
    }
  })
}

function descriptionOf({ access, replacedBy }: AnyRow<never>): string {
  return replacedBy ? `${accessText(access)}. Use \`${replacedBy}\`` : accessText(access)
}

function accessText(access: Access): string {
  if (access.kind === 'anyone') return 'Aberta a todos'
  if (access.kind === 'loggedIn') return 'Qualquer usuário autenticado'
  const { permission, or = [], orSelf } = access
  const enough = [permission, ...or].map((one) => `\`${one}\``).join(' ou ')
  return `Permissão ${enough}${orSelf ? ', ou o próprio usuário' : ''}`
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
