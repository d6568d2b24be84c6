import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describedContracts } from '../src/contracts/service.routes.ts'
import { testApp } from './harness/app.ts'

const t = await testApp()
after(() => t.close())

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }>; headers?: object }>
}
interface Document {
  openapi: string
  info: { version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, { flows?: { password: { tokenUrl: string } } }> }
}

const document = t.document as unknown as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
  })),
)

describe('The OpenAPI document', () => {
  it('is valid OpenAPI 3.1 and free of lint errors and warnings', async () => {
    assert.match(document.openapi, /^3\.1\./)
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        // The two descriptions of the interface tell two lists apart by this slash (docs/decisions.md).
        'no-path-trailing-slash': 'off',
        // The licence is none that has a public address: the page would link to one that does not exist.
        'info-license-strict': 'off',
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

  it('declares 413 and 415 wherever a body may come, also where none is asked for', async () => {
    const silent = operations.filter(
      ({ method, operation }) =>
        method !== 'GET' && !(413 in operation.responses && 415 in operation.responses),
    )
    assert.deepEqual(
      silent.map(({ name }) => name),
      [],
    )
    const admin = t.as(await t.administrador())
    const { status } = await admin.request('DELETE', '/grupos/999', { payload: 'nada' })
    assert.equal(status, 415)
  })

  it('demands no parameter, and no field of a form, that has a default', () => {
    const wrong = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? [])
        .filter(({ required, schema }) => required && 'default' in schema)
        .map((parameter) => `${name} ${parameter.name}`),
    )
    assert.deepEqual(wrong, [])
    const { content } = document.paths['/api/v1/agravos/casos/bulk']?.post?.requestBody ?? {}
    assert.deepEqual(content?.['multipart/form-data']?.schema.required, ['file', 'formato'])
  })

  it('is answered by the service itself, to anyone', async () => {
    const { status, headers, body } = await t.anonymous.get('/openapi.json')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(body, JSON.parse(JSON.stringify(t.document)))
    assert.equal(body.info.version, '0.1.0')
  })

  it('holds every mounted route and no other', () => {
    const info = { title: '', version: '', description: '', serverUrl: '/', tokenUrl: '/' }
    const rows = describedContracts(info).contracts.flatMap((contract) => contract.rows)
    assert.deepEqual(
      operations.map(({ name }) => name).sort(),
      // Where the two descriptions share a method and a path, they share the operation.
      [...new Set(rows.map(({ method, path }) => `${method} ${path}`))].sort(),
    )
    for (const { name, method, path } of operations)
      assert.ok(t.server.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }), name)
  })

  it('gives every operation a name of its own, a summary, and the errors that any request may meet', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    )
    for (const { name, operation } of operations) {
      assert.match(operation.operationId, /^[a-z][A-Za-z0-9]+$/, name)
      assert.ok(operation.summary.length > 3, name)
      assert.equal(operation.tags.length, 1, name)
      for (const status of ['400', '429', '500', '503'])
        assert.ok(status in operation.responses, `${name} ${status}`)
      if (operation.requestBody)
        for (const status of ['413', '415', '422'])
          assert.ok(status in operation.responses, `${name} ${status}`)
    }
  })

  for (const { name, method, path, operation } of operations)
    it(`says truly whether ${name} needs a token`, async () => {
      const url = path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, '1')
      const { body } = await t.anonymous.request(method, url)
      const refused = body?.error?.code === 'UNAUTHORIZED'
      assert.equal(operation.security.length > 0, refused)
      if (refused) assert.ok('401' in operation.responses)
    })

  it('knows how to get a token: the password grant at login_sw, or a bearer', () => {
    const { securitySchemes } = document.components
    const named = new Set(operations.flatMap(({ operation }) => operation.security.flatMap(Object.keys)))
    assert.deepEqual([...named].sort(), Object.keys(securitySchemes).sort())
    assert.equal(securitySchemes.senha?.flows?.password.tokenUrl, '/api/v1/usuarios/login_sw')
    const grant = document.paths['/api/v1/usuarios/login_sw']?.post
    assert.deepEqual(Object.keys(grant?.requestBody?.content ?? {}), ['application/x-www-form-urlencoded'])
  })

  it('names the public address where there is one', async () => {
    const other = await testApp({ env: { PUBLIC_URL: 'https://vigia.exemplo/' } })
    const { servers, components } = other.document as unknown as Document
    await other.close()
    assert.deepEqual(servers, [{ url: 'https://vigia.exemplo' }])
    assert.equal(
      components.securitySchemes.senha?.flows?.password.tokenUrl,
      'https://vigia.exemplo/api/v1/usuarios/login_sw',
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
    const { get, put, delete: remove } = document.paths['/api/v1/usuarios/{id}'] ?? {}
    const forms = (body?: { content?: Record<string, { schema: Schema }> }) =>
      (body?.content?.['application/json']?.schema.anyOf ?? []).map(({ $ref }) => $ref?.split('/').at(-1))
    assert.deepEqual(forms(put?.requestBody), ['UpdateA', 'AlterarUsuario'])
    assert.deepEqual(forms(put?.responses['200']), ['UsuarioBase', 'UsuarioAlterado'])
    for (const operation of [put, remove])
      assert.deepEqual(forms(operation?.responses['422']).length, 2, operation?.operationId)
    assert.deepEqual(forms(get?.responses['200']), [])
    const { parameters = [] } = remove as Operation
    assert.deepEqual(parameters.map(({ name, required }) => [name, required]).sort(), [
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
        'POST /api/v1/agravos/casos',
        'POST /api/v1/agravos/casos/bulk',
        'POST /api/v1/webhooks',
      ],
    )
    for (const { operation } of keyed) {
      assert.ok('409' in operation.responses)
      const { headers } = operation.responses['201'] ?? operation.responses['202'] ?? {}
      assert.ok('Idempotent-Replay' in (headers ?? {}))
      assert.ok(operation.parameters?.every(({ required }) => !required))
    }
  })

  it('leaves nothing of the schema library in', () => {
    assert.doesNotMatch(JSON.stringify(document), /"~\w+"|"\$id"/)
  })
})

type Schema = Record<string, unknown> & { $ref?: string; anyOf?: Schema[] }

function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.replace('#/components/schemas/', '')
  return (t.document as { components: { schemas: Record<string, Schema> } }).components.schemas[
    name
  ] as Schema
}

/** Every object that may be a schema, with its place; what is inside examples is no schema. */
function* schemasIn(node: unknown, pointer: string): Generator<{ pointer: string; schema: Schema }> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield { pointer, schema: node as Schema }
  for (const [key, child] of Object.entries(node))
    if (!['examples', 'default', 'enum'].includes(key))
      yield* schemasIn(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}
