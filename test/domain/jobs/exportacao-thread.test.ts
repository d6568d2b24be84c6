import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { ExportApp } from '../../../src/domain/exportacao/casos.ts'
import type { CreateGroupEncoder, GroupEncoder } from '../../../src/domain/exportacao/parquet-groups.ts'
import { encodingInThread } from '../../../src/worker/parquet.ts'
import { runHere } from '../../../src/worker/run.ts'
import type { RunJob } from '../../../src/worker/worker.ts'
import { queueApp } from './queue-app.ts'

/** Exports whose row groups are encoded in a thread, as in a process of the service. */

const f = await queueApp()
const { t, pool, jobOf } = f
after(() => t.close())
await f.enqueueImport(3)
await f.worker(runHere(t.app)).runAll()
await pool.run(sql`delete from arquivos`)
beforeEach(() => f.emptyQueue())

const ask = async (): Promise<string> => {
  const { status, body, text } = await t.as(f.gestor).post('/agravos/casos/exportar', { formato: 'parquet' })
  assert.equal(status, 202, text)
  return body.job_id
}

/** Runs exports with encoders that are kept, to be asked afterwards. */
function running(createEncoder: CreateGroupEncoder) {
  const encoders: GroupEncoder[] = []
  const app: ExportApp = {
    ...t.app,
    createEncoder(table) {
      const encoder = createEncoder(table)
      encoders.push(encoder)
      return encoder
    },
  }
  return { encoders, run: runHere(app) }
}

const canceled =
  (run: RunJob): RunJob =>
  (job, worker, stop) =>
    run(job, worker, Object.assign(stop, { canceled: true }))

describe('An export with a thread', () => {
  it('stores the file, and the thread ends with it', async () => {
    const { encoders, run } = running(encodingInThread)
    const id = await ask()
    await f.worker(run).runAll()
    assert.equal((await jobOf(id)).status, 'completed')
    assert.equal(encoders.length, 1)
    for (const encoder of encoders) await assert.rejects(encoder.finish(), /the thread ended/)
    await pool.run(sql`delete from arquivos`)
  })

  it('is canceled as others are: nothing is stored, no thread is left', async () => {
    const { encoders, run } = running(encodingInThread)
    const id = await ask()
    await f.worker(canceled(run)).runAll()
    const { status, message } = await jobOf(id)
    assert.deepEqual({ status, message }, { status: 'canceled', message: 'Cancelado' })
    assert.equal((await f.left()).arquivos, 0)
    assert.equal(encoders.length, 1)
    for (const encoder of encoders) await assert.rejects(encoder.finish(), /the thread ended/)
  })

  it('fails with the error of its thread, and stores nothing', async () => {
    // A column of no known kind, which the writer refuses in the thread.
    const { encoders, run } = running((table) =>
      encodingInThread({
        ...table,
        colunas: table.colunas.map((column) => ({ ...column, kind: '' as 'text' })),
      }),
    )
    const id = await ask()
    const errors: unknown[] = []
    const worker = f.worker(run, { errors })
    for (let i = 0; i < 5; i++) {
      await worker.runAll()
      assert.equal((await f.left()).arquivos, 0)
      await f.makeAvailable(id)
    }
    const { status, message } = await jobOf(id)
    assert.deepEqual({ status, message }, { status: 'failed', message: 'Erro interno' })
    assert.equal(errors.length, 5)
    for (const error of errors) assert.match(String(error), /cannot determine type/)
    for (const encoder of encoders) await assert.rejects(encoder.finish(), /cannot determine type/)
  })
})
