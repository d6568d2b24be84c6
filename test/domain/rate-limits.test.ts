import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import type { Plano } from '../../src/caller/planos.ts'
import type { Db } from '../../src/db/db.ts'
import { createPool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { createKeyedHash } from '../../src/domain/cipher.ts'
import {
  createRateLimits,
  type RateLimits,
  type RateLimitsOptions,
  type RateQuota,
  type Requester,
} from '../../src/domain/rate-limits/rate-limits.ts'
import { createTestDatabase } from '../harness/database.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { pool } = database
/** A database that is not there. */
const away = createPool({ connection: { ...database.connection, host: '/nonexistent' } })
after(() => away.end())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const START = Date.parse('2026-03-10T12:00:30.250Z')
const hashOf = createKeyedHash(randomBytes(32), 'endereco')

/** A clock that stands still. */
function stoppedClock() {
  let time = START
  return {
    now: () => new Date(time),
    advance(ms: number) {
      time += ms
    },
  }
}

function newInstance(clock = stoppedClock(), options: Partial<RateLimitsOptions> = {}) {
  const onError = (error: unknown) => {
    throw error
  }
  const limits = createRateLimits({ db: pool, clock, hashOf, onError, ...options })
  return { ...limits, clock, ask: (who: Requester) => limits.take(who, 10_000) }
}

let ids = 0
const account = (plano: Plano = 'basico') => ({ id: ++ids, plano })

async function grantedOf(limits: Pick<RateLimits, 'take'>, who: Requester, times: number): Promise<number> {
  const quotas = await Promise.all(Array.from({ length: times }, () => limits.take(who, 10_000)))
  return quotas.filter(({ granted }) => granted).length
}

const told = ({ granted, limit, remaining, resetsAt }: RateQuota) => [
  granted,
  limit,
  remaining,
  resetsAt.getTime() - START,
]

/** From the specification, part 8. */
const TIERS = [
  ['basico', 50, 1_000],
  ['premium', 200, 10_000],
  ['enterprise', 1_000, 50_000],
] as const

describe('the limits of a plan', () => {
  for (const [plano, perMinute, perHour] of TIERS) {
    it(`${plano}: ${perMinute} requests a minute, told exactly, and no more`, async () => {
      const { ask, clock } = newInstance()
      const who = account(plano)
      for (let i = 1; i <= perMinute; i++)
        assert.deepEqual(told(await ask(who)), [true, perMinute, perMinute - i, MINUTE])
      clock.advance(MINUTE - 1)
      assert.deepEqual(told(await ask(who)), [false, perMinute, 0, MINUTE])
      clock.advance(1)
      assert.deepEqual(told(await ask(who)), [true, perMinute, perMinute - 1, 2 * MINUTE])
    })

    it(`${plano}: ${perHour} requests an hour, and no more`, async () => {
      const { ask, clock, take } = newInstance()
      const who = account(plano)
      let granted = 0
      for (let minute = 0; minute < 55; minute++) {
        granted += await grantedOf({ take }, who, perMinute + 3)
        clock.advance(MINUTE)
      }
      assert.equal(granted, perHour)
      assert.deepEqual(told(await ask(who)), [false, perHour, 0, HOUR])
      clock.advance(HOUR - 55 * MINUTE)
      assert.equal((await ask(who)).granted, true)
    })
  }

  it('an address has the limits of enterprise', async () => {
    assert.deepEqual(told(await newInstance().ask({ address: '198.51.100.1' })), [true, 1_000, 999, MINUTE])
  })

  it('what was not asked for in one minute is not lost for the hour', async () => {
    const { take, clock } = newInstance()
    const who = account('enterprise')
    let granted = 0
    for (let minute = 0; minute < 59; minute++) {
      granted += await grantedOf({ take }, who, minute < 5 ? 1 : 1_000)
      clock.advance(MINUTE)
    }
    assert.equal(granted, 50_000)
  })

  it('the window with less left is told; with as little left in both, the one that ends later', async () => {
    const { ask, take, clock } = newInstance()
    const who = account('basico')
    for (let minute = 0; minute < 19; minute++) {
      await grantedOf({ take }, who, 50)
      clock.advance(MINUTE)
    }
    assert.deepEqual(told(await ask(who)), [true, 1_000, 49, HOUR])
    clock.advance(MINUTE)
    assert.deepEqual(told(await ask(who)), [true, 1_000, 48, HOUR])
  })

  it('refused requests take nothing', async () => {
    const { take } = newInstance()
    const who = account('basico')
    assert.equal(await grantedOf({ take }, who, 500), 50)
    const row = await pool.first(sql`
      select minuto_gasto, hora_gasto from limites where chave = ${`usuario:${who.id}`}`)
    assert.deepEqual(row, { minuto_gasto: 50, hora_gasto: 50 })
  })

  it('of 500 requests at the same moment, 50 pass', async () => {
    assert.equal(await grantedOf(newInstance(), account('basico'), 500), 50)
  })

  it('another plan counts at once, up and down, with what was spent before', async () => {
    const { ask, take } = newInstance()
    const { id } = account()
    assert.equal(await grantedOf({ take }, { id, plano: 'basico' }, 60), 50)
    assert.deepEqual(told(await ask({ id, plano: 'premium' })), [true, 200, 149, MINUTE])
    assert.deepEqual(told(await ask({ id, plano: 'basico' })), [false, 50, 0, MINUTE])
    assert.equal(await grantedOf({ take }, { id, plano: 'premium' }, 200), 149)
  })

  it('lifted, they are counted and refuse nobody', async () => {
    const lifted = newInstance(stoppedClock(), { lifted: true })
    const who = account('basico')
    assert.equal(await grantedOf(lifted, who, 1_500), 1_500)
    assert.deepEqual(told(await lifted.ask(who)), [true, 50_000_000, 50_000_000 - 1_501, MINUTE])
  })
})

describe('several instances', () => {
  for (const [plano, perMinute] of TIERS) {
    it(`${plano}: share the limit, however the requests come`, async () => {
      const clock = stoppedClock()
      const instances = [newInstance(clock), newInstance(clock), newInstance(clock)] as const
      const who = account(plano)
      const granted = await Promise.all(instances.map((one) => grantedOf(one, who, perMinute)))
      assert.equal(
        granted.reduce((sum, count) => sum + count),
        perMinute,
      )
    })

    it(`${plano}: one that falls silent withholds nothing from the others`, async () => {
      const clock = stoppedClock()
      const [silent, other] = [newInstance(clock), newInstance(clock)]
      const who = account(plano)
      assert.equal((await silent.ask(who)).granted, true)
      assert.equal(await grantedOf(other, who, 2 * perMinute), perMinute - 1)
    })
  }

  it('a new one goes on where a killed one stopped, to the request', async () => {
    const clock = stoppedClock()
    const who = account('enterprise')
    const killed = newInstance(clock)
    await grantedOf(killed, who, 100)
    assert.deepEqual(told(await killed.ask(who)), [true, 1_000, 899, MINUTE])
    assert.deepEqual(told(await newInstance(clock).ask(who)), [true, 1_000, 898, MINUTE])
  })

  it('clocks that differ a little share a window', async () => {
    const ahead = stoppedClock()
    ahead.advance(1_500)
    const who = account('basico')
    assert.equal(await grantedOf(newInstance(ahead), who, 30), 30)
    assert.equal(await grantedOf(newInstance(), who, 30), 20)
  })
})

describe('one instance', () => {
  it('asks the database once for all who wait, whatever their key', async () => {
    let statements = 0
    const counted = (query: Parameters<Db['rows']>[0]) => {
      statements++
      return pool.rows(query)
    }
    const limits = newInstance(stoppedClock(), { db: { ...pool, rows: counted } as Db })
    const accounts = Array.from({ length: 40 }, () => account('basico'))
    const granted = await Promise.all(accounts.map((who) => grantedOf(limits, who, 60)))
    assert.deepEqual(new Set(granted), new Set([50]))
    assert.ok(statements <= 2, `${statements} statements`)
    for (const who of accounts) assert.equal((await limits.ask(who)).granted, false)
    assert.ok(statements <= 2, 'and none to refuse')
  })

  it('shares one statement between two plans of an account: the one read last holds', async () => {
    const { take } = newInstance()
    const { id } = account()
    const [basico, premium] = await Promise.all([
      take({ id, plano: 'basico' }, 10_000),
      take({ id, plano: 'premium' }, 10_000),
    ])
    assert.deepEqual(
      [basico, premium].map((quota) => told(quota as RateQuota)),
      [
        [true, 200, 199, MINUTE],
        [true, 200, 198, MINUTE],
      ],
    )
  })
})

describe('without the database', () => {
  /** Away and back again, as the test says. */
  function unsteady() {
    const state = { away: true, faults: 0 }
    const db = { ...pool, rows: (query) => (state.away ? away : pool).rows(query) } as Db
    const instance = newInstance(stoppedClock(), { db, onError: () => state.faults++ })
    return { ...instance, state }
  }

  it('nobody is refused, the headers tell of a fresh window, and the database is left alone for a second', async () => {
    const { ask, take, clock, state } = unsteady()
    const who = account('basico')
    assert.deepEqual(told(await ask(who)), [true, 50, 50, MINUTE])
    assert.equal(await grantedOf({ take }, who, 100), 100)
    assert.equal(await grantedOf({ take }, account('basico'), 100), 100)
    assert.equal(state.faults, 1)
    clock.advance(1_000)
    state.away = false
    assert.equal(await grantedOf({ take }, who, 100), 50)
  })

  it('what was found used up stays so, and the others pass with the last known headers', async () => {
    const { ask, take, state } = unsteady()
    const [some, none] = [account('enterprise'), account('basico')]
    state.away = false
    await ask(some)
    await grantedOf({ take }, none, 60)
    state.away = true
    assert.equal((await ask(none)).granted, false)
    assert.equal(state.faults, 0)
    for (let i = 0; i < 10; i++) assert.deepEqual(told(await ask(some)), [true, 1_000, 999, MINUTE])
    assert.equal(state.faults, 1)
  })

  it('one that is slow delays a request by no more than the time-out, and the request counts afterwards', async () => {
    const limits = newInstance()
    const who = account('basico')
    await limits.ask(who)
    const row = () => sql`select minuto_gasto from limites where chave = ${`usuario:${who.id}`} for update`
    let passed: RateQuota | undefined
    await pool.transaction(async (tx) => {
      await tx.first(row())
      passed = await limits.take(who, 10)
    })
    assert.deepEqual(told(passed as RateQuota), [true, 50, 49, MINUTE])
    assert.deepEqual(told(await limits.ask(who)), [true, 50, 47, MINUTE])
  })
})

describe('what is stored', () => {
  it('is the id of the account, or a keyed hash of the address, one for all of an IPv6 /64', async () => {
    await pool.run(sql`delete from limites`)
    const { ask } = newInstance()
    const who = account('premium')
    await ask(who)
    for (const address of ['203.0.113.9', '2001:db8:1:2::3', '2001:db8:1:2:ffff::4', '2001:db8:1:3::3', null])
      await ask({ address })
    const rows = await pool.rows<{ chave: string }>(sql`select * from limites order by chave desc`)
    assert.equal(rows.length, 5)
    assert.equal(rows[0]?.chave, `usuario:${who.id}`)
    for (const { chave } of rows.slice(1)) assert.match(chave, /^endereco:[\w-]{22}$/)
    assert.doesNotMatch(JSON.stringify(rows), /203|2001|db8/)
    assert.deepEqual(Object.keys(rows[0] as object).sort(), [
      'chave',
      'concedido',
      'hora_fim',
      'hora_gasto',
      'minuto_fim',
      'minuto_gasto',
    ])
  })
})
