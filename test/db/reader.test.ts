import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createPool, type Pool } from '../../src/db/pool.ts'
import { createReader } from '../../src/db/reader.ts'
import { sql } from '../../src/db/sql.ts'
import { AppError } from '../../src/errors/catalogue.ts'
import { until } from '../harness/eventually.ts'
import { replicatedPair } from '../process/replicated-pair.ts'

const pools: Pool[] = []
const pair = await replicatedPair({ after })
after(() => Promise.all(pools.map((pool) => pool.end())))

function open(connectionString: string, more: { servers?: string[]; readOnly?: boolean } = {}): Pool {
  const pool = createPool({ connection: { connectionString, ...more } })
  pools.push(pool)
  return pool
}

const urls = () => pair.url.split(/[@,/]/).filter((part) => part.startsWith('127.'))
const serverUrl = (host: string) => `postgres://vigia@${host}/vigia?sslmode=disable`
const isStandby = (db: Pick<Pool, 'value'>) => db.value<boolean>(sql`select pg_is_in_recovery()`)

describe('long reads', () => {
  it('are of the standby once it has replayed the last write, and of the primary until then', async () => {
    const [host = ''] = urls()
    const primary = open(serverUrl(host))
    const standby = open(pair.standbyUrl(), { readOnly: true })
    const reader = createReader(primary, standby)
    await primary.run(sql`create table numeros (n int)`)
    for (let n = 1; n <= 20; n++) {
      await primary.run(sql`insert into numeros values (${n})`)
      const count = await reader.snapshot((tx) => tx.value(sql`select count(*) from numeros`))
      assert.equal(count, n)
    }
    await until('the standby is read', () => reader.snapshot(isStandby))
    assert.equal(await reader.snapshot(isStandby, { again: true }), false)

    await standby.run(sql`select pg_wal_replay_pause()`)
    await primary.run(sql`insert into numeros values (21)`)
    assert.equal(await reader.snapshot((tx) => tx.value(sql`select count(*) from numeros`)), 21)
    assert.equal(await reader.snapshot(isStandby), false)
    await standby.run(sql`select pg_wal_replay_resume()`)
    await until('the standby is read again', () => reader.snapshot(isStandby))
  })

  it('are of the primary where no standby answers', async () => {
    const [host = ''] = urls()
    const primary = open(serverUrl(host))
    const reader = createReader(primary, open(serverUrl('127.0.0.1:1'), { readOnly: true }))
    assert.equal(await reader.snapshot(isStandby), false)
    assert.equal(await reader.read(primary, isStandby), false)
  })
})

describe('reads that may be repeated', () => {
  it('are never older than a write before them, wherever they are read', async () => {
    const [host = ''] = urls()
    const primary = open(serverUrl(host))
    const reader = createReader(primary, open(pair.standbyUrl(), { readOnly: true }))
    await primary.run(sql`create table escritas (dono int primary key, n int)`)
    const found = { standby: 0, stale: 0 }
    const caller = async (dono: number) => {
      await primary.run(sql`insert into escritas values (${dono}, 0)`)
      for (let n = 1; n <= 150; n++) {
        await primary.run(sql`update escritas set n = ${n} where dono = ${dono}`)
        const row = await reader.read(primary, (from) =>
          from.one<{ n: number; replica: boolean }>(
            sql`select n, pg_is_in_recovery() as replica from escritas where dono = ${dono}`,
          ),
        )
        if (row.n !== n) found.stale += 1
        if (row.replica) found.standby += 1
      }
    }
    await Promise.all([1, 2, 3, 4].map(caller))
    assert.equal(found.stale, 0)
    await until('the standby is read', () => reader.read(primary, isStandby))
  })

  it('are done again on the primary where the standby fails them, and a refusal is one at once', async () => {
    const [host = ''] = urls()
    const primary = open(serverUrl(host))
    const reader = createReader(primary, open(pair.standbyUrl(), { readOnly: true }))
    await until('the standby is read', () => reader.read(primary, isStandby))
    const asked: boolean[] = []
    const answer = await reader.read(primary, async (from) => {
      const replica = await isStandby(from)
      asked.push(replica)
      // A server that is shut down ends the statement in this way.
      if (replica) await from.run(sql`do $$ begin raise exception using errcode = '57P01'; end $$`)
      return replica
    })
    assert.deepEqual([answer, asked], [false, [true, false]])
    // It is left alone for a while.
    assert.equal(await reader.read(primary, isStandby), false)
    const fresh = createReader(primary, open(pair.standbyUrl(), { readOnly: true }))
    let times = 0
    const refused = fresh.read(primary, async () => {
      times += 1
      throw new AppError('NOT_FOUND')
    })
    await assert.rejects(refused, { code: 'NOT_FOUND' })
    assert.equal(times, 1)
  })

  it('are of the primary while the standby is behind', async () => {
    const [host = ''] = urls()
    const primary = open(serverUrl(host))
    const standby = open(pair.standbyUrl(), { readOnly: true })
    const reader = createReader(primary, standby)
    await primary.run(sql`create table atrasos (n int)`)
    await until('the standby is read', () => reader.read(primary, isStandby))
    await standby.run(sql`select pg_wal_replay_pause()`)
    await primary.run(sql`insert into atrasos values (1)`)
    const seen = await reader.read(primary, (from) => from.value(sql`select count(*) from atrasos`))
    assert.equal(seen, 1)
    assert.equal(await reader.read(primary, isStandby), false)
    await standby.run(sql`select pg_wal_replay_resume()`)
    await until('the standby is read again', () => reader.read(primary, isStandby))
  })
})

describe('a pool of several servers', () => {
  it('goes to the one that can be written to, before and after they change places', async () => {
    const servers = urls().map(serverUrl)
    const [first, second] = servers as [string, string]
    const pool = open(first, { servers })
    const other = open(second, { servers })
    for (const each of [pool, other]) assert.equal(await isStandby(each), false)
    await pool.run(sql`create table depois (n int)`)
    await pair.failOver()
    for (const each of [pool, other])
      await until('it writes again', () => each.run(sql`insert into depois values (1)`).catch(() => false))
    assert.equal(await pool.value(sql`select count(*) from depois`), 2)
    await pair.replicate()
    assert.equal(await isStandby(pool), false)
  })
})
