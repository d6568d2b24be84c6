import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, MASTER_KEY, PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { problems, tally } from '../refusals.ts'

const ORIGIN = 'https://vigia.example'
const NEW = 'Outra#Senha9'
const t = await testApp({ env: { PUBLIC_URL: ORIGIN } })
after(() => t.close())

const logIn = (email: string, senha: string, headers: Record<string, string> = {}) =>
  t.anonymous.post('/auth/login', { email, senha }, { headers })
const refresh = (refresh_token: string) => t.anonymous.post('/auth/refresh', { refresh_token })
const statusOf = async (token: string) =>
  (await t.as({ id: 0, email: '', token }).get('/usuarios/logado')).status

/** Both ways to ask for a reset. */
const ASK: Record<string, (email: string, headers?: Record<string, string>) => Promise<Answer>> = {
  'POST /auth/forgot-password': (email, headers = {}) =>
    t.anonymous.post('/auth/forgot-password', { email }, { headers }),
  'POST /usuarios/reset-password': (email, headers = {}) =>
    t.anonymous.post(`/usuarios/reset-password?email=${encodeURIComponent(email)}`, undefined, { headers }),
}
const ask = ASK['POST /auth/forgot-password'] as (email: string) => Promise<Answer>

async function mailsTo(email: string) {
  await t.mailWorker.runOnce()
  return t.mails.filter(({ to }) => to === email)
}

/** Asks for a reset and takes the token from the newest mail. */
async function tokenFor({ email }: Pick<Person, 'email'>): Promise<string> {
  const before = (await mailsTo(email)).length
  assert.equal((await ask(email)).status, 200)
  const mails = await mailsTo(email)
  assert.equal(mails.length, before + 1)
  return /#token=([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] as string
}

const reset = (token: string, senha_nova: string, rest: object = {}, language?: string) =>
  t.anonymous.post(
    '/auth/reset-password',
    { token, senha_nova, confirmar_senha: senha_nova, ...rest },
    { headers: language === undefined ? {} : { 'accept-language': language } },
  )

const accountOf = ({ id }: Pick<Person, 'id'>) =>
  t.database.pool.first<Record<string, unknown>>(sql`
    select senha_hash, senha_forca, senha_alterada_em, trocar_senha, email_verificado,
           (select count(*) from sessoes where usuario_id = u.id and encerrada_em is null) as sessoes,
           (select count(*) from tokens_de_email where usuario_id = u.id and usado_em is null) as tokens
      from usuarios u where id = ${id}`)

const auditOf = ({ id }: Pick<Person, 'id'>, acao: string) =>
  t.database.pool.rows<{ ator_id: number; texto: string }>(sql`
    select ator_id, a::text as texto from auditoria a
     where acao = ${acao} and recurso = 'usuario' and recurso_id = ${String(id)}`)

/** Asserts the refusal and that the account is as it was. */
async function refuses(person: Pick<Person, 'id'>, act: () => Promise<Answer>, status: number, code: string) {
  const before = await accountOf(person)
  const { status: answered, body, text } = await act()
  assert.deepEqual([answered, body.error?.code], [status, code], text)
  assert.deepEqual(await accountOf(person), before, 'a refusal changes nothing')
  return body.error
}

for (const [route, request] of Object.entries(ASK))
  describe(`${route}: asking for a reset`, () => {
    const message = 'Se o e-mail estiver cadastrado, você receberá as instruções'
    const expected = route.includes('forgot') ? { message, expires_in: 3600 } : { message }

    it('answers the same to an active, a deactivated, a locked and an unknown address, and mails only accounts that are active', async () => {
      const [active, inactive, locked] = [await t.person(), await t.person(), await t.person()]
      await t.database.pool.run(sql`update usuarios set desativado_em = now() where id = ${inactive.id}`)
      for (let i = 0; i < 5; i++) await logIn(locked.email, 'Errada#123')
      const emails = [active.email, inactive.email, locked.email, `ninguem.${active.email}`]
      const answers: object[] = []
      for (const email of emails) {
        const { status, body, headers } = await request(email, { 'x-request-id': 'same' })
        assert.deepEqual([status, body], [200, expected])
        const { date: _date, ...rest } = headers
        answers.push(rest)
      }
      for (const headers of answers) assert.deepEqual(headers, answers[0])
      const counts = await Promise.all(emails.map(async (email) => (await mailsTo(email)).length))
      assert.deepEqual(counts, [1, 0, 1, 0])
    })

    it('finds the account without regard to case and mails the address that is stored', async () => {
      const ana = await t.person()
      await request(ana.email.toUpperCase())
      assert.equal((await mailsTo(ana.email)).length, 1)
      assert.equal((await mailsTo(ana.email.toUpperCase())).length, 0)
    })

    it('links to PUBLIC_URL whatever the request says about the host', async () => {
      const ana = await t.person()
      await request(ana.email, {
        host: 'mal.example',
        'x-forwarded-host': 'mal.example',
        forwarded: 'host=mal.example',
        origin: 'https://mal.example',
        referer: 'https://mal.example/',
      })
      const [mail] = await mailsTo(ana.email)
      assert.match(mail?.text ?? '', new RegExp(`^${ORIGIN}/redefinir-senha#token=[\\w-]{43}$`, 'm'))
      for (const text of [mail?.text, mail?.html]) {
        assert.ok(!text?.includes('mal.example'))
        for (const [url] of text?.matchAll(/https?:\/\/[^\s"<#]+/g) ?? [])
          assert.equal(url, `${ORIGIN}/redefinir-senha`)
      }
    })

    it('is 422 for what is no address, and sends nothing', async () => {
      const sent = t.mails.length
      for (const email of ['', 'ana', 'ana@', `${'a'.repeat(250)}@b.example`]) {
        const { status, body } = await request(email)
        assert.equal(status, 422, email)
        if (route.includes('forgot')) assert.equal(body.error.details[0].field, 'email')
        else assert.deepEqual(body.detail[0].loc, ['query', 'email'])
      }
      await t.mailWorker.runOnce()
      assert.equal(t.mails.length, sent)
    })
  })

describe('the reset mail', () => {
  for (const [language, subject] of [
    ['pt-BR', 'Vigia: redefinição de senha'],
    ['en-US', 'Vigia: password reset'],
    ['es-ES', 'Vigia: restablecer la contraseña'],
  ] as const)
    it(`is in the language of the last login (${language}), not of who asks`, async () => {
      const ana = await t.person()
      await logIn(ana.email, PASSWORD, { 'accept-language': 'es' })
      await logIn(ana.email, PASSWORD, { 'accept-language': language })
      await logIn(ana.email, PASSWORD)
      await ASK['POST /auth/forgot-password']?.(ana.email, { 'accept-language': 'es-ES' })
      const [mail] = await mailsTo(ana.email)
      assert.equal(mail?.subject, subject)
      assert.ok(mail?.html.includes(`<html lang="${language}">`))
    })

  it('goes out at most five times an hour to one account, and the answers stay the same', async () => {
    const ana = await t.person()
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(ana.email)))
    assert.deepEqual(tally(answers), { 200: 8 })
    assert.equal((await mailsTo(ana.email)).length, 5)
  })

  it('brings a token that is stored as a hash only', async () => {
    const ana = await t.person()
    const token = await tokenFor(ana)
    const rows = await t.database.pool.rows<{ hash: Buffer; texto: string }>(sql`
      select hash, k::text as texto from tokens_de_email k where usuario_id = ${ana.id}`)
    assert.deepEqual(
      rows.map(({ hash }) => hash),
      [createHash('sha256').update(token).digest()],
    )
    assert.ok(!rows[0]?.texto.includes(token))
    assert.ok(!t.logs.join('').includes(token))
  })
})

describe('POST /auth/reset-password', () => {
  it('sets the password, ends all sessions and the lock, proves the address, and tells it by mail and audit', async () => {
    const ana = await t.person()
    const pair = (await logIn(ana.email, PASSWORD)).body
    await t.database.pool.run(sql`update usuarios set trocar_senha = true where id = ${ana.id}`)
    for (let i = 0; i < 5; i++) await logIn(ana.email, 'Errada#123')
    assert.equal((await logIn(ana.email, PASSWORD)).status, 423)
    const token = await tokenFor(ana)

    const { status, body } = await reset(token, NEW)
    assert.deepEqual([status, body], [200, { message: 'Senha redefinida; entre com a nova senha' }])
    assert.equal((await logIn(ana.email, NEW)).status, 200)
    assert.equal((await logIn(ana.email, PASSWORD)).status, 401)
    for (const access of [ana.token, pair.access_token]) assert.equal(await statusOf(access), 401)
    assert.equal((await refresh(pair.refresh_token)).body.error.code, 'INVALID_REFRESH_TOKEN')
    const { trocar_senha, email_verificado, sessoes } = (await accountOf(ana)) ?? {}
    assert.deepEqual([trocar_senha, email_verificado, sessoes], [false, true, 1])
    assert.deepEqual(
      (await mailsTo(ana.email)).map(({ subject }) => subject),
      ['Vigia: redefinição de senha', 'Vigia: sua senha foi alterada'],
    )
    const audit = await auditOf(ana, 'senha.redefinida')
    assert.deepEqual(
      audit.map(({ ator_id }) => ator_id),
      [ana.id],
    )
    for (const secret of [NEW, token, ana.email]) assert.ok(!audit[0]?.texto.includes(secret))
    for (const secret of [NEW, token]) assert.ok(!t.logs.join('').includes(secret))
    for (const secret of [NEW, PASSWORD]) assert.ok(!JSON.stringify(t.mails).includes(secret))
  })

  it('takes a token for 3600 seconds and not longer', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    const [early, late] = [await tokenFor(ana), await tokenFor(bia)]
    t.clock.advance(3590 * 1000)
    assert.equal((await reset(early, NEW)).status, 200)
    t.clock.advance(11 * 1000)
    await refuses(bia, () => reset(late, NEW), 400, 'INVALID_RESET_TOKEN')
  })

  it('keeps every mailed token valid until one is used, and none after that', async () => {
    const ana = await t.person()
    const [first, second, third] = [await tokenFor(ana), await tokenFor(ana), await tokenFor(ana)]
    assert.equal((await reset(first, NEW)).status, 200)
    for (const token of [first, second, third])
      await refuses(ana, () => reset(token, 'Mais#Uma123'), 400, 'INVALID_RESET_TOKEN')
    assert.equal((await logIn(ana.email, NEW)).status, 200)
  })

  it('refuses what is no token of the kind', async () => {
    const ana = await t.person()
    const token = await tokenFor(ana)
    for (const bad of ['x', token.slice(1), `${token}A`, token.toLowerCase(), ana.token.slice(0, 200)])
      await refuses(ana, () => reset(bad, NEW), 400, 'INVALID_RESET_TOKEN')
    assert.equal((await reset(token, NEW)).status, 200)
  })

  it('lets exactly one of twenty simultaneous uses of a token win', async () => {
    const ana = await t.person()
    const token = await tokenFor(ana)
    const senhas = Array.from({ length: 20 }, (_, i) => `Senha#Nova${i}`)
    const answers = await Promise.all(senhas.map((senha) => reset(token, senha)))
    assert.deepEqual(tally(answers), { 200: 1, 400: 19 })
    const winner = senhas[answers.findIndex(({ status }) => status === 200)] as string
    assert.equal((await logIn(ana.email, winner)).status, 200)
    assert.equal((await auditOf(ana, 'senha.redefinida')).length, 1)
  })

  it('refuses another confirmation with 422 on confirmar_senha, and the token can still be used', async () => {
    const ana = await t.person()
    const token = await tokenFor(ana)
    const confirmar_senha = `${NEW} `
    const error = await refuses(ana, () => reset(token, NEW, { confirmar_senha }), 422, 'VALIDATION_ERROR')
    assert.deepEqual(problems(error.details), ['confirmar_senha MISMATCH'])
    assert.equal((await reset(token, NEW)).status, 200)
  })

  it('names each broken rule in the language of the caller, and the token can still be used', async () => {
    const ana = await t.person()
    const token = await tokenFor(ana)
    const rules: Record<string, string[]> = {
      'pt-BR': ['De 8 a 128 caracteres', 'Ao menos uma letra maiúscula', 'Ao menos um caractere especial'],
      'en-US': [
        'From 8 to 128 characters',
        'At least one uppercase letter',
        'At least one special character',
      ],
      'es-ES': ['De 8 a 128 caracteres', 'Al menos una letra mayúscula', 'Al menos un carácter especial'],
    }
    for (const [language, details] of Object.entries(rules)) {
      const error = await refuses(ana, () => reset(token, 'abc1', {}, language), 400, 'WEAK_PASSWORD')
      assert.deepEqual(error.details, details)
    }
    for (const [senha, rule] of [
      ['Abc#12', 'De 8 a 128 caracteres'],
      ['abcdef#1', 'Ao menos uma letra maiúscula'],
      ['ABCDEF#1', 'Ao menos uma letra minúscula'],
      ['Abcdefg#', 'Ao menos um algarismo'],
      ['Abcdefg1', 'Ao menos um caractere especial'],
      ['Abcdef 1', 'Ao menos um caractere especial'],
    ] as const)
      assert.deepEqual((await reset(token, senha)).body.error.details, [rule], senha)
    assert.equal((await reset(token, NEW)).status, 200)
  })

  it('is 422 for missing, mistyped, unstorable and far too long fields', async () => {
    const ana = await t.person()
    const token = await tokenFor(ana)
    for (const [body, expected] of [
      [{}, ['token REQUIRED', 'senha_nova REQUIRED', 'confirmar_senha REQUIRED']],
      [
        { token, senha_nova: 5, confirmar_senha: null },
        ['senha_nova INVALID_TYPE', 'confirmar_senha INVALID_TYPE'],
      ],
      [{ token, senha_nova: 'Abc#1234\0', confirmar_senha: NEW }, ['senha_nova INVALID_FORMAT']],
      [{ token, senha_nova: 'aB3#'.repeat(251), confirmar_senha: NEW }, ['senha_nova TOO_LONG']],
      [{ token: 'x'.repeat(201), senha_nova: NEW, confirmar_senha: NEW }, ['token TOO_LONG']],
    ] as const) {
      const act = () => t.anonymous.post('/auth/reset-password', body)
      const { details } = await refuses(ana, act, 422, 'VALIDATION_ERROR')
      assert.deepEqual(problems(details), expected)
    }
  })

  it('counts characters, not bytes: 8 to 128 of them work to the last, 129 are weak and 1001 are 422', async () => {
    const ana = await t.person()
    const longest = `${'aB3#ção€'.repeat(15)}aB3#ção😀`
    assert.equal([...longest].length, 128)
    assert.equal((await reset(await tokenFor(ana), longest)).status, 200)
    assert.equal((await logIn(ana.email, longest)).status, 200)
    const allButLast = [...longest].slice(0, -1).join('')
    for (const other of [allButLast, `${allButLast}😁`, `${longest}x`])
      assert.equal((await logIn(ana.email, other)).status, 401)
    const token = await tokenFor(ana)
    const error = await refuses(ana, () => reset(token, `${longest}x`), 400, 'WEAK_PASSWORD')
    assert.deepEqual(error.details, ['De 8 a 128 caracteres'])
    await refuses(ana, () => reset(token, 'aB3#'.repeat(250)), 400, 'WEAK_PASSWORD')
    await refuses(ana, () => reset(token, `${'aB3#'.repeat(250)}x`), 422, 'VALIDATION_ERROR')
    await refuses(ana, () => reset(token, 'aB3#😀😀😀'), 400, 'WEAK_PASSWORD')
    assert.equal((await reset(token, 'aB3#😀😀😀😀')).status, 200)
  })

  it('knows a password in every Unicode form of the same characters', async () => {
    const ana = await t.person()
    const senha = 'Coração#1Ñandú'
    assert.notEqual(senha.normalize('NFD'), senha.normalize('NFC'))
    assert.equal((await reset(await tokenFor(ana), senha.normalize('NFD'))).status, 200)
    for (const form of ['NFC', 'NFD'])
      assert.equal((await logIn(ana.email, senha.normalize(form))).status, 200, form)
    assert.equal((await logIn(ana.email, 'Coracao#1Nandu')).status, 401)
    const longest = `É${'aB3#'.repeat(31)}ãéî`
    assert.equal(longest.normalize('NFC').length, 128)
    assert.equal((await reset(await tokenFor(ana), longest.normalize('NFD'))).status, 200)
    assert.equal((await logIn(ana.email, longest.normalize('NFC'))).status, 200)
  })

  it('works for the account that a sign-up has made', async () => {
    const email = 'nova.conta@teste.local'
    const usuario = { nome: 'Nova', email, senha: PASSWORD, estado: 'PE', master_key: MASTER_KEY }
    assert.equal((await t.anonymous.post('/usuarios/signup', { usuario })).status, 201)
    assert.equal((await reset(await tokenFor({ email }), NEW)).status, 200)
    assert.equal((await logIn(email, NEW)).status, 200)
  })
})

describe('POST /auth/change-password', () => {
  const change = (token: string, senha_atual: string, senha_nova: string, rest: object = {}) =>
    t.as({ id: 0, email: '', token }).post('/auth/change-password', {
      senha_atual,
      senha_nova,
      confirmar_senha: senha_nova,
      ...rest,
    })

  it('changes the password, keeps this session, ends and counts the others, and tells it by mail and audit', async () => {
    const ana = await t.person()
    const here = (await logIn(ana.email, PASSWORD)).body
    const others = [(await logIn(ana.email, PASSWORD)).body, (await logIn(ana.email, PASSWORD)).body]
    const gone = (await logIn(ana.email, PASSWORD)).body
    await t.as({ ...ana, token: gone.access_token }).post('/auth/logout')
    const bystander = await t.person()
    const token = await tokenFor(ana)

    const { status, body } = await change(here.access_token, PASSWORD, NEW)
    assert.deepEqual([status, body], [200, { message: 'Senha alterada', sessions_invalidated: 3 }])
    assert.equal(await statusOf(here.access_token), 200)
    assert.equal((await refresh(here.refresh_token)).status, 200)
    for (const { access_token, refresh_token } of others) {
      assert.equal(await statusOf(access_token), 401)
      assert.equal((await refresh(refresh_token)).status, 401)
    }
    assert.equal(await statusOf(ana.token), 401)
    assert.equal(await statusOf(bystander.token), 200)
    assert.equal((await logIn(ana.email, PASSWORD)).status, 401)
    assert.equal((await logIn(ana.email, NEW)).status, 200)
    assert.equal((await mailsTo(ana.email)).at(-1)?.subject, 'Vigia: sua senha foi alterada')
    assert.equal((await auditOf(ana, 'senha.alterada'))[0]?.ator_id, ana.id)
    await refuses(ana, () => reset(token, 'Mais#Uma123'), 400, 'INVALID_RESET_TOKEN')
  })

  it('counts zero when there is no other session', async () => {
    const ana = await t.person()
    assert.equal((await change(ana.token, PASSWORD, NEW)).body.sessions_invalidated, 0)
  })

  it('refuses a wrong current password, and the fifth locks', async () => {
    const ana = await t.person()
    const wrong = () => change(ana.token, 'Errada#123', NEW)
    for (let i = 0; i < 4; i++) await refuses(ana, wrong, 401, 'INVALID_CURRENT_PASSWORD')
    await refuses(ana, wrong, 423, 'ACCOUNT_LOCKED')
    await refuses(ana, () => change(ana.token, PASSWORD, NEW), 423, 'ACCOUNT_LOCKED')
    assert.equal(await statusOf(ana.token), 200)
    assert.deepEqual(await mailsTo(ana.email), [])
  })

  it('refuses weak and unchanged passwords, other confirmations and missing fields', async () => {
    const ana = await t.person()
    const weak = await refuses(ana, () => change(ana.token, PASSWORD, 'abcdefg1'), 400, 'WEAK_PASSWORD')
    assert.deepEqual(weak.details, ['Ao menos uma letra maiúscula', 'Ao menos um caractere especial'])
    const same = await refuses(ana, () => change(ana.token, PASSWORD, PASSWORD), 400, 'WEAK_PASSWORD')
    assert.deepEqual(same.details, ['Deve ser diferente da senha atual'])
    for (const [body, expected] of [
      [{ confirmar_senha: 'x' }, ['confirmar_senha MISMATCH']],
      [{ senha_atual: undefined }, ['senha_atual REQUIRED']],
      [{ senha_atual: '' }, ['senha_atual REQUIRED']],
      [{ senha_atual: 'x'.repeat(1001) }, ['senha_atual TOO_LONG']],
    ] as const) {
      const error = await refuses(ana, () => change(ana.token, PASSWORD, NEW, body), 422, 'VALIDATION_ERROR')
      assert.deepEqual(problems(error.details), expected)
    }
  })
})
