import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { problems } from '../refusals.ts'

const ORIGIN = 'https://vigia.example'
const NEW = 'Outra#Senha9'
const DAY = 86_400_000
const t = await testApp({ env: { PUBLIC_URL: ORIGIN } })
after(() => t.close())
const admin = await t.administrador()

let made = 0
const convite = (more: object = {}) => ({
  nome: 'Ana Souza',
  email: `convidada${++made}@saude.example`,
  convidar: true,
  ...more,
})
const criar = (body: object, who: Person = admin, headers: Record<string, string> = {}) =>
  t.as(who).post('/usuarios', body, { headers })
async function invited(): Promise<{ id: number; email: string }> {
  const { status, body, text } = await criar(convite())
  assert.equal(status, 201, text)
  return body
}
async function mailsTo(email: string) {
  await t.mailWorker.runOnce()
  return t.mails.filter(({ to }) => to === email)
}
async function tokenOf({ email }: { email: string }): Promise<string> {
  const mail = (await mailsTo(email)).at(-1)
  return /\/redefinir-senha#token=([\w-]+)/.exec(mail?.text ?? '')?.[1] as string
}
const choose = (token: string, senha = NEW) =>
  t.anonymous.post('/auth/reset-password', { token, senha_nova: senha, confirmar_senha: senha })
const logIn = (email: string, senha: string) => t.anonymous.post('/auth/login', { email, senha })
const resend = (id: number | string, who: Person = admin) => t.as(who).post(`/usuarios/${id}/convite`)
const actionsOn = async (id: number) =>
  (
    await t.database.pool.rows<{ acao: string }>(sql`
      select acao from auditoria where recurso = 'usuario' and recurso_id = ${String(id)} order by id`)
  ).map(({ acao }) => acao)

describe('POST /usuarios with convidar', () => {
  it('sends a link by which the person chooses the password; nobody knew one before', async () => {
    const ana = await invited()
    const mails = await mailsTo(ana.email)
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Vigia: convite para usar o sistema'],
    )
    assert.match(mails[0]?.text ?? '', /^Olá, Ana Souza,/)
    assert.match(mails[0]?.html ?? '', /https:\/\/vigia\.example\/redefinir-senha#token=/)
    assert.equal((await choose(await tokenOf(ana))).status, 200)
    assert.equal((await logIn(ana.email, NEW)).status, 200)
    const { body } = await t.as(admin).get(`/usuarios/${ana.id}?include=situacao`)
    assert.deepEqual([body.email_verificado, body.situacao.trocar_senha], [true, false])
    assert.deepEqual(await actionsOn(ana.id), ['usuario.criado', 'convite.aceito'])
    assert.equal((await mailsTo(ana.email)).length, 1, 'the first password is no change to be told')
  })

  for (const [language, subject] of [
    ['en-US', 'Vigia: invitation to use the system'],
    ['es-ES', 'Vigia: invitación para usar el sistema'],
  ] as const)
    it(`writes in ${language} where it was made in ${language}`, async () => {
      const { body } = await criar(convite(), admin, { 'accept-language': language })
      assert.equal((await mailsTo(body.email))[0]?.subject, subject)
    })

  it('has a link that works once', async () => {
    const token = await tokenOf(await invited())
    assert.equal((await choose(token)).status, 200)
    assert.equal((await choose(token)).body.error.code, 'INVALID_RESET_TOKEN')
  })

  it('is used by exactly one of two at the same time', async () => {
    const token = await tokenOf(await invited())
    const statuses = (await Promise.all([choose(token), choose(token, 'Mais#Senha77')])).map(
      ({ status }) => status,
    )
    assert.deepEqual(statuses.toSorted(), [200, 400])
  })

  it('keeps the rules of passwords', async () => {
    const token = await tokenOf(await invited())
    assert.equal((await choose(token, 'fraca')).body.error.code, 'WEAK_PASSWORD')
    assert.equal((await choose(token)).status, 200)
  })

  it('takes either a password or an invitation', async () => {
    const namesOf = async (body: object) => problems((await criar(body)).body.error.details)
    const { convidar: _left, ...plain } = convite()
    assert.deepEqual(await namesOf(plain), ['senha REQUIRED'])
    assert.deepEqual(await namesOf(convite({ convidar: false })), ['senha REQUIRED'])
    assert.deepEqual(await namesOf(convite({ senha: PASSWORD })), ['senha INCONSISTENT'])
    assert.deepEqual(await namesOf(convite({ forcar_troca: true })), ['forcar_troca INCONSISTENT'])
    assert.deepEqual(await namesOf(convite({ convidar: 'sim' })), ['convidar INVALID_TYPE', 'senha REQUIRED'])
  })

  it('ends with another address or a password that an administrator sets', async () => {
    const [ana, bia] = [await invited(), await invited()]
    const [first, second] = [await tokenOf(ana), await tokenOf(bia)]
    await t.as(admin).put(`/usuarios/${ana.id}`, { email: 'outra@saude.example' })
    await t.as(admin).post(`/usuarios/${bia.id}/alterar-senha`, { nova_senha: 'Mais#Senha77' })
    for (const token of [first, second]) assert.equal((await choose(token)).status, 400)
    assert.equal((await logIn(bia.email, 'Mais#Senha77')).status, 200)
  })
})

describe('POST /usuarios/{id}/convite', () => {
  it('sends another link; the first still works until one is used', async () => {
    const ana = await invited()
    const first = await tokenOf(ana)
    assert.equal((await resend(ana.id)).status, 200)
    const second = await tokenOf(ana)
    assert.notEqual(first, second)
    assert.equal((await choose(second)).status, 200)
    assert.equal((await choose(first)).status, 400)
    assert.deepEqual(await actionsOn(ana.id), ['usuario.criado', 'usuario.convidado', 'convite.aceito'])
  })

  it('sends at most five an hour', async () => {
    const ana = await invited()
    for (let i = 0; i < 7; i++) {
      assert.equal((await resend(ana.id)).status, 200)
      await t.mailWorker.runOnce()
    }
    assert.equal((await mailsTo(ana.email)).length, 5)
  })

  it('is 409 for an account that was entered or is inactive, and sends nothing', async () => {
    const [ana, bia] = [await invited(), await invited()]
    await choose(await tokenOf(ana))
    await logIn(ana.email, NEW)
    await t.as(admin).delete(`/usuarios/${bia.id}?motivo=engano`)
    for (const { id, email } of [ana, bia]) {
      const before = (await mailsTo(email)).length
      assert.equal((await resend(id)).body.error.code, 'CONFLICT')
      assert.equal((await mailsTo(email)).length, before)
    }
  })

  it('lets nobody into an account that was deactivated since', async () => {
    const ana = await invited()
    const token = await tokenOf(ana)
    await t.as(admin).delete(`/usuarios/${ana.id}?motivo=engano`)
    await choose(token)
    assert.equal((await logIn(ana.email, NEW)).body.error.code, 'ACCOUNT_INACTIVE')
  })

  it('refuses ids that are none, accounts that are not there or above the caller, and callers without the permission', async () => {
    const gestor = await t.person({ grupos: ['gestor'] })
    const chefe = await t.person({ admin: true })
    assert.equal((await resend('x')).status, 422)
    assert.equal((await resend(999_999)).status, 404)
    assert.equal((await resend(chefe.id, gestor)).status, 403)
    assert.equal((await resend(gestor.id, await t.person())).status, 403)
  })
})

// Last, since it ends every session.
it('an invitation is good for seven days', async () => {
  const [ana, bia] = [await invited(), await invited()]
  const [first, second] = [await tokenOf(ana), await tokenOf(bia)]
  t.clock.advance(7 * DAY - 1000)
  assert.equal((await choose(first)).status, 200)
  t.clock.advance(2000)
  assert.equal((await choose(second)).body.error.code, 'INVALID_RESET_TOKEN')
})
