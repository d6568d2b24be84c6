import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { PASSWORD, type Person, testApp } from '../../harness/app.ts'

const t = await testApp()
after(() => t.close())

interface Pair {
  access_token: string
  refresh_token: string
}

async function logIn(person: Person, extra: object = {}): Promise<Pair> {
  const { body } = await t.anonymous.post('/auth/login', { email: person.email, senha: PASSWORD, ...extra })
  return body
}

const refresh = (token: string) => t.anonymous.post('/auth/refresh', { refresh_token: token })
const works = async (token: string) =>
  (await t.anonymous.get('/usuarios/logado', { headers: { authorization: `Bearer ${token}` } })).status ===
  200

describe('refresh', () => {
  it('answers a new pair in both descriptions, with the user', async () => {
    const ana = await t.person()
    const first = await logIn(ana)
    const b = await refresh(first.refresh_token)
    assert.equal(b.status, 200)
    assert.deepEqual(b.body.user, { id: ana.id, nome: b.body.user.nome, email: ana.email })
    assert.equal(b.body.expires_in, 3600)
    assert.notEqual(b.body.refresh_token, first.refresh_token)
    const a = await t.anonymous.post(`/usuarios/refresh-token?refresh_token=${b.body.refresh_token}`)
    assert.equal(a.status, 200)
    assert.ok(await works(a.body.access_token))
  })

  it('refuses what is no refresh token, an access token too, in both descriptions', async () => {
    const { access_token } = await logIn(await t.person())
    for (const token of ['nada', access_token.slice(0, 500), 'x'.repeat(43)]) {
      const b = await refresh(token)
      assert.equal(b.status, 401)
      assert.equal(b.body.error.code, 'INVALID_REFRESH_TOKEN')
      const a = await t.anonymous.post(`/usuarios/refresh-token?refresh_token=${token}`)
      assert.equal(a.body.error.code, 'INVALID_REFRESH_TOKEN')
    }
    assert.equal((await t.anonymous.post('/auth/refresh', {})).status, 422)
    assert.deepEqual((await t.anonymous.post('/usuarios/refresh-token')).body.detail[0].loc, [
      'query',
      'refresh_token',
    ])
  })

  it('answers the same working pair to a repetition within ten seconds', async () => {
    const r1 = await logIn(await t.person())
    const r2 = (await refresh(r1.refresh_token)).body
    const r3 = await refresh(r2.refresh_token)
    const again = await refresh(r2.refresh_token)
    assert.deepEqual(again.body, r3.body)
    assert.ok(await works(again.body.access_token))
    assert.equal((await refresh(again.body.refresh_token)).status, 200)
  })

  it('ends the session with its newest child and access token when an older token comes again', async () => {
    const r1 = await logIn(await t.person())
    const r2 = (await refresh(r1.refresh_token)).body
    const r3 = (await refresh(r2.refresh_token)).body
    assert.equal((await refresh(r1.refresh_token)).body.error.code, 'INVALID_REFRESH_TOKEN')
    assert.equal((await refresh(r3.refresh_token)).status, 401)
    assert.equal((await refresh(r2.refresh_token)).status, 401)
    assert.ok(!(await works(r3.access_token)))
  })

  it('ends the session when a rotated token comes again after ten seconds', async () => {
    const r1 = await logIn(await t.person())
    const r2 = (await refresh(r1.refresh_token)).body
    t.clock.advance(10_500)
    assert.equal((await refresh(r1.refresh_token)).status, 401)
    assert.equal((await refresh(r2.refresh_token)).status, 401)
    assert.ok(!(await works(r2.access_token)))
  })

  it('lives seven days, thirty with remember_me, counted from the last use', async () => {
    const ana = await t.person()
    const [short, long] = [await logIn(ana), await logIn(ana, { remember_me: true })]
    const day = 86_400_000
    t.clock.advance(6.9 * day)
    const renewed = await refresh(short.refresh_token)
    assert.equal(renewed.status, 200)
    t.clock.advance(7.1 * day)
    assert.equal((await refresh(renewed.body.refresh_token)).status, 401)
    t.clock.advance(15.9 * day)
    assert.equal((await refresh(long.refresh_token)).status, 200)
    const other = await logIn(ana, { remember_me: true })
    t.clock.advance(30.1 * day)
    assert.equal((await refresh(other.refresh_token)).status, 401)
  })

  for (const remember_me of [false, true])
    it(`ends ninety days after the login, however often it is used (remember_me ${remember_me})`, async () => {
      const day = 86_400_000
      const ana = await t.person()
      const listed = async (token: string) =>
        (await t.as({ ...ana, token }).get('/auth/sessions')).body.items.filter(
          ({ current }: { current: boolean }) => current,
        )
      const began = t.clock.now().getTime()
      let pair = await logIn(ana, { remember_me })
      for (let days = 6; days < 90; days += 6) {
        t.clock.advance(6 * day)
        pair = (await refresh(pair.refresh_token)).body
      }
      t.clock.advance(began + 90 * day - 1_800_000 - t.clock.now().getTime())
      const last = await refresh(pair.refresh_token)
      assert.equal(last.status, 200)
      assert.ok(last.body.expires_in <= 1800 && last.body.expires_in > 1700, String(last.body.expires_in))
      const { iat, exp } = JSON.parse(
        Buffer.from(last.body.access_token.split('.')[1], 'base64url').toString(),
      )
      assert.equal(exp - iat, last.body.expires_in, 'the access token does not outlive its session')
      assert.deepEqual((await refresh(pair.refresh_token)).body, last.body, 'the same pair again')
      assert.equal((await listed(last.body.access_token)).length, 1)
      t.clock.advance(1_790_000)
      assert.ok(await works(last.body.access_token))
      t.clock.advance(20_000)
      assert.ok(!(await works(last.body.access_token)))
      assert.equal((await refresh(last.body.refresh_token)).body.error.code, 'INVALID_REFRESH_TOKEN')
      const again = await logIn(ana)
      assert.equal((await t.as({ ...ana, token: again.access_token }).get('/auth/sessions')).body.total, 1)
    })

  it('stops when the account is deactivated', async () => {
    const ana = await t.person()
    const pair = await logIn(ana)
    await t.database.pool.run(sql`update usuarios set desativado_em = now() where id = ${ana.id}`)
    assert.equal((await refresh(pair.refresh_token)).status, 401)
  })

  it('keeps no clear token in the database', async () => {
    const pair = await logIn(await t.person())
    const renewed = (await refresh(pair.refresh_token)).body
    const rows = await t.database.pool.rows<{ text: string }>(sql`
      select row_to_json(r)::text as text from refresh_tokens r union all select row_to_json(s)::text from sessoes s`)
    const stored = rows.map((row) => row.text).join()
    for (const token of [pair.refresh_token, renewed.refresh_token, renewed.access_token])
      assert.ok(!stored.includes(token))
  })

  it('logs nobody out when many sessions refresh twenty times at once each', async () => {
    const ana = await t.person()
    const sessions = 60
    await t.database.pool.run(sql`
      with s as (
        insert into sessoes (id, usuario_id, criado_em, expira_em)
        select gen_random_uuid(), ${ana.id}, ${t.clock.now()}, ${new Date(t.clock.now().getTime() + 86_400_000)}
          from generate_series(1, ${sessions}::int) returning id),
      n as (select id, row_number() over () as i from s)
      insert into refresh_tokens (hash, sessao_id, criado_em)
      select sha256(convert_to('sessao-' || i, 'UTF8')), id, ${t.clock.now()} from n`)
    const numbers = Array.from({ length: sessions }, (_, i) => i + 1)
    // Five sessions at a time, all twenty requests of each at once.
    for (let i = 0; i < sessions; i += 5) {
      await Promise.all(
        numbers.slice(i, i + 5).map(async (n) => {
          const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(`sessao-${n}`)))
          assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
          assert.equal(new Set(answers.map(({ text }) => text)).size, 1, 'one live chain')
        }),
      )
    }
    const live = await t.database.pool.first(sql`
      select count(distinct s.id) as sessions, count(*) filter (where r.rotacionado_em is null) as tokens
        from sessoes s join refresh_tokens r on r.sessao_id = s.id
       where s.usuario_id = ${ana.id} and s.encerrada_em is null and s.agente is null and s.endereco_ip is null`)
    assert.deepEqual(live, { sessions, tokens: sessions })
  })
})
