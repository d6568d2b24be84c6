import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createPool, type Pool } from '../../src/db/pool.ts'
import { createReader } from '../../src/db/reader.ts'
import { sql } from '../../src/db/sql.ts'
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
    const reader = createReader(open(serverUrl(host)), open(serverUrl('127.0.0.1:1'), { readOnly: true }))
    assert.equal(await reader.snapshot(isStandby), false)
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
