import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const EVERY_MS = 50

/** Sampling profiler of the database: active statements, and how often each was seen. */
export function watchStatements(connection: pg.ClientConfig) {
  const seen = new Map<string, number>()
  let looks = 0
  let going = true
  const looking = (async () => {
    const client = new pg.Client({ ...connection, application_name: 'watch' })
    await client.connect()
    while (going) {
      const { rows } = await client.query(
        "select query from pg_stat_activity where state = 'active' and application_name <> 'watch' and backend_type = 'client backend'",
      )
      looks += 1
      for (const { query } of rows) {
        const statement = query.replaceAll(/\s+/g, ' ').trim().slice(0, 60)
        seen.set(statement, (seen.get(statement) ?? 0) + 1)
      }
      await sleep(EVERY_MS)
    }
    await client.end()
  })()
  return {
    /** Share of the time, most first. */
    async stop(): Promise<[statement: string, share: number][]> {
      going = false
      await looking
      return [...seen]
        .map(([statement, times]): [string, number] => [statement, times / looks])
        .sort(([, a], [, b]) => b - a)
    },
  }
}
