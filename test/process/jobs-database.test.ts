import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { attachEmbedded } from '../../src/db/embedded/embedded.ts'
import { PASSWORD } from '../harness/app.ts'
import { until } from '../harness/eventually.ts'
import {
  arquivoDeCasos,
  enqueue,
  formOf,
  gateOf,
  leftovers,
  numbersOf,
  ROWS,
  resultadoEsperado,
  retratoDe,
  retratoEsperado,
  SHORT_BLOCKS,
  untilOver,
} from './import-setup.ts'
import { dataFolder } from './service.ts'

describe('the death of the database during an import', async () => {
  const folder = await dataFolder({ after })

  async function connect(): Promise<pg.Client> {
    const connection = await attachEmbedded(folder.dataDir)
    assert.ok(connection)
    const client = new pg.Client({ ...connection, ssl: false })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  it('empties the tables of the import: it is read again from its beginning, and every row is there once', async (t) => {
    const service = await folder.start({ ADMIN_PASSWORD: PASSWORD }, SHORT_BLOCKS)
    const token = await service.login('admin@vigia.local', PASSWORD)
    const before = await connect()
    const gate = await gateOf(before)
    await gate.shut()
    const id = await enqueue(service, token, formOf(arquivoDeCasos('A', ROWS)))
    await gate.untilSomebodyWaits()
    const read = await gate.pontos()
    assert.ok(read.length > 1)
    // Blocks are committed without waiting for the disk: the last of them would not always be there afterwards.
    await before.query('checkpoint')
    await folder.endDatabaseProcesses()
    const killed = performance.now()
    await before.end().catch(() => {})

    const seen: number[] = []
    const job = await untilOver(service, token, id, { seen })
    t.diagnostic(`done ${Math.round(performance.now() - killed)} ms after the database was killed`)
    assert.equal(job.status, 'completed', JSON.stringify(job))
    assert.deepEqual(numbersOf(job.resultado), resultadoEsperado(ROWS))
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
      'progress never goes back',
    )
    const client = await connect()
    assert.deepEqual(await retratoDe(client, 'A'), retratoEsperado(ROWS))
    const { rows } = await client.query('select linhas from pontos order by ordem')
    const pontos: number[] = rows.map(({ linhas }) => linhas)
    const again = pontos.lastIndexOf(0)
    assert.deepEqual(pontos.slice(0, again), read, 'what was committed before')
    assert.deepEqual(pontos.slice(again, again + read.length), read, 'and the same once more')
    assert.equal(pontos.at(-1), ROWS)
    await until('nothing is left', async () => (await leftovers(client)).preparo === 0)
    await client.end()
    assert.equal((await service.stop()).code, 0)
  })
})
