import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describedContracts } from '../src/contracts/service.routes.ts'
import { ERRORS } from '../src/errors/catalogue.ts'
import { testApp } from './harness/app.ts'
import { resolve as resolvePart } from './harness/document.ts'

const t = await testApp()
after(() => t.close())

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  description: string
  deprecated?: boolean
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<
    string,
    { description: string; content?: Record<string, { schema: Schema }>; headers?: object }
  >
}
interface Parameter {
  name: string
  in: string
  required?: boolean
  deprecated?: boolean
  style?: string
  explode?: boolean
  schema: Schema
}
interface Document {
  openapi: string
  security: Record<string, string[]>[]
  info: { version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, object>
    securitySchemes: Record<string, { flows?: { password: { tokenUrl: string } } }>
  }
}

const document = t.document as unknown as Document
const resolve = <T extends object>(part: T) => resolvePart(t.document, part)
/** As if everything that is shared stood in every operation. */
const writtenOut = (operation: Operation): Operation => ({
  ...operation,
  security: operation.security ?? document.security,
  ...(operation.parameters && { parameters: operation.parameters.map(resolve) }),
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [status, resolve(response)]),
  ),
})
/** Compressed. */
const MOST_BYTES_OF_AN_OPERATION = 300
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation: writtenOut(operation),
  })),
)
const operationOf = (name: string) => {
  const found = operations.find((one) => one.name === name)
  assert.ok(found, name)
  return found.operation
}

describe('The OpenAPI document', () => {
  it('is valid OpenAPI 3.1 and free of lint errors and warnings', async () => {
    assert.match(document.openapi, /^3\.1\./)
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        // The two descriptions of the interface tell two lists apart by this slash (spec 1.1).
        'no-path-trailing-slash': 'off',
        // The licence is none that has a public address: the page would link to one that does not exist.
        'info-license-strict': 'off',
        // `/series/importacoes/{id}`: no series is called `importacoes`, and no event.
        'no-ambiguous-paths': 'off',
        // `default` tells of the errors that any request may meet.
        'operation-4xx-response': 'off',
      },
    })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
      [],
    )
  })

  it('has a final slash only where the slash matters', () => {
    const slashed = Object.keys(document.paths).filter((path) => path.endsWith('/'))
    for (const path of slashed) assert.ok(['/api/v1/usuarios/', '/api/v1/permissoes/'].includes(path), path)
  })

  it('says once what any request may meet, bodies that nobody asked for included', async () => {
    const meetings = new Set(operations.map(({ operation }) => JSON.stringify(operation.responses.default)))
    assert.equal(meetings.size, 1)
    const { description = '', headers } = operationOf('GET /api/v1/health').responses.default ?? {}
    for (const named of [
      'MALFORMED_REQUEST (400)',
      'PAYLOAD_TOO_LARGE (413)',
      'UNSUPPORTED_MEDIA_TYPE (415)',
      'RATE_LIMITED (429)',
      'INTERNAL_ERROR (500)',
      'UNAVAILABLE (503)',
    ])
      assert.ok(description.split(', ').includes(named), named)
    assert.ok('Retry-After' in (headers ?? {}))
    const admin = t.as(await t.administrador())
    const { status } = await admin.request('DELETE', '/grupos/999', { payload: 'nada' })
    assert.equal(status, 415)
  })

  it('names the common errors, too, where an operation has an answer of its own for their status', () => {
    const common = Object.entries({ 400: 'MALFORMED_REQUEST', 503: 'UNAVAILABLE' })
    const hidden = operations.flatMap(({ name, operation }) =>
      common
        .filter(([status, code]) => operation.responses[status]?.description.includes(code) === false)
        .map(([status]) => `${name} ${status}`),
    )
    assert.deepEqual(hidden, [])
    const { content } = operationOf('GET /api/v1/health/detailed').responses['503'] ?? {}
    assert.deepEqual(namesOf(content?.['application/json']?.schema), ['Erro', 'HealthDetailed'])
  })

  it('has one schema for all errors, besides the first description’s own for invalid input', () => {
    const named = operations.flatMap(({ operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => status === 'default' || Number(status) >= 400)
        .flatMap(([, { content }]) => namesOf(content?.['application/json']?.schema)),
    )
    assert.deepEqual([...new Set(named)].sort(), ['Erro', 'ErroDeValidacao', 'HealthDetailed'])
    const { error } = document.components.schemas.Erro?.properties ?? {}
    assert.deepEqual(error?.properties?.code?.enum, Object.keys(ERRORS))
  })

  it('writes nothing twice that operations share', () => {
    const texts = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ parameters = [], responses }) => [...parameters, ...Object.values(responses)])
      .filter((part) => !('$ref' in part))
      .map((part) => JSON.stringify(part))
    assert.deepEqual(
      texts.filter((text, i) => texts.indexOf(text) !== i),
      [],
    )
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods))
    const bytes = Buffer.byteLength(JSON.stringify(document)) / operations.length
    assert.ok(bytes < 2_600, `${bytes} bytes for each operation`)
  })

  it('types the operators of every filter', () => {
    const idade = operationOf('GET /api/v1/agravos/casos').parameters?.find(({ name }) => name === 'idade')
    assert.deepEqual([idade?.style, idade?.explode], ['deepObject', true])
    const [plain, operators] = (resolve(idade?.schema as Schema).anyOf ?? []).map(resolve)
    assert.deepEqual(plain, { type: 'integer' })
    const { properties, additionalProperties } = operators as Schema
    const integer = { type: 'integer' }
    assert.deepEqual(properties, {
      ...{ eq: integer, ne: integer, gt: integer, gte: integer, lt: integer, lte: integer },
      in: { type: 'string', description: 'Valores entre vírgulas' },
    })
    assert.equal(additionalProperties, false)
    for (const name of ['estatisticas/resumo', 'mapa-calor']) {
      const { parameters } = operationOf(`GET /api/v1/agravos/casos/${name}`)
      assert.deepEqual(
        parameters?.find((one) => one.name === 'idade'),
        idade,
      )
    }
  })

  it('fills in no order: a default of `sort` alone would turn the list around', () => {
    const lists = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? [])
        .filter((parameter) => ['sort', 'order'].includes(parameter.name))
        .map(({ schema }) => ({ name, schema: resolve(schema) })),
    )
    assert.ok(lists.length > 20)
    for (const { name, schema } of lists) assert.ok(!('default' in schema), name)
  })

  it('describes every field of a case, whether it comes in or goes out', () => {
    const silent = ['CriarCaso', 'AlterarCaso', 'CasoResumo', 'CasoDetalhe'].flatMap((name) =>
      fieldsOf(document.components.schemas[name] as Schema, name)
        .filter(([, { description = '' }]) => String(description).length < 3)
        .map(([path]) => path),
    )
    assert.deepEqual(silent, [])
  })

  it('marks the older of two ways to do the same, and names the other', () => {
    const deprecated = operations.filter(({ operation }) => operation.deprecated)
    assert.deepEqual(
      deprecated.map(({ name }) => name),
      [
        'POST /api/v1/usuarios/login',
        'POST /api/v1/usuarios/refresh-token',
        'POST /api/v1/usuarios/reset-password',
        'POST /api/v1/usuarios/logout',
      ],
    )
    const named = ({ description }: Operation) => /Use `(.+)`$/.exec(description)?.[1] ?? ''
    for (const { operation } of deprecated) assert.ok(!operationOf(named(operation)).deprecated)
    const { parameters = [] } = operationOf('GET /api/v1/agravos/casos')
    assert.deepEqual(
      parameters.filter((one) => one.deprecated).map(({ name }) => name),
      ['tipo_agravo', 'data_notificacao_inicio', 'data_notificacao_fim'],
    )
    for (const name of ['CriarCaso', 'AlterarCaso', 'LoginB']) {
      const fields = fieldsOf(document.components.schemas[name] as Schema, name)
      const twins = fields.filter(([, field]) => field.deprecated)
      assert.ok(twins.length > 0, name)
      for (const [path, { description }] of twins) {
        const [, preferred = ''] = /^Use `(.+)`$/.exec(String(description)) ?? []
        assert.ok(
          fields.some(([other, field]) => other === `${name}.${preferred}` && !field.deprecated),
          path,
        )
      }
    }
  })

  it('demands no parameter, and no field of a form, that has a default', () => {
    const wrong = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? [])
        .filter(({ required, schema }) => required && 'default' in schema)
        .map((parameter) => `${name} ${parameter.name}`),
    )
    assert.deepEqual(wrong, [])
    const demandedBy = (path: string) =>
      document.paths[path]?.post?.requestBody?.content?.['multipart/form-data']?.schema.required
    assert.deepEqual(demandedBy('/api/v1/agravos/casos/{id}/anexos'), ['arquivo', 'tipo'])
    // A validated file takes the place of file and format.
    assert.deepEqual(demandedBy('/api/v1/agravos/casos/bulk'), [])
  })

  it('is answered by the service itself, to anyone', async () => {
    const { status, headers, body } = await t.anonymous.get('/openapi.json')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(body, JSON.parse(JSON.stringify(t.document)))
    assert.equal(body.info.version, '0.1.0')
  })

  it('is sent compressed to those who can read it so, and kept by them', async () => {
    const plain = await t.anonymous.get('/openapi.json')
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(plain.headers.vary, 'Accept-Encoding')
    assert.equal(plain.headers['cache-control'], 'public, max-age=300')
    const url = '/api/v1/openapi.json'
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, *', 'gzip', gunzipSync],
    ] as const) {
      const answer = await t.server.inject({ url, headers: { 'accept-encoding': accepted } })
      assert.equal(answer.headers['content-encoding'], encoding)
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
      const bytes = answer.rawPayload.length / operations.length
      assert.ok(bytes < MOST_BYTES_OF_AN_OPERATION, `${encoding}: ${bytes} bytes of each operation`)
      assert.equal(decode(answer.rawPayload).toString(), plain.text)
      assert.match(String(answer.headers.etag), /^"[\w-]+"$/)
      assert.notEqual(answer.headers.etag, plain.headers.etag, 'a strong tag belongs to the bytes')
      const kept = { 'accept-encoding': accepted, 'if-none-match': String(answer.headers.etag) }
      assert.equal((await t.server.inject({ url, headers: kept })).statusCode, 304)
    }
    const etag = String(plain.headers.etag)
    const again = await t.anonymous.get('/openapi.json', { headers: { 'if-none-match': `"x", ${etag}` } })
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag])
    const other = await t.anonymous.get('/openapi.json', { headers: { 'if-none-match': '"x"' } })
    assert.equal(other.status, 200)
  })

  it('holds every mounted route and no other', () => {
    const info = { title: '', version: '', description: '', publicUrl: null }
    const rows = describedContracts(info).contracts.flatMap((contract) => contract.rows)
    assert.deepEqual(
      operations.map(({ name }) => name).sort(),
      // Where the two descriptions share a method and a path, they share the operation.
      [...new Set(rows.map(({ method, path }) => `${method} ${path}`))].sort(),
    )
    for (const { name, method, path } of operations)
      assert.ok(t.server.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }), name)
  })

  it('gives every operation a name of its own and a summary', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    )
    for (const { name, operation } of operations) {
      assert.match(operation.operationId, /^[a-z][A-Za-z0-9]+$/, name)
      assert.ok(operation.summary.length > 3, name)
      assert.equal(operation.tags.length, 1, name)
      if (operation.requestBody) assert.ok('422' in operation.responses, name)
    }
  })

  for (const { name, method, path, operation } of operations)
    it(`says truly whether ${name} needs a token`, async () => {
      const url = path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, '1')
      const { body } = await t.anonymous.request(method, url)
      const refused = body?.error?.code === 'UNAUTHORIZED'
      assert.equal((operation.security ?? []).length > 0, refused)
      if (refused) assert.ok('401' in operation.responses)
    })

  it('knows how to get a token: the password grant at login_sw, or a bearer', () => {
    const { securitySchemes } = document.components
    const named = new Set(
      operations.flatMap(({ operation }) => (operation.security ?? []).flatMap(Object.keys)),
    )
    assert.deepEqual([...named].sort(), Object.keys(securitySchemes).sort())
    assert.equal(securitySchemes.senha?.flows?.password.tokenUrl, '/api/v1/usuarios/login_sw')
    const grant = document.paths['/api/v1/usuarios/login_sw']?.post
    assert.deepEqual(Object.keys(grant?.requestBody?.content ?? {}), ['application/x-www-form-urlencoded'])
  })

  it('names the public address where there is one', async () => {
    const other = await testApp({ env: { PUBLIC_URL: 'https://vigia.example/' } })
    const { servers, components } = other.document as unknown as Document
    await other.close()
    assert.deepEqual(servers, [{ url: 'https://vigia.example' }])
    assert.equal(
      components.securitySchemes.senha?.flows?.password.tokenUrl,
      'https://vigia.example/api/v1/usuarios/login_sw',
    )
  })

  it('has examples and defaults that its own schemas accept', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(t.document, 'openapi')
    let examples = 0
    for (const { pointer, schema } of schemasIn(t.document, '')) {
      const values = [
        ...((schema.examples as unknown[]) ?? []),
        ...('default' in schema ? [schema.default] : []),
      ]
      if (values.length === 0) continue
      const validate = ajv.compile({ $ref: `openapi#${pointer}` })
      for (const value of values) {
        examples++
        assert.ok(validate(value), `${pointer}: ${JSON.stringify(value)} ${ajv.errorsText(validate.errors)}`)
      }
    }
    assert.ok(examples > 10)
  })

  it('shows an example of every body that it takes', () => {
    for (const { name, operation } of operations)
      for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
        if (type === 'multipart/form-data') continue // A file is no text that could be shown.
        for (const { examples } of (schema.anyOf ?? [schema]).map(resolve))
          assert.ok(Array.isArray(examples) && examples.length > 0, name)
      }
  })

  it('tells both forms where the two descriptions share an operation', () => {
    const [get, put, remove] = ['GET', 'PUT', 'DELETE'].map((method) =>
      operationOf(`${method} /api/v1/usuarios/{id}`),
    )
    const forms = (body?: { content?: Record<string, { schema: Schema }> }) => {
      const schema = body?.content?.['application/json']?.schema
      return schema?.anyOf ? namesOf(schema) : []
    }
    assert.deepEqual(forms(put?.requestBody), ['UpdateA', 'AlterarUsuario'])
    assert.deepEqual(forms(put?.responses['200']), ['UsuarioBase', 'UsuarioAlterado'])
    for (const operation of [put, remove])
      assert.deepEqual(forms(operation?.responses['422']).length, 2, operation?.operationId)
    assert.deepEqual(forms(get?.responses['200']), [])
    const { parameters = [] } = remove as Operation
    assert.deepEqual(parameters.map(({ name, required = false }) => [name, required]).sort(), [
      ['If-Match', false],
      ['force', false],
      ['id', true],
      ['motivo', false],
      ['transferir_para', false],
    ])
  })

  it('tells which operations take an Idempotency-Key, and what comes of it', () => {
    const keyed = operations.filter(({ operation: { parameters = [] } }) =>
      parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key'),
    )
    assert.deepEqual(
      keyed.map(({ name }) => name),
      [
        'POST /api/v1/usuarios',
        'POST /api/v1/contas-de-servico',
        'POST /api/v1/contas-de-servico/{id}/chaves',
        'POST /api/v1/agravos/tipos',
        'POST /api/v1/agravos/casos',
        'POST /api/v1/agravos/duplicidades/{id}/decidir',
        'POST /api/v1/agravos/casos/{id}/fundir',
        'POST /api/v1/agravos/fusoes/{id}/desfazer',
        'POST /api/v1/agravos/casos/bulk',
        'POST /api/v1/agravos/importacoes/{id}/desfazer',
        'POST /api/v1/webhooks',
        'POST /api/v1/series',
        'POST /api/v1/series/bulk',
        'POST /api/v1/series/importacoes/{id}/desfazer',
        'POST /api/v1/epizootias/bulk',
        'POST /api/v1/epizootias/importacoes/{id}/desfazer',
        'POST /api/v1/epizootias',
      ],
    )
    for (const { operation } of keyed) {
      assert.ok('409' in operation.responses)
      const { headers } =
        operation.responses['201'] ?? operation.responses['202'] ?? operation.responses['200'] ?? {}
      assert.ok('Idempotent-Replay' in (headers ?? {}))
      assert.ok(operation.parameters?.every((parameter) => parameter.in === 'path' || !parameter.required))
    }
  })

  it('tells whose reading has an ETag, and that its changes take an If-Match', () => {
    const read = operations.filter(
      ({ operation: { responses } }) => 'ETag' in (responses['200']?.headers ?? {}),
    )
    assert.deepEqual(
      read.map(({ name }) => name),
      [
        'GET /api/v1/usuarios/{id}',
        'GET /api/v1/grupos/{id}',
        'GET /api/v1/noticias/{id}',
        'GET /api/v1/agravos/tipos/{codigo}',
        'GET /api/v1/agravos/casos/{id}',
        'GET /api/v1/agravos/agendas/{id}',
        'GET /api/v1/webhooks/{id}',
        'GET /api/v1/series/{codigo}',
        'GET /api/v1/epizootias/{id}',
      ],
    )
    for (const { name } of read) {
      const { parameters = [], responses } = operationOf(name.replace('GET', 'PUT')) as Operation
      assert.ok(parameters.some((one) => one.in === 'header' && one.name === 'If-Match' && !one.required))
      assert.ok('409' in responses, name)
    }
  })

  it('leaves nothing of the schema library in', () => {
    assert.doesNotMatch(JSON.stringify(document), /"~\w+"|"\$id"/)
  })
})

type Schema = Record<string, unknown> & {
  $ref?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

/** The names of the schemas that it is, or may be. */
const namesOf = (schema: Schema = {}) =>
  (schema.anyOf ?? [schema]).map(({ $ref }) => $ref?.split('/').at(-1) ?? 'without a name')

/** Every field with its path; of a group, those in it. */
function fieldsOf(given: Schema, path: string): [path: string, field: Schema][] {
  const { properties, items } = resolve(given)
  if (items && resolve(items).properties) return [[path, given], ...fieldsOf(items, path)]
  if (!properties) return [[path, given]]
  return Object.entries(properties).flatMap(([name, field]) => fieldsOf(field, `${path}.${name}`))
}

/** Every object that may be a schema, with its place; what is inside examples is no schema. */
function* schemasIn(node: unknown, pointer: string): Generator<{ pointer: string; schema: Schema }> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield { pointer, schema: node as Schema }
  for (const [key, child] of Object.entries(node))
    if (!['examples', 'default', 'enum'].includes(key))
      yield* schemasIn(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}
