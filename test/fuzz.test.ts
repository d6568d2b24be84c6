import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, findingsIn, MAX_MS, type Seen } from '../fuzz/checks.ts'
import { readDocument } from '../fuzz/document.ts'
import { fuzz } from '../fuzz/fuzz.ts'
import { createRandom } from '../fuzz/random.ts'
import type { FuzzRequest } from '../fuzz/requests.ts'
import { createValues } from '../fuzz/values.ts'
import { describedContracts } from '../src/contracts/service.routes.ts'
import type { Pool } from '../src/db/pool.ts'
import { sql } from '../src/db/sql.ts'
import { NOME } from './plantados.ts'

const info = { title: '', version: '', description: '', serverUrl: '/', tokenUrl: '/' }
const document = readDocument(describedContracts(info).document)

describe('Requests made from the OpenAPI document', () => {
  it('find nothing wrong in 2,000, whoever asks whatever', async () => {
    const report = await fuzz({ requests: 2_000, seed: 20_260_308 })
    assert.deepEqual([...report.findings.values()], [])
    const never = [...report.coverage].filter(([, statuses]) => statuses.size === 0).map(([name]) => name)
    assert.deepEqual(never, [])
    console.log(report.summary())
  })
})

type Break = (request: FastifyRequest, reply: FastifyReply, db: Pool) => unknown
/** What a careless change might do, and what must be said of it. */
const FAULTS: Record<string, [fault: Break, finding: RegExp]> = {
  'GET /api/v1/grupos': [(_, reply) => reply.code(500).send('{}'), /answered 500/],
  'GET /api/v1/permissoes': [(_, reply) => reply.code(418).send('{}'), /418 is not declared/],
  'GET /api/v1/agravos/tipos': [(_, reply) => reply.code(200).send('{"tipos":7}'), /not as declared/],
  'POST /api/v1/noticias': [(_, reply) => reply.code(201).send('{"id":1}'), /accepted what is invalid/],
  'GET /api/v1/jobs/{job_id}': [
    (_, reply) => reply.code(200).send('{}'),
    /let in (anonymous|desativado|garbage)/,
  ],
  'GET /api/v1/usuarios/me': [
    (_, reply) => reply.code(200).send(`{"nome":"${NOME}"}`),
    /shows of a patient: nome,sobrenome/,
  ],
  'GET /api/v1/usuarios/logado': [
    (_, reply) => reply.code(403).send('{"error":"violates unique constraint"}'),
    /shows its insides/,
  ],
  'GET /api/v1/webhooks': [(request) => request.raw.destroy(), /no answer/],
  'GET /api/v1/jobs': [
    async (_, reply, db) => {
      await db.run(sql`insert into noticias (titulo, conteudo) values ('a', 'b')`)
      return reply.code(403).send('{}')
    },
    /left a trace in noticias: 1 added/,
  ],
}

describe('What is broken on purpose', () => {
  it('is found, each fault by its name', async () => {
    const sabotage = (server: FastifyInstance, db: Pool) =>
      server.addHook('onRequest', async (request, reply) => {
        const fault = FAULTS[`${request.method} ${request.routeOptions.config.route}`]?.[0]
        if (fault === undefined) return
        reply.type('application/json')
        await fault(request, reply, db)
        return reply
      })
    const report = await fuzz({ requests: 800, seed: 7, sabotage })
    const found = [...report.findings.values()]
    for (const [operation, [, expected]] of Object.entries(FAULTS))
      assert.ok(
        found.some((one) => one.operation === operation && expected.test(one.what)),
        `${operation} ${expected}`,
      )
    const others = found.filter(({ operation }) => !Object.hasOwn(FAULTS, operation))
    assert.deepEqual(others, [])
  })

  const request: FuzzRequest = {
    operation: document.find('GET /api/v1/health'),
    role: 'anonymous',
    method: 'GET',
    url: '/api/v1/health',
    params: {},
    headers: {},
    invalid: null,
    identified: false,
  }
  const answered: Answer = { kind: 'answered', status: 200, headers: '', text: '{}', ms: 1 }
  const fine: Seen = {
    request,
    answer: answered,
    violations: [],
    faults: [],
    traces: [],
    mayIdentify: false,
    cutOff: false,
  }
  const WRONG: [what: string, seen: Seen, finding: RegExp][] = [
    ['that hangs', { ...fine, answer: { ...answered, ms: MAX_MS + 1 } }, /took 5001 ms/],
    ['that does not come', { ...fine, answer: { kind: 'failed', why: 'a dropped connection' } }, /dropped/],
    ['during which the service logs a fault', { ...fine, faults: ['{"level":50}'] }, /fault/],
    [
      'that a sequence rules out',
      { ...fine, request: { ...request, expected: [404] } },
      /200 where only 404 is right/,
    ],
  ]
  for (const [what, seen, finding] of WRONG)
    it(`an answer ${what} is a finding`, () => {
      assert.deepEqual(findingsIn(fine), [])
      assert.match(findingsIn(seen).join(), finding)
    })
})

describe('The generator of values', () => {
  const bodies = document.operations.filter(({ body }) => body?.media === 'application/json')

  for (const { name, body } of bodies)
    it(`knows which bodies of ${name} are good`, () => {
      const { schema, accepts } = body as NonNullable<typeof body>
      const values = createValues(document, createRandom(1), () => undefined)
      for (let i = 0; i < 30; i++)
        for (const style of ['valid', 'boundary'] as const) {
          const value = values.make(schema, 'body', style)
          assert.ok(accepts(value), `${JSON.stringify(value)}: ${JSON.stringify(accepts.errors)}`)
        }
      const broken = Array.from({ length: 60 }, () => values.makeBroken(schema, 'body'))
      // Where one of two forms is asked for, what breaks one may still be the other.
      const taken = broken.filter(({ value }) => accepts(value)).map(({ why }) => why)
      if (!('anyOf' in schema)) assert.deepEqual(taken, [])
    })

  it('makes the same of the same seed', () => {
    const draw = (seed: number) => {
      const values = createValues(document, createRandom(seed), () => undefined)
      return bodies.map(({ body }) => values.make(body?.schema ?? {}, 'body', 'valid'))
    }
    assert.deepEqual(draw(42), draw(42))
    assert.notDeepEqual(draw(42), draw(43))
  })
})
