import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { cleanUp } from '../../src/domain/limpeza/limpeza.ts'
import { PASSWORD, testApp } from '../harness/app.ts'

const t = await testApp({ realLogins: true })
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
]

async function counts(): Promise<Record<string, number>> {
  const row = await t.database.pool.first<Record<string, number>>(sql`
    select (select count(*) from sessoes) as sessoes, (select count(*) from refresh_tokens) as refresh_tokens,
           (select count(*) from tokens_de_email) as tokens_de_email,
           (select count(*) from falhas_de_login) as falhas_de_login,
           (select count(*) from bloqueios_de_login) as bloqueios_de_login,
           (select count(*) from origens_conhecidas) as origens_conhecidas,
           (select count(*) from idempotencia) as idempotencia`)
  return row as Record<string, number>
}

describe('cleaning', () => {
  it('keeps all that may still be needed, and removes it when its time is over', async () => {
    const ana = await t.person()
    for (let i = 0; i < 5; i++) await t.anonymous.post('/auth/login', { email: 'x@y.br', senha: 'errada' })
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
