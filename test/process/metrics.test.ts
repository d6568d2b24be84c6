import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { dataFolder, request } from './service.ts'

const database = await createTestDatabase()
const folder = await dataFolder({ after })
after(() => database.drop())
const DATABASE_URL = databaseUrl(database.name)

/** NaN where there is none. */
function valueIn(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? Number.NaN)
}

describe('METRICS_PORT', async () => {
  const service = await folder.start({ DATABASE_URL, METRICS_PORT: '0', LOG_LEVEL: 'silent', WORKER: 'off' })
  const address = /^Metrics: (http:\/\/127\.0\.0\.1:\d+\/metrics)$/m.exec(service.output.stdout)?.[1] ?? ''
  const metrics = async () => (await request(new URL(address))).text

  it('serves Prometheus text on a port of its own', async () => {
    const { status, headers } = await request(new URL(address))
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
    assert.equal((await request(new URL('/api/v1/health', address))).status, 404)
    assert.equal((await service.request('/metrics')).status, 404)
  })

  it('counts requests by route and status, without URLs, ids or addresses', async () => {
    const token = await service.login(ADMIN_EMAIL, PASSWORD)
    for (const id of [1, 2, 987654]) await service.request(`/api/v1/grupos/${id}?nome=Maria`, { token })
    await service.request('/api/v1/grupos/1')
    await service.request('/wp-admin/Maria.php')
    const text = await metrics()
    const count = (method: string, route: string, status: number) => {
      const labels = `method="${method}",route="${route}",status="${status}"`
      const found = text
        .split('\n')
        .find((line) => line.startsWith(`vigia_http_request_seconds_count{${labels}}`))
      return Number(found?.split(' ')[1] ?? 0)
    }
    assert.equal(count('GET', '/api/v1/grupos/{id}', 200), 2)
    assert.equal(count('GET', '/api/v1/grupos/{id}', 404), 1)
    assert.equal(count('GET', '/api/v1/grupos/{id}', 401), 1)
    assert.equal(count('POST', '/api/v1/auth/login', 200), 1)
    assert.equal(count('GET', 'unmatched', 404), 2)
    assert.doesNotMatch(text, /Maria|987654|wp-admin|teste\.local|127\.0\.0\.1/)
  })

  it('tells the state of the pool and the lag of the event loop', async () => {
    const text = await metrics()
    assert.match(text, /^vigia_db_connections\{state="total"\} [1-9]/m)
    assert.match(text, /^vigia_db_connections\{state="waiting"\} 0$/m)
    assert.match(text, /^vigia_http_refused_excess_total 0$/m)
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m)
    assert.match(text, /^process_resident_memory_bytes \d+$/m)
  })

  it('tells what waits in the background, how long, and what came of it', async () => {
    const { pool } = database
    await pool.run(sql`
      insert into jobs (id, tipo, status, message, usuario_nome, parametros, created_at, completed_at)
      select 'job' || n, 'importacao', case when n < 3 then 'processing' else 'failed' end, '', 'Maria', '{}',
        now() - interval '3 hours', case when n = 3 then now() when n = 4 then now() - interval '2 hours' end
      from generate_series(1, 4) n`)
    await pool.run(sql`
      insert into jobs_fila (job_id, disponivel_em, trabalhador, vence_em)
      values ('job1', now() - interval '10 minutes', null, null), ('job2', now(), 'outro', now() + interval '1 hour')`)
    await pool.run(sql`
      insert into webhooks (id, usuario_id, url, eventos, ativo, falhando_desde, headers, secret, criado_em, atualizado_em)
      values ('w1', 1, 'https://receptor.invalid/Maria', '{}', true, now(), '', '', now(), now())`)
    await pool.run(sql`
      insert into entregas (webhook_id, evento_id, tipo, chave, corpo, motivo, estado, criado_em, concluida_em)
      values ('w1', 'e1', 'agravo.criado', '1', '', 'evento', 'pendente', now() - interval '20 minutes', null),
        ('w1', 'e2', 'agravo.criado', '2', '', 'evento', 'falhou', now() - interval '5 days', now())`)
    await pool.run(sql`
      insert into emails_pendentes (tipo, para, criado_em, tentativas, proxima_tentativa)
      values ('redefinir_senha', 'maria@teste.local', now() - interval '30 minutes', 2, now() + interval '1 hour')`)
    const { code, stderr } = await folder.run(['backup', `${folder.dataDir}/copia.gz`], { DATABASE_URL })
    assert.equal(code, 0, stderr)

    const { size } = await stat(`${folder.dataDir}/copia.gz`)
    const numbers: [string, number][] = [
      ['vigia_jobs{state="waiting"}', 1],
      ['vigia_jobs{state="running"}', 1],
      ['vigia_jobs_ended_last_hour{outcome="failed"}', 1],
      ['vigia_webhook_deliveries{state="waiting"}', 1],
      ['vigia_webhook_deliveries{state="failed_last_hour"}', 1],
      ['vigia_webhooks{state="failing"}', 1],
      ['vigia_webhooks{state="switched_off"}', 0],
      ['vigia_mails{state="waiting"}', 1],
      ['vigia_mails{state="retrying"}', 1],
      ['vigia_mails_given_up_total', 0],
      ['vigia_counters_waiting_rows{queue="gerais"}', 0],
      ['vigia_counters_waiting_rows{queue="detalhes"}', 0],
      ['vigia_backup_last_bytes', size],
    ]
    // Numbers are remembered for some seconds, those of each source by themselves.
    const text = await eventually(async () => {
      const found = await metrics()
      for (const [name, expected] of numbers) assert.equal(valueIn(found, name), expected, name)
      return found
    })
    for (const [name, minutes] of [
      ['vigia_jobs_oldest_waiting_seconds', 10],
      ['vigia_webhook_oldest_waiting_seconds', 20],
      ['vigia_mails_oldest_waiting_seconds', 30],
    ] as [string, number][]) {
      const seconds = valueIn(text, name)
      assert.ok(seconds >= minutes * 60 && seconds < minutes * 60 + 600, `${name} ${seconds}`)
    }
    for (const name of ['vigia_backup_last_timestamp_seconds', 'vigia_counters_complete_timestamp_seconds'])
      assert.ok(Math.abs(valueIn(text, name) - Date.now() / 1000) < 600, name)
    assert.doesNotMatch(text, /Maria|maria@|receptor/)
  })

  it('has each of them in the manual', async () => {
    const manual = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
    const names = [...(await metrics()).matchAll(/^# TYPE (vigia_\w+)/gm)].map(([, name]) => name as string)
    assert.ok(names.length > 10)
    assert.deepEqual(
      names.filter((name) => !manual.includes(name)),
      [],
    )
  })

  it('a port that is taken is told in one sentence', async () => {
    const { port } = new URL(address)
    const { code, stderr } = await folder.run([], { DATABASE_URL, METRICS_PORT: port })
    assert.equal(code, 1)
    assert.equal(stderr.trim(), `METRICS_PORT: listen EADDRINUSE: address already in use 127.0.0.1:${port}`)
  })

  it('stops with the service, whoever still reads', async () => {
    assert.equal((await service.stop()).code, 0)
    await assert.rejects(metrics(), { code: 'ECONNREFUSED' })
  })
})
