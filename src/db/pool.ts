import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { AppError } from '../errors/catalogue.ts'
import { type Batcher, createBatcher } from './batch.ts'
import type { BatchWork, Database, Db, Notices } from './db.ts'
import { createNotices } from './notices.ts'
import { isUnavailable, translateDatabaseError, unavailable } from './pg-errors.ts'
import { type Connection, createServers, type Servers } from './servers.ts'
import type { Sql } from './sql.ts'

export interface PoolOptions {
  connection: Connection
  max?: number
  /** Limit of the wait for a connection; beyond it the request is answered 503. */
  waitMs?: number
  /** Length of the queue for a connection; the next request is answered 503 at once. */
  maxWaiting?: number
  statementTimeoutMs?: number
  /** Limit of a transaction without a statement, after which the server ends it; by default twice the statement's. */
  idleInTransactionMs?: number
  /** Called for connections lost while idle, and for those that could not be made. */
  onConnectionError?: (error: Error) => void
}

export interface Pool extends Database, Notices {
  usage(): { total: number; idle: number; waiting: number }
  /** Age of the oldest request queued for a connection or for a batch; 0 with empty queues. */
  waitedMs(): number
  end(): Promise<void>
}

/**
 * No JIT, and parallel workers only for scans of millions of rows: statements here are mostly shorter than the planner
 * estimates, and compiling one or starting workers takes longer than the statement itself.
 */
const SHORT_STATEMENTS = 'set jit = off; set parallel_setup_cost = 200000'

/** Margin of the client's time-out over the server's, which cannot pass a dead network. */
const NETWORK_GRACE_MS = 2_000

/** Dates stay calendar dates (text); counts and ids are JavaScript numbers. */
const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.DATE, String],
])

function clientConfig(options: PoolOptions): pg.ClientConfig {
  const {
    waitMs = 3_000,
    statementTimeoutMs = 15_000,
    idleInTransactionMs = 2 * statementTimeoutMs,
  } = options
  return {
    application_name: 'vigia',
    keepAlive: true,
    connectionTimeoutMillis: waitMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + NETWORK_GRACE_MS,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    types: {
      getTypeParser: (oid: number, format?: string) =>
        (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
    } as pg.CustomTypesConfig,
    ...options.connection,
  }
}

/** Limits are set by a statement, not with the start of a connection, where a pooler refuses them. */
function splitLimits({ statement_timeout, idle_in_transaction_session_timeout, ...config }: pg.ClientConfig) {
  const settings = `${SHORT_STATEMENTS}; set statement_timeout = ${Number(statement_timeout || 0)};
    set idle_in_transaction_session_timeout = ${Number(idle_in_transaction_session_timeout || 0)}`
  return { config, settings }
}

function openPool(options: PoolOptions, { Client, check }: Servers): pg.Pool {
  const { config, settings } = splitLimits(clientConfig(options))
  const pool = new pg.Pool({
    ...config,
    Client,
    max: options.max ?? 10,
    idleTimeoutMillis: 30_000,
    onConnect: async (client: pg.ClientBase) => {
      await check(client)
      await client.query(settings)
    },
  })
  // A connection that dies while idle is no request's error; the pool has already dropped it.
  pool.on('error', (error) => {
    if (!pool.ending) options.onConnectionError?.(error)
  })
  // One that dies in use fails the query; without a listener the same error would also end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export function createPool(options: PoolOptions): Pool {
  const { maxWaiting = 200 } = options
  const servers = createServers(options.connection)
  const pool = openPool(options, servers)
  const notices = createNotices()
  /** Start times of pending `connect()` calls; the pool hands out connections in order of arrival. */
  const pending: number[] = []

  async function connect(): Promise<pg.PoolClient> {
    if (pool.waitingCount >= maxWaiting) throw new AppError('UNAVAILABLE', { retryAfter: 1 })
    pending.push(performance.now())
    try {
      for (let left = servers.count; left > 0; left--) {
        const client = await connectTo(servers.current())
        if (client !== null) return client
      }
      throw unavailable()
    } finally {
      pending.shift()
    }
  }

  /** Null where it fails: whatever the reason (away, dropped, a password that was changed), no request is to blame. */
  async function connectTo(server: string | undefined): Promise<pg.PoolClient | null> {
    try {
      return await pool.connect()
    } catch (error) {
      options.onConnectionError?.(error as Error)
      servers.leave(server)
      return null
    }
  }

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect()
    try {
      await notices.listenOn(client).catch(rethrowTranslated)
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      // Only a refusal leaves the connection in a known state; after anything else it is thrown away.
      client.release(!isRefusal(error))
      throw error
    }
  }

  const db = dbOn(
    (query) => withClient((client) => execute(client, query)),
    (query, lines) => withClient((client) => copyInto(client, query, lines)),
  )
  const batches = createBatches(db)
  return {
    ...db,
    transaction: (work) => withClient((client) => transactionOn(client, 'begin', work)),
    snapshot: (work) =>
      withClient((client) => transactionOn(client, 'begin isolation level repeatable read, read only', work)),
    batch: batches.batch,
    subscribe: notices.subscribe,
    waitedMs: () =>
      Math.max(pending[0] === undefined ? 0 : performance.now() - pending[0], batches.waitedMs()),
    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    end: () => pool.end(),
  }
}

async function transactionOn<T>(
  client: pg.ClientBase,
  begin: string,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const send = (text: string) => client.query(text).catch(rethrowTranslated)
  await send(begin)
  try {
    const result = await work(
      dbOn(
        (query) => execute(client, query),
        (query, lines) => copyInto(client, query, lines),
      ),
    )
    const { command } = await send('commit')
    // After a statement that failed, even one whose error was caught, PostgreSQL answers a commit by rolling back.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
    return result
  } catch (error) {
    // On a connection that does not answer, a rollback would time out a second time; dropping it rolls back, too.
    if (!isUnavailable(error)) await send('rollback')
    throw error
  }
}

/** One batcher for each kind of work. */
function createBatches(db: Db) {
  const batchers = new Map<BatchWork<never, never>, Batcher<never, never>>()
  return {
    batch<T, R>(work: BatchWork<T, R>, item: T): Promise<R> {
      let batcher = batchers.get(work as never) as Batcher<T, R> | undefined
      if (batcher === undefined) {
        batcher = createBatcher((items: T[]) => work(db, items))
        batchers.set(work as never, batcher as never)
      }
      return batcher.add(item)
    },
    waitedMs: () => Math.max(0, ...[...batchers.values()].map((batcher) => batcher.waitedMs())),
  }
}

const isRefusal = (error: unknown) => error instanceof AppError && !isUnavailable(error)

function rethrowTranslated(error: unknown): never {
  throw translateDatabaseError(error)
}

function execute(client: pg.ClientBase, { text, parameters, name }: Sql): Promise<pg.QueryResult> {
  const query: pg.QueryConfig = { text, values: parameters, ...(name !== undefined && { name }) }
  return client.query(query).catch(rethrowTranslated)
}

async function copyInto(
  client: pg.ClientBase,
  { text }: Sql,
  lines: Parameters<Db['copy']>[1],
): Promise<number> {
  const target = client.query(copyFrom(text))
  await pipeline(Readable.from(lines, { objectMode: false }), target).catch(rethrowTranslated)
  return target.rowCount
}

/** The verbs over one way of executing. */
function dbOn(send: (query: Sql) => Promise<pg.QueryResult>, copy: Db['copy']): Db {
  const first: Db['first'] = async (query) => (await send(query)).rows[0] ?? null
  const one = async <T>(query: Sql): Promise<T> => {
    const row = await first<T>(query)
    if (row === null) throw new Error('a statement that always has a row had none')
    return row
  }
  return {
    copy,
    rows: async (query) => (await send(query)).rows,
    first,
    one,
    value: async <T>(query: Sql) => Object.values(await one<Record<string, T>>(query))[0] as T,
    run: async (query) => (await send(query)).rowCount ?? 0,
  }
}
