import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { renderErrorA } from '../../src/contracts/a/errors.ts'
import { envelopeErrorSchema } from '../../src/contracts/error-envelope.ts'
import { route } from '../../src/contracts/route.ts'
import { sql } from '../../src/db/sql.ts'
import type { App } from '../../src/domain/app.ts'
import { createGrupo } from '../../src/domain/grupos/grupos.ts'
import { answerOnce } from '../../src/domain/idempotency/idempotency.ts'
import { authenticate } from '../../src/domain/sessoes/authenticate.ts'
import { anyone, loggedIn } from '../../src/http/access.ts'
import { refuseUnkeyable } from '../../src/http/idempotency.ts'
import { type AnyRow, NoContent } from '../../src/http/route.ts'
import { createServer } from '../../src/http/server.ts'
import { Type } from '../../src/http/type.ts'
import { testApp } from '../harness/app.ts'

/** Rows of every kind that may take a key, on a server of their own. */
const t = await testApp()
after(() => t.close())
const { pool } = t.database
const admin = await t.administrador()

const common = { spec: '0', method: 'POST' as const, summary: '', tag: '', access: loggedIn, errors: [] }
const Nome = Type.Object({ nome: Type.String() })
const grupo = (nome: string) => ({
  nome,
  descricao: null,
  ativo: true,
  exige_mfa: false,
  permissoes_ids: [],
})

const rows = [
  route({
    ...common,
    path: '/segredo',
    input: { body: Nome },
    idempotent: { replay: ({ nome }) => ({ nome }) },
    replies: { 201: Type.Object({ nome: Type.String(), segredo: Type.Optional(Type.String()) }) },
    async handle({ body, reply }) {
      reply.code(201)
      return { nome: body.nome, segredo: 'mostrado uma vez' }
    },
  }),
  route({
    ...common,
    path: '/nada/{id}',
    input: {
      params: Type.Object({ id: Type.Integer() }),
      query: Type.Object({ q: Type.Optional(Type.String()) }),
    },
    idempotent: true,
    replies: { 204: NoContent },
    async handle({ reply }) {
      reply.code(204)
    },
  }),
  // A use-case that fails and is caught; the ones before and after it count.
  route({
    ...common,
    path: '/grupos',
    input: { body: Nome },
    idempotent: true,
    replies: { 200: Type.Object({ grupos: Type.Array(Type.String()) }) },
    async handle({ body: { nome }, caller }, app) {
      const names = [`${nome}-1`, `${nome}-1`, `${nome}-2`]
      const grupos: string[] = []
      for (const name of names)
        await createGrupo(app, caller, grupo(name)).then(
          (created) => grupos.push(created.nome),
          () => grupos.push('recusado'),
        )
      return { grupos }
    },
  }),
]

const server = createServer<App>({
  app: t.app,
  contracts: [{ name: 'a', rows, renderError: renderErrorA, errorSchema: envelopeErrorSchema }],
  renderError: renderErrorA,
  authenticate: (token, origin) => authenticate(t.app, token, origin),
  answerOnce,
  slashMatters: () => false,
  collisions: [],
  clock: t.clock,
  fastify: {},
  onFault: (error) => {
    throw error
  },
})
after(() => server.close())

async function post(url: string, key: string, payload?: object) {
  const headers = { authorization: `Bearer ${admin.token}`, 'idempotency-key': key }
  const {
    statusCode,
    payload: text,
    headers: answered,
  } = await server.inject({
    ...{ method: 'POST', url, headers },
    ...(payload && { payload }),
  })
  return [statusCode, text && JSON.parse(text), answered['idempotent-replay'] === 'true']
}

describe('a row that takes a key', () => {
  it('repeats its answer without what is shown once, and does not keep that', async () => {
    const body = { nome: 'x' }
    assert.deepEqual(await post('/segredo', 'k', body), [
      201,
      { ...body, segredo: 'mostrado uma vez' },
      false,
    ])
    const [row] = await pool.rows<{ chave: Buffer; resposta: Buffer }>(
      sql`select chave, resposta from idempotencia`,
    )
    const context = `idempotencia.resposta:${row?.chave.toString('hex')}`
    const kept = t.app.cipher.decrypt(row?.resposta as Buffer, context).toString()
    assert.deepEqual(JSON.parse(kept), { status: 201, body })
    assert.deepEqual(await post('/segredo', 'k', body), [201, body, true])
  })

  it('repeats an answer without a body; another path or query is another request', async () => {
    assert.deepEqual(await post('/nada/1', 'k'), [204, '', false])
    assert.deepEqual(await post('/nada/1', 'k'), [204, '', true])
    const reused = { loc: ['header', 'Idempotency-Key'], type: 'value_error.idempotency_key_reused' }
    for (const url of ['/nada/2', '/nada/1?q=x']) {
      const [status, { detail }, replayed] = await post(url, 'k')
      const [{ msg, ...problem }] = detail
      assert.deepEqual([status, problem, replayed, msg.length > 0], [422, reused, false, true])
    }
  })

  it('has keys of its own', async () => {
    assert.deepEqual(await post('/segredo', 'comum', { nome: 'um' }), [
      201,
      { nome: 'um', segredo: 'mostrado uma vez' },
      false,
    ])
    const answer = { grupos: ['um-1', 'recusado', 'um-2'] }
    assert.deepEqual(await post('/grupos', 'comum', { nome: 'um' }), [200, answer, false])
  })

  it('may go on after a use-case that failed', async () => {
    const answer = { grupos: ['dois-1', 'recusado', 'dois-2'] }
    assert.deepEqual(await post('/grupos', 'meio', { nome: 'dois' }), [200, answer, false])
    assert.deepEqual(await post('/grupos', 'meio', { nome: 'dois' }), [200, answer, true])
    const names = await pool.rows<{ nome: string }>(
      sql`select nome from grupos where nome like 'dois-%' order by nome`,
    )
    assert.deepEqual(
      names.map(({ nome }) => nome),
      ['dois-1', 'dois-2'],
    )
    assert.deepEqual((await t.app.auditoria.verify(pool)).ok, true)
  })

  it('needs a caller, and a body that can be compared', () => {
    const [row] = rows as [AnyRow<App>]
    assert.doesNotThrow(() => refuseUnkeyable(row))
    const upload = { field: 'f', maxBytes: 1 }
    for (const wrong of [
      { ...row, access: anyone },
      { ...row, input: { upload } },
    ])
      assert.throws(() => refuseUnkeyable(wrong), /a key needs a caller/)
  })
})
