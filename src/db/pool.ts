import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { AppError } from '../errors/catalogue.ts'
import type { Database, Db, Notices } from './db.ts'
import { Line } from './line.ts'
import { createPatience, type Patience } from './patience.ts'
import { isUnavailable, translateDatabaseError, unavailable } from './pg-errors.ts'
import { identifier, type Sql } from './sql.ts'
import { createShared, createTogether } from './together.ts'

export interface PoolOptions {
  connection: pg.ClientConfig
  max?: number
  /** How long a request waits for a connection before it is answered 503. */
  waitMs?: number
  /** How many requests may wait; the next one is answered 503 at once. */
  maxWaiting?: number
  statementTimeoutMs?: number
  /** How long a transaction may stand still before the server ends it; twice the statement's limit if not given. */
  idleInTransactionMs?: number
  /** Connections lost while idle, and those that could not be made. */
  onConnectionError?: (error: Error) => void
}

export interface Pool extends Database, Notices {
  usage(): { total: number; idle: number; waiting: number }
  /** How long the first in line has been waiting, for a connection or for its turn in one; 0 where nobody waits. */
  waitedMs(): number
  end(): Promise<void>
}

/**
 * Statements are short, mostly shorter than the server expects: compiling one, or starting workers to share it, takes longer than
 * the statement itself. Only what reads millions of rows is worth workers.
 */
const SHORT_STATEMENTS = 'set jit = off; set parallel_setup_cost = 200000'

/** Dates stay calendar dates (text); counts and ids are JavaScript numbers. */
const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.DATE, String],
])

function clientConfig(options: PoolOptions, statementTimeoutMs: number): pg.ClientConfig {
  return {
    application_name: 'vigia',
    keepAlive: true,
    connectionTimeoutMillis: options.waitMs ?? 3_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: options.idleInTransactionMs ?? 2 * statementTimeoutMs,
    types: {
      getTypeParser: (oid: number, format?: string) =>
        (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
    } as pg.CustomTypesConfig,
    ...options.connection,
  }
}

export function createPool(options: PoolOptions): Pool {
  const maxWaiting = options.maxWaiting ?? 200
  const statementTimeoutMs = options.statementTimeoutMs ?? 15_000
  // The server's own time-out cannot reach us through a dead network: the client gives up a little later.
  const patience = createPatience(statementTimeoutMs + 2_000)
  const execute = executeWith(patience)
  const copyOn = copyWith(patience)
  const pool = new pg.Pool({
    ...clientConfig(options, statementTimeoutMs),
    max: options.max ?? 10,
    idleTimeoutMillis: 30_000,
    onConnect: async (client: pg.ClientBase) => {
      patience.watch(client)
      await execute(client, { text: SHORT_STATEMENTS })
    },
  })
  // A connection that dies while idle is no request's error; the pool has already dropped it.
  pool.on('error', (error) => {
    if (!pool.ending) options.onConnectionError?.(error)
  })

  // One that dies in use fails the query; without a listener the same error would also end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const notices = createNotices(execute)

  const line = new Line()

  async function connect(): Promise<pg.PoolClient> {
    if (pool.waitingCount >= maxWaiting) throw new AppError('UNAVAILABLE', { retryAfter: 1 })
    const place = line.enter()
    try {
      return await pool.connect()
    } catch (error) {
      // Whatever the reason (away, dropped, a password that was changed), no request is to blame.
      options.onConnectionError?.(error as Error)
      throw unavailable()
    } finally {
      line.leave(place)
    }
  }

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect()
    try {
      await notices.listenOn(client)
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      // Only a refusal leaves the connection in a known state; after anything else it is thrown away.
      client.release(!isRefusal(error))
      throw error
    }
  }

  async function transaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    return withClient(async (client) => {
      await execute(client, { text: 'begin' })
      try {
        const result = await work(dbOn((query) => execute(client, toQuery(query)), copyOn(client)))
        const { command } = await execute(client, { text: 'commit' })
        // After a statement that failed, even one whose error was caught, PostgreSQL answers a commit by rolling back.
        if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
        return result
      } catch (error) {
        // A connection that does not answer would make the request wait a second time; it is thrown away, and what was
        // begun on it ends with it.
        if (!isUnavailable(error)) await execute(client, { text: 'rollback' })
        throw error
      }
    })
  }

  const db = dbOn(
    (query) => withClient((client) => execute(client, toQuery(query))),
    (query, lines) => withClient((client) => copyOn(client)(query, lines)),
  )
  return {
    ...db,
    transaction,
    together: createTogether(db, line),
    shared: createShared(db, line),
    subscribe: notices.subscribe,
    waitedMs: () => line.waitedMs(),
    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    end: () => pool.end().finally(patience.end),
  }
}

/** Who wants to hear what, and which connections listen to it already. */
function createNotices(execute: Execute) {
  const subscribers = new Map<string, ((payload: string) => void)[]>()
  const listening = new WeakMap<pg.ClientBase, Set<string>>()

  function channelsOf(client: pg.ClientBase): Set<string> {
    const known = listening.get(client)
    if (known !== undefined) return known
    client.on('notification', ({ channel, payload = '' }) => {
      for (const onNotice of subscribers.get(channel) ?? []) onNotice(payload)
    })
    const channels = new Set<string>()
    listening.set(client, channels)
    return channels
  }

  return {
    subscribe(channel: string, onNotice: (payload: string) => void): void {
      subscribers.set(channel, [...(subscribers.get(channel) ?? []), onNotice])
    },
    async listenOn(client: pg.ClientBase): Promise<void> {
      if (subscribers.size === 0) return
      const channels = channelsOf(client)
      if (channels.size === subscribers.size) return
      for (const channel of subscribers.keys()) {
        await execute(client, { text: `listen ${identifier(channel).text}` })
        channels.add(channel)
      }
    },
  }
}

const isRefusal = (error: unknown) => error instanceof AppError && !isUnavailable(error)

function toQuery(query: Sql): pg.QueryConfig {
  const { text, parameters, name } = query
  return { text, values: parameters, ...(name !== undefined && { name }) }
}

type Execute = (client: pg.ClientBase, query: pg.QueryConfig) => Promise<pg.QueryResult>

/** With a callback: of the promises that the driver makes, each keeps all later ones from being collected, statements and all. */
function executeWith(patience: Patience): Execute {
  return async (client, query) => {
    try {
      return await new Promise((resolve, reject) => {
        patience.asked(client)
        client.query(query, (error: Error | null, result) => {
          patience.answered(client)
          if (error) reject(error)
          else resolve(result)
        })
      })
    } catch (error) {
      // From here it leads to whoever asked, not to the socket.
      Error.captureStackTrace(error as Error)
      throw translateDatabaseError(error)
    }
  }
}

function copyWith(patience: Patience) {
  return (client: pg.ClientBase): Db['copy'] =>
    async ({ text }, lines) => {
      patience.asked(client)
      const target = client.query(copyFrom(text))
      try {
        await pipeline(Readable.from(lines, { objectMode: false }), target)
      } catch (error) {
        throw translateDatabaseError(error)
      } finally {
        patience.answered(client)
      }
      return target.rowCount
    }
}

/** The verbs over one way of executing. */
function dbOn(execute: (query: Sql) => Promise<pg.QueryResult>, copy: Db['copy']): Db {
  const first: Db['first'] = async (query) => (await execute(query)).rows[0] ?? null
  const one = async <T>(query: Sql): Promise<T> => {
    const row = await first<T>(query)
    if (row === null) throw new Error('a statement that always has a row had none')
    return row
  }
  return {
    copy,
    rows: async (query) => (await execute(query)).rows,
    first,
    one,
    value: async <T>(query: Sql) => Object.values(await one<Record<string, T>>(query))[0] as T,
    run: async (query) => (await execute(query)).rowCount ?? 0,
  }
}
