import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../harness/eventually.ts'
import {
  arquivoDeCasos,
  enqueue,
  formOf,
  holdTable,
  leftovers,
  NADA,
  numbersOf,
  ROWS,
  resultadoEsperado,
  retratoDe,
  retratoEsperado,
  SHORT_BLOCKS,
  untilOver,
} from './import-setup.ts'
import { instancesOf } from './instances.ts'
import type { Service } from './service.ts'

/** A stalled worker loses its job and its transaction sooner; still with eight renewals to a lease. */
const JOBS = { leaseSeconds: 4, renewMs: 500, idleInTransactionMs: 5_000 }

/** A job of its own counts possible duplicates later. */
function withoutCandidates(job: Record<string, unknown>): Record<string, unknown> {
  const { duplicidades: _, ...resultado } = job.resultado as Record<string, unknown>
  return { ...job, resultado }
}

/** Two instances on one database, of which only the first works at the beginning. */
async function pair() {
  const instances = await instancesOf({ after }, { count: 2, tuning: { ...SHORT_BLOCKS, jobs: JOBS } })
  const { client, queued } = instances
  const first = await instances.start(0)
  const token = await instances.logIn(first)

  /** The first one, awake again, changes nothing of what the second did, and goes on serving. */
  async function assertHarmless(second: Service, id: string, job: Record<string, unknown>): Promise<void> {
    assert.equal(job.status, 'completed', JSON.stringify(job))
    assert.deepEqual(numbersOf(job.resultado as Record<string, unknown>), resultadoEsperado(ROWS))
    first.process.kill('SIGCONT')
    await sleep(4000)
    assert.equal((await first.request('/api/v1/health')).status, 200)
    for (const service of [first, second])
      assert.deepEqual(
        withoutCandidates((await service.request(`/api/v1/jobs/${id}`, { token })).body),
        withoutCandidates(job),
      )
    assert.deepEqual(await retratoDe(client, 'A'), retratoEsperado(ROWS))
    assert.equal((await client.query('select from importacoes')).rowCount, 1)
    await until('the file is gone', async () => (await leftovers(client)).arquivos === 0)
    assert.equal((await leftovers(client)).fila, 0)
  }
  return { first, second: () => instances.start(1), client, token, queued, assertHarmless }
}

describe('an instance that stands still for longer than its lease', { concurrency: true }, () => {
  it('before it has begun: loses the job, and changes nothing when it wakes', async () => {
    const { first, second, client, token, queued, assertHarmless } = await pair()
    const id = await enqueue(first, token, formOf(arquivoDeCasos('A', ROWS)))
    await until('it has the job', async () => (await queued(id)).trabalhador !== null)
    first.process.kill('SIGSTOP')
    const { trabalhador } = await queued(id)
    const other = await second()
    await until('another has it', async () => (await queued(id))?.trabalhador !== trabalhador)
    await assertHarmless(other, id, await untilOver(other, token, id))
    await until('nothing is left', async () => (await leftovers(client)).preparo === 0)
    assert.deepEqual(await leftovers(client), NADA)
  })

  it('in the middle of storing: its transaction is ended by the database, and the next one stores all', async () => {
    const { first, second, client, token, assertHarmless } = await pair()
    const hold = await holdTable(client, 'casos')
    const id = await enqueue(first, token, formOf(arquivoDeCasos('A', ROWS)))
    await hold.untilSomebodyWaits()
    first.process.kill('SIGSTOP')
    await hold.release()
    const other = await second()
    await assertHarmless(other, id, await untilOver(other, token, id))
  })
})
