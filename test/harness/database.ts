import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createPool, type Pool } from '../../src/db/pool.ts'

/** Set by `test/run.ts`, which starts one PostgreSQL and migrates one template for all test files. */
export interface TestServer {
  connection: { host: string; port: number; user: string }
  template: string
}

export function testServer(): TestServer {
  const json = process.env.VIGIA_TEST_SERVER
  if (json === undefined) throw new Error('run the tests with: npm test [-- file …]')
  return JSON.parse(json)
}

/** On a busy machine the limits of the service would answer 503 where another status is the subject. */
const UNHURRIED = { waitMs: 60_000, statementTimeoutMs: 60_000 }

export interface TestDatabase {
  name: string
  connection: pg.ClientConfig
  pool: Pool
  drop(): Promise<void>
}

/** A database of its own, copied from the migrated and seeded template (or empty). */
export async function createTestDatabase({ template = testServer().template } = {}): Promise<TestDatabase> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  // Copying files is a third of the work of logging each page, the default.
  await administer(`create database ${name} template ${template} strategy file_copy`)
  const connection = { ...testServer().connection, database: name, ssl: false }
  const pool = createPool({ connection, ...UNHURRIED })
  return {
    name,
    connection,
    pool,
    async drop() {
      await pool.end()
      await administer(`drop database if exists ${name} with (force)`)
    },
  }
}

export async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ ...testServer().connection, database: 'postgres', ssl: false })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The URL that the service's DATABASE_URL takes for a database of the test server. */
export function databaseUrl(name: string): string {
  const { host, port, user } = testServer().connection
  return `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
}
