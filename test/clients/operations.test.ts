import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { createVigia, VigiaError } from '../../clients/ts/src/index.ts'
import type { Call } from '../../clients/ts/src/types.ts'
import { ADMIN_EMAIL, PASSWORD, type Person } from '../harness/app.ts'
import { type Ask, NAMED, OTHERS } from '../territorio-operations.ts'
import { askFor, askOf, type Ids, operationThings, withOther } from '../territorio-things.ts'
import { LUGARES, type Lugar, territorioWorld } from '../territorio-world.ts'

/**
 * Every operation of the document once, over a connection, by the client. The rows are those of `test/territorio-access.test.ts`, which has
 * each operation; the service's answers are checked against the document by the ledger.
 */
const world = await territorioWorld()
const { t, callers } = world
const { fresh, ownIds } = await operationThings(world)
after(() => t.close())
await t.server.listen({ host: '127.0.0.1', port: 0 })
const url = `http://127.0.0.1:${(t.server.server.address() as AddressInfo).port}`

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const SCOPE = 'no territory'
const [lugar] = LUGARES as [Lugar]
const who = callers.get(SCOPE) as Person
/** A form instead of the row's JSON, which the service refuses. */
const FORM: (typeof OTHERS)[string] = [200, { body: { username: ADMIN_EMAIL, password: PASSWORD } }]
const ROWS = { ...OTHERS, 'POST /usuarios/login_sw': FORM }

function callOf(operation: string, ids: Ids, { query = '', body, form }: Ask): Call {
  const [method, path] = operation.split(' ') as [Call['method'], string]
  const fields = form?.map(({ field, content, filename, type = '' }) => [
    field,
    filename === undefined ? content : new File([content], filename, { type }),
  ])
  return {
    method,
    path,
    params: ids as Record<string, string>,
    query: Object.fromEntries(new URLSearchParams(query)),
    body: fields ? Object.fromEntries(fields) : withOther(body, ids),
  }
}

/** Status and content, as the client tells them. */
async function ask(person: Person, call: Call): Promise<{ status: number; told: string }> {
  try {
    const response = await createVigia({ url, token: person.token, attempts: 1 }).response(call)
    return { status: response.status, told: await response.text() }
  } catch (error) {
    assert.ok(error instanceof VigiaError, String(error))
    assert.notEqual(error.code, 'UNREACHABLE', error.message)
    return { status: error.status, told: `${error.code} ${error.message} ${JSON.stringify(error.fields)}` }
  }
}

async function answers(person: Person, call: Call, expected: number[]): Promise<void> {
  const { status, told } = await ask(person, call)
  assert.ok(expected.includes(status), `${status} ${told.slice(0, 300)}`)
  assert.deepEqual(t.ledger.violations.splice(0), [])
}

describe('The client calls', () => {
  it('every operation of the document: one of these rows each', () => {
    const { paths } = t.document as { paths: Record<string, object> }
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => METHODS.includes(method))
        .map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
    )
    assert.deepEqual([...Object.keys(NAMED), ...Object.keys(ROWS)].toSorted(), operations.toSorted())
  })

  for (const [operation, [kind, expected, given]] of Object.entries(NAMED))
    it(operation, async () => {
      await answers(who, callOf(operation, await fresh(kind, lugar, who), askFor(given, lugar)), [expected])
    })

  for (const [operation, [expected, given = {}]] of Object.entries(ROWS))
    it(operation, async () => {
      const person = /\/auth\/|logout/.test(operation) ? await world.newCaller(SCOPE) : who
      const call = callOf(operation, await ownIds(operation, person), askOf(given))
      await answers(person, call, [typeof expected === 'function' ? expected(SCOPE) : expected].flat())
    })
})
