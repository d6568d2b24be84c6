import type { App } from '../domain/app.ts'
import { ALGORITHM } from '../domain/sessoes/access-tokens.ts'
import { anyone } from '../http/access.ts'
import { type FixedContent, fixedContent } from '../http/fixed-content.ts'
import type { LiveValues } from '../http/live.ts'
import { DOCUMENT_PATH, type OpenApiInfo, openApiDocument } from '../http/openapi/openapi.ts'
import { NoContent } from '../http/route.ts'
import type { Contract } from '../http/server.ts'
import { Type } from '../http/type.ts'
import { DESCRIPTIONS } from './descriptions.ts'
import { envelopeError, envelopeErrorSchema } from './error-envelope.ts'
import { route } from './route.ts'

const tag = 'Serviço'
/** Sent as the bytes that `fixedContent` keeps. */
const Documento = Type.Unsafe<Buffer | undefined>({
  type: 'object',
  additionalProperties: true,
  title: 'OpenApi',
})
const Jwks = Type.Object(
  { keys: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })) },
  { title: 'Jwks' },
)

/**
 * All mounted contracts, with the routes that describe the interface itself (OpenAPI, JWKS). The document is made when it is
 * first read, which spares every start 50 ms, and again when an enumeration in it has grown.
 */
export function describedContracts({
  withPublic = true,
  live = () => null,
  ...info
}: OpenApiInfo & { withPublic?: boolean; live?: () => LiveValues | null }): {
  contracts: Contract<App>[]
  readonly document: Record<string, unknown>
} {
  const rows = [
    route({
      spec: '9',
      method: 'GET',
      path: DOCUMENT_PATH,
      summary: 'Este documento (OpenAPI 3.1)',
      tag,
      access: anyone,
      input: {},
      replies: { 200: Documento, 304: NoContent },
      errors: [],
      async handle({ request, reply }) {
        return content().answer(request, reply.type('application/json; charset=utf-8'))
      },
    }),
    route({
      spec: '5',
      method: 'GET',
      path: '/.well-known/jwks.json',
      summary: 'As chaves públicas que verificam os tokens de acesso (RFC 7517)',
      tag,
      access: anyone,
      input: {},
      replies: { 200: Jwks },
      errors: [],
      async handle({ reply }, { keyring }) {
        await keyring.reload()
        reply.header('cache-control', 'public, max-age=300')
        return { keys: keyring.all().map(({ kid, jwk }) => ({ ...jwk, kid, alg: ALGORITHM, use: 'sig' })) }
      },
    }),
  ]
  const service: Contract<App> = {
    name: 'service',
    rows,
    renderError: envelopeError,
    errorSchema: envelopeErrorSchema,
  }
  const served = DESCRIPTIONS.map((contract) => ({
    ...contract,
    rows: contract.rows.filter(({ isPublic }) => withPublic || !isPublic),
  }))
  const contracts = [...served, service]
  let made:
    | { marca: string | undefined; document: Record<string, unknown>; content?: FixedContent }
    | undefined
  const current = () => {
    const values = live()
    if (made === undefined || made.marca !== values?.marca)
      made = {
        marca: values?.marca,
        document: openApiDocument(contracts as Contract<never>[], info, values),
      }
    return made
  }
  const content = () => {
    const one = current()
    one.content ??= fixedContent(Buffer.from(JSON.stringify(one.document)), 'public, max-age=300')
    return one.content
  }
  return {
    contracts,
    get document() {
      return current().document
    },
  }
}
