// Instances of the service on one database of the test server, each with a data folder of its own.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Tuning } from '../../src/app.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { dataFolder, type Env, type Service } from './service.ts'

/** `owner` is a test's context, or `{ after }` of node:test. */
export async function instancesOf(
  owner: { after(done: () => Promise<void>): void },
  { count, tuning }: { count: number; tuning: Tuning },
) {
  const database = await createTestDatabase()
  const folders = await Promise.all(Array.from({ length: count }, () => dataFolder(owner)))
  const client = new pg.Client(database.connection)
  await client.connect()
  owner.after(async () => {
    await client.end()
    await database.drop()
  })
  const env = { DATABASE_URL: databaseUrl(database.name), DATA_KEY: randomBytes(32).toString('base64') }

  return {
    client,
    start(instance: number, more: Env = {}): Promise<Service> {
      const folder = folders[instance]
      if (folder === undefined) throw new RangeError(`there are ${count} instances`)
      return folder.start({ ...env, ...more }, tuning)
    },
    logIn: (service: Service) => service.login(ADMIN_EMAIL, PASSWORD),
    /** The job's row in the queue. */
    async queued(id: string) {
      const text = 'select trabalhador, ponto, tentativas from jobs_fila where job_id = $1'
      return (await client.query(text, [id])).rows[0]
    },
  }
}
