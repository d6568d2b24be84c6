import { ERRORS } from '../src/errors/catalogue.ts'
import { BODY_ERRORS, COMMON_ERRORS } from '../src/http/openapi/openapi.ts'
import { resolve as resolvePart } from '../test/harness/document.ts'
import { schemasOf, type Validate } from '../test/harness/ledger.ts'

/** The parts of a JSON schema that the fuzzer reads. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  format?: string
  'x-format'?: string
  contentMediaType?: string
  default?: unknown
  examples?: unknown[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

export interface Operation {
  method: string
  path: string
  /** `POST /api/v1/grupos` */
  name: string
  protected: boolean
  parameters: Parameter[]
  body: { media: string; schema: Schema; required: boolean; accepts: Validate } | null
  statuses: ReadonlySet<number>
}

export interface ApiDocument {
  operations: Operation[]
  /** Follows a `$ref` to its schema. */
  resolve(schema: Schema): Schema
  find(name: string): Operation
}

interface Described {
  security?: unknown[]
  parameters?: (Omit<Parameter, 'required'> & { required?: boolean })[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, unknown>
}

/** Statuses of the `default` response. */
const COMMON_STATUSES = [...COMMON_ERRORS, ...BODY_ERRORS].map((code) => ERRORS[code])

/** A stream that lasts for an hour; its contract test has the rest. */
const ENDLESS = '/api/v1/eventos/aovivo'

/** The operations of an OpenAPI document, each with what it takes and what it may answer. */
export function readDocument(document: Record<string, unknown>): ApiDocument {
  const { paths } = document as { paths: Record<string, Record<string, Described>> }
  const schemas = schemasOf(document)

  function bodyOf(path: string, method: string, { requestBody }: Described): Operation['body'] {
    if (requestBody === undefined) return null
    const [media, { schema }] = Object.entries(requestBody.content)[0] as [string, { schema: Schema }]
    const accepts = schemas(['paths', path, method, 'requestBody', 'content', media, 'schema']) as Validate
    return { media, schema, required: requestBody.required, accepts }
  }

  const resolve = (schema: Schema) => resolvePart(document, schema)

  /** A filter is a plain value or an object of operators: here, a parameter for each. */
  function parametersOf({ parameters = [] }: Described): Parameter[] {
    return parameters.flatMap((part) => {
      const { required = false, ...parameter } = resolvePart(document, part)
      const forms = (resolve(parameter.schema).anyOf ?? [parameter.schema]).map(resolve)
      return forms.flatMap((schema) =>
        schema.properties === undefined
          ? [{ ...parameter, required, schema }]
          : Object.entries(schema.properties).map(([operator, one]) => ({
              ...parameter,
              name: `${parameter.name}[${operator}]`,
              required,
              schema: one,
            })),
      )
    })
  }

  const operations = Object.entries(paths)
    .filter(([path]) => path !== ENDLESS)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, described]): Operation => ({
          method: method.toUpperCase(),
          path,
          name: `${method.toUpperCase()} ${path}`,
          protected: described.security?.length !== 0,
          parameters: parametersOf(described),
          body: bodyOf(path, method, described),
          statuses: new Set([...COMMON_STATUSES, ...Object.keys(described.responses).map(Number)]),
        }),
      ),
    )
  return {
    operations,
    resolve,
    find(name) {
      const found = operations.find((operation) => operation.name === name)
      if (found === undefined) throw new Error(`the document has no ${name}`)
      return found
    },
  }
}
