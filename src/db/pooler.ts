import pg from 'pg'

/** Others may use the pooler at the same moment and get the server connection that would have told. */
const TRIES = 3
const ANSWER_MS = 5_000

/**
 * Recognises a pooler that lends server connections by transaction: two sessions, both open, are on one of them. Locks, settings and
 * notices of a session would end up with another one. Never wrong about a server or a pooler by session; one that is busy may pass.
 */
export async function poolsByTransaction(connection: pg.ClientConfig): Promise<boolean> {
  await using first = await openSession(connection)
  await using second = await openSession(connection)
  for (let left = TRIES; left > 0; left--) {
    const backend = await first.backend()
    if (backend === (await second.backend())) return true
  }
  return false
}

async function openSession(connection: pg.ClientConfig) {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  client.on('error', () => {})
  await client.connect()
  return {
    backend: async (): Promise<number> => (await client.query('select pg_backend_pid() as pid')).rows[0].pid,
    [Symbol.asyncDispose]: () => client.end(),
  }
}
