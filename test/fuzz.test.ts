import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Answer, findingsIn, MAX_MS, type Seen } from '../fuzz/checks.ts'
import { readDocument } from '../fuzz/document.ts'
import { fuzz } from '../fuzz/fuzz.ts'
import { createRandom } from '../fuzz/random.ts'
import type { Report } from '../fuzz/report.ts'
import type { FuzzRequest } from '../fuzz/requests.ts'
import { createValues } from '../fuzz/values.ts'
import { describedContracts } from '../src/contracts/service.routes.ts'
import type { Pool } from '../src/db/pool.ts'
import { sql } from '../src/db/sql.ts'
import { NOME } from './planted.ts'

const info = { title: '', version: '', description: '', publicUrl: null }
const document = readDocument(describedContracts(info).document)

describe('Requests made from the OpenAPI document', () => {
  it('find nothing wrong in 1,200, whoever asks whatever', async () => {
    const report = await fuzz({ requests: 1_200, seed: 20_260_308, worldRequests: 600 })
    assert.deepEqual([...report.findings.values()], [])
    const never = [...report.coverage].filter(([, statuses]) => statuses.size === 0).map(([name]) => name)
    assert.deepEqual(never, [])
    console.log(report.summary())
  })
})

type Break = (reply: FastifyReply, db: Pool) => unknown
const answer = (status: number, text: string) => (reply: FastifyReply) => reply.code(status).send(text)
/** What a careless change might do, where, and what must be said of it. */
const FAULTS: [where: RegExp, fault: Break, finding: RegExp][] = [
  [/^GET .*\/grupos/, answer(500, '{}'), /answered 500/],
  [/^GET .*\/permissoes/, answer(418, '{}'), /418 is not declared/],
  [/^GET .*\/(health|tipos)/, answer(200, '{"status":7}'), /not as declared/],
  [/^POST .*\/noticias/, answer(201, '{"id":1}'), /accepted what is invalid/],
  [/^GET .*\/(agravos|importacoes)/, answer(200, '{}'), /let in (anonymous|desativado|garbage)/],
  [/^GET .*\/(me|logado)$/, answer(200, `{"nome":"${NOME}"}`), /shows of a patient: nome,sobrenome/],
  [/^(PUT|PATCH) .*\/noticias/, answer(403, '{"a":"violates unique constraint"}'), /shows its insides/],
  [/^GET .*\/webhooks/, (reply) => reply.raw.destroy(new Error('cut')), /no answer|dropped/],
  [/^GET .*\/jobs/, leaveTrace, /left a trace in grupos: 0 added, 1 changed/],
]
/** News that only seem to be published cannot be read afterwards. */
const CONSEQUENCE = /^GET .*\/noticias\/\{id\}$/
const faultAt = (operation: string) => FAULTS.find(([where]) => where.test(operation))

async function leaveTrace(reply: FastifyReply, db: Pool): Promise<void> {
  await db.run(sql`update grupos set atualizado_em = clock_timestamp() where nome = 'gestor'`)
  reply.code(403).send('{}')
}

type Planted = [where: RegExp, finding: RegExp]

/** Where the guard of territories is taken away, and what must be said of it. */
const UNGUARDED: Planted[] = [
  [/^(PUT|PATCH) .*\/agravos\/casos\/\{id\}$/, /opened a case outside/],
  [/^GET \/api\/v1\/eventos$/, /shows cases outside/],
]
const PLANTED: Planted[] = [...FAULTS.map(([where, , finding]): Planted => [where, finding]), ...UNGUARDED]
const isFound = ({ findings }: Report, [where, finding]: Planted) =>
  [...findings.values()].some(({ operation, what }) => where.test(operation) && finding.test(what))
const isUnguarded = (operation: string) => UNGUARDED.some(([where]) => where.test(operation))

function sabotage(server: FastifyInstance, db: Pool): void {
  server.addHook('preHandler', async (request) => {
    if (request.caller && isUnguarded(`${request.method} ${request.routeOptions.config.route}`))
      request.caller = { ...request.caller, territorio: null }
  })
  server.addHook('onRequest', async (request, reply) => {
    const [, fault] = faultAt(`${request.method} ${request.routeOptions.config.route}`) ?? []
    if (fault === undefined) return
    reply.type('application/json')
    await fault(reply, db)
    return reply
  })
}

describe('What is broken on purpose', () => {
  // Faults are planted: their answers are no evidence of what the routes answer.
  const ledgerFile = process.env.VIGIA_TEST_LEDGER
  before(() => {
    delete process.env.VIGIA_TEST_LEDGER
  })
  after(() => {
    if (ledgerFile !== undefined) process.env.VIGIA_TEST_LEDGER = ledgerFile
  })

  it('is found, each fault by its name', async () => {
    const report = await fuzz({
      requests: 10_000,
      // Finds the last fault after some 800 requests; others take thousands.
      seed: 11,
      sabotage,
      until: (sofar) => PLANTED.every((planted) => isFound(sofar, planted)),
    })
    for (const planted of PLANTED) assert.ok(isFound(report, planted), planted.join(' '))
    const others = [...report.findings.values()].filter(
      ({ operation }) =>
        faultAt(operation) === undefined && !isUnguarded(operation) && !CONSEQUENCE.test(operation),
    )
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
    outside: null,
    cutOff: false,
  }
  const WRONG: [what: string, seen: Seen, finding: RegExp][] = [
    ['that hangs', { ...fine, answer: { ...answered, ms: MAX_MS + 1 } }, /took 30001 ms/],
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
