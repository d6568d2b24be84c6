import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { createVigia } from '../../clients/ts/src/index.ts'
import { type Connection, type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded/embedded.ts'
import { createPool } from '../../src/db/pool.ts'
import { foldContagens } from '../../src/domain/casos/counters/counters.ts'
import { writeImportFile } from '../import-file.ts'
import { runCommand, startService } from './processes.ts'

/** Measurements of the preparation, kept with the imported cases for the next run. */
export interface Prepared {
  cases: number
  /** Of the file with complete rows: as the service imports it, and as plain COPY takes the very same rows, after the same rows before. */
  rows: number
  importSeconds: number
  copySeconds: number
  bytesPerCase: { table: number; indexes: number; counters: number }
}

export interface Ground {
  postgres: EmbeddedDatabase
  client: pg.Client
  databaseUrl: string
  /** Environment of every process of the service. */
  env: Record<string, string>
  prepared: Prepared
}

export const EMAIL = 'bench@vigia.local'
export const PASSWORD = 'Senha#Boa1'

export async function prepare(folder: string, cases: number): Promise<Ground> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const note = join(folder, 'prepared.json')
  const known = await readFile(note, 'utf8').catch(() => null)
  if (known === null) await rm(folder, { recursive: true })
  const postgres = await startEmbedded({ dataDir: folder, report: () => {} })
  const databaseUrl = urlOf(postgres.connection)
  const env = {
    DATA_DIR: join(folder, 'service'),
    DATABASE_URL: databaseUrl,
    ADMIN_EMAIL: EMAIL,
    ADMIN_PASSWORD: PASSWORD,
    AMBIENTE: 'sandbox',
    RATE_LIMITS: 'count',
  }
  const client = new pg.Client({ ...postgres.connection, ssl: false })
  await client.connect()
  if (known !== null) return { postgres, client, databaseUrl, env, prepared: JSON.parse(known) }
  console.log(`Importing ${cases} cases; they are kept in ${folder}`)
  await runCommand(['demo', String(cases), '--only-cases'], env)
  await addUpDetails(postgres.connection)
  await importComplete(folder, Math.min(COMPLETE_ROWS, cases), env)
  await addUpDetails(postgres.connection)
  const prepared = await compareWithCopy(client, folder, cases)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await writeFile(note, JSON.stringify(prepared))
  return { postgres, client, databaseUrl, env, prepared }
}

const COMPLETE_ROWS = 100_000

/** Rows with every column filled in, through the interface; after the demo's, so that indexes have their size. */
async function importComplete(folder: string, rows: number, env: Record<string, string>): Promise<void> {
  const file = join(folder, 'complete.csv')
  await writeImportFile(file, rows, 'complete')
  const service = await startService(env)
  try {
    const url = `https://127.0.0.1:${service.port}`
    const ca = await readFile(join(env.DATA_DIR as string, 'tls', 'cert.pem'), 'utf8')
    const vigia = createVigia({ url, ca, email: EMAIL, senha: PASSWORD })
    const body = { file: await openAsBlob(file), formato: 'csv', modo: 'importar' } as const
    const { job_id } = await vigia.post('/agravos/casos/bulk', { body })
    const { status, message } = await vigia.job(job_id).fim()
    if (status !== 'completed') throw new Error(message)
  } finally {
    await service.stop()
    await rm(file)
  }
}

/** Folds the counters' queues, as the service does in the background; `bench/importacao.ts` measures the time until then. */
async function addUpDetails(connection: Connection): Promise<void> {
  const pool = createPool({ connection: { ...connection, ssl: false }, statementTimeoutMs: 3_600_000 })
  await foldContagens(pool)
  await pool.end()
}

function urlOf({ user, database, host }: Connection): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}

/** Times COPY into a copy of the table, which the baseline then writes into. */
async function compareWithCopy(client: pg.Client, folder: string, cases: number): Promise<Prepared> {
  const { rows } = await client.query<{ id: number; rows: number; seconds: number }>(`
    select i.id, i.importados as rows, extract(epoch from j.completed_at - j.created_at)::float as seconds
    from importacoes i join jobs j on j.id = i.job_id order by i.id desc limit 1`)
  const last = rows[0] as (typeof rows)[0]
  await client.query('create schema bench')
  await client.query('create table bench.casos (like public.casos including all)')
  // PostgreSQL computes the generated ones anew.
  const { rows: written } = await client.query<{ columns: string }>(`
    select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns from information_schema.columns
    where table_schema = 'public' and table_name = 'casos' and is_generated = 'NEVER'`)
  const columns = written[0]?.columns
  await client.query(
    `insert into bench.casos (${columns}) overriding system value select ${columns} from casos where importacao_id <> $1`,
    [last.id],
  )
  const file = join(folder, 'casos.copy')
  await pipeline(
    client.query(
      copyTo(`copy (select ${columns} from casos where importacao_id = ${last.id} order by id) to stdout`),
    ),
    createWriteStream(file),
  )
  await client.query('checkpoint')
  const started = performance.now()
  await pipeline(createReadStream(file), client.query(copyFrom(`copy bench.casos (${columns}) from stdin`)))
  const copySeconds = (performance.now() - started) / 1_000
  await rm(file)
  await client.query(
    `select setval(pg_get_serial_sequence('bench.casos', 'id'), (select max(id) from casos))`,
  )
  const sizes = await client.query(`
    select pg_table_size('casos') as table, pg_indexes_size('casos') as indexes,
      pg_total_relation_size('casos_contagens') as counters`)
  const { table, indexes, counters } = sizes.rows[0]
  return {
    cases,
    rows: last.rows,
    importSeconds: last.seconds,
    copySeconds,
    bytesPerCase: { table: table / cases, indexes: indexes / cases, counters: counters / cases },
  }
}
