import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../src/db/sql.ts'
import { type Answer, PASSWORD, type Person, testApp } from '../harness/app.ts'

const t = await testApp()
after(() => t.close())
const { pool } = t.database
const admin = await t.administrador()

let made = 0
const novo = (fields: object = {}) => ({
  nome: 'Ana Souza',
  email: `chave${++made}@saude.example`,
  senha: PASSWORD,
  ...fields,
})
const criar = (key: string, body: unknown, who: Person = admin) =>
  t.as(who).post('/usuarios', body, { headers: { 'idempotency-key': key } })

/** All that a creation may leave behind. */
async function stored(): Promise<object> {
  await t.mailWorker.runOnce()
  const row = await pool.first<object>(sql`
    select (select count(*) from usuarios) as usuarios, (select count(*) from idempotencia) as idempotencia,
           (select count(*) from auditoria) as auditoria`)
  return { ...row, mails: t.mails.length }
}

async function refused(act: () => Promise<Answer>, status: number, code: string) {
  const before = await stored()
  const answer = await act()
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.body.error.code, code)
  assert.deepEqual(await stored(), before, 'a refusal changes nothing')
  return answer.body.error
}
async function problems(act: () => Promise<Answer>): Promise<string[]> {
  const { details } = await refused(act, 422, 'VALIDATION_ERROR')
  return details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
}
const isReplay = ({ headers }: Answer) => headers['idempotent-replay'] === 'true'

async function created(act: Promise<Answer>): Promise<Answer> {
  const answer = await act
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.headers['idempotent-replay'], undefined)
  return answer
}

/** Both turns of hashing are taken while `work` runs: a creation that it starts stops half-way. */
async function whileHashing<T>(work: () => Promise<T>, atTheEnd = async () => {}): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const turns = [1, 2].map(() => t.app.passwords.turn(null, () => promise.then(atTheEnd)))
  try {
    return await work()
  } finally {
    resolve()
    await Promise.all(turns)
  }
}
async function untilLocked(howMany: number): Promise<void> {
  for (;;) {
    const row = await pool.first<{ n: number }>(sql`
      select count(*) as n from pg_locks
       where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`)
    if ((row?.n ?? 0) >= howMany) return
    await sleep(10)
  }
}

describe('a request with an Idempotency-Key', () => {
  it('is carried out once; the same again repeats status and body, marked, whatever the order of its fields', async () => {
    const body = novo()
    const first = await created(criar('a primeira', body))
    const before = await stored()
    for (const same of [body, Object.fromEntries(Object.entries(body).reverse())]) {
      const again = await criar('a primeira', same)
      assert.deepEqual([again.status, again.text, isReplay(again)], [201, first.text, true])
      assert.equal(again.headers['content-type'], first.headers['content-type'])
    }
    assert.deepEqual(await stored(), before)
  })

  it('is 422 with another body', async () => {
    const body = novo()
    await created(criar('outro corpo', body))
    for (const other of [novo(), { ...body, nome: 'Ana Sousa' }, { ...body, senha: 'Outra#Senha1' }])
      assert.deepEqual(await problems(() => criar('outro corpo', other)), [
        'Idempotency-Key IDEMPOTENCY_KEY_REUSED',
      ])
    assert.ok(isReplay(await criar('outro corpo', body)))
  })

  it('is 409 while the first is under way', async () => {
    const body = novo()
    const first = await whileHashing(async () => {
      const first = criar('em curso', body)
      await untilLocked(1)
      await refused(() => criar('em curso', body), 409, 'CONFLICT')
      await refused(() => criar('em curso', novo()), 409, 'CONFLICT')
      return { first }
    })
    await created(first.first)
    assert.ok(isReplay(await criar('em curso', body)))
  })

  it('creates one account when twenty come at once', async () => {
    const body = novo()
    const answers = await Promise.all(Array.from({ length: 20 }, () => criar('vinte', body)))
    const successes = answers.filter(({ status }) => status === 201)
    assert.equal(successes.filter((answer) => !isReplay(answer)).length, 1)
    assert.equal(new Set(successes.map(({ text }) => text)).size, 1)
    for (const { status } of answers) assert.ok(status === 201 || status === 409, String(status))
    assert.equal((await pool.rows(sql`select from usuarios where email = ${body.email}`)).length, 1)
  })

  it('leaves the key free when it is refused, whoever finds the fault', async () => {
    const { email } = admin
    assert.deepEqual(await problems(() => criar('recusada', novo({ nome: 7 }))), ['nome INVALID_TYPE'])
    assert.deepEqual(await problems(() => criar('recusada', novo({ email }))), ['email DUPLICATE'])
    assert.deepEqual(await problems(() => criar('recusada', novo({ email, nome: 7 }))), [
      'nome INVALID_TYPE',
      'email DUPLICATE',
    ])
    const gestor = await t.person({ permissoes: ['usuarios.criar'] })
    await refused(() => criar('recusada', novo({ admin: true }), gestor), 403, 'PERMISSION_DENIED')
    await created(criar('recusada', novo()))
    await created(criar('recusada', novo(), gestor))
  })

  it('counts for one caller', async () => {
    const body = novo()
    const outro = await t.person({ permissoes: ['usuarios.criar'] })
    await created(criar('de cada um', body))
    assert.deepEqual(await problems(() => criar('de cada um', body, outro)), ['email DUPLICATE'])
    await created(criar('de cada um', novo(), outro))
  })

  it('is refused before the key is looked at: 401, 403', async () => {
    const body = novo()
    await created(criar('sem direito', body))
    const ninguem = await t.person()
    await refused(() => criar('sem direito', body, ninguem), 403, 'PERMISSION_DENIED')
    const headers = { 'idempotency-key': 'sem direito' }
    await refused(() => t.anonymous.post('/usuarios', body, { headers }), 401, 'UNAUTHORIZED')
  })

  it('is 400 when its body is nested too deeply, and leaves the key free', async () => {
    const resto = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const payload = JSON.stringify(novo()).replace('{', `{"resto":${resto},`)
    const headers = { 'idempotency-key': 'fundo', 'content-type': 'application/json' }
    await refused(
      () => t.as(admin).request('POST', '/usuarios', { payload, headers }),
      400,
      'MALFORMED_REQUEST',
    )
    await created(criar('fundo', novo()))
  })

  it('is 422 when the key is none', async () => {
    for (const key of ['', 'x'.repeat(256), 'chave com acento é', 'tab\tno meio', '\u007f'])
      assert.deepEqual(await problems(() => criar(key, novo())), ['Idempotency-Key INVALID_FORMAT'], key)
    assert.deepEqual(await problems(() => criar('', novo({ nome: 7 }))), [
      'nome INVALID_TYPE',
      'Idempotency-Key INVALID_FORMAT',
    ])
    for (const key of ['x', '~'.repeat(255), '8e03978e-40d5-43dd-bc93-6894a57f9324', '"entre aspas, e mais"'])
      await created(criar(key, novo()))
  })

  it('means nothing where no row asks for it', async () => {
    const headers = { 'idempotency-key': 'x'.repeat(300) }
    assert.equal((await t.as(admin).get('/grupos', { headers })).status, 200)
  })

  it('sends its mail at once, when all is committed', async () => {
    await t.mailWorker.runOnce()
    const { email } = (await created(criar('com correio', novo()))).body
    for (let i = 0; i < 200 && t.mails.at(-1)?.to !== email; i++) await sleep(10)
    assert.equal(t.mails.at(-1)?.to, email)
  })

  it('keeps nothing readable: neither the key nor what was asked and answered', async () => {
    const body = novo({ nome: 'Zenobia Quixote' })
    await created(criar('chave legivel', body))
    const rows = await pool.rows<{ text: string }>(sql`
      select encode(pedido, 'escape') || encode(chave, 'escape') || encode(resposta, 'escape') as text from idempotencia`)
    for (const { text } of rows)
      for (const word of ['Zenobia', body.email, PASSWORD, 'chave legivel'])
        assert.ok(!text.includes(word), word)
  })

  it('leaves connections for logins, which ask for one during their turn of hashing', async () => {
    const answers = await whileHashing(
      async () => {
        const answers = Array.from({ length: 15 }, (_, i) => criar(`muitas ${i}`, novo()))
        await untilLocked(4)
        await sleep(100)
        return { answers }
      },
      async () => {
        await pool.first(sql`select 1`)
      },
    )
    for (const answer of answers.answers) await created(answer)
  })
})

describe('a fault while a key is held', () => {
  it('leaves neither the change nor the key when the handler fails after the change', async () => {
    const body = novo()
    const { auditoria } = t.app
    t.app.auditoria = {
      ...auditoria,
      async record(tx, entry) {
        await auditoria.record(tx, entry)
        throw new Error('after the change')
      },
    }
    try {
      await refused(() => criar('falha', body), 500, 'INTERNAL_ERROR')
    } finally {
      t.app.auditoria = auditoria
    }
    await created(criar('falha', body))
  })

  it('leaves neither when the answer cannot be kept', async () => {
    const body = novo()
    await pool.run(sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception using errcode = 'XX000'; end $$`)
    await pool.run(
      sql`create trigger refuse before update on idempotencia for each row execute function refuse()`,
    )
    await refused(() => criar('sem resposta', body), 500, 'INTERNAL_ERROR')
    await pool.run(sql`drop function refuse cascade`)
    await created(criar('sem resposta', body))
  })
})

describe('a key', () => {
  it('goes with its user', async () => {
    const breve = await t.person({ permissoes: ['usuarios.criar'] })
    await created(criar('de passagem', novo(), breve))
    const keys = () => pool.rows(sql`select from idempotencia where usuario_id = ${breve.id}`)
    assert.equal((await keys()).length, 1)
    assert.equal((await t.as(admin).delete(`/usuarios/${breve.id}?motivo=saiu&force=true`)).status, 200)
    assert.equal((await keys()).length, 0)
  })

  it('is free again after 24 hours', async () => {
    const body = novo()
    await created(criar('de ontem', body))
    t.clock.advance(24 * 3_600_000 - 60_000)
    assert.ok(isReplay(await criar('de ontem', body, await t.administrador())))
    t.clock.advance(60_000)
    const later = await t.administrador()
    assert.deepEqual(await problems(() => criar('de ontem', body, later)), ['email DUPLICATE'])
    const other = novo()
    const { text } = await created(criar('de ontem', other, later))
    const again = await criar('de ontem', other, later)
    assert.deepEqual([again.status, again.text, isReplay(again)], [201, text, true])
  })
})
