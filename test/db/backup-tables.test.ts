import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction, readTally } from '../../src/db/backup/tables.ts'
import { sql } from '../../src/db/sql.ts'
import { createTestDatabase } from '../harness/database.ts'

const database = await createTestDatabase()
after(() => database.drop())

/** The message that ends the rows of a copy; how many there were is told in the next one. */
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4])

/** Between client and server; what the server says behind the rows of a copy comes late. */
async function lateEnds(): Promise<number> {
  const { host, port } = database.connection
  const server = net.createServer((client) => {
    const upstream = host?.startsWith('/')
      ? net.connect(`${host}/.s.PGSQL.${port}`)
      : net.connect(Number(port), host as string)
    client.pipe(upstream)
    let told = Promise.resolve()
    upstream.on('data', (data) => {
      const at = data.indexOf(COPY_DONE)
      const end = at < 0 ? data.length : at + COPY_DONE.length
      told = told.then(async () => {
        client.write(data.subarray(0, end))
        if (end === data.length) return
        await sleep(100)
        client.write(data.subarray(end))
      })
    })
    for (const socket of [client, upstream]) socket.on('error', () => {}).on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return (server.address() as net.AddressInfo).port
}

describe('the rows of a table, for a backup', () => {
  it('are counted, however late the server tells their number', async () => {
    await database.pool.run(sql`create table linhas as select generate_series(1, 3) as n`)
    const connection = { ...database.connection, host: '127.0.0.1', port: await lateEnds() }
    const { rows } = await inTransaction(connection, 'read only', (client) =>
      readTally(client, { name: 'linhas', columns: ['n'] }),
    )
    assert.equal(rows, 3)
  })
})
