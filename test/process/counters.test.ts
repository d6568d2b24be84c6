import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { countPending, QUEUES } from '../../src/domain/casos/counters/rollup.sql.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { until } from '../harness/eventually.ts'
import { dataFolder } from './service.ts'

const folder = await dataFolder({ after })
const database = await createTestDatabase()
after(() => database.drop())
const { pool } = database
const verify = (...options: string[]) =>
  folder.run(['counters:verify', ...options], { DATABASE_URL: databaseUrl(database.name) })

async function isSomethingPending() {
  for (const queue of QUEUES) if ((await countPending(pool, queue, 1)) > 0) return true
  return false
}

describe('counters:verify', () => {
  it('says that the counters agree', async () => {
    await pool.run(sql`
      insert into casos (tipo_agravo, numero_notificacao, data_notificacao, estado_residencia, status, criado_em,
        atualizado_em)
      select 'dengue', i::text, '2024-01-10', 'PE', 'encerrado', now(), now() from generate_series(1, 5) i`)
    const { code, stdout, stderr } = await verify()
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^The counters agree with the cases$/m)
  })

  it('names what differs, with exit code 1', async () => {
    await pool.run(sql`
      update casos_contagens_pendentes_gerais set total = total - 1`)
    const { code, stdout, stderr } = await verify()
    assert.equal(code, 1)
    assert.doesNotMatch(stdout, /agree/)
    assert.match(
      stderr,
      /^PE \| dia \| 2024-01-10 \| dengue \| {2}\| : the counters lack 1 cases, 0 in hospital/m,
    )
  })

  it('mends it with --rebuild', async () => {
    const { code, stdout, stderr } = await verify('--rebuild')
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^The counters were rebuilt and agree$/m)
    assert.equal((await verify()).code, 0)
  })

  it('refuses options it does not know', async () => {
    const { code, stderr } = await verify('--fix')
    assert.equal(code, 2)
    assert.match(stderr, /--fix/)
    assert.match(stderr, /npm run vigia -- counters:verify \[--rebuild\]/)
  })
})

describe('A running service', () => {
  it('adds up what waits, by itself', async () => {
    await pool.run(sql`update casos set hospitalizacao = true`)
    assert.equal(await isSomethingPending(), true)
    const service = await folder.start({ DATABASE_URL: databaseUrl(database.name) })
    await until('nothing is pending', async () => !(await isSomethingPending()))
    assert.equal((await service.stop()).code, 0)
    assert.equal((await verify()).code, 0)
  })
})
