import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { issueToken } from '../../../src/domain/emails/tokens.ts'
import { type Answer, PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { problems, tally } from '../refusals.ts'

const t = await testApp()
after(() => t.close())

const NEW = 'Provisoria#2026'
const gestor = await t.person({ grupos: ['gestor'] })

const alterar = (caller: Person, id: number | string, body: object = { nova_senha: NEW }) =>
  t.as(caller).post(`/usuarios/${id}/alterar-senha`, body)
const logIn = (email: string, senha: string) => t.anonymous.post('/auth/login', { email, senha })
const refresh = (refresh_token: string) => t.anonymous.post('/auth/refresh', { refresh_token })
const asToken = (token: string) => t.as({ id: 0, email: '', token })
const works = async (token: string) => (await asToken(token).get('/usuarios/logado')).status === 200

async function mailsTo(email: string) {
  await t.mailWorker.runOnce()
  return t.mails.filter(({ to }) => to === email)
}

const stored = () =>
  t.database.pool.first(sql`
    select (select json_agg(json_build_object('id', id, 'hash', senha_hash, 'trocar', trocar_senha) order by id)
              from usuarios) as usuarios,
           (select count(*) from sessoes where encerrada_em is null) as sessoes,
           (select count(*) from emails_pendentes) as emails,
           (select count(*) from auditoria) as auditoria`)

async function refuses(act: () => Promise<Answer>, status: number, code: string) {
  // What earlier requests queued is not counted.
  await t.mailWorker.runOnce()
  const before = await stored()
  const { status: answered, body, text } = await act()
  assert.deepEqual([answered, body.error?.code], [status, code], text)
  assert.deepEqual(await stored(), before, 'a refusal changes nothing')
  return body.error
}

describe('POST /usuarios/{id}/alterar-senha', () => {
  it('sets the password, ends and counts all sessions of that person, and records who did it', async () => {
    const [ana, bystander] = [await t.person(), await t.person()]
    const pair = (await logIn(ana.email, PASSWORD)).body
    const { status, body } = await alterar(gestor, ana.id)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      message: 'Senha alterada',
      forcar_troca: false,
      email_enviado: true,
      sessoes_invalidadas: 2,
    })
    for (const token of [ana.token, pair.access_token]) assert.ok(!(await works(token)))
    assert.equal((await refresh(pair.refresh_token)).status, 401)
    assert.ok(await works(bystander.token))
    assert.ok(await works(gestor.token))
    assert.equal((await logIn(ana.email, PASSWORD)).status, 401)
    const { body: again } = await logIn(ana.email, NEW)
    assert.ok(await works(again.access_token), 'nothing is forced unless asked for')
    const audit = await t.database.pool.rows<{ ator_id: number; detalhes: object; texto: string }>(sql`
      select ator_id, detalhes, a::text as texto from auditoria a
       where acao = 'senha.definida' and recurso = 'usuario' and recurso_id = ${String(ana.id)}`)
    assert.equal(audit.length, 1)
    assert.deepEqual([audit[0]?.ator_id, audit[0]?.detalhes], [gestor.id, { forcar_troca: false }])
    assert.ok(!audit[0]?.texto.includes(NEW))
    assert.ok(!t.logs.join('').includes(NEW))
  })

  it('with forcar_troca lets the person do nothing but change the password or log out', async () => {
    const ana = await t.person({ grupos: ['gestor'] })
    const set = await alterar(gestor, ana.id, { nova_senha: NEW, forcar_troca: true })
    assert.deepEqual([set.status, set.body.forcar_troca], [200, true])
    const pair = (await logIn(ana.email, NEW)).body
    const forced = asToken(pair.access_token)
    for (const act of [
      () => forced.get('/usuarios/logado'),
      () => forced.get('/usuarios/me'),
      () => forced.get('/auth/sessions'),
      () => forced.get('/auth/security-metrics'),
      () => forced.post('/auth/mfa/enable'),
      () => forced.post(`/usuarios/${ana.id}/alterar-senha`, { nova_senha: 'Mais#Uma123' }),
      () => forced.get('/grupos'),
      () => forced.post('/grupos', { nome: 'forcado' }),
    ])
      await refuses(act, 403, 'PASSWORD_CHANGE_REQUIRED')

    const renewed = await refresh(pair.refresh_token)
    assert.equal(renewed.status, 200)
    const still = asToken(renewed.body.access_token)
    await refuses(() => still.get('/usuarios/logado'), 403, 'PASSWORD_CHANGE_REQUIRED')

    const leaving = (await logIn(ana.email, NEW)).body
    assert.equal((await asToken(leaving.access_token).post('/auth/logout')).status, 200)
    const leavingA = (await logIn(ana.email, NEW)).body
    const logoutA = `/usuarios/logout?refresh_token=${leavingA.refresh_token}`
    assert.equal((await asToken(leavingA.access_token).post(logoutA)).status, 200)

    const change = (senha_nova: string) =>
      forced.post('/auth/change-password', { senha_atual: NEW, senha_nova, confirmar_senha: senha_nova })
    await refuses(() => change(NEW), 400, 'WEAK_PASSWORD')
    assert.equal((await change('Minha#Propria1')).status, 200)
    assert.ok(await works(pair.access_token), 'the same token works at once')
    assert.equal((await forced.get('/grupos')).status, 200)
    assert.ok(await works((await logIn(ana.email, 'Minha#Propria1')).body.access_token))
  })

  it('without forcar_troca ends an earlier obligation to change it', async () => {
    const ana = await t.person()
    await alterar(gestor, ana.id, { nova_senha: NEW, forcar_troca: true })
    await alterar(gestor, ana.id, { nova_senha: 'Mais#Uma123', forcar_troca: false })
    assert.ok(await works((await logIn(ana.email, 'Mais#Uma123')).body.access_token))
  })

  for (const [forcar_troca, notificar] of [
    [false, {}],
    [false, { notificar_usuario: false }],
    [true, { notificar_usuario: true }],
  ] as const)
    it(`always tells the person, ${forcar_troca ? 'also that it must be changed' : 'once'}, never the password (${JSON.stringify(notificar)})`, async () => {
      const ana = await t.person()
      const { body } = await alterar(gestor, ana.id, { nova_senha: NEW, forcar_troca, ...notificar })
      assert.equal(body.email_enviado, true)
      const mails = await mailsTo(ana.email)
      assert.deepEqual(
        mails.map(({ subject }) => subject),
        ['Vigia: nova senha definida pela administração'],
      )
      assert.ok(!JSON.stringify(mails).includes(NEW))
      assert.equal(/trocá-la/.test(mails[0]?.text ?? ''), forcar_troca)
    })

  it('on the own account is told as a change of one’s own', async () => {
    const eu = await t.person({ grupos: ['gestor'] })
    assert.equal((await alterar(eu, eu.id)).body.email_enviado, true)
    const subjects = (await mailsTo(eu.email)).map(({ subject }) => subject)
    assert.deepEqual(subjects, ['Vigia: sua senha foi alterada'])
  })

  it('on the own account keeps the session it came through, and only that', async () => {
    const eu = await t.person({ grupos: ['gestor'] })
    const other = (await logIn(eu.email, PASSWORD)).body
    const { status, body } = await alterar(eu, eu.id)
    assert.deepEqual([status, body.sessoes_invalidadas], [200, 1])
    assert.ok(await works(eu.token))
    assert.ok(!(await works(other.access_token)))
    assert.equal((await logIn(eu.email, NEW)).status, 200)
  })

  it('makes reset links that were sent before useless', async () => {
    const ana = await t.person()
    await t.anonymous.post('/auth/forgot-password', { email: ana.email })
    const token = /#token=([\w-]+)/.exec((await mailsTo(ana.email))[0]?.text ?? '')?.[1]
    await alterar(gestor, ana.id)
    const body = { token, senha_nova: 'Mais#Uma123', confirmar_senha: 'Mais#Uma123' }
    await refuses(() => t.anonymous.post('/auth/reset-password', body), 400, 'INVALID_RESET_TOKEN')
  })

  it('needs usuarios.editar, also for the own account', async () => {
    const [ana, bia] = [await t.person({ grupos: ['analista'] }), await t.person()]
    for (const id of [ana.id, bia.id, 999_999])
      assert.equal(
        (await refuses(() => alterar(ana, id), 403, 'PERMISSION_DENIED')).required_permission,
        'usuarios.editar',
      )
  })

  it('is refused on whoever holds more than the caller, and names what is lacking', async () => {
    const editor = await t.person({ permissoes: ['usuarios.editar'] })
    for (const [caller, target, lacking] of [
      [gestor, await t.person({ admin: true }), 'admin'],
      [gestor, await t.person({ grupos: ['admin'] }), 'admin'],
      [gestor, await t.person({ permissoes: ['admin'] }), 'admin'],
      [gestor, await t.person({ permissoes: ['auditoria.ver'] }), 'auditoria.ver'],
      [editor, await t.person({ permissoes: ['usuarios.listar'] }), 'usuarios.listar'],
    ] as const) {
      const error = await refuses(() => alterar(caller, target.id), 403, 'PERMISSION_DENIED')
      assert.equal(error.required_permission, lacking)
      assert.equal((await logIn(target.email, PASSWORD)).status, 200)
      assert.ok(await works(target.token))
    }
  })

  it('is for administrators on everybody, and among equals', async () => {
    const admin = await t.person({ admin: true })
    for (const target of [await t.person({ admin: true }), await t.person({ grupos: ['gestor'] })])
      assert.equal((await alterar(admin, target.id)).status, 200)
    assert.equal((await alterar(gestor, (await t.person({ grupos: ['gestor'] })).id)).status, 200)
  })

  it('is 404 for nobody and 422 for what is no id', async () => {
    await refuses(() => alterar(gestor, 2_000_000_000), 404, 'NOT_FOUND')
    for (const id of ['0', '-1', 'x', '2147483648', '1.5'])
      await refuses(() => alterar(gestor, id), 422, 'VALIDATION_ERROR')
  })

  it('is 400 with the broken rules for a weak password, and 422 for other mistakes', async () => {
    const { id } = await t.person()
    const weak = await refuses(() => alterar(gestor, id, { nova_senha: 'curta' }), 400, 'WEAK_PASSWORD')
    assert.deepEqual(weak.details, [
      'De 8 a 128 caracteres',
      'Ao menos uma letra maiúscula',
      'Ao menos um algarismo',
      'Ao menos um caractere especial',
    ])
    for (const [body, expected] of [
      [{}, ['nova_senha REQUIRED']],
      [{ nova_senha: 12345678 }, ['nova_senha INVALID_TYPE']],
      [{ nova_senha: 'aB3#'.repeat(251) }, ['nova_senha TOO_LONG']],
      [{ nova_senha: NEW, forcar_troca: 'sim' }, ['forcar_troca INVALID_TYPE']],
      [{ nova_senha: NEW, notificar_usuario: 1 }, ['notificar_usuario INVALID_TYPE']],
    ] as const) {
      const { details } = await refuses(() => alterar(gestor, id, body), 422, 'VALIDATION_ERROR')
      assert.deepEqual(problems(details), expected)
    }
  })
})

describe('a password that is replaced while another request compares the old one', () => {
  /** Starts the requests in the midst of a change to the password NEW; all of them come to wait for it. */
  async function whileReplacing({ id }: Person, acts: (() => Promise<Answer>)[]): Promise<Answer[]> {
    const { pool } = t.database
    const senha_hash = await t.app.passwords.hash(NEW, null)
    const waiting = () =>
      pool.rows(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    const { answers } = await pool.transaction(async (tx) => {
      await tx.run(sql`update usuarios set senha_hash = ${senha_hash} where id = ${id}`)
      // The requests still see the old hash.
      const answers = acts.map((act) => act())
      while ((await waiting()).length < acts.length) await sleep(10)
      // Not awaited in here: they go on only after this has ended.
      return { answers }
    })
    return Promise.all(answers)
  }
  const liveSessions = async ({ id }: Person) =>
    (
      await t.database.pool.first<{ total: number }>(sql`
        select count(*) as total from sessoes where usuario_id = ${id} and encerrada_em is null`)
    )?.total

  it('lets no login with the old one through: no session outlives the change', async () => {
    const ana = await t.person()
    const [answer] = await whileReplacing(ana, [() => logIn(ana.email, PASSWORD)])
    assert.deepEqual([answer?.status, answer?.body.error.code], [401, 'INVALID_CREDENTIALS'])
    assert.equal(await liveSessions(ana), 1)
  })

  it('is not replaced again by who knows only the old one', async () => {
    const ana = await t.person()
    const change = { senha_atual: PASSWORD, senha_nova: 'Mais#Uma123', confirmar_senha: 'Mais#Uma123' }
    const act = () => t.as(ana).post('/auth/change-password', change)
    const [answer] = await whileReplacing(ana, [act])
    assert.deepEqual([answer?.status, answer?.body.error.code], [401, 'INVALID_CURRENT_PASSWORD'])
    assert.equal((await logIn(ana.email, NEW)).status, 200)
  })

  it('by a reset leaves no session of all the logins that came at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const ana = await t.person()
      const owner = { tipo: 'redefinir_senha', usuario_id: ana.id, email: ana.email } as const
      const token = await issueToken(t.database.pool, owner, t.clock.now())
      const body = { token, senha_nova: NEW, confirmar_senha: NEW }
      const [reset] = await Promise.all([
        t.anonymous.post('/auth/reset-password', body),
        ...Array.from({ length: 4 }, () => logIn(ana.email, PASSWORD)),
      ])
      assert.equal(reset.status, 200)
      assert.equal(await liveSessions(ana), 0)
    }
  })

  it('by several mailed links at once is replaced by exactly one, and the others are refused at once', async () => {
    const ana = await t.person()
    const owner = { tipo: 'redefinir_senha', usuario_id: ana.id, email: ana.email } as const
    const tokens = await Promise.all(
      Array.from({ length: 5 }, () => issueToken(t.database.pool, owner, t.clock.now())),
    )
    const answers = await whileReplacing(
      ana,
      tokens.map((token, i) => () => {
        const senha_nova = `Nova#Senha${i}`
        return t.anonymous.post('/auth/reset-password', { token, senha_nova, confirmar_senha: senha_nova })
      }),
    )
    assert.deepEqual(tally(answers), { 200: 1, 400: 4 })
    const winner = answers.findIndex(({ status }) => status === 200)
    assert.equal((await logIn(ana.email, `Nova#Senha${winner}`)).status, 200)
  })
})
