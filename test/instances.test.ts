import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { type Answer, PASSWORD, type Person, type TestApp, testApp } from './harness/app.ts'

/** Two instances on one database. They share nothing else: not their caches, not their clocks. */
const here = await testApp()
after(() => here.close())
const there = await testApp({ database: here.database, dataKey: here.dataKey })
after(() => there.close())

const { pool } = here.database
const admin = await here.administrador()
const NEW_PASSWORD = 'Outra#Senha9'

interface Pair {
  access_token: string
  refresh_token: string
}

async function logIn(app: TestApp, { email }: Person, senha = PASSWORD): Promise<Answer> {
  return app.anonymous.post('/auth/login', { email, senha })
}
const refresh = (app: TestApp, refresh_token: string) =>
  app.anonymous.post('/auth/refresh', { refresh_token })
const bearer = (token: string): Person => ({ id: 0, email: '', token })
const statusOf = async (app: TestApp, token: string, path = '/usuarios/logado') =>
  (await app.as(bearer(token)).get(path)).status

/** The token of a mail that was sent to the address. */
async function mailedToken(app: TestApp, email: string): Promise<string> {
  await app.mailWorker.runOnce()
  const mail = app.mails.findLast((one) => one.to === email)
  return /[?#&]token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

const grupoId = async (nome: string) =>
  (await pool.first<{ id: number }>(sql`select id from grupos where nome = ${nome}`))?.id as number
const permissaoId = async (nome: string) =>
  (await pool.first<{ id: number }>(sql`select id from permissoes where nome = ${nome}`))?.id as number
let grupos = 0
async function newGrupo(...membros: Person[]): Promise<number> {
  const permissoes_ids = [await permissaoId('grupos.listar')]
  const { status, body, text } = await here
    .as(admin)
    .post('/grupos', { nome: `grupo_${++grupos}`, permissoes_ids })
  assert.equal(status, 201, text)
  for (const { id } of membros) await here.as(admin).post(`/grupos/${body.id}/usuarios/${id}`)
  return body.id
}

/** What is done here, and what the next request with the same token is answered there. */
interface Change {
  what: string
  path?: string
  before?: (person: Person) => Promise<void>
  act: (person: Person, pair: Pair) => Promise<unknown>
  afterwards: 401 | 403
  /** Whether the refresh token is worth anything afterwards. */
  refresh: 200 | 401
}

const CHANGES: Change[] = [
  {
    what: 'the session revoked from another one',
    act: async (person, pair) => {
      const { body } = await here.as(bearer(pair.access_token)).get('/auth/sessions')
      const { id } = body.items.find(({ current }: { current: boolean }) => current)
      assert.equal((await here.as(person).delete(`/auth/sessions/${id}`)).status, 204)
    },
    afterwards: 401,
    refresh: 401,
  },
  {
    what: 'a logout',
    act: (_person, pair) => here.as(bearer(pair.access_token)).post('/auth/logout'),
    afterwards: 401,
    refresh: 401,
  },
  {
    what: 'a logout in the form of A',
    act: (_person, { access_token, refresh_token }) =>
      here.as(bearer(access_token)).post(`/usuarios/logout?refresh_token=${refresh_token}`),
    afterwards: 401,
    refresh: 401,
  },
  {
    what: 'a logout everywhere from another session',
    act: (person) => here.as(person).post('/auth/logout', { everywhere: true }),
    afterwards: 401,
    refresh: 401,
  },
  {
    what: 'a refresh token used again late',
    act: async (_person, pair) => {
      await refresh(here, pair.refresh_token)
      for (const app of [here, there]) app.clock.advance(11_000)
      assert.equal((await refresh(here, pair.refresh_token)).status, 401)
    },
    afterwards: 401,
    refresh: 401,
  },
  {
    what: 'the account deactivated',
    act: ({ id }) => pool.run(sql`update usuarios set desativado_em = now() where id = ${id}`),
    afterwards: 401,
    refresh: 401,
  },
  {
    what: 'the account removed',
    act: ({ id }) => pool.run(sql`delete from usuarios where id = ${id}`),
    afterwards: 401,
    refresh: 401,
  },
  {
    what: 'the password changed from another session',
    act: async (person) => {
      const senhas = { senha_atual: PASSWORD, senha_nova: NEW_PASSWORD, confirmar_senha: NEW_PASSWORD }
      const { status, text } = await here.as(person).post('/auth/change-password', senhas)
      assert.equal(status, 200, text)
    },
    afterwards: 401,
    refresh: 401,
  },
  {
    what: 'the password reset by mail',
    act: async ({ email }) => {
      await here.anonymous.post('/auth/forgot-password', { email })
      const token = await mailedToken(here, email)
      const senhas = { token, senha_nova: NEW_PASSWORD, confirmar_senha: NEW_PASSWORD }
      const { status, text } = await here.anonymous.post('/auth/reset-password', senhas)
      assert.equal(status, 200, text)
    },
    afterwards: 401,
    refresh: 401,
  },
  {
    what: 'the password set by an administrator',
    act: async ({ id }) => {
      const senha = { nova_senha: NEW_PASSWORD }
      const { status } = await here.as(admin).post(`/usuarios/${id}/alterar-senha`, senha)
      assert.equal(status, 200)
    },
    afterwards: 401,
    refresh: 401,
  },
  {
    what: 'a direct permission taken',
    path: '/grupos',
    before: async ({ id }) => {
      await pool.run(sql`
        insert into usuarios_permissoes (usuario_id, permissao_id) values (${id}, ${await permissaoId('grupos.listar')})`)
    },
    act: ({ id }) => pool.run(sql`delete from usuarios_permissoes where usuario_id = ${id}`),
    afterwards: 403,
    refresh: 200,
  },
  {
    what: 'the group left',
    path: '/grupos',
    before: async (person) => void (await newGrupo(person)),
    act: async ({ id }) => {
      const grupo = await grupoId(`grupo_${grupos}`)
      assert.equal((await here.as(admin).delete(`/grupos/${grupo}/usuarios/${id}`)).status, 204)
    },
    afterwards: 403,
    refresh: 200,
  },
  {
    what: 'a permission of the group taken',
    path: '/grupos',
    before: async (person) => void (await newGrupo(person)),
    act: async () => {
      const path = `/grupos/${await grupoId(`grupo_${grupos}`)}/permissoes/${await permissaoId('grupos.listar')}`
      assert.equal((await here.as(admin).delete(path)).status, 204)
    },
    afterwards: 403,
    refresh: 200,
  },
  {
    what: 'the group switched off',
    path: '/grupos',
    before: async (person) => void (await newGrupo(person)),
    act: async () => {
      const path = `/grupos/${await grupoId(`grupo_${grupos}`)}`
      assert.equal((await here.as(admin).put(path, { ativo: false })).status, 200)
    },
    afterwards: 403,
    refresh: 200,
  },
  {
    what: 'the group removed',
    path: '/grupos',
    before: async (person) => void (await newGrupo(person)),
    act: async () => {
      const path = `/grupos/${await grupoId(`grupo_${grupos}`)}?force=true`
      assert.equal((await here.as(admin).delete(path)).status, 204)
    },
    afterwards: 403,
    refresh: 200,
  },
  {
    what: 'the flag of administrators cleared',
    path: '/grupos',
    before: async ({ id }) => void (await pool.run(sql`update usuarios set admin = true where id = ${id}`)),
    act: ({ id }) => pool.run(sql`update usuarios set admin = false where id = ${id}`),
    afterwards: 403,
    refresh: 200,
  },
]

describe('what is done on one instance holds on the other from the next request on:', () => {
  for (const { what, path, before, act, afterwards, refresh: refreshed } of CHANGES)
    it(what, async () => {
      const person = await here.person()
      await before?.(person)
      const pair: Pair = (await logIn(there, person)).body
      // Both know the token well by now.
      for (const app of [here, there])
        for (let i = 0; i < 2; i++) assert.equal(await statusOf(app, pair.access_token, path), 200)
      await act(person, pair)
      const start = performance.now()
      assert.equal(await statusOf(there, pair.access_token, path), afterwards)
      assert.ok(performance.now() - start < 30_000, 'no request waits for its timeout')
      assert.equal(await statusOf(here, pair.access_token, path), afterwards)
      assert.equal((await refresh(there, pair.refresh_token)).status, refreshed)
    })

  it('a permission given', async () => {
    const person = await here.person()
    assert.equal(await statusOf(there, person.token, '/grupos'), 403)
    await newGrupo(person)
    assert.equal(await statusOf(there, person.token, '/grupos'), 200)
  })

  it('another territory, set and taken away', async () => {
    const person = await here.person({ permissoes: ['usuarios.listar'] })
    const path = `/usuarios/${admin.id}/permissoes`
    const bind = async (...territorios: object[]) => {
      const { status, text } = await here.as(admin).put(`/usuarios/${person.id}/territorios`, { territorios })
      assert.equal(status, 200, text)
    }
    for (const [territorios, expected] of [
      [[], 200],
      [[{ nivel: 'uf', codigo: 'PE' }], 404],
      [[{ nivel: 'municipio', codigo: '2611606' }], 404],
      [[], 200],
    ] as const) {
      await bind(...territorios)
      for (const app of [there, here]) assert.equal(await statusOf(app, person.token, path), expected)
    }
  })

  it('a change of password leaves the session it came through, on both', async () => {
    const person = await here.person()
    const senhas = { senha_atual: PASSWORD, senha_nova: NEW_PASSWORD, confirmar_senha: NEW_PASSWORD }
    assert.equal((await here.as(person).post('/auth/change-password', senhas)).status, 200)
    assert.equal(await statusOf(there, person.token), 200)
    assert.equal((await logIn(there, person)).status, 401)
    assert.equal((await logIn(there, person, NEW_PASSWORD)).status, 200)
  })
})

describe('refresh tokens on two instances', () => {
  it('rotated here and repeated there within the grace answer the same pair', async () => {
    const person = await here.person()
    const first: Pair = (await logIn(here, person)).body
    const [a, b] = [await refresh(here, first.refresh_token), await refresh(there, first.refresh_token)]
    assert.equal(a.status, 200)
    assert.deepEqual(b.body, a.body)
    for (const app of [here, there]) assert.equal(await statusOf(app, a.body.access_token), 200)
  })

  it('refreshed on both at once, many times, stay one chain', async () => {
    let { refresh_token }: Pair = (await logIn(here, await here.person())).body
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => refresh(i % 2 === 0 ? here : there, refresh_token)),
      )
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      // The clocks of two machines differ a little, so what they answer at the same time may differ in its times.
      assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 1)
      refresh_token = answers[0]?.body.refresh_token
    }
  })

  it('used again there after their successor was used here end the session on both', async () => {
    const first: Pair = (await logIn(here, await here.person())).body
    const second: Pair = (await refresh(here, first.refresh_token)).body
    const third: Pair = (await refresh(here, second.refresh_token)).body
    assert.equal((await refresh(there, first.refresh_token)).status, 401)
    assert.equal(await statusOf(here, third.access_token), 401)
    assert.equal((await refresh(here, third.refresh_token)).status, 401)
  })
})

describe('guessing on two instances', () => {
  it('counts together: three failures here and two there lock on both, also against the right password', async () => {
    const person = await here.person()
    const answers = [here, there, here, there, here].map((app) => () => logIn(app, person, 'Errada#123'))
    const statuses: number[] = []
    for (const answer of answers) statuses.push((await answer()).status)
    assert.deepEqual(statuses, [401, 401, 401, 401, 423])
    const locked = [await logIn(here, person), await logIn(there, person)]
    assert.deepEqual(
      locked.map(({ status }) => status),
      [423, 423],
    )
    assert.equal(locked[0]?.body.error.locked_until, locked[1]?.body.error.locked_until)
    assert.equal((await there.as(admin).post(`/usuarios/${person.id}/desbloquear`)).status, 200)
    assert.equal((await logIn(here, person)).status, 200)
  })

  it('locks an unknown address on both, too', async () => {
    const ghost = { id: 0, email: 'fantasma@teste.local', token: '' }
    for (let i = 0; i < 4; i++) await logIn(i % 2 === 0 ? here : there, ghost)
    assert.equal((await logIn(here, ghost)).status, 423)
    assert.equal((await logIn(there, ghost)).status, 423)
  })

  it('lets no more than five guesses through when both are asked at once', async () => {
    const person = await here.person()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => logIn(i % 2 === 0 ? here : there, person, 'Errada#123')),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses.slice(4), Array(8).fill(423))
    assert.equal((await logIn(there, person)).status, 423)
  })
})

describe('keys on two instances', () => {
  it('are the same: what one signs the other accepts, and both show the same', async () => {
    const person = await here.person()
    const { body } = await logIn(there, person)
    assert.equal(await statusOf(here, body.access_token), 200)
    assert.equal(await statusOf(there, person.token), 200)
    const [a, b] = [here, there].map((app) => app.anonymous.get('/.well-known/jwks.json'))
    assert.deepEqual((await a)?.body, (await b)?.body)
  })
})
