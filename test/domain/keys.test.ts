import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, describe, it, mock } from 'node:test'
import { StartupError } from '../../src/config/config.ts'
import type { Database } from '../../src/db/db.ts'
import { sql } from '../../src/db/sql.ts'
import { type Keyring, openKeyring, rotateChaves } from '../../src/domain/keys/keys.ts'
import { createAccessTokens } from '../../src/domain/sessoes/access-tokens.ts'
import { type Person, testApp } from '../harness/app.ts'

const t = await testApp()
after(() => t.close())

const { pool } = t.database
const { cipher } = t.app
const HOUR = 3_600_000

const subject = { usuario_id: 1, sessao_id: randomUUID() }
const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()).kid

/** Time that only the test moves. */
function handClock(start = Date.now()) {
  let now = start
  return { now: () => new Date(now), advance: (ms: number) => (now += ms) }
}

/** A database of its own state, with what an instance needs to know of it; `queries` counts readings of the keys. */
async function emptyKeys() {
  await pool.run(sql`delete from chaves_assinatura`)
  const clock = handClock()
  const count = { queries: 0, fail: false }
  const db: Database = {
    ...pool,
    rows: (query) => {
      count.queries++
      return count.fail ? Promise.reject(new Error('the database is away')) : pool.rows(query)
    },
  }
  const needs = { db: pool, cipher, clock }
  const open = () => openKeyring({ db, cipher, clock })
  const tokensOf = (keyring: Keyring, size?: number) => createAccessTokens(keyring, 'vigia', clock, size)
  const issue = () => ({ jti: randomUUID(), issuedAt: clock.now() })
  const stored = async () => (await pool.rows(sql`select from chaves_assinatura`)).length
  return { clock, count, open, tokensOf, issue, stored, rotate: () => rotateChaves(needs) }
}

describe('signing keys', () => {
  it('are made at the first start, once, however many instances start together', async () => {
    const { open, stored } = await emptyKeys()
    const rings = await Promise.all(Array.from({ length: 5 }, open))
    assert.equal(await stored(), 1)
    assert.equal(new Set(rings.map((ring) => ring.newest().kid)).size, 1)
  })

  it('are stored encrypted: the row holds the private key in no form', async () => {
    const { open } = await emptyKeys()
    const { privateKey } = (await open()).newest()
    const { d } = privateKey.export({ format: 'jwk' })
    const seed = Buffer.from(String(d), 'base64url')
    assert.equal(seed.length, 32)
    const row = await pool.first<{ texto: string; privada_cifrada: Buffer }>(sql`
      select row_to_json(c)::text as texto, privada_cifrada from chaves_assinatura c`)
    for (const form of ['hex', 'base64', 'base64url'] as const)
      assert.ok(!row?.texto.includes(seed.toString(form).replace(/=+$/, '')), form)
    assert.ok(!row?.privada_cifrada.includes(seed))
    assert.doesNotMatch(row?.texto ?? '', /"d":/)
  })

  it('are unreadable under another DATA_KEY: nothing starts, and the message names the variable', async () => {
    const before = await pool.rows(sql`select * from chaves_assinatura`)
    await assert.rejects(testApp({ database: t.database, dataKey: randomBytes(32) }), (error) => {
      assert.ok(error instanceof StartupError)
      assert.equal(error.message, 'DATA_KEY is not the key this database was encrypted under')
      return true
    })
    assert.deepEqual(await pool.rows(sql`select * from chaves_assinatura`), before)
  })

  it('do not decrypt in the place of another one', async () => {
    const { open, rotate } = await emptyKeys()
    await open()
    const second = await rotate()
    await pool.run(sql`
      update chaves_assinatura set privada_cifrada = (
        select privada_cifrada from chaves_assinatura where kid <> ${second}) where kid = ${second}`)
    await assert.rejects(open(), StartupError)
  })
})

describe('a rotation', () => {
  it('counts though the clock of the last one was ahead', async () => {
    const { clock, open, rotate } = await emptyKeys()
    await open()
    clock.advance(-HOUR)
    const kid = await rotate()
    assert.equal((await open()).newest().kid, kid)
  })

  it('makes a new key that signs from then on, while what the old one signed verifies until it expires', async () => {
    const { clock, open, tokensOf, issue, rotate } = await emptyKeys()
    const tokens = tokensOf(await open())
    const old = await tokens.sign(subject, issue())
    const kid = await rotate()
    assert.notEqual(kid, kidOf(old))
    clock.advance(31_000)
    const renewed = await tokens.sign(subject, issue())
    assert.equal(kidOf(renewed), kid)
    assert.deepEqual(await tokens.verify(renewed), subject)
    clock.advance(HOUR - 33_000)
    // An instance without a cache, that starts only now.
    const other = tokensOf(await open())
    assert.deepEqual(await other.verify(old), subject)
    clock.advance(3_000)
    assert.equal(await other.verify(old), null)
  })

  it('drops older keys only when the last token that they signed has expired', async () => {
    const { clock, open, rotate, stored } = await emptyKeys()
    const first = (await open()).newest().kid
    const second = await rotate()
    clock.advance(HOUR + 60_000)
    await rotate()
    assert.equal(await stored(), 3, 'within two hours of its successor the first one stays')
    clock.advance(2 * HOUR + 1_000)
    const fourth = await rotate()
    const kids = (await open()).all().map((key) => key.kid)
    assert.equal(kids[0], fourth)
    assert.equal(kids.length, 2, 'the newest and the one that signed until now')
    assert.ok(!kids.includes(first) && !kids.includes(second))
  })

  it('never drops the key that signed until now, however old it is', async () => {
    const { clock, open, tokensOf, issue, rotate } = await emptyKeys()
    const tokens = tokensOf(await open())
    clock.advance(500 * HOUR)
    const token = await tokens.sign(subject, issue())
    await rotate()
    assert.deepEqual(await tokensOf(await open()).verify(token), subject)
  })

  it('happens in turn when several are asked for at once', async () => {
    const { open, rotate, stored } = await emptyKeys()
    await open()
    const kids = await Promise.all(Array.from({ length: 4 }, rotate))
    assert.equal(new Set(kids).size, 4)
    assert.equal(await stored(), 5)
  })
})

describe('an instance that did not make the new key', () => {
  it('learns of it from the first token that names it, also when many of these come at once', async () => {
    const { clock, count, open, tokensOf, issue, rotate } = await emptyKeys()
    const late = tokensOf(await open())
    await rotate()
    const early = tokensOf(await open())
    const tokens = await Promise.all(Array.from({ length: 20 }, () => early.sign(subject, issue())))
    clock.advance(1_100)
    count.queries = 0
    const answers = await Promise.all(tokens.map((token) => late.verify(token)))
    assert.deepEqual(
      answers,
      tokens.map(() => subject),
    )
    assert.equal(count.queries, 1)
  })

  it('signs with it within 30 s though nobody shows it a token', async () => {
    const { clock, open, tokensOf, issue, rotate } = await emptyKeys()
    const tokens = tokensOf(await open())
    const kid = await rotate()
    clock.advance(30_100)
    assert.equal(kidOf(await tokens.sign(subject, issue())), kid)
  })

  it('asks the database at most once a second about key ids that somebody made up', async () => {
    const { clock, count, open } = await emptyKeys()
    const keyring = await open()
    clock.advance(1_100)
    count.queries = 0
    for (let second = 1; second <= 3; second++) {
      for (let i = 0; i < 50; i++) assert.equal(await keyring.find(randomUUID()), null)
      await Promise.all(Array.from({ length: 50 }, () => keyring.find(randomUUID())))
      assert.equal(count.queries, second)
      clock.advance(1_100)
    }
  })

  it('does not call a token bad because the database is away', async () => {
    const { clock, count, open, tokensOf, issue } = await emptyKeys()
    const tokens = tokensOf(await open())
    const token = await tokens.sign(subject, issue())
    clock.advance(31_000)
    count.fail = true
    await assert.rejects(tokens.verify(token), /the database is away/)
    count.fail = false
    clock.advance(31_000)
    assert.deepEqual(await tokens.verify(token), subject)
  })
})

describe('the memory of verified tokens', () => {
  async function counted(size?: number) {
    const keys = await emptyKeys()
    const keyring = await keys.open()
    const find = mock.fn(keyring.find)
    const tokens = keys.tokensOf({ ...keyring, find }, size)
    /** How many signature checks this costs: each begins by looking for the key. */
    const checks = async (token: string, expected: object | null = subject) => {
      const before = find.mock.callCount()
      assert.deepEqual(await tokens.verify(token), expected)
      return find.mock.callCount() - before
    }
    return { ...keys, tokens, checks }
  }

  it('spares every signature check of the same token but the first', async () => {
    const { tokens, issue, checks } = await counted()
    const [one, other] = [await tokens.sign(subject, issue()), await tokens.sign(subject, issue())]
    assert.equal(await checks(one), 1)
    for (let i = 0; i < 100; i++) assert.equal(await checks(one), 0)
    assert.equal(await checks(other), 1)
    assert.equal(await checks(one), 0)
  })

  it('does not keep a token alive past its expiry', async () => {
    const { clock, tokens, issue, checks } = await counted()
    const token = await tokens.sign(subject, issue())
    await checks(token)
    clock.advance(HOUR - 2_000)
    assert.equal(await checks(token), 0)
    clock.advance(2_000)
    await checks(token, null)
  })

  it('remembers no forged token, and a forged one pushes out no honest one', async () => {
    const { tokens, issue, checks } = await counted()
    const honest = await tokens.sign(subject, issue())
    await checks(honest)
    const forged = `${honest.slice(0, -10)}AAAAAAAAAA`
    for (let i = 0; i < 3; i++) assert.equal(await checks(forged, null), 1)
    assert.equal(await checks(honest), 0)
  })

  it('is bounded: of one token more than fit it forgets the one that was used longest ago, which still verifies', async () => {
    const { tokens, issue, checks } = await counted(100)
    const list: string[] = []
    for (let i = 0; i <= 100; i++) list.push(await tokens.sign(subject, issue()))
    const [first = '', second = ''] = list
    for (const token of list.slice(0, -1)) await checks(token)
    assert.equal(await checks(first), 0, 'a hundred fit')
    await checks(list.at(-1) as string)
    assert.equal(await checks(first), 0, 'it was used last but one')
    assert.equal(await checks(second), 1, 'it was forgotten')
  })

  const ask = async (person: Person) => (await t.as(person).get('/grupos')).status

  for (const [what, statement, status] of [
    [
      'its session ended',
      (id: number) => sql`update sessoes set encerrada_em = now() where usuario_id = ${id}`,
      401,
    ],
    ['its account off', (id: number) => sql`update usuarios set desativado_em = now() where id = ${id}`, 401],
    [
      'its permission taken',
      (id: number) => sql`delete from usuarios_permissoes where usuario_id = ${id}`,
      403,
    ],
  ] as const)
    it(`does not hide that a token has ${what}`, async () => {
      await t.app.keyring.reload()
      const person = await t.person({ permissoes: ['grupos.listar'] })
      const find = mock.method(t.app.keyring, 'find')
      assert.equal(await ask(person), 200)
      const checks = find.mock.callCount()
      assert.equal(await ask(person), 200)
      await pool.run(statement(person.id))
      assert.equal(await ask(person), status)
      assert.equal(find.mock.callCount(), checks, 'all of this without a further check')
      find.mock.restore()
    })
})
