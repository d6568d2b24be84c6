import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { StartupError } from '../../src/config/config.ts'
import { type Migration, migrate, readMigrations } from '../../src/db/migrate.ts'
import { type Sql, sql } from '../../src/db/sql.ts'
import { administer, createTestDatabase } from '../harness/database.ts'

async function read(files: Record<string, string>): Promise<Migration[]> {
  const dir = await mkdtemp(join(tmpdir(), 'vigia-migrations-'))
  try {
    for (const [nome, text] of Object.entries(files)) await writeFile(join(dir, nome), text)
    return await readMigrations(dir)
  } finally {
    await rm(dir, { recursive: true })
  }
}

async function emptyDatabase(t: TestContext) {
  const { connection, pool, drop, name } = await createTestDatabase({ template: 'template0' })
  t.after(drop)
  const names = async (query: Sql) =>
    (await pool.rows<{ nome: string }>(query)).map(({ nome }) => nome).join(' ')
  return {
    name,
    connection,
    pool,
    run: async (files: Record<string, string>) => migrate(connection, await read(files)),
    applied: () => names(sql`select nome from migracoes order by aplicada_em`),
    tables: () =>
      names(sql`
        select tablename as nome from pg_tables
         where schemaname = 'public' and tablename <> 'migracoes' order by tablename`),
  }
}

const FIRST = { '0001_um.sql': 'create table um (id int)' }
const SECOND = { '0002_dois.sql': 'alter table um rename to dois; create table um (id int)' }

test('migrations run in the order of their names, once', async (t) => {
  const database = await emptyDatabase(t)
  assert.deepEqual(await database.run({ ...SECOND, ...FIRST }), ['0001_um.sql', '0002_dois.sql'])
  assert.equal(await database.applied(), '0001_um.sql 0002_dois.sql')
  assert.equal(await database.tables(), 'dois um')
  assert.deepEqual(await database.run({ ...FIRST, ...SECOND }), [])
})

test('a new migration runs after those that have run', async (t) => {
  const database = await emptyDatabase(t)
  await database.run(FIRST)
  assert.deepEqual(await database.run({ ...FIRST, ...SECOND }), ['0002_dois.sql'])
})

test('a migration that fails leaves nothing of itself, keeps those before it and stops those after it', async (t) => {
  const database = await emptyDatabase(t)
  const broken = { '0002_meio.sql': 'create table meio (id int); insert into nao_existe values (1)' }
  const third = { '0003_tres.sql': 'create table tres (id int)' }
  await assert.rejects(
    database.run({ ...FIRST, ...broken, ...third }),
    new StartupError('Migration 0002_meio.sql failed: relation "nao_existe" does not exist'),
  )
  assert.equal(await database.applied(), '0001_um.sql')
  assert.equal(await database.tables(), 'um')

  const mended = { '0002_meio.sql': 'create table meio (id int)' }
  assert.deepEqual(await database.run({ ...FIRST, ...mended, ...third }), ['0002_meio.sql', '0003_tres.sql'])
})

test('instances that start at the same moment apply each migration once', async (t) => {
  const database = await emptyDatabase(t)
  const slow = { '0001_um.sql': 'create table um (id int); select pg_sleep(0.2)' }
  const results = await Promise.all(Array.from({ length: 5 }, () => database.run({ ...slow, ...SECOND })))
  assert.equal(results.flat().length, 2)
  assert.equal(await database.applied(), '0001_um.sql 0002_dois.sql')
})

test('a failure of one instance does not keep the lock from the next', async (t) => {
  const database = await emptyDatabase(t)
  const broken = { '0001_um.sql': 'select pg_sleep(0.1); select nada' }
  const results = await Promise.allSettled([database.run(broken), database.run(broken), database.run(broken)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.deepEqual(await database.run(FIRST), ['0001_um.sql'])
})

test('a migration edited after it has run is refused, and nothing else runs', async (t) => {
  const database = await emptyDatabase(t)
  await database.run(FIRST)
  await assert.rejects(
    database.run({ '0001_um.sql': 'create table um (id bigint)', ...SECOND }),
    new StartupError('Migration 0001_um.sql was changed after it had been applied; restore the file'),
  )
  assert.equal(await database.tables(), 'um')
})

test('a database that a newer version has migrated is refused', async (t) => {
  const database = await emptyDatabase(t)
  await database.run({ ...FIRST, ...SECOND })
  await assert.rejects(
    database.run(FIRST),
    new StartupError(
      'The database was migrated by a newer version (0002_dois.sql); start that version or a later one',
    ),
  )
})

test('a migration that appears before others that have run is refused', async (t) => {
  const database = await emptyDatabase(t)
  await database.run({ ...FIRST, '0003_tres.sql': 'create table tres (id int)' })
  await assert.rejects(
    database.run({ ...FIRST, ...SECOND, '0003_tres.sql': 'create table tres (id int)' }),
    new StartupError('Migration 0002_dois.sql comes before others that have run; give it a later number'),
  )
  assert.equal(await database.tables(), 'tres um')
})

test('a file whose name would leave its place open is refused instead of passed over', async () => {
  await assert.rejects(read({ ...FIRST, '2-dois.sql': 'select 1' }), /2-dois\.sql must be named like/)
  assert.deepEqual(await read({ 'LEIAME.md': 'text' }), [])
})

test('a role that may not create tables is told so in one sentence', async (t) => {
  const { name, connection, applied } = await emptyDatabase(t)
  const role = `${name}_leitor`
  await administer(`create role ${role} login`)
  t.after(() => administer(`drop role ${role}`))
  await assert.rejects(
    migrate({ ...connection, user: role }, await read(FIRST)),
    new StartupError('The database cannot be migrated: permission denied for schema public'),
  )
  await assert.rejects(applied(), { code: '42P01' })
})

test('the project’s own migrations run on an empty database', async (t) => {
  const { connection, applied } = await emptyDatabase(t)
  const migrations = await readMigrations()
  assert.deepEqual(
    await migrate(connection, migrations),
    migrations.map(({ nome }) => nome),
  )
  assert.equal(await applied(), migrations.map(({ nome }) => nome).join(' '))
})
