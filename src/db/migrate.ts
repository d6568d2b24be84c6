import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { StartupError } from '../config/config.ts'

/**
 * Migrations are plain SQL, forward only, one transaction each, in the order of their names. A session lock lets
 * instances that start at the same moment run them once; a checksum finds one that was edited after it had run.
 */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../../migrations/', import.meta.url))

const LOCK_KEY = 8_443_001
const MINIMUM_SERVER_VERSION = 150_000

const MIGRACOES = `create table if not exists migracoes (
  nome text constraint migracoes__pk primary key,
  checksum text not null,
  aplicada_em timestamptz not null default now()
)`

export interface Migration {
  nome: string
  sql: string
  checksum: string
}

export async function readMigrations(dir = MIGRATIONS_DIR): Promise<Migration[]> {
  const files = (await readdir(dir)).filter((file) => file.endsWith('.sql')).sort()
  const misnamed = files.find((file) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(file))
  if (misnamed !== undefined)
    throw new Error(`Migration ${misnamed} must be named like 0001_what_it_does.sql`)
  return Promise.all(
    files.map(async (nome) => {
      const sql = await readFile(`${dir}/${nome}`, 'utf8')
      return { nome, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Applies missing migrations and returns their names. Throws `StartupError` and changes nothing further on failure. */
export async function migrate(connection: pg.ClientConfig, migrations: Migration[]): Promise<string[]> {
  const client = new pg.Client({ ...connection, application_name: 'vigia migrations', statement_timeout: 0 })
  client.on('error', () => {})
  await client.connect()
  try {
    await refuseOldServer(client)
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY])
    await client.query(MIGRACOES)
    const { rows } = await client.query<{ nome: string; checksum: string }>(
      'select nome, checksum from migracoes order by nome',
    )
    refuseDivergence(migrations, new Map(rows.map((row) => [row.nome, row.checksum])))
    return await applyAll(client, migrations.slice(rows.length))
  } catch (error) {
    throw error instanceof StartupError
      ? error
      : new StartupError(`The database cannot be migrated: ${(error as Error).message}`)
  } finally {
    await client.end()
  }
}

/** For commands: a database that no start has prepared is left as it is. */
export async function refuseForeign(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'vigia command' })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query(`select where to_regclass('migracoes') is not null`)
    if (rowCount === 0) throw new StartupError('The database is empty or not one of this service')
  } finally {
    await client.end()
  }
}

/** For an empty database, in the transaction of the caller: all of it comes about with what the caller adds, or none. */
export async function createSchema(client: pg.Client, migrations: Migration[]): Promise<void> {
  await refuseOldServer(client)
  await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY])
  await client.query(MIGRACOES)
  for (const migration of migrations) await apply(client, migration)
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  )
  const server = rows[0]
  if (server && server.number < MINIMUM_SERVER_VERSION)
    throw new StartupError(`PostgreSQL 15 or later is needed; the server is ${server.version}`)
}

/** Applied migrations must be the first of our files, unchanged: otherwise the schema is unknown. */
export function refuseDivergence(
  migrations: Migration[],
  applied: Map<string, string>,
  what: 'database' | 'backup' = 'database',
): void {
  const known = new Map(migrations.map(({ nome, checksum }) => [nome, checksum]))
  for (const [nome, checksum] of applied) {
    if (!known.has(nome))
      throw new StartupError(
        `The ${what} was migrated by a newer version (${nome}); start that version or a later one`,
      )
    if (known.get(nome) !== checksum)
      throw new StartupError(`Migration ${nome} was changed after it had been applied; restore the file`)
  }
  const late = migrations.slice(0, applied.size).find(({ nome }) => !applied.has(nome))
  if (late !== undefined)
    throw new StartupError(`Migration ${late.nome} comes before others that have run; give it a later number`)
}

async function applyAll(client: pg.Client, migrations: Migration[]): Promise<string[]> {
  const done: string[] = []
  for (const migration of migrations) {
    const { nome } = migration
    try {
      await client.query('begin')
      await apply(client, migration)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw new StartupError(`Migration ${nome} failed: ${(error as Error).message}`)
    }
    done.push(nome)
  }
  return done
}

async function apply(client: pg.Client, { nome, sql, checksum }: Migration): Promise<void> {
  await client.query(sql)
  await client.query('insert into migracoes (nome, checksum) values ($1, $2)', [nome, checksum])
}
