import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import {
  ADMIN_EMAIL,
  forgetFailures,
  PASSWORD,
  type Person,
  type TestApp,
  testApp,
} from '../../harness/app.ts'

const t = await testApp()
after(() => t.close())

const WRONG = 'Errada#Senha1'
const NEW = 'Nova#Senha26'
const MINUTE = 60_000
const HERE = '198.51.100.1'
const THERE = '198.51.100.2'
/** Where `t.as` and `t.anonymous` come from. */
const LOCALHOST = '127.0.0.1'

interface Reply {
  status: number
  headers: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: as in the harness
  body: any
}

async function send(url: string, payload: unknown, from: string, app: TestApp = t): Promise<Reply> {
  const form = typeof payload === 'string'
  const response = await app.server.inject({
    method: 'POST',
    url: `/api/v1${url}`,
    payload: payload as object,
    remoteAddress: from,
    headers: {
      'x-request-id': 'same',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
  })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}

const logIn = (email: string, senha = PASSWORD, from = HERE, app: TestApp = t) =>
  send('/auth/login', { email, senha }, from, app)

async function statuses(n: number, act: () => Promise<Reply>): Promise<number[]> {
  const found = []
  for (let i = 0; i < n; i++) found.push((await act()).status)
  return found
}

const fail = (email: string, n: number, from = HERE, app: TestApp = t) =>
  statuses(n, () => logIn(email, WRONG, from, app))

const count = async (table: 'sessoes' | 'auditoria', id: number, acao = '') =>
  (
    await t.database.pool.first<{ n: number }>(
      table === 'sessoes'
        ? sql`select count(*) as n from sessoes where usuario_id = ${id}`
        : sql`select count(*) as n from auditoria where recurso_id = ${String(id)} and acao = ${acao}`,
    )
  )?.n

/** One password each against `n` addresses, of which every second has an account. */
async function spray(n: number, from = HERE): Promise<number[]> {
  const found = []
  for (let i = 0; i < n; i++) {
    const email = i % 2 === 0 ? (await t.person()).email : `ninguem${i}@teste.local`
    found.push((await logIn(email, WRONG, from)).status)
  }
  return found
}

beforeEach(() => forgetFailures(t.database.pool))

describe('five failures from one source within 15 minutes', () => {
  it('lock the account there: the fifth says so itself and until when, and the right password is refused too', async () => {
    const { id, email } = await t.person()
    const sessions = await count('sessoes', id)
    assert.deepEqual(await fail(email, 4), [401, 401, 401, 401])
    const fifth = await logIn(email, WRONG)
    assert.deepEqual([fifth.status, fifth.body.error.code], [423, 'ACCOUNT_LOCKED'])
    const ahead = Date.parse(fifth.body.error.locked_until) - t.clock.now().getTime()
    assert.ok(Math.abs(ahead - 15 * MINUTE) < 5000, `${ahead} ms`)
    for (const [url, payload] of [
      ['/auth/login', { username: email, password: PASSWORD }],
      ['/usuarios/login', { email, password: PASSWORD }],
      ['/usuarios/login_sw', String(new URLSearchParams({ username: email, password: PASSWORD }))],
    ] as const) {
      const { status, body } = await send(url, payload, HERE)
      assert.deepEqual([status, body.error.code], [423, 'ACCOUNT_LOCKED'], url)
      assert.equal(body.error.locked_until, fifth.body.error.locked_until, 'not prolonged')
    }
    assert.equal(await count('sessoes', id), sessions)
    assert.equal(await count('auditoria', id, 'conta.bloqueada'), 1)
    assert.equal(await count('auditoria', id, 'login.falhou'), 4)
    const refused = await t.database.pool.rows(
      sql`select acao, endereco_ip, sum(total)::int as total from recusas group by 1, 2`,
    )
    assert.deepEqual(refused, [{ acao: 'login.recusado', endereco_ip: HERE, total: 3 }])
  })

  it('do not lock it for another source, nor another account there', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    assert.equal((await fail(ana.email, 5)).at(-1), 423)
    assert.equal((await logIn(ana.email, PASSWORD, THERE)).status, 200)
    assert.equal((await logIn(bia.email)).status, 200)
    assert.equal((await logIn(ana.email)).status, 423, 'a login elsewhere does not end it')
  })

  it('lock it for 15 minutes and no longer', async () => {
    const { email } = await t.person()
    await fail(email, 5)
    t.clock.advance(15 * MINUTE - 5000)
    assert.equal((await logIn(email)).status, 423)
    t.clock.advance(6000)
    assert.deepEqual(await fail(email, 4), [401, 401, 401, 401], 'and counting begins anew')
    assert.equal((await logIn(email)).status, 200)
  })

  it('are counted without those that are older than 15 minutes', async () => {
    const { email } = await t.person()
    await fail(email, 2)
    t.clock.advance(10 * MINUTE)
    await fail(email, 2)
    t.clock.advance(5 * MINUTE + 1000)
    assert.deepEqual(
      await fail(email, 3),
      [401, 401, 423],
      'the first two are forgotten, the next two are not',
    )
  })

  it('are counted from the last login on', async () => {
    const { email } = await t.person()
    await fail(email, 4)
    assert.equal((await logIn(email)).status, 200)
    assert.deepEqual(await fail(email, 5), [401, 401, 401, 401, 423])
  })

  it('are counted together on all login routes and however the email is written', async () => {
    const email = 'irineu.lima@teste.local'
    await t.database.pool.run(sql`
      insert into usuarios (nome, email, senha_hash) select 'I', ${email}, senha_hash from usuarios where id = 1`)
    for (const [url, payload] of [
      ['/usuarios/login', { email: email.toUpperCase(), password: WRONG }],
      ['/usuarios/login_sw', String(new URLSearchParams({ username: ` ${email} `, password: WRONG }))],
      ['/auth/login', { email: email.replace('i', 'İ'), password: WRONG }],
      ['/auth/login', { username: email.replaceAll('i', 'İ'), senha: WRONG }],
    ] as const)
      assert.equal((await send(url, payload, HERE)).status, 401, url)
    assert.deepEqual(await fail(email, 1), [423])
    for (const other of [email.toUpperCase(), email.replace('i', 'İ'), ` ${email}`])
      assert.equal((await logIn(other)).status, 423, other)
  })

  it('count for a whole IPv6 /64, and only for it', async () => {
    const { email } = await t.person()
    const inside = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::', '2001:db8:1:2:a:b:c:d']
    for (const from of inside) assert.deepEqual(await fail(email, 1, from), [401])
    assert.deepEqual(await fail(email, 1, '2001:db8:1:2:9::9'), [423])
    assert.equal((await logIn(email, PASSWORD, inside[0])).status, 423)
    assert.equal((await logIn(email, PASSWORD, '2001:db8:1:3::1')).status, 200)
  })

  it('count for an IPv4 address also when it is written as IPv6', async () => {
    const { email } = await t.person()
    await fail(email, 4, '198.51.100.9')
    assert.deepEqual(await fail(email, 1, '::ffff:198.51.100.9'), [423])
  })
})

describe('guessing', () => {
  it('is answered in the same way for an account, an unknown email and an inactive account, step by step', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    await t.database.pool.run(sql`update usuarios set desativado_em = now() where id = ${bia.id}`)
    const steps = async (email: string) => {
      const found = []
      for (let i = 0; i < 6; i++) {
        const { status, headers, body } = await logIn(email, WRONG)
        const { date: _, ...others } = headers
        const { timestamp: __, locked_until, ...error } = body.error
        const locked =
          locked_until && Math.round((Date.parse(locked_until) - t.clock.now().getTime()) / MINUTE)
        found.push({ status, others, keys: Object.keys(body.error), error, locked })
      }
      return found
    }
    const [account, ...rest] = [
      await steps(ana.email),
      await steps('nao.existe@teste.local'),
      await steps(bia.email),
    ]
    assert.deepEqual(
      account?.map(({ status }) => status),
      [401, 401, 401, 401, 423, 423],
    )
    for (const other of rest) assert.deepEqual(other, account)
    const unlocked = await logIn(bia.email, PASSWORD, THERE)
    assert.equal(unlocked.body.error.code, 'ACCOUNT_INACTIVE', 'only the right password tells')
    assert.equal((await logIn(bia.email)).status, 423, 'and not where it is locked')
  })

  it('at an unknown email leaves the address nowhere', async () => {
    const email = 'segredo.de.alguem@teste.local'
    await fail(email, 5)
    const row = await t.database.pool.first<{ text: string }>(sql`
      select concat((select json_agg(f) from falhas_de_login f), (select json_agg(b) from bloqueios_de_login b),
                    (select json_agg(a) from auditoria a)) as text`)
    for (const form of [email, Buffer.from(email).toString('hex')]) assert.ok(!row?.text.includes(form))
    assert.ok(!t.logs.join('').includes(email))
  })

  it('from many sources locks everywhere at the fiftieth failure, except where one logged in before', async () => {
    for (const [email, known] of [
      [(await t.person()).email, true],
      ['fantasma@teste.local', false],
    ] as const) {
      if (known) assert.equal((await logIn(email, PASSWORD, THERE)).status, 200)
      assert.deepEqual(await fail(email, 1, '203.0.113.99'), [401])
      // 47 more, of 47 other sources.
      await t.database.pool.run(sql`
        insert into falhas_de_login (conta, origem, instante)
        select conta, '203.0.113.' || i, instante from generate_series(1, 47) i,
               (select conta, instante from falhas_de_login order by instante desc limit 1) last`)
      assert.deepEqual(await fail(email, 1, '203.0.113.98'), [401])
      const fiftieth = await logIn(email, WRONG, '203.0.113.97')
      assert.deepEqual([fiftieth.status, fiftieth.body.error.code], [423, 'ACCOUNT_LOCKED'])
      for (const from of ['203.0.113.1', '203.0.113.200', HERE])
        assert.equal((await logIn(email, PASSWORD, from)).status, 423, from)
      assert.equal((await logIn(email, PASSWORD, THERE)).status, known ? 200 : 423)
      if (known) assert.deepEqual(await fail(email, 5, THERE), [401, 401, 401, 401, 423], 'even there')
    }
  })

  it('is counted in the database: by every instance together, and beyond a restart', async () => {
    const { email } = await t.person()
    const instance = async () => {
      const other = await testApp({ database: t.database, dataKey: t.dataKey })
      other.clock.advance(t.clock.now().getTime() - other.clock.now().getTime())
      return other
    }
    const second = await instance()
    await fail(email, 2)
    await fail(email, 2, HERE, second)
    assert.deepEqual(await fail(email, 1), [423])
    assert.equal((await logIn(email, PASSWORD, HERE, second)).status, 423)
    await second.close()
    const restarted = await instance()
    assert.equal((await logIn(email, PASSWORD, HERE, restarted)).status, 423)
    assert.equal((await logIn(email, PASSWORD, THERE, restarted)).status, 200)
    await restarted.close()
  })

  it('thirty times at once gets hardly more than five guesses, and locks', async () => {
    const { id, email } = await t.person()
    const replies = await Promise.all(Array.from({ length: 30 }, () => logIn(email, WRONG)))
    const found = replies.map(({ status }) => status)
    assert.deepEqual([found.filter((s) => s === 401).length, found.filter((s) => s === 423).length], [4, 26])
    const tried =
      Number(await count('auditoria', id, 'login.falhou')) +
      Number(await count('auditoria', id, 'conta.bloqueada'))
    assert.ok(tried <= 7, `${tried} passwords were compared`)
    assert.equal((await logIn(email)).status, 423)
  })

  it('is not what thirty right passwords at once are', async () => {
    const { email } = await t.person()
    const replies = await Promise.all(Array.from({ length: 30 }, () => logIn(email)))
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  })

  it('the current password with a stolen token counts too', async () => {
    const ana = await t.person()
    const change = (senha_atual: string) =>
      t.as(ana).post('/auth/change-password', { senha_atual, senha_nova: NEW, confirmar_senha: NEW })
    assert.deepEqual(await statuses(5, () => change(WRONG)), [401, 401, 401, 401, 423])
    const { status, body } = await change(PASSWORD)
    assert.deepEqual([status, body.error.code], [423, 'ACCOUNT_LOCKED'])
    assert.equal((await logIn(ana.email, PASSWORD, LOCALHOST)).status, 423)
    assert.equal((await logIn(ana.email, PASSWORD, THERE)).status, 200, 'the password is what it was')
  })
})

describe('thirty failures from one source on any accounts within 15 minutes', () => {
  it('lock the source: of 120 accounts it tries 30 passwords, and not one more', async () => {
    const found = await spray(120)
    assert.deepEqual([found.indexOf(423), found.lastIndexOf(401)], [29, 28])
    const victim = await t.person()
    const { status, body } = await logIn(victim.email)
    assert.deepEqual([status, body.error.code], [423, 'ACCOUNT_LOCKED'])
    assert.ok(Date.parse(body.error.locked_until) > t.clock.now().getTime())
    assert.equal(await count('sessoes', victim.id), 1, 'only the one of the harness')
    assert.equal(await count('auditoria', victim.id, 'conta.bloqueada'), 0)
    assert.equal((await logIn(victim.email, PASSWORD, THERE)).status, 200, 'elsewhere nothing is locked')
    t.clock.advance(15 * MINUTE + 1000)
    assert.equal((await logIn(victim.email)).status, 200)
  })

  it('leave out accounts that logged in from there, and tell nobody who they are', async () => {
    const regular = await t.person()
    assert.equal((await logIn(regular.email)).status, 200)
    await spray(30)
    const answers = [await logIn(regular.email, WRONG), await logIn('fantasma@teste.local', WRONG)]
    const [known, unknown] = answers.map(({ status, body: { error } }) => [
      status,
      error.code,
      error.locked_until,
    ])
    assert.equal(known?.[0], 423)
    assert.deepEqual(known, unknown)
    assert.equal((await logIn(regular.email)).status, 200)
  })

  it('are recorded once, by the failure that locks the source, with its address', async () => {
    const rows = () =>
      t.database.pool.rows<{ endereco_ip: string }>(
        sql`select endereco_ip from auditoria where acao = 'origem.bloqueada' and endereco_ip = '198.51.100.30'`,
      )
    await spray(29, '198.51.100.30')
    assert.equal((await rows()).length, 0)
    await spray(5, '198.51.100.30')
    assert.equal((await rows()).length, 1)
  })

  it('do not keep out an account that an administrator unlocks', async () => {
    await spray(30)
    const [ana, bia] = [await t.person(), await t.person()]
    for (const { email } of [ana, bia]) assert.equal((await logIn(email)).status, 423)
    const gestor = await t.person({ grupos: ['gestor'] })
    assert.equal((await t.as(gestor).post(`/usuarios/${ana.id}/desbloquear`)).status, 200)
    assert.equal((await logIn(ana.email)).status, 200)
    assert.equal((await logIn(bia.email)).status, 423, 'and no other')
  })
})

describe('POST /usuarios/{id}/desbloquear', () => {
  const unlock = (by: Person, id: number | string) => t.as(by).post(`/usuarios/${id}/desbloquear`)

  it('ends every lock of the account and forgets its failures', async () => {
    const [gestor, ana, bia] = [await t.person({ grupos: ['gestor'] }), await t.person(), await t.person()]
    for (const { email } of [ana, bia]) await fail(email, 5)
    await fail(ana.email, 5, THERE)
    const { status, body } = await unlock(gestor, ana.id)
    assert.deepEqual([status, Object.keys(body)], [200, ['message']])
    assert.deepEqual(await fail(ana.email, 4), [401, 401, 401, 401])
    for (const from of [HERE, THERE]) assert.equal((await logIn(ana.email, PASSWORD, from)).status, 200)
    assert.equal((await logIn(bia.email)).status, 423, 'and of no other')
    assert.equal(await count('auditoria', ana.id, 'conta.desbloqueada'), 1)
  })

  it('is harmless where there is no lock', async () => {
    const [gestor, ana] = [await t.person({ grupos: ['gestor'] }), await t.person()]
    assert.equal((await unlock(gestor, ana.id)).status, 200)
  })

  it('is not for an account that holds more than the caller', async () => {
    const editor = await t.person({ permissoes: ['usuarios.editar'] })
    const gestor = await t.person({ grupos: ['gestor'] })
    for (const [caller, { id, email }, lacking] of [
      [editor, { id: 1, email: ADMIN_EMAIL }, 'admin'],
      [gestor, await t.person({ admin: true }), 'admin'],
      [editor, await t.person({ permissoes: ['agravos.deletar'] }), 'agravos.deletar'],
    ] as [Person, Person, string][]) {
      await fail(email, 5)
      const { status, body } = await unlock(caller, id)
      assert.deepEqual([status, body.error.required_permission], [403, lacking])
      assert.equal((await logIn(email)).status, 423)
      assert.equal(await count('auditoria', id, 'conta.desbloqueada'), 0)
    }
  })

  it('needs usuarios.editar, also for oneself', async () => {
    const ana = await t.person({ permissoes: ['usuarios.listar'] })
    await fail(ana.email, 5)
    const { status, body } = await unlock(ana, ana.id)
    assert.deepEqual([status, body.error.required_permission], [403, 'usuarios.editar'])
    assert.equal((await logIn(ana.email)).status, 423)
  })

  for (const [id, status, code] of [
    [999_999, 404, 'NOT_FOUND'],
    ['ana', 422, 'VALIDATION_ERROR'],
    [0, 422, 'VALIDATION_ERROR'],
  ] as const)
    it(`answers ${status} for the account ${id}`, async () => {
      const answer = await unlock(await t.person({ grupos: ['gestor'] }), id)
      assert.deepEqual([answer.status, answer.body.error.code], [status, code])
    })
})

describe('a password reset', () => {
  it('ends the lock of the account, and for it that of the source', async () => {
    const { email } = await t.person()
    await fail(email, 5)
    await spray(25)
    await t.anonymous.post('/auth/forgot-password', { email })
    await t.mailWorker.runOnce()
    const mail = t.mails.findLast(({ to }) => to === email)
    const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
    const reset = { token, senha_nova: NEW, confirmar_senha: NEW }
    assert.equal((await t.anonymous.post('/auth/reset-password', reset)).status, 200)
    assert.equal((await logIn(email, NEW)).status, 200)
  })

  for (const [route, ask] of Object.entries({
    '/auth/forgot-password': (email: string) => send('/auth/forgot-password', { email }, HERE),
    '/usuarios/reset-password': (email: string) =>
      send(`/usuarios/reset-password?email=${encodeURIComponent(email)}`, undefined, HERE),
  }))
    it(`is asked for at ${route} with the same answer for existing, unknown, locked and inactive accounts`, async () => {
      const [ana, locked, inactive] = [await t.person(), await t.person(), await t.person()]
      await fail(locked.email, 5)
      await t.database.pool.run(sql`update usuarios set desativado_em = now() where id = ${inactive.id}`)
      const replies = []
      for (const email of [ana.email, `x${ana.email}`, locked.email, inactive.email]) {
        const {
          headers: { date: _, ...headers },
          ...reply
        } = await ask(email)
        replies.push({ ...reply, headers })
      }
      assert.equal(replies[0]?.status, 200)
      for (const other of replies) assert.deepEqual(other, replies[0])
    })
})
