import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { cleanUp } from '../../../src/domain/cleanup/cleanup.ts'
import type { Person } from '../../harness/app.ts'
import { answer, receiver, webhooksApp } from './webhooks-app.ts'

const { t, admin, gestor, analista, newCaso, newWebhook, deliver } = await webhooksApp()
const { pool } = t.database
after(() => t.close())
const LIDAS = '/notificacoes/lidas'

async function of(who: Person) {
  const { status, body, text } = await t.as(who).get('/notificacoes')
  assert.equal(status, 200, text)
  return body
}
const tiposOf = async (who: Person) => (await of(who)).notificacoes.map(({ tipo }: { tipo: string }) => tipo)

async function exportBy(who: Person): Promise<string> {
  const { status, body, text } = await t.as(who).post('/agravos/casos/exportar', { formato: 'csv' })
  assert.equal(status, 202, text)
  return body.job_id
}

describe('GET /notificacoes', () => {
  it('has the end of each of the own jobs, as its route shows it, and of nobody else’s', async () => {
    assert.deepEqual(await of(gestor), { nao_lidas: 0, maximo: 100, notificacoes: [] })
    const ids = [await exportBy(gestor), await exportBy(gestor)]
    await t.jobWorker.runAll()
    const { nao_lidas, notificacoes } = await of(gestor)
    assert.equal(nao_lidas, 2)
    const jobs = await Promise.all(ids.map(async (id) => (await t.as(gestor).get(`/jobs/${id}`)).body))
    assert.deepEqual(
      notificacoes.map(({ tipo, lida_em, job }: Record<string, unknown>) => ({ tipo, lida_em, job })),
      jobs.toReversed().map((job) => ({ tipo: 'job', lida_em: null, job })),
    )
    assert.deepEqual((await of(admin)).notificacoes, [])
  })

  it('has nothing of a job that its owner canceled', async () => {
    const before = (await of(gestor)).notificacoes.length
    const id = await exportBy(gestor)
    assert.equal((await t.as(gestor).delete(`/jobs/${id}`)).status, 200)
    assert.equal((await of(gestor)).notificacoes.length, before)
  })

  it('tells of a password, sessions and a second factor that somebody else set or ended, not of one’s own', async () => {
    const who = await t.person({ grupos: ['analista'] })
    const nova_senha = 'Outra-Senha-7'
    const set = await t.as(admin).post(`/usuarios/${who.id}/alterar-senha`, {
      nova_senha,
      confirmar_senha: nova_senha,
    })
    assert.equal(set.status, 200, set.text)
    const tipos = () =>
      pool.rows<{ tipo: string }>(sql`select tipo from notificacoes where usuario_id = ${who.id} order by id`)
    assert.deepEqual(await tipos(), [{ tipo: 'senha_definida' }])
    const other = await t.person({ grupos: ['analista'] })
    assert.equal((await t.as(other).delete(`/usuarios/${other.id}/sessoes`)).status, 403)
    assert.equal((await t.as(admin).delete(`/usuarios/${admin.id}/sessoes`)).status, 200)
    assert.deepEqual(await tiposOf(admin), [])
    assert.equal((await t.as(admin).delete(`/usuarios/${other.id}/sessoes`)).status, 200)
    assert.deepEqual(
      await pool.rows(sql`select tipo, lida_em from notificacoes where usuario_id = ${other.id}`),
      [{ tipo: 'sessoes_encerradas', lida_em: null }],
    )
  })

  it('tells of a webhook that the service switched off', async () => {
    const them = await receiver(answer(410))
    const { id } = await newWebhook({ url: them.url }, analista)
    await newCaso({})
    await deliver()
    const { notificacoes } = await of(analista)
    assert.deepEqual(
      notificacoes.map(({ tipo, webhook_id }: Record<string, unknown>) => [tipo, webhook_id]),
      [['webhook_desligado', id]],
    )
  })

  it('forgets after thirty days, and with the job', async () => {
    const who = await t.person({ grupos: ['gestor'] })
    const id = await exportBy(who)
    await t.jobWorker.runAll()
    await pool.run(sql`
      insert into notificacoes (usuario_id, tipo, criado_em)
      values (${who.id}, 'senha_definida', ${t.clock.now()}::timestamptz - interval '31 days')`)
    await cleanUp(t.app)
    assert.deepEqual(await tiposOf(who), ['job'])
    await pool.run(sql`delete from jobs where id = ${id}`)
    assert.deepEqual(await tiposOf(who), [])
  })
})

describe('PUT /notificacoes/lidas', () => {
  it('marks all up to one, of the own account, once', async () => {
    const who = await t.person({ grupos: ['gestor'] })
    for (let i = 0; i < 3; i++) await exportBy(who)
    await t.jobWorker.runAll()
    const [, second] = (await of(who)).notificacoes
    const ate = second.id
    assert.deepEqual((await t.as(admin).put(LIDAS, { ate })).body, { nao_lidas: 0 })
    assert.equal((await of(who)).nao_lidas, 3)
    const { status, body } = await t.as(who).put(LIDAS, { ate })
    assert.deepEqual([status, body], [200, { nao_lidas: 1 }])
    const read = async () =>
      (await of(who)).notificacoes.map(({ lida_em }: { lida_em: string | null }) => lida_em)
    const first = await read()
    assert.deepEqual(
      first.map((lida_em: string | null) => lida_em === null),
      [true, false, false],
    )
    t.clock.advance(60_000)
    assert.deepEqual((await t.as(who).put(LIDAS, { ate })).body, { nao_lidas: 1 })
    assert.deepEqual(await read(), first)
  })

  it('refuses what is no notification’s number, and marks none', async () => {
    const unread = () => pool.value(sql`select count(*)::integer from notificacoes where lida_em is null`)
    const before = await unread()
    for (const body of [{}, { ate: 0 }, { ate: 'x' }, { ate: 1.5 }, { ate: 2 ** 60 }, { ate: null }]) {
      const { status, body: answered } = await t.as(gestor).put(LIDAS, body)
      assert.equal(status, 422, JSON.stringify(body))
      assert.equal(answered.error.details[0].field, 'ate')
    }
    assert.equal((await t.anonymous.get('/notificacoes')).status, 401)
    assert.equal((await t.anonymous.put(LIDAS, { ate: 1 })).status, 401)
    assert.equal(await unread(), before)
  })
})
