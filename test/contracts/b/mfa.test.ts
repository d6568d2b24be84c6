import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { cookieHeader, OWN_PAGE, openConsole } from '../../harness/console.ts'
import { fromBase32, STEP, totp } from '../../harness/totp.ts'
import { problems, tally } from '../refusals.ts'

const t = await testApp()
after(() => t.close())

const WRONG = 'Errada#Senha1'
interface Protected extends Person {
  secret: string
  backup_codes: string[]
}

const codeOf = ({ secret }: { secret: string }, steps = 0) =>
  totp(fromBase32(secret), t.clock.now().getTime() + steps * STEP)
/** Six digits that are none of the codes that could be right. */
function wrongCode(person: { secret: string }): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(person, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((c) => !near.includes(c)) as string
}
/** To the middle of the next step: no code was used in it, and none changes while a test runs. */
function nextStep(): void {
  t.clock.advance(STEP - (t.clock.now().getTime() % STEP) + STEP / 3)
}

const enable = (person: Person) => t.as(person).post('/auth/mfa/enable')
const verify = (person: Person, code: string) => t.as(person).post('/auth/mfa/verify', { code })
const disable = (person: Person, senha: string, code: string) =>
  t.as(person).post('/auth/mfa/disable', { senha, code })
const logIn = ({ email }: Person, mfa_code?: string, senha = PASSWORD) =>
  t.anonymous.post('/auth/login', { email, senha, ...(mfa_code !== undefined && { mfa_code }) })
const isActive = async (person: Person) => (await t.as(person).get('/auth/security-metrics')).body.mfa_enabled

const errorOf = ({ status, body }: Answer) => [status, body.error.code]
const OK = 200
const REFUSED = [401, 'INVALID_CREDENTIALS']

/** Somebody with an active second factor, at a fresh step. */
async function withSecondFactor(): Promise<Protected> {
  nextStep()
  const person = await t.person()
  const { secret, backup_codes } = (await enable(person)).body
  const { status, text } = await verify(person, codeOf({ secret }))
  assert.equal(status, OK, text)
  nextStep()
  return { ...person, secret, backup_codes }
}

it('the TOTP of this test agrees with RFC 6238, appendix B', () => {
  const key = Buffer.from('12345678901234567890')
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [20000000000, '353130'],
  ] as const)
    assert.equal(totp(key, seconds * 1000), code)
  assert.deepEqual(fromBase32('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'), key)
})

describe('POST /auth/mfa/enable', () => {
  it('answers a secret, its QR code, ten backup codes and what to do; nothing is active yet', async () => {
    const ana = await t.person()
    const { status, body } = await enable(ana)
    assert.equal(status, OK)
    assert.deepEqual(Object.keys(body), ['qr_code', 'secret', 'backup_codes', 'instructions'])
    assert.match(body.secret, /^[A-Z2-7]{32}$/)
    assert.equal(body.backup_codes.length, 10)
    assert.equal(new Set(body.backup_codes).size, 10)
    for (const code of body.backup_codes) assert.match(code, /^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}$/)
    const [, png = ''] = body.qr_code.split('data:image/png;base64,')
    assert.equal(Buffer.from(png, 'base64').subarray(1, 4).toString(), 'PNG')
    assert.equal(await isActive(ana), false)
    assert.equal((await logIn(ana)).status, OK)
    assert.equal((await logIn(ana, body.backup_codes[0])).status, OK, 'a code too many does not matter')
  })

  it('starts anew while it waits: the first secret and its backup codes are worth nothing', async () => {
    nextStep()
    const ana = await t.person()
    const first = (await enable(ana)).body
    const second = (await enable(ana)).body
    assert.notEqual(first.secret, second.secret)
    assert.equal((await verify(ana, codeOf(first))).status, 422)
    assert.equal((await verify(ana, codeOf(second))).status, OK)
    assert.deepEqual(errorOf(await logIn(ana, first.backup_codes[0])), REFUSED)
    assert.equal((await logIn(ana, second.backup_codes[0])).status, OK)
  })

  it('is 409 while one is active, which stays as it is', async () => {
    const ana = await withSecondFactor()
    assert.deepEqual(errorOf(await enable(ana)), [409, 'CONFLICT'])
    assert.equal((await logIn(ana, codeOf(ana))).status, OK)
    assert.equal((await logIn(ana, ana.backup_codes[0])).status, OK)
  })

  it('keeps the secret encrypted and the backup codes hashed, and leaves neither in log or audit', async () => {
    const ana = await withSecondFactor()
    const { rows } = (await t.database.pool.first<{ rows: string }>(sql`
      select concat((select row_to_json(u) from usuarios u where id = ${ana.id}),
                    (select json_agg(c) from codigos_backup c), (select json_agg(a) from auditoria a)) as rows`)) as {
      rows: string
    }
    const secrets = [
      ana.secret,
      ...ana.backup_codes,
      ...ana.backup_codes.map((code) => code.replace('-', '')),
    ]
    for (const secret of secrets) {
      const forms = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]
      for (const form of forms) assert.ok(!rows.includes(form))
      assert.ok(!t.logs.join('').includes(secret))
    }
    assert.ok(!rows.includes(fromBase32(ana.secret).toString('hex')))
    const stored = await t.database.pool.rows<{ hash: Buffer }>(
      sql`select hash from codigos_backup where usuario_id = ${ana.id}`,
    )
    assert.deepEqual([stored.length, stored[0]?.hash.length], [10, 32])
  })
})

describe('POST /auth/mfa/verify', () => {
  it('activates with a right code, typed with or without a gap, and is in the audit', async () => {
    nextStep()
    const ana = await t.person()
    const code = codeOf((await enable(ana)).body)
    const { status, body } = await verify(ana, `${code.slice(0, 3)} ${code.slice(3)}`)
    assert.deepEqual([status, body.mfa_enabled], [OK, true])
    assert.equal(await isActive(ana), true)
    assert.deepEqual(errorOf(await logIn(ana)), [428, 'MFA_REQUIRED'])
    const audit = sql`select ator_id from auditoria where acao = 'mfa.ativado' and recurso_id = ${String(ana.id)}`
    assert.deepEqual(await t.database.pool.rows(audit), [{ ator_id: ana.id }])
  })

  it('refuses a wrong code, a backup code and what is no code, and activates nothing', async () => {
    const ana = await t.person()
    const setup = (await enable(ana)).body
    const codes = [wrongCode(setup), setup.backup_codes[0], '12345', '1234567', 'abcdef', '１２３４５６']
    for (const code of codes) {
      const { status, body } = await verify(ana, code)
      assert.equal(status, 422, code)
      assert.deepEqual(problems(body.error.details), ['code INVALID_CODE'])
    }
    assert.equal(await isActive(ana), false)
    assert.equal((await logIn(ana)).status, OK)
  })

  for (const [what, body, expected] of [
    ['no code', {}, ['code REQUIRED']],
    ['an empty code', { code: '' }, ['code REQUIRED']],
    ['a number', { code: 123456 }, ['code INVALID_TYPE']],
    ['NUL', { code: '12345\0' }, ['code INVALID_FORMAT']],
    ['a far too long code', { code: '1'.repeat(33) }, ['code TOO_LONG']],
  ] as [string, object, string[]][])
    it(`refuses ${what}`, async () => {
      const { status, body: answer } = await t.as(await t.person()).post('/auth/mfa/verify', body)
      assert.equal(status, 422)
      assert.deepEqual(problems(answer.error.details), expected)
    })

  it('is 409 before enable and after activation, whatever the code', async () => {
    assert.deepEqual(errorOf(await verify(await t.person(), '123456')), [409, 'CONFLICT'])
    const ana = await withSecondFactor()
    for (const code of [wrongCode(ana), codeOf(ana)])
      assert.deepEqual(errorOf(await verify(ana, code)), [409, 'CONFLICT'])
    assert.equal((await logIn(ana, codeOf(ana))).status, OK, 'and uses no code up')
  })

  it('with the same code thirty times at once activates once', async () => {
    nextStep()
    const ana = await t.person()
    const code = codeOf((await enable(ana)).body)
    const answers = await Promise.all(Array.from({ length: 30 }, () => verify(ana, code)))
    assert.equal(tally(answers)[OK], 1)
    for (const { status } of answers) assert.ok([200, 409, 422].includes(status))
  })
})

describe('a login with a second factor', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
  const ROUTES: Record<string, (email: string, senha: string, code?: string) => Promise<Answer>> = {
    '/auth/login': (username, password, mfa_code) =>
      t.anonymous.post('/auth/login', { username, password, mfa_code }),
    '/usuarios/login': (email, password, mfa_code) =>
      t.anonymous.post('/usuarios/login', { email, password, mfa_code }),
    '/usuarios/login_sw': (username, password, mfa_code) => {
      const fields = { username, password, ...(mfa_code !== undefined && { mfa_code }) }
      const payload = String(new URLSearchParams(fields))
      return t.anonymous.request('POST', '/usuarios/login_sw', { headers: FORM, payload })
    },
  }
  for (const [route, send] of Object.entries(ROUTES))
    it(`at ${route} asks for the code, only after the right password, and takes it`, async () => {
      const ana = await withSecondFactor()
      const sessions = sql`select count(*) as n from sessoes where usuario_id = ${ana.id}`
      const before = await t.database.pool.first(sessions)
      assert.deepEqual(errorOf(await send(ana.email, PASSWORD)), [428, 'MFA_REQUIRED'])
      for (const code of [undefined, codeOf(ana), wrongCode(ana)]) {
        const wrongPassword = await send(ana.email, WRONG, code)
        assert.deepEqual(errorOf(wrongPassword), REFUSED)
        assert.equal(wrongPassword.body.error.details, undefined, 'tells nothing of the code')
      }
      const wrong = await send(ana.email, PASSWORD, wrongCode(ana))
      assert.deepEqual(errorOf(wrong), REFUSED)
      assert.equal(wrong.body.error.message, 'Código de verificação incorreto')
      assert.deepEqual(problems(wrong.body.error.details), ['mfa_code INVALID_CODE'])
      assert.deepEqual(await t.database.pool.first(sessions), before)
      const { status, body } = await send(ana.email, PASSWORD, codeOf(ana))
      assert.deepEqual([status, body.user.id], [OK, ana.id])
    })

  it('takes the code of one step earlier or later, not of two', async () => {
    for (const [steps, taken] of [
      [-2, false],
      [-1, true],
      [0, true],
      [1, true],
      [2, false],
    ] as const) {
      const ana = await withSecondFactor()
      // The code that activated it was of an earlier step than any tried here.
      nextStep()
      const answer = await logIn(ana, codeOf(ana, steps))
      assert.equal(answer.status, taken ? OK : 401, `${steps} steps`)
    }
  })

  it('takes a code once: not again, not at the same moment, not an older one afterwards', async () => {
    const ana = await withSecondFactor()
    const code = codeOf(ana)
    const answers = await Promise.all([logIn(ana, code), logIn(ana, code)])
    assert.deepEqual(tally(answers), { [OK]: 1, 401: 1 })
    assert.deepEqual(errorOf(await logIn(ana, code)), REFUSED)
    assert.deepEqual(errorOf(await logIn(ana, codeOf(ana, -1))), REFUSED)
    nextStep()
    assert.equal((await logIn(ana, codeOf(ana))).status, OK)
  })

  it('does not take the code that activated it', async () => {
    nextStep()
    const ana = await t.person()
    const setup = (await enable(ana)).body
    await verify(ana, codeOf(setup))
    assert.deepEqual(errorOf(await logIn(ana, codeOf(setup))), REFUSED)
  })

  it('takes each backup code once, with or without its hyphen, in any case', async () => {
    const ana = await withSecondFactor()
    const [one = '', two = '', three = '', four = '', five = ''] = ana.backup_codes
    for (const code of [
      one,
      two.replace('-', ''),
      three.toLowerCase(),
      ` ${four.toLowerCase().replace('-', ' ')} `,
    ])
      assert.equal((await logIn(ana, code)).status, OK, code)
    for (const code of [one, two]) assert.deepEqual(errorOf(await logIn(ana, code)), REFUSED)
    assert.deepEqual(tally(await Promise.all([logIn(ana, five), logIn(ana, five)])), { [OK]: 1, 401: 1 })
    const bia = await withSecondFactor()
    assert.deepEqual(errorOf(await logIn(bia, ana.backup_codes[9])), REFUSED, 'of somebody else')
  })

  it('counts wrong codes towards the lock, which being asked for one does not put off', async () => {
    const ana = await withSecondFactor()
    const found = []
    for (let i = 0; i < 5; i++) {
      found.push((await logIn(ana)).status)
      found.push((await logIn(ana, i % 2 ? 'AAAAA-AAAAA' : wrongCode(ana))).status)
    }
    assert.deepEqual(found, [428, 401, 428, 401, 428, 401, 428, 401, 428, 423])
    assert.deepEqual(errorOf(await logIn(ana, codeOf(ana))), [423, 'ACCOUNT_LOCKED'])
  })

  it('gets hardly more than five wrong codes when thirty come at once', async () => {
    const ana = await withSecondFactor()
    const answers = await Promise.all(Array.from({ length: 30 }, () => logIn(ana, wrongCode(ana))))
    assert.deepEqual(tally(answers), { 401: 4, 423: 26 })
    const row = await t.database.pool.first<{ n: number }>(sql`
      select count(*) as n from auditoria
       where recurso_id = ${String(ana.id)} and acao in ('login.falhou', 'conta.bloqueada')`)
    assert.ok(Number(row?.n) <= 10, `${row?.n} codes were compared`)
  })

  for (const [what, mfa_code] of [
    ['an empty code', ''],
    ['a number', 123456],
    ['a far too long code', '1'.repeat(33)],
  ] as const)
    it(`refuses ${what} with 422`, async () => {
      const ana = await t.person()
      const answer = await t.anonymous.post('/auth/login', { email: ana.email, senha: PASSWORD, mfa_code })
      assert.equal(answer.status, 422)
    })
})

describe('POST /auth/mfa/disable', () => {
  it('needs the password and a code; afterwards the password alone logs in', async () => {
    const ana = await withSecondFactor()
    assert.deepEqual(errorOf(await disable(ana, WRONG, codeOf(ana))), [401, 'INVALID_CURRENT_PASSWORD'])
    const wrong = await disable(ana, PASSWORD, wrongCode(ana))
    assert.equal(wrong.status, 422)
    assert.deepEqual(problems(wrong.body.error.details), ['code INVALID_CODE'])
    assert.equal(await isActive(ana), true)
    const { status, body } = await disable(ana, PASSWORD, codeOf(ana))
    assert.deepEqual([status, Object.keys(body)], [OK, ['message']])
    assert.equal((await logIn(ana)).status, OK)
    const left = await t.database.pool.first(sql`
      select mfa_segredo_cifrado as secret, (select count(*) from codigos_backup c where c.usuario_id = u.id) as codes
        from usuarios u where id = ${ana.id}`)
    assert.deepEqual(left, { secret: null, codes: 0 })
    const audit = sql`select ator_id from auditoria where acao = 'mfa.desativado' and recurso_id = ${String(ana.id)}`
    assert.deepEqual(await t.database.pool.rows(audit), [{ ator_id: ana.id }])
  })

  it('takes a backup code; a new second factor can then be set up at once', async () => {
    const ana = await withSecondFactor()
    await logIn(ana, codeOf(ana))
    assert.equal((await disable(ana, PASSWORD, ana.backup_codes[3] as string)).status, OK)
    const setup = (await enable(ana)).body
    assert.equal((await verify(ana, codeOf(setup))).status, OK)
    assert.deepEqual(errorOf(await logIn(ana, ana.backup_codes[4])), REFUSED)
  })

  it('is 409 when none is active, also while one waits', async () => {
    const ana = await t.person()
    assert.deepEqual(errorOf(await disable(ana, PASSWORD, '123456')), [409, 'CONFLICT'])
    const setup = (await enable(ana)).body
    assert.deepEqual(errorOf(await disable(ana, PASSWORD, codeOf(setup))), [409, 'CONFLICT'])
    assert.equal((await verify(ana, codeOf(setup))).status, OK)
  })

  for (const [what, senha, code] of [
    ['passwords', WRONG, codeOf],
    ['codes', PASSWORD, wrongCode],
  ] as const)
    it(`counts wrong ${what} towards the lock, and then refuses the right ones`, async () => {
      const ana = await withSecondFactor()
      const found = []
      for (let i = 0; i < 5; i++) found.push((await disable(ana, senha, code(ana))).status)
      const each = senha === WRONG ? 401 : 422
      assert.deepEqual(found, [each, each, each, each, 423])
      assert.deepEqual(errorOf(await disable(ana, PASSWORD, codeOf(ana))), [423, 'ACCOUNT_LOCKED'])
      assert.deepEqual(errorOf(await logIn(ana, codeOf(ana))), [423, 'ACCOUNT_LOCKED'])
      assert.equal(await isActive(ana), true)
    })

  it('needs both fields', async () => {
    const { status, body } = await t.as(await t.person()).post('/auth/mfa/disable', {})
    assert.equal(status, 422)
    assert.deepEqual(problems(body.error.details), ['senha REQUIRED', 'code REQUIRED'])
  })
})

it('the cookie of the console is another one after the second factor is switched on, and again after it is switched off; the old one ends at once', async () => {
  nextStep()
  const ana = await t.person()
  const browser = await openConsole(t, ana.email)
  const statusOf = async (value: string | null) => {
    const headers = { ...OWN_PAGE, cookie: cookieHeader(value ?? '') }
    return (await t.anonymous.get('/usuarios/me', { headers })).status
  }
  const { secret } = (await browser.send('POST', '/auth/mfa/enable')).body
  const values = [browser.value()]
  const renew = async (path: string, body: object) => {
    const { status, text } = await browser.send('POST', path, body)
    assert.equal(status, OK, text)
    values.push(browser.value())
    assert.deepEqual(
      await Promise.all(values.map(statusOf)),
      values.map((_, at) => (at === values.length - 1 ? OK : 401)),
      `only the newest value is good after ${path}`,
    )
  }
  assert.equal((await browser.send('POST', '/auth/mfa/verify', { code: wrongCode({ secret }) })).status, 422)
  assert.equal(browser.value(), values[0], 'a refused code changes nothing')
  await renew('/auth/mfa/verify', { code: codeOf({ secret }) })
  nextStep()
  await renew('/auth/mfa/disable', { senha: PASSWORD, code: codeOf({ secret }) })
  assert.equal(new Set(values).size, 3)
})
