import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { testApp } from '../../harness/app.ts'
import { administer, createTestDatabase } from '../../harness/database.ts'

const t = await testApp({ env: { AMBIENTE: 'staging' } })
after(() => t.close())

describe('GET /health', () => {
  it('tells anyone that the service answers, its version and its environment', async () => {
    const { status, body } = await t.anonymous.get('/health')
    assert.equal(status, 200)
    const { timestamp, ...rest } = body
    assert.deepEqual(rest, { status: 'ok', version: '0.1.0', environment: 'staging' })
    assert.ok(Math.abs(Date.parse(timestamp) - t.clock.now().getTime()) < 10_000)
  })
})

describe('GET /health/detailed', () => {
  it('adds the state of every part', async () => {
    const { status, body } = await t.anonymous.get('/health/detailed')
    assert.equal(status, 200)
    const { timestamp, checks, ...rest } = body
    assert.deepEqual(rest, { status: 'ok', version: '0.1.0', environment: 'staging' })
    assert.ok(Number.isFinite(Date.parse(timestamp)))
    assert.deepEqual(Object.keys(checks), ['database', 'migrations', 'jobs', 'webhooks', 'disk'])
    for (const check of Object.values<{ status: string; latency_ms: number }>(checks)) {
      assert.deepEqual(Object.keys(check), ['status', 'latency_ms'])
      assert.equal(check.status, 'ok')
      assert.ok(check.latency_ms >= 0)
    }
  })
})

describe('the jobs in GET /health/detailed', () => {
  const { pool } = t.database
  const jobs = async () => {
    const { status, body } = await t.anonymous.get('/health/detailed')
    assert.deepEqual([body.checks.database.status, body.checks.disk.status], ['ok', 'ok'])
    return [status, body.checks.jobs.status]
  }
  const GOOD = [200, 'ok']
  const BAD = [503, 'error']
  const waiting = (since: string) =>
    pool.run(
      sql`update jobs_fila set disponivel_em = now() - ${since}::interval, trabalhador = null, vence_em = null`,
    )

  it('are well while they wait for less than a minute, or while anybody works', async () => {
    await pool.run(sql`
      with job as (
        insert into jobs (id, tipo, message, usuario_nome, parametros, created_at)
        select 'job_' || i, 'exportacao_casos', '', '', '{}', now() from generate_series(1, 2) i returning id
      )
      insert into jobs_fila (job_id) select id from job`)
    assert.deepEqual(await jobs(), GOOD)
    await waiting('50 seconds')
    assert.deepEqual(await jobs(), GOOD)
    await waiting('1 hour')
    await pool.run(sql`
      update jobs_fila set trabalhador = 'a', vence_em = now() + interval '5 seconds' where job_id = 'job_1'`)
    assert.deepEqual(await jobs(), GOOD, 'one waits, but another is worked on')
  })

  it('fail when one could have been taken for a minute and nobody works', async () => {
    await waiting('61 seconds')
    assert.deepEqual(await jobs(), BAD)
    await pool.run(sql`update jobs_fila set trabalhador = 'dead', vence_em = now() - interval '1 second'`)
    assert.deepEqual(await jobs(), BAD, 'a worker that died is nobody')
  })

  it('are well again when they are done, and when the next attempt is yet to come', async () => {
    await pool.run(sql`update jobs_fila set disponivel_em = now() + interval '5 seconds'`)
    assert.deepEqual(await jobs(), GOOD)
    await pool.run(sql`delete from jobs`)
    assert.deepEqual(await jobs(), GOOD)
  })
})

describe('the webhooks in GET /health/detailed', () => {
  const { pool } = t.database
  const webhooks = async () => {
    const { status, body } = await t.anonymous.get('/health/detailed')
    return [status, body.checks.webhooks.status]
  }
  const GOOD = [200, 'ok']
  const BAD = [503, 'error']
  const ago = (seconds: number) => new Date(t.clock.now().getTime() - seconds * 1000)
  const since = (table: 'evento' | 'fila', seconds: number) => {
    const moment = ago(seconds)
    return table === 'evento'
      ? pool.run(sql`update eventos_novos set criado_em = ${moment}`)
      : pool.run(sql`update webhook_filas set proxima_tentativa = ${moment}`)
  }

  it('fail when an event has not been handed out for a minute', async () => {
    await pool.run(sql`
      insert into eventos_novos (id, tipo, chave, dados, criado_em)
      values ('evt_1', 'usuario.criado', 'usuario:1', '{}', ${t.clock.now()})`)
    assert.deepEqual(await webhooks(), GOOD)
    await since('evento', 50)
    assert.deepEqual(await webhooks(), GOOD)
    await since('evento', 61)
    assert.deepEqual(await webhooks(), BAD)
    await t.webhookWorker.runOnce()
    assert.deepEqual(await webhooks(), GOOD, 'handed out: there is nobody to tell')
  })

  it('fail when a delivery could have been made for a minute and nobody works', async () => {
    await pool.run(sql`
      with w as (
        insert into webhooks (id, usuario_id, url, eventos, ativo, headers, secret, criado_em, atualizado_em)
        values ('wh_1', 1, 'https://lab.example/', '{usuario.criado}', true, '', '', ${ago(3600)}, ${ago(3600)}) returning id
      ), dono as (update usuarios set atualizado_em = ${ago(3600)} where id = 1)
      insert into webhook_filas (webhook_id, chave, proxima_tentativa)
      select w.id, 'usuario:' || i, now() from w, generate_series(1, 2) i`)
    await since('fila', 50)
    assert.deepEqual(await webhooks(), GOOD)
    await since('fila', 61)
    assert.deepEqual(await webhooks(), BAD)
    const reserve = (seconds: number) =>
      pool.run(sql`
        update webhook_filas set reservada_por = gen_random_uuid(),
          reservada_ate = ${new Date(t.clock.now().getTime() + seconds * 1000)} where chave = 'usuario:1'`)
    await reserve(20)
    assert.deepEqual(await webhooks(), GOOD, 'one waits, but another is in hand')
    await reserve(-1)
    assert.deepEqual(await webhooks(), BAD, 'an instance that died is nobody')
  })

  it('are well while a webhook is off, or its receiver asked to wait', async () => {
    await pool.run(sql`update webhooks set ativo = false`)
    assert.deepEqual(await webhooks(), GOOD)
    const soon = new Date(t.clock.now().getTime() + 60_000)
    await pool.run(sql`update webhooks set ativo = true, aguardar_ate = ${soon}`)
    assert.deepEqual(await webhooks(), GOOD)
    await pool.run(sql`update webhooks set aguardar_ate = null`)
    assert.deepEqual(await webhooks(), BAD)
  })

  it('are well just after a webhook, or its owner, was switched on again', async () => {
    for (const [what, change] of [
      ['the webhook', sql`update webhooks set atualizado_em = ${ago(1)}`],
      ['the owner', sql`update usuarios set atualizado_em = ${ago(1)} where id = 1`],
    ] as const) {
      await pool.run(change)
      assert.deepEqual(await webhooks(), GOOD, what)
      await pool.run(sql`update webhooks set atualizado_em = ${ago(61)}`)
      await pool.run(sql`update usuarios set atualizado_em = ${ago(61)} where id = 1`)
      assert.deepEqual(await webhooks(), BAD, `${what}, a minute ago`)
    }
    await pool.run(sql`delete from webhooks`)
    assert.deepEqual(await webhooks(), GOOD)
  })
})

describe('without its database', async () => {
  const database = await createTestDatabase()
  const away = await testApp({ database })
  after(() => away.close())
  const person = await away.person()
  await database.pool.end()
  await administer(`drop database ${database.name} with (force)`)

  it('the service still says that it answers', async () => {
    assert.equal((await away.anonymous.get('/health')).status, 200)
  })

  it('the detailed state is 503, names the parts that fail and shows nothing else of them', async () => {
    const { status, body, text, headers } = await away.anonymous.get('/health/detailed')
    assert.equal(status, 503)
    assert.equal(headers['retry-after'], '5')
    assert.equal(body.status, 'error')
    const { database: db, migrations, webhooks, disk } = body.checks
    assert.deepEqual(
      [db.status, migrations.status, webhooks.status, disk.status],
      ['error', 'error', 'error', 'ok'],
    )
    const { host, user } = database.connection
    for (const secret of [host, user, database.name, 'pool', 'Error', 'localhost', process.cwd()])
      assert.ok(!text.includes(String(secret)), `the answer does not show ${secret}`)
  })

  for (const [what, request] of [
    ['a login', () => away.anonymous.post('/auth/login', { username: person.email, password: 'x' })],
    ['a protected route', () => away.as(person).get('/grupos')],
  ] as const)
    it(`${what} is 503 with the time to try again, not 401 and not 500`, async () => {
      const { status, body, headers } = await request()
      assert.equal(status, 503)
      assert.equal(body.error.code, 'UNAVAILABLE')
      assert.match(String(headers['retry-after']), /^\d+$/)
    })
})
