import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { createKeyedHash } from '../../../src/domain/cipher.ts'
import {
  canonicalEmail,
  createLockout,
  FAILURES_FROM_ANYWHERE,
  FAILURES_FROM_ONE_SOURCE,
  FAILURES_OF_ONE_SOURCE,
  later,
} from '../../../src/domain/sessoes/lockout.ts'
import { forgetFailures } from '../../harness/app.ts'
import { createTestDatabase } from '../../harness/database.ts'

const database = await createTestDatabase()
after(() => database.drop())
const db = database.pool
const lockout = createLockout(createKeyedHash(Buffer.alloc(32, 1), 'test'))

const START = Date.parse('2026-11-15T12:00:00Z')
const QUARTER = 15 * 60_000
const at = (ms: number) => new Date(START + ms)

let accounts = 0
function account() {
  const email = `conta${++accounts}@teste.local`
  const from = (endereco_ip: string | null) =>
    lockout.attempt(email, { endereco_ip, agente: null, request_id: '' })
  return { email, from }
}
type LoginAttempt = ReturnType<ReturnType<typeof account>['from']>

const failure = (attempt: LoginAttempt, ms = 0) =>
  db.transaction((tx) => lockout.fail(tx, attempt, at(ms), null))
/** Answers until when the answer says that it is locked. */
async function fail(attempt: LoginAttempt, ms = 0) {
  const { accountLockedUntil, sourceLockedUntil } = await failure(attempt, ms)
  return later(accountLockedUntil, sourceLockedUntil)
}
const succeed = (attempt: LoginAttempt, ms = 0) =>
  db.transaction((tx) => lockout.succeed(tx, attempt, at(ms)))
const lockedUntil = (attempt: LoginAttempt, ms = 0) => lockout.lockedUntil(db, attempt, at(ms))
async function failTimes(n: number, attempt: LoginAttempt, ms = 0) {
  let until = null
  for (let i = 0; i < n; i++) until = await fail(attempt, ms)
  return until
}
/** One failure each from `n` addresses of their own. */
async function failEverywhere(n: number, { from }: ReturnType<typeof account>, ms = 0) {
  let until = null
  for (let i = 0; i < n; i++) until = await fail(from(`203.0.${i >> 8}.${i & 255}`), ms)
  return until
}

beforeEach(() => forgetFailures(db))

describe('the lock of an account for one source', () => {
  it('begins with the fifth failure and ends exactly 15 minutes after it', async () => {
    const here = account().from('198.51.100.1')
    assert.equal(await failTimes(FAILURES_FROM_ONE_SOURCE - 1, here), null)
    assert.equal(await lockedUntil(here), null)
    assert.deepEqual(await fail(here, 1000), at(1000 + QUARTER))
    assert.deepEqual(await lockedUntil(here, 1000 + QUARTER - 1), at(1000 + QUARTER))
    assert.equal(await lockedUntil(here, 1000 + QUARTER), null)
  })

  it('counts a failure until it is exactly 15 minutes old', async () => {
    const here = account().from('198.51.100.1')
    await failTimes(4, here)
    assert.notEqual(await fail(here, QUARTER - 1), null)
    const there = account().from('198.51.100.1')
    await failTimes(4, there)
    assert.equal(await fail(there, QUARTER), null)
  })

  it('starts anew after it ended', async () => {
    const here = account().from('198.51.100.1')
    const until = await failTimes(5, here)
    assert.equal(await failTimes(4, here, Number(until) - START), null)
    assert.notEqual(await fail(here, Number(until) - START + 1), null)
  })

  it('holds for those whose address is not known, together', async () => {
    const { from } = account()
    await failTimes(5, from(null))
    assert.notEqual(await lockedUntil(from(null)), null)
    assert.equal(await lockedUntil(from('198.51.100.1')), null)
  })

  it('is put off by a login, but only by one from the same source to the same account', async () => {
    const [one, other] = [account(), account()]
    const here = one.from('198.51.100.1')
    await failTimes(4, here)
    await succeed(one.from('198.51.100.2'))
    await succeed(other.from('198.51.100.1'))
    assert.notEqual(await fail(here), null)
    const there = one.from('198.51.100.3')
    await failTimes(4, there)
    await succeed(there)
    assert.equal(await failTimes(4, there), null)
  })
})

describe('the lock of everywhere', () => {
  it('begins with the fiftieth failure and keeps out every source that has not logged in', async () => {
    const conta = account()
    await succeed(conta.from('198.51.100.7'))
    assert.equal(await failEverywhere(FAILURES_FROM_ANYWHERE - 1, conta), null)
    assert.equal(await lockedUntil(conta.from('198.51.100.9')), null)
    assert.deepEqual(await fail(conta.from('198.51.100.8'), 5), at(5 + QUARTER))
    assert.deepEqual(await lockedUntil(conta.from('198.51.100.9')), at(5 + QUARTER))
    assert.equal(await lockedUntil(conta.from('198.51.100.7')), null)
    assert.equal(await lockedUntil(account().from('198.51.100.9')), null, 'another account')
  })

  it('ends after 15 minutes', async () => {
    const conta = account()
    await failEverywhere(FAILURES_FROM_ANYWHERE, conta)
    assert.notEqual(await lockedUntil(conta.from('::1'), QUARTER - 1), null)
    assert.equal(await lockedUntil(conta.from('::1'), QUARTER), null)
    assert.equal(await fail(conta.from('::1'), QUARTER), null)
  })

  it('does not save a source that logged in from its own five failures', async () => {
    const conta = account()
    const known = conta.from('198.51.100.7')
    await succeed(known)
    await failEverywhere(FAILURES_FROM_ANYWHERE, conta)
    assert.equal(await failTimes(4, known), null)
    assert.notEqual(await fail(known), null)
  })

  it('is not put off by logins of one source', async () => {
    const conta = account()
    await failEverywhere(FAILURES_FROM_ANYWHERE - 1, conta)
    await succeed(conta.from('198.51.100.7'))
    assert.notEqual(await fail(conta.from('198.51.100.8')), null)
  })
})

describe('the lock of a source', () => {
  const HERE = '198.51.100.1'
  /** One failure each on `n` accounts. */
  async function spray(n: number, ms = 0) {
    let until = null
    for (let i = 0; i < n; i++) until = await fail(account().from(HERE), ms)
    return until
  }

  it('begins with the thirtieth failure over all accounts and ends 15 minutes after it', async () => {
    assert.equal(await spray(FAILURES_OF_ONE_SOURCE - 1), null)
    assert.equal(await lockedUntil(account().from(HERE)), null)
    assert.deepEqual(await spray(1, 1000), at(1000 + QUARTER))
    const next = account()
    assert.deepEqual(await lockedUntil(next.from(HERE), 1000 + QUARTER - 1), at(1000 + QUARTER))
    assert.equal(await lockedUntil(next.from('198.51.100.2'), 1000), null, 'not elsewhere')
    assert.equal(await lockedUntil(next.from(HERE), 1000 + QUARTER), null)
    assert.equal(await spray(FAILURES_OF_ONE_SOURCE - 1, 1000 + QUARTER), null, 'and counting begins anew')
  })

  it('is told once by the failure that begins it, and not prolonged by those after', async () => {
    const known = account().from(HERE)
    await succeed(known)
    await spray(FAILURES_OF_ONE_SOURCE - 1)
    assert.deepEqual(await failure(account().from(HERE)), {
      accountLockedUntil: null,
      sourceLockedUntil: at(QUARTER),
      locksSource: true,
    })
    assert.deepEqual(await failure(known, 5), {
      accountLockedUntil: null,
      sourceLockedUntil: at(QUARTER),
      locksSource: false,
    })
  })

  it('does not hold for an account that logged in from there, whose own five failures still count', async () => {
    const [known, elsewhere] = [account(), account()]
    await succeed(known.from(HERE))
    await succeed(elsewhere.from('198.51.100.2'))
    await spray(FAILURES_OF_ONE_SOURCE)
    assert.equal(await lockedUntil(known.from(HERE)), null)
    assert.notEqual(await lockedUntil(elsewhere.from(HERE)), null)
    await failTimes(4, known.from(HERE))
    assert.equal(await lockedUntil(known.from(HERE)), null)
    await fail(known.from(HERE))
    assert.notEqual(await lockedUntil(known.from(HERE)), null)
  })

  it('does not count what a login followed', async () => {
    for (let i = 0; i < 2 * FAILURES_OF_ONE_SOURCE; i++) {
      const one = account().from(HERE)
      assert.equal(await fail(one), null)
      await succeed(one)
    }
  })

  it('begins with exactly the thirtieth of failures that come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => fail(account().from(HERE))))
    assert.equal(answers.filter((until) => until === null).length, FAILURES_OF_ONE_SOURCE - 1)
  })

  it('does not hold for an account that was unlocked since it began, but the next one does', async () => {
    await spray(FAILURES_OF_ONE_SOURCE)
    const { email, from } = account()
    await db.transaction((tx) => lockout.unlock(tx, email, at(1000)))
    assert.equal(await lockedUntil(from(HERE), 1000), null)
    assert.notEqual(await lockedUntil(account().from(HERE), 1000), null)
    await spray(FAILURES_OF_ONE_SOURCE, QUARTER)
    assert.notEqual(await lockedUntil(from(HERE), QUARTER), null)
  })
})

describe('failures', () => {
  it('that come at once are counted one by one: exactly the first four are not locked', async () => {
    const here = account().from('198.51.100.1')
    const answers = await Promise.all(Array.from({ length: 20 }, () => fail(here)))
    assert.equal(answers.filter((until) => until === null).length, 4)
  })

  it('are all forgotten when the account is unlocked, and those of no other account', async () => {
    const [one, other] = [account(), account()]
    for (const conta of [one, other]) {
      await failEverywhere(FAILURES_FROM_ANYWHERE, conta)
      await failTimes(5, conta.from('198.51.100.1'))
    }
    await db.transaction((tx) => lockout.unlock(tx, ` ${one.email.toUpperCase()}`, at(0)))
    for (const address of ['198.51.100.1', '203.0.0.1', '::1'])
      assert.equal(await lockedUntil(one.from(address)), null)
    assert.equal(await failTimes(4, one.from('198.51.100.1')), null)
    assert.notEqual(await lockedUntil(other.from('198.51.100.1')), null)
    assert.notEqual(await lockedUntil(other.from('::1')), null)
  })

  it('are kept under a hash of the email that needs the key', async () => {
    const origin = { endereco_ip: null, agente: null, request_id: '' }
    const another = createLockout(createKeyedHash(Buffer.alloc(32, 2), 'test'))
    const { conta } = lockout.attempt('ana@teste.local', origin)
    assert.equal(conta.length, 32)
    assert.notDeepEqual(another.attempt('ana@teste.local', origin).conta, conta)
    assert.deepEqual(lockout.attempt(' Ana@Teste.LOCAL ', origin).conta, conta)
  })

  it('are counted for every letter as the database compares addresses', async () => {
    const rows = await db.rows<{ c: string; lower: string }>(sql`
      select chr(i) as c, lower(chr(i)) as lower from generate_series(33, 12000) i`)
    const differing = rows.filter(({ c, lower }) => c.trim() !== '' && canonicalEmail(c) !== lower)
    assert.deepEqual(differing, [])
  })
})
