import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { problems, tally } from '../refusals.ts'

const t = await testApp({ env: { PUBLIC_URL: 'https://vigia.example' } })
after(() => t.close())
const { pool } = t.database

const DAY = 86_400_000
const NEW = 'Outra#Senha9'

const undo = (token: string) => t.anonymous.post('/auth/nao-fui-eu', { token })
const logIn = (email: string, senha = PASSWORD) => t.anonymous.post('/auth/login', { email, senha })
const works = async (token: string) =>
  (await t.as({ id: 0, email: '', token }).get('/usuarios/logado')).status === 200

const stored = ({ id }: Pick<Person, 'id'>) =>
  pool.first<Record<string, unknown>>(sql`
    select email, email_pendente, email_verificado, senha_hash, mfa_ativado_em is not null as mfa,
           (select count(*) from sessoes s where s.usuario_id = u.id and s.encerrada_em is null) as sessoes,
           (select count(*) from codigos_backup c where c.usuario_id = u.id) as codigos
      from usuarios u where id = ${id}`)

async function refuses(person: Person, act: () => Promise<Answer>, status: number, code: string) {
  const before = await stored(person)
  const { status: answered, body, text } = await act()
  assert.deepEqual([answered, body.error?.code], [status, code], text)
  assert.deepEqual(await stored(person), before, 'a refusal changes nothing')
  return body.error
}

async function mailsTo(email: string) {
  await t.mailWorker.runOnce()
  return t.mails.filter(({ to }) => to === email)
}

/** The token of the newest mail to the address with a link to that page. */
async function tokenTo(email: string, page: string): Promise<string> {
  const link = new RegExp(`^https://vigia\\.example/${page}#token=([\\w-]{43})$`, 'm')
  const found = (await mailsTo(email)).map(({ text }) => link.exec(text)?.[1]).findLast(Boolean)
  assert.ok(found, `a link to ${page}`)
  return found
}

/** Asks for a new address as the account itself; answers the token in the notice to the old one. */
async function ask(person: Person, email: string): Promise<string> {
  const old = (await stored(person))?.email as string
  assert.equal((await t.as(person).put(`/usuarios/${person.id}`, { email })).status, 200)
  return tokenTo(old, 'nao-fui-eu')
}

const confirm = async (email: string) =>
  assert.equal(
    (await t.anonymous.post('/auth/verificar-email', { token: await tokenTo(email, 'verificar-email') }))
      .status,
    200,
  )

async function move(person: Person, email: string): Promise<string> {
  const token = await ask(person, email)
  await confirm(email)
  return token
}

async function reset(email: string): Promise<void> {
  const token = await tokenTo(email, 'redefinir-senha')
  const body = { token, senha_nova: NEW, confirmar_senha: NEW }
  assert.equal((await t.anonymous.post('/auth/reset-password', body)).status, 200)
}

async function activateMfa(person: Person): Promise<void> {
  const { secret } = (await t.as(person).post('/auth/mfa/enable')).body
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: t.clock.now().getTime(),
  })
  assert.equal((await t.as(person).post('/auth/mfa/verify', { code })).status, 200)
}

describe('POST /auth/nao-fui-eu of a changed email', () => {
  it('cancels a change that waits, ends every session and leads to a new password', async () => {
    const ana = await t.person()
    const pair = (await logIn(ana.email)).body
    const token = await ask(ana, `ladrao.${ana.email}`)
    const thiefs = await tokenTo(`ladrao.${ana.email}`, 'verificar-email')
    const { status, body } = await undo(token)
    assert.deepEqual(
      [status, body],
      [200, { message: 'Desfeito; escolha uma nova senha com o link enviado por e-mail' }],
    )
    const { email, email_pendente, sessoes } = (await stored(ana)) ?? {}
    assert.deepEqual([email, email_pendente, sessoes], [ana.email, null, 0])
    for (const access of [ana.token, pair.access_token]) assert.ok(!(await works(access)))
    assert.equal((await t.anonymous.post('/auth/refresh', { refresh_token: pair.refresh_token })).status, 401)
    const verify = () => t.anonymous.post('/auth/verificar-email', { token: thiefs })
    await refuses(ana, verify, 400, 'INVALID_VERIFICATION_TOKEN')
    await reset(ana.email)
    assert.equal((await logIn(ana.email, NEW)).status, 200)
  })

  it('sets a change back that was already confirmed, and what was mailed to the thief is worth nothing', async () => {
    const ana = await t.person()
    const thief = `ladrao.${ana.email}`
    const token = await move(ana, thief)
    await t.anonymous.post('/auth/forgot-password', { email: thief })
    const thiefsReset = await tokenTo(thief, 'redefinir-senha')
    assert.equal((await undo(token)).status, 200)
    const { email, email_verificado, sessoes, mfa } = (await stored(ana)) ?? {}
    assert.deepEqual([email, email_verificado, sessoes, mfa], [ana.email, true, 0, false])
    const body = { token: thiefsReset, senha_nova: NEW, confirmar_senha: NEW }
    await refuses(ana, () => t.anonymous.post('/auth/reset-password', body), 400, 'INVALID_RESET_TOKEN')
    assert.equal((await logIn(thief)).status, 401)
    const told = (await mailsTo(thief)).at(-1)
    assert.equal(told?.subject, 'Vigia: a troca do e-mail foi desfeita')
    assert.ok(!told?.text.includes('token='))
    await reset(ana.email)
    const [audit] = await pool.rows<{ detalhes: object; texto: string }>(sql`
      select detalhes, a::text as texto from auditoria a
       where acao = 'conta.retomada' and recurso_id = ${String(ana.id)}`)
    assert.deepEqual(audit?.detalhes, {
      email_restaurado: true,
      mfa_desativado: false,
      sessoes_encerradas: 1,
    })
    for (const secret of [ana.email, thief, token]) assert.ok(!audit?.texto.includes(secret))
    assert.ok(!t.logs.join('').includes(token))
  })

  it('is not undone by a thief who moved the account twice, whoever comes first', async () => {
    for (const thiefFirst of [false, true]) {
      const ana = await t.person()
      const [one, two] = [`um.${ana.email}`, `dois.${ana.email}`]
      const owners = await move(ana, one)
      const thiefs = await move(ana, two)
      if (thiefFirst) {
        assert.equal((await undo(thiefs)).status, 200)
        assert.equal((await stored(ana))?.email, one)
      }
      assert.equal((await undo(owners)).status, 200)
      if (!thiefFirst) await refuses(ana, () => undo(thiefs), 400, 'INVALID_UNDO_TOKEN')
      assert.equal((await stored(ana))?.email, ana.email)
    }
  })

  it('also switches a second factor off that came after the address had moved, and none from before', async () => {
    const ana = await t.person()
    const token = await move(ana, `ladrao.${ana.email}`)
    await activateMfa(ana)
    assert.equal((await undo(token)).status, 200)
    await reset(ana.email)
    assert.equal((await logIn(ana.email, NEW)).status, 200)

    const bia = await t.person()
    await activateMfa(bia)
    assert.equal((await undo(await move(bia, `ladrao.${bia.email}`))).status, 200)
    const { email, mfa, codigos } = (await stored(bia)) ?? {}
    assert.deepEqual([email, mfa, codigos], [bia.email, true, 10])

    const caio = await t.person()
    await activateMfa(caio)
    assert.equal((await undo(await ask(caio, `ladrao.${caio.email}`))).status, 200)
    assert.equal((await stored(caio))?.mfa, true)
  })

  it('is refused with 422 when the old address is somebody else’s by now; the link stays good', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    const token = await move(ana, `ladrao.${ana.email}`)
    await pool.run(sql`update usuarios set email = ${ana.email.toUpperCase()} where id = ${bia.id}`)
    const error = await refuses(ana, () => undo(token), 422, 'VALIDATION_ERROR')
    assert.deepEqual(problems(error.details), ['email DUPLICATE'])
    assert.ok(await works(ana.token))
    await pool.run(sql`update usuarios set email = ${bia.email} where id = ${bia.id}`)
    assert.equal((await undo(token)).status, 200)
  })

  it('is not offered after a change by an administrator, which takes the way back from all former addresses', async () => {
    const [ana, admin] = [await t.person(), await t.administrador()]
    const token = await move(ana, `novo.${ana.email}`)
    const set = { email: `oficial.${ana.email}` }
    assert.equal((await t.as(admin).put(`/usuarios/${ana.id}`, set)).status, 200)
    const notice = (await mailsTo(`novo.${ana.email}`)).at(-1)
    assert.equal(notice?.subject, 'Vigia: o e-mail da sua conta foi alterado')
    assert.ok(!notice?.text.includes('token='))
    await refuses(ana, () => undo(token), 400, 'INVALID_UNDO_TOKEN')
  })

  it('leaves a lock of the login as it is; only the new password ends it', async () => {
    const ana = await t.person()
    const token = await ask(ana, `ladrao.${ana.email}`)
    for (let i = 0; i < 5; i++) await logIn(ana.email, 'Errada#123')
    assert.equal((await undo(token)).status, 200)
    assert.equal((await logIn(ana.email)).status, 423)
    await reset(ana.email)
    assert.equal((await logIn(ana.email, NEW)).status, 200)
  })
})

describe('POST /auth/nao-fui-eu of a second factor', () => {
  it('is mailed when one is switched on, not when it is begun, and switches it off again', async () => {
    const ana = await t.person()
    await t.as(ana).post('/auth/mfa/enable')
    assert.deepEqual(await mailsTo(ana.email), [])
    await activateMfa(ana)
    const [mail, ...more] = await mailsTo(ana.email)
    assert.equal(mail?.subject, 'Vigia: o segundo fator foi ativado')
    assert.deepEqual(more, [])
    assert.equal((await logIn(ana.email)).status, 428)
    assert.equal((await undo(await tokenTo(ana.email, 'nao-fui-eu'))).status, 200)
    const { mfa, codigos, sessoes } = (await stored(ana)) ?? {}
    assert.deepEqual([mfa, codigos, sessoes], [false, 0, 0])
    assert.ok(!(await works(ana.token)))
    assert.equal((await logIn(ana.email)).status, 200, 'the owner is no longer locked out')
    await reset(ana.email)
  })

  it('also cancels and sets back what was done to the address since', async () => {
    const ana = await t.person()
    await activateMfa(ana)
    const token = await tokenTo(ana.email, 'nao-fui-eu')
    await move(ana, `ladrao.${ana.email}`)
    await ask(ana, `longe.${ana.email}`)
    assert.equal((await undo(token)).status, 200)
    const { email, email_pendente, mfa } = (await stored(ana)) ?? {}
    assert.deepEqual([email, email_pendente, mfa], [ana.email, null, false])
  })

  it('is told, without a link, when it is switched off', async () => {
    const ana = await t.person()
    const { secret, backup_codes } = (await t.as(ana).post('/auth/mfa/enable')).body
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const code = totp.generate({ timestamp: t.clock.now().getTime() })
    await t.as(ana).post('/auth/mfa/verify', { code })
    const off = { senha: PASSWORD, code: backup_codes[0] }
    assert.equal((await t.as(ana).post('/auth/mfa/disable', off)).status, 200)
    const mails = await mailsTo(ana.email)
    const told = mails.find(({ subject }) => subject === 'Vigia: o segundo fator foi desativado')
    assert.equal(told?.text.includes('token='), false)
    for (const hidden of [secret, code, ...backup_codes]) assert.ok(!JSON.stringify(mails).includes(hidden))
  })
})

describe('its link', () => {
  it('works once, also when it is used ten times at once', async () => {
    const ana = await t.person()
    const token = await ask(ana, `ladrao.${ana.email}`)
    const answers = await Promise.all(Array.from({ length: 10 }, () => undo(token)))
    assert.deepEqual(tally(answers), { 200: 1, 400: 9 })
    await refuses(ana, () => undo(token), 400, 'INVALID_UNDO_TOKEN')
  })

  it('changes nothing by being opened, nor by any other method', async () => {
    const ana = await t.person()
    const token = await ask(ana, `ladrao.${ana.email}`)
    const before = await stored(ana)
    assert.equal((await t.anonymous.get(`//nao-fui-eu?token=${token}`)).status, 200)
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'])
      assert.equal((await t.anonymous.request(method, `/auth/nao-fui-eu?token=${token}`)).status, 405)
    assert.deepEqual(await stored(ana), before)
    assert.equal((await undo(token)).status, 200)
  })

  it('is neither one to verify nor one to reset, and those are none to undo', async () => {
    const ana = await t.person()
    const token = await ask(ana, `novo.${ana.email}`)
    const verification = await tokenTo(`novo.${ana.email}`, 'verificar-email')
    for (const bad of [verification, 'x', `${token}A`, 'x'.repeat(200)])
      await refuses(ana, () => undo(bad), 400, 'INVALID_UNDO_TOKEN')
    const verify = () => t.anonymous.post('/auth/verificar-email', { token })
    await refuses(ana, verify, 400, 'INVALID_VERIFICATION_TOKEN')
    const error = await refuses(ana, () => undo(''), 422, 'VALIDATION_ERROR')
    assert.deepEqual(problems(error.details), ['token REQUIRED'])
  })

  it('works for seven days, longer than the link of the change, and not longer', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    const [early, late] = [await move(ana, `ladrao.${ana.email}`), await move(bia, `ladrao.${bia.email}`)]
    t.clock.advance(7 * DAY - 60_000)
    assert.equal((await undo(early)).status, 200)
    assert.equal((await stored(ana))?.email, ana.email)
    t.clock.advance(120_000)
    await refuses(bia, () => undo(late), 400, 'INVALID_UNDO_TOKEN')
  })
})
