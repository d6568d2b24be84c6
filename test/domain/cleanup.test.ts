import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { openStaging } from '../../src/domain/casos/bulk/bulk.ts'
import { cleanUp } from '../../src/domain/cleanup/cleanup.ts'
import { PASSWORD, testApp } from '../harness/app.ts'

const t = await testApp({ realLogins: true, env: { RATE_LIMITS: 'on' } })
after(() => t.close())

const DAY = 86_400_000
const tables = [
  'sessoes',
  'refresh_tokens',
  'tokens_de_email',
  'falhas_de_login',
  'bloqueios_de_login',
  'origens_conhecidas',
  'idempotencia',
  'limites',
]

async function counts(): Promise<Record<string, number>> {
  const row = await t.database.pool.first<Record<string, number>>(sql`
    select (select count(*) from sessoes) as sessoes, (select count(*) from refresh_tokens) as refresh_tokens,
           (select count(*) from tokens_de_email) as tokens_de_email,
           (select count(*) from falhas_de_login) as falhas_de_login,
           (select count(*) from bloqueios_de_login) as bloqueios_de_login,
           (select count(*) from origens_conhecidas) as origens_conhecidas,
           (select count(*) from idempotencia) as idempotencia, (select count(*) from limites) as limites`)
  return row as Record<string, number>
}

describe('cleaning up after jobs', () => {
  const { pool } = t.database
  const preparo = async () => {
    const rows = await pool.rows<{ nome: string }>(
      sql`select tablename as nome from pg_tables where schemaname = 'preparo' order by 1`,
    )
    return rows.map(({ nome }) => nome)
  }
  const newJob = async (id: string) => {
    const row = await pool.first<{ numero: number }>(sql`
      with job as (
        insert into jobs (id, tipo, message, usuario_nome, parametros, created_at)
        values (${id}, 'importacao', '', '', '{}', ${t.clock.now()}) returning id
      )
      insert into jobs_fila (job_id) select id from job returning numero`)
    return (row as { numero: number }).numero
  }

  it('drops the tables of imports that are over, and no others', async () => {
    const [over, running] = [await newJob('job_over'), await newJob('job_running')]
    for (const numero of [over, running]) await openStaging(pool, numero)
    await pool.run(sql`delete from jobs_fila where job_id = 'job_over'`)
    await cleanUp(t.app)
    assert.deepEqual(await preparo(), [`casos_${running}`, `ocorrencias_${running}`])
    await pool.run(sql`delete from jobs`)
    await cleanUp(t.app)
    assert.deepEqual(await preparo(), [])
  })

  it('keeps a job for 30 days after its end, and one that has no end', async () => {
    await newJob('job_done')
    await newJob('job_endless')
    const old = new Date(t.clock.now().getTime() - 60 * DAY)
    await pool.run(sql`update jobs set created_at = ${old}`)
    const done = (days: number) =>
      pool.run(sql`
        update jobs set status = 'failed', completed_at = ${new Date(t.clock.now().getTime() - days * DAY)}
        where id = 'job_done'`)
    const ids = async () =>
      (await pool.rows<{ id: string }>(sql`select id from jobs order by id`)).map(({ id }) => id)
    await done(29)
    await cleanUp(t.app)
    assert.deepEqual(await ids(), ['job_done', 'job_endless'])
    await done(31)
    await cleanUp(t.app)
    assert.deepEqual(await ids(), ['job_endless'])
    await pool.run(sql`delete from jobs`)
  })
})

describe('cleaning up events and deliveries', () => {
  const { pool } = t.database
  const ago = (days: number) => new Date(t.clock.now().getTime() - days * DAY)
  const ids = async () =>
    (
      await pool.rows<{ nome: string }>(sql`
        select id as nome from eventos union all select id from eventos_novos union all select evento_id || ' ' || estado from entregas
        union all select chave from webhook_filas order by 1`)
    ).map(({ nome }) => nome)

  it('keeps them for 30 days; what waited longer goes with its queue', async () => {
    await pool.run(sql`
      insert into webhooks (id, usuario_id, url, eventos, ativo, headers, secret, criado_em, atualizado_em)
      values ('wh_1', 1, 'https://lab.example/', '{agravo.criado}', false, '', '', now(), now())`)
    const evento = (nome: string, dias: number, ordem: number) =>
      pool.run(sql`
        insert into eventos (id, tipo, chave, dados, criado_em, ordem)
        values (${nome}, 'agravo.criado', 'caso:1', '{}', ${ago(dias)}, ${ordem})`)
    const semLugar = (nome: string, dias: number) =>
      pool.run(sql`
        insert into eventos_novos (id, tipo, chave, dados, criado_em)
        values (${nome}, 'agravo.criado', 'caso:1', '{}', ${ago(dias)})`)
    const entrega = (nome: string, dias: number, estado: string, chave: string) =>
      pool.run(sql`
        insert into entregas (webhook_id, evento_id, tipo, chave, corpo, motivo, estado, criado_em)
        values ('wh_1', ${nome}, 'agravo.criado', ${chave}, '{}', 'evento', ${estado}, ${ago(dias)})`)
    const fila = (chave: string) =>
      pool.run(sql`
        insert into webhook_filas (webhook_id, chave, proxima_tentativa) values ('wh_1', ${chave}, now())`)
    await evento('evt_novo', 29, 1)
    await evento('evt_velho', 31, 2)
    await semLugar('evt_sem_lugar', 31)
    await entrega('novo', 29, 'entregue', 'caso:1')
    await entrega('velho', 31, 'falhou', 'caso:1')
    await entrega('so_velho', 31, 'pendente', 'caso:2')
    await entrega('velho', 31, 'pendente', 'caso:3')
    await entrega('novo', 29, 'pendente', 'caso:3')
    for (const chave of ['caso:2', 'caso:3']) await fila(chave)
    await cleanUp(t.app)
    assert.deepEqual(await ids(), ['caso:3', 'evt_novo', 'evt_sem_lugar', 'novo entregue', 'novo pendente'])
    await pool.run(sql`delete from webhooks`)
    for (const table of [sql`eventos`, sql`eventos_novos`]) await pool.run(sql`delete from ${table}`)
  })
})

describe('cleaning up former addresses', () => {
  it('keeps them as long as a link could set them back', async () => {
    const { pool } = t.database
    const ago = (days: number) => new Date(t.clock.now().getTime() - days * DAY)
    await pool.run(sql`
      insert into emails_anteriores (usuario_id, email, trocado_em)
      values (1, 'nove@teste.local', ${ago(9)}), (1, 'onze@teste.local', ${ago(11)})`)
    await cleanUp(t.app)
    assert.deepEqual(await pool.rows(sql`select email from emails_anteriores`), [
      { email: 'nove@teste.local' },
    ])
    await pool.run(sql`delete from emails_anteriores`)
  })
})

describe('cleaning', () => {
  it('keeps all that may still be needed, and removes it when its time is over', async () => {
    const ana = await t.person()
    for (let i = 0; i < 5; i++)
      await t.anonymous.post('/auth/login', { email: 'x@y.example', senha: 'errada' })
    await t.anonymous.post('/auth/forgot-password', { email: ana.email })
    await t.mailWorker.runOnce()
    await t.database.pool.run(sql`
      insert into idempotencia (usuario_id, chave, pedido, criado_em) values (${ana.id}, '', '', ${t.clock.now()})`)
    const before = await counts()
    for (const table of tables) assert.ok((before[table] as number) > 0, table)
    await cleanUp(t.app)
    assert.deepEqual(await counts(), before)

    t.clock.advance(DAY + 2 * 3_600_000)
    await cleanUp(t.app)
    assert.deepEqual(await counts(), {
      ...before,
      tokens_de_email: 0,
      falhas_de_login: 0,
      bloqueios_de_login: 0,
      idempotencia: 0,
      limites: 0,
    })

    t.clock.advance(40 * DAY)
    await cleanUp(t.app)
    const { sessoes, refresh_tokens, origens_conhecidas } = await counts()
    assert.deepEqual([sessoes, refresh_tokens, origens_conhecidas], [0, 0, before.origens_conhecidas])

    t.clock.advance(60 * DAY)
    await cleanUp(t.app)
    assert.equal((await counts()).origens_conhecidas, 0)
    assert.equal((await t.anonymous.post('/auth/login', { email: ana.email, senha: PASSWORD })).status, 200)
  })
})
