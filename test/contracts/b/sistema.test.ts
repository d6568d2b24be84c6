import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { testApp } from '../../harness/app.ts'
import { GOOD, jobsApp } from './jobs-app.ts'

const app = await jobsApp()
const { t, pool, admin, ana, bia, sendImport, sendExport, done } = app
after(() => t.close())

describe('GET /sistema', () => {
  it('tells queues, sizes, the last backup and the use of limits', async () => {
    await sendImport([GOOD])
    await sendExport()
    await pool.run(
      sql`insert into ultima_copia (concluida_em, bytes) values ('2026-11-10T03:00:00Z', 1048576)`,
    )
    // A fresh instance: what this one has read is kept for seconds.
    const env = { RATE_LIMITS: 'count' }
    const fresh = await testApp({ database: t.database, dataKey: t.dataKey, env })
    for (let asked = 0; asked < 2; asked++) assert.equal((await fresh.as(ana).get('/jobs')).status, 200)
    const { status, body } = await fresh.as(admin).get('/sistema')
    assert.equal(status, 200)
    assert.equal(body.filas.jobs.esperando, 2)
    assert.equal(body.filas.jobs.em_andamento, 0)
    const idle = { esperando: 0, mais_antigo_segundos: 0, em_andamento: 0, falhas: 0 }
    assert.deepEqual(body.filas.entregas, idle)
    assert.deepEqual(Object.keys(body.filas), ['jobs', 'entregas', 'emails', 'contagens'])
    assert.deepEqual(body.webhooks, { falhando: 0, desligados: 0 })
    assert.ok(body.banco_bytes > 1_000_000)
    assert.ok(body.disco.total_bytes > body.disco.livre_bytes && body.disco.livre_bytes > 0)
    assert.deepEqual(body.ultima_copia, { concluida_em: '2026-11-10T03:00:00.000Z', bytes: 1_048_576 })
    const mine = body.limites.find((one: { usuario: { id: number } }) => one.usuario.id === ana.id)
    assert.deepEqual(mine, {
      usuario: { id: ana.id, nome: 'Pessoa 1' },
      console: false,
      ...{ minuto: 2, minuto_limite: 50, hora: 2, hora_limite: 1_000 },
    })
    await fresh.server.close()
  })

  it('is read at most once in five seconds', async () => {
    const first = await t.as(admin).get('/sistema')
    await sendExport(bia)
    assert.deepEqual((await t.as(admin).get('/sistema')).body, first.body)
  })

  it('is for administrators alone', async () => {
    const { status, body } = await t.as(ana).get('/sistema')
    assert.equal(status, 403)
    assert.equal(body.error.required_permission, 'admin')
    assert.equal((await t.anonymous.get('/sistema')).status, 401)
  })
})

describe('GET /jobs?de=todos', () => {
  it('lists jobs of all accounts with their owners, none of the service itself, with the same filters', async () => {
    await app.empty()
    const [one, other] = [await sendImport([GOOD]), await sendExport(bia)]
    await pool.run(sql`
      insert into jobs (id, tipo, message, usuario_nome, parametros, created_at)
      values ('job_do_servico', 'alertas', '', '', '{}', now())`)
    const { status, body } = await t.as(admin).get('/jobs?de=todos')
    assert.equal(status, 200)
    const owners = body.items.map((job: { job_id: string; usuario: object }) => [job.job_id, job.usuario])
    assert.deepEqual(
      new Map(owners),
      new Map([
        [other, { id: bia.id, nome: 'Pessoa 2' }],
        [one, { id: ana.id, nome: 'Pessoa 1' }],
      ]),
    )
    await done(one)
    const completed = await t.as(admin).get('/jobs?de=todos&tipo=importacao&status=completed')
    assert.equal(completed.body.total, 1)
  })

  it('is for administrators alone; others have their own, without a name', async () => {
    await app.empty()
    await sendImport([GOOD])
    const refused = await t.as(bia).get('/jobs?de=todos')
    assert.equal(refused.status, 403)
    assert.equal(refused.body.error.required_permission, 'admin')
    assert.equal((await t.as(bia).get('/jobs?de=mim')).body.total, 0)
    const { body } = await t.as(ana).get('/jobs')
    assert.equal(body.total, 1)
    assert.equal(body.items[0].usuario, undefined)
    assert.equal((await t.as(admin).get('/jobs')).body.total, 0)
    assert.equal((await t.as(ana).get('/jobs?de=ana')).status, 422)
  })
})
