import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { issueToken } from '../../../src/domain/emails/tokens.ts'
import { type Answer, MASTER_KEY, PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { problems, tally } from '../refusals.ts'

const t = await testApp({ env: { PUBLIC_URL: 'https://vigia.example' } })
after(() => t.close())

interface Account {
  id: number
  email: string
}

const verify = (token: string) => t.anonymous.post('/auth/verificar-email', { token })
const logIn = (email: string) => t.anonymous.post('/auth/login', { email, senha: PASSWORD })

let signups = 0
/** A new account by sign-up, and the token of the link that it was mailed. */
async function signUp(language = 'pt-BR'): Promise<Account & { token: string; subject: string }> {
  const email = `nova${++signups}@teste.local`
  const usuario = { nome: 'Nova', email, senha: PASSWORD, estado: 'PE', master_key: MASTER_KEY }
  const headers = { 'accept-language': language, host: 'mal.example' }
  assert.equal((await t.anonymous.post('/usuarios/signup', { usuario }, { headers })).status, 201)
  await t.mailWorker.runOnce()
  const [mail, ...more] = t.mails.filter(({ to }) => to === email)
  assert.equal(more.length, 0)
  const link = /^https:\/\/vigia\.example\/verificar-email#token=([\w-]{43})$/m.exec(mail?.text ?? '')
  const row = await t.database.pool.first<{ id: number }>(sql`select id from usuarios where email = ${email}`)
  return { id: row?.id as number, email, token: link?.[1] as string, subject: mail?.subject as string }
}

const stored = ({ id }: Pick<Account, 'id'>) =>
  t.database.pool.first<Record<string, unknown>>(sql`
    select email, email_pendente, email_verificado, senha_hash, atualizado_em from usuarios where id = ${id}`)
const verified = async (account: Account) => (await stored(account))?.email_verificado

async function refuses(account: Account, act: () => Promise<Answer>, status: number, code: string) {
  const before = await stored(account)
  const { status: answered, body, text } = await act()
  assert.deepEqual([answered, body.error?.code], [status, code], text)
  assert.deepEqual(await stored(account), before, 'a refusal changes nothing')
  return body.error
}

/** A change of address that waits for its proof, and the token that was mailed for it. */
async function pending(account: Account, email: string): Promise<string> {
  await t.database.pool.run(sql`
    update usuarios set email_pendente = ${email}, email_verificado = true where id = ${account.id}`)
  return issueToken(
    t.database.pool,
    { tipo: 'verificar_email', usuario_id: account.id, email },
    t.clock.now(),
  )
}

describe('POST /auth/verificar-email', () => {
  it('proves the address of a sign-up by the link of its mail, once, and records it', async () => {
    const nova = await signUp()
    assert.equal(await verified(nova), false)
    const { status, body } = await verify(nova.token)
    assert.deepEqual([status, body], [200, { message: 'E-mail verificado' }])
    assert.equal(await verified(nova), true)
    const { access_token } = (await logIn(nova.email)).body
    const me = await t.as({ ...nova, token: access_token }).get('/usuarios/me')
    assert.equal(me.body.email_verificado, true)
    await refuses(nova, () => verify(nova.token), 400, 'INVALID_VERIFICATION_TOKEN')
    const audit = await t.database.pool.rows<{ ator_id: number; texto: string }>(sql`
      select ator_id, a::text as texto from auditoria a
       where acao = 'email.verificado' and recurso_id = ${String(nova.id)}`)
    assert.deepEqual(
      audit.map(({ ator_id }) => ator_id),
      [nova.id],
    )
    for (const secret of [nova.token, nova.email]) assert.ok(!audit[0]?.texto.includes(secret))
    assert.ok(!t.logs.join('').includes(nova.token))
  })

  it('is mailed in the language of the sign-up', async () => {
    for (const [language, subject] of [
      ['pt-BR', 'Vigia: confirme seu e-mail'],
      ['en-US', 'Vigia: confirm your email'],
      ['es-ES', 'Vigia: confirme su correo'],
    ] as const)
      assert.equal((await signUp(language)).subject, subject)
  })

  it('is not done by opening the page, nor by any other method', async () => {
    const nova = await signUp()
    for (const path of [
      '//verificar-email',
      `//verificar-email?token=${nova.token}`,
      `//verificar-email#token=${nova.token}`,
    ])
      assert.equal((await t.anonymous.get(path)).status, 200)
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const path = `/auth/verificar-email?token=${nova.token}`
      assert.equal((await t.anonymous.request(method, path)).status, 405)
    }
    assert.equal((await t.anonymous.post(`/auth/verificar-email?token=${nova.token}`)).status, 422)
    assert.equal(await verified(nova), false)
    assert.equal((await verify(nova.token)).status, 200)
  })

  it('takes its link for a day and not longer', async () => {
    const [early, late] = [await signUp(), await signUp()]
    t.clock.advance(86_390_000)
    assert.equal((await verify(early.token)).status, 200)
    t.clock.advance(20_000)
    await refuses(late, () => verify(late.token), 400, 'INVALID_VERIFICATION_TOKEN')
  })

  it('refuses what is no such token', async () => {
    const nova = await signUp()
    for (const bad of ['x', nova.token.slice(1), `${nova.token}A`, 'x'.repeat(200)])
      await refuses(nova, () => verify(bad), 400, 'INVALID_VERIFICATION_TOKEN')
    for (const [body, expected] of [
      [{}, ['token REQUIRED']],
      [{ token: '' }, ['token REQUIRED']],
      [{ token: 5 }, ['token INVALID_TYPE']],
      [{ token: 'x'.repeat(201) }, ['token TOO_LONG']],
      [{ token: 'a\0' }, ['token INVALID_FORMAT']],
    ] as const) {
      const act = () => t.anonymous.post('/auth/verificar-email', body)
      assert.deepEqual(problems((await refuses(nova, act, 422, 'VALIDATION_ERROR')).details), expected)
    }
  })

  it('takes no reset token, and a reset takes no verification token; each still works in its place', async () => {
    const nova = await signUp()
    await t.anonymous.post('/auth/forgot-password', { email: nova.email })
    await t.mailWorker.runOnce()
    const mail = t.mails.findLast(({ to }) => to === nova.email)
    const resetToken = /redefinir-senha#token=([\w-]+)/.exec(mail?.text ?? '')?.[1] as string
    const reset = (token: string) =>
      t.anonymous.post('/auth/reset-password', {
        token,
        senha_nova: 'Outra#Senha9',
        confirmar_senha: 'Outra#Senha9',
      })
    await refuses(nova, () => verify(resetToken), 400, 'INVALID_VERIFICATION_TOKEN')
    await refuses(nova, () => reset(nova.token), 400, 'INVALID_RESET_TOKEN')
    assert.equal((await verify(nova.token)).status, 200)
    assert.equal((await reset(resetToken)).status, 200)
  })

  it('lets exactly one of twenty simultaneous uses of a link win', async () => {
    const nova = await signUp()
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(nova.token)))
    assert.deepEqual(tally(answers), { 200: 1, 400: 19 })
  })
})

describe('a change of address that waits for its proof', () => {
  it('counts once verified, and not before', async () => {
    const ana = await t.person()
    const nova = `mudou.${ana.email}`
    const token = await pending(ana, nova)
    assert.equal((await logIn(nova)).status, 401)
    assert.equal((await t.as(ana).get('/usuarios/me')).body.email, ana.email)
    assert.equal((await verify(token)).status, 200)
    const { email, email_pendente, email_verificado } = (await stored(ana)) ?? {}
    assert.deepEqual([email, email_pendente, email_verificado], [nova, null, true])
    assert.equal((await t.as(ana).get('/usuarios/me')).body.email, nova, 'the session goes on')
    assert.equal((await logIn(ana.email)).status, 401)
    assert.equal((await logIn(nova)).status, 200)
  })

  it('is refused with 422 when somebody took the address meanwhile; nothing changes and the link stays good', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    const wanted = `cobicado.${ana.email}`
    const token = await pending(ana, wanted)
    await t.database.pool.run(sql`update usuarios set email = ${wanted.toUpperCase()} where id = ${bia.id}`)
    const error = await refuses(ana, () => verify(token), 422, 'VALIDATION_ERROR')
    assert.deepEqual(problems(error.details), ['email DUPLICATE'])
    assert.equal((await logIn(ana.email)).status, 200)
    await t.database.pool.run(sql`update usuarios set email = ${bia.email} where id = ${bia.id}`)
    assert.equal((await verify(token)).status, 200)
    assert.equal((await stored(ana))?.email, wanted)
  })

  it('by two accounts for one address: exactly one gets it', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    const wanted = `disputado.${ana.email}`
    const tokens = [await pending(ana, wanted), await pending(bia, wanted)]
    assert.deepEqual(tally(await Promise.all(tokens.map(verify))), { 200: 1, 422: 1 })
  })

  it('is not made by the link of an address that was given up since', async () => {
    const ana = await t.person()
    const first = await pending(ana, `primeiro.${ana.email}`)
    const second = await pending(ana, `segundo.${ana.email}`)
    await refuses(ana, () => verify(first), 400, 'INVALID_VERIFICATION_TOKEN')
    assert.equal((await verify(second)).status, 200)
    assert.equal((await stored(ana))?.email, `segundo.${ana.email}`)
  })

  describe('is canceled', () => {
    const NEW = 'Outra#Senha9'
    const senha = { senha_nova: NEW, confirmar_senha: NEW }
    const resetToken = async (email: string) => {
      await t.anonymous.post('/auth/forgot-password', { email })
      await t.mailWorker.runOnce()
      const mail = t.mails.findLast(({ to }) => to === email)
      return /redefinir-senha#token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
    }
    const WAYS: Record<string, (ana: Person, admin: Person) => Promise<Answer>> = {
      'a reset of the password': async (ana) =>
        t.anonymous.post('/auth/reset-password', { ...senha, token: await resetToken(ana.email) }),
      'a change of the password': (ana) =>
        t.as(ana).post('/auth/change-password', { ...senha, senha_atual: PASSWORD }),
      'a password that an administrator sets': (ana, admin) =>
        t.as(admin).post(`/usuarios/${ana.id}/alterar-senha`, { nova_senha: NEW }),
      'a password in the form of A': (ana) =>
        t.as(ana).put(`/usuarios/${ana.id}`, { usuario: { nome: 'Ana', email: ana.email, senha: NEW } }),
      'a password that an administrator sets in the form of A': (ana, admin) =>
        t.as(admin).put(`/usuarios/${ana.id}`, { usuario: { nome: 'Ana', email: ana.email, senha: NEW } }),
      deactivation: (ana, admin) => t.as(admin).post(`/usuarios/${ana.id}/desativar`),
      'deactivation in a change': (ana, admin) => t.as(admin).put(`/usuarios/${ana.id}`, { ativo: false }),
      removal: (ana, admin) => t.as(admin).delete(`/usuarios/${ana.id}?motivo=saiu`),
      'sending the current address': (ana) => t.as(ana).put(`/usuarios/${ana.id}`, { email: ana.email }),
      'sending the current address in the form of A': (ana) =>
        t.as(ana).put(`/usuarios/${ana.id}`, { usuario: { nome: 'Ana', email: ana.email } }),
    }
    for (const [name, act] of Object.entries(WAYS))
      it(`by ${name}; its link is dead, also for an account that is active again`, async () => {
        const [ana, admin] = [await t.person(), await t.administrador()]
        const token = await pending(ana, `ladrao.${ana.email}`)
        const { status, text } = await act(ana, admin)
        assert.equal(status, 200, text)
        assert.equal((await stored(ana))?.email_pendente, null)
        await t.database.pool.run(sql`update usuarios set desativado_em = null where id = ${ana.id}`)
        await refuses(ana, () => verify(token), 400, 'INVALID_VERIFICATION_TOKEN')
        assert.equal((await stored(ana))?.email, ana.email)
      })

    it('but not by a password that comes with it in one request, nor by other changes', async () => {
      const [ana, admin] = [await t.person(), await t.administrador()]
      const nova = `junto.${ana.email}`
      for (const [who, body] of [
        [ana, { usuario: { nome: 'Ana', email: nova, senha: NEW } }],
        [ana, { nome: 'Ana Souza' }],
        [admin, { usuario: { nome: 'Ana', email: ana.email } }],
        [admin, { ativo: true, email: ana.email }],
      ] as const) {
        assert.equal((await t.as(who).put(`/usuarios/${ana.id}`, body)).status, 200)
        assert.equal((await stored(ana))?.email_pendente, nova)
      }
    })
  })
})
