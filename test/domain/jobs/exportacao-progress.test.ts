import assert from 'node:assert/strict'
import { after, describe, it, mock } from 'node:test'
import { type ExportPlan, exportRows } from '../../../src/domain/exportacao/export.ts'
import { createJobTask } from '../../../src/domain/jobs/queue.ts'
import { queueApp } from './queue-app.ts'

/** How often an export tells how far it is: each time is a commit on the primary. */

const f = await queueApp()
const { app } = f.t
after(() => f.t.close())

const BLOCKS = 50
const MS_A_BLOCK = 100

describe('Progress of an export', () => {
  it('is reported at once and then once a second, however many blocks are written', async () => {
    const id = await f.enqueue()
    let now = 0
    const clock = mock.method(performance, 'now', () => now)
    const plan: ExportPlan = {
      nome: 'casos',
      format: {
        tipo: 'text/plain',
        extension: 'txt',
        async *encode({ blocks }) {
          for await (const rows of blocks) {
            now += MS_A_BLOCK
            yield Buffer.from(rows.flat().join(''))
          }
        },
      },
      open: async () => ({ colunas: [], blocks: blocksOfOne(), total: BLOCKS, metadata: {} }),
      auditEntry: () => ({ acao: 'exportar', recurso: 'casos', detalhes: {} }),
    }
    const reported: number[] = []
    await f
      .worker(async (job, worker, stop) => {
        const task = createJobTask(app, job, worker, stop)
        const progress = async (percent: number) => {
          reported.push(percent)
          await task.progress(percent)
        }
        await exportRows(app, { ...task, progress }, plan)
      })
      .runAll()
    clock.mock.restore()

    const { status } = await f.jobOf(id)
    assert.equal(status, 'completed')
    const share = (block: number) => (99 * block) / BLOCKS
    assert.deepEqual(reported, [1, 11, 21, 31, 41].map(share))
  })
})

async function* blocksOfOne() {
  for (let i = 0; i < BLOCKS; i++) yield [['x']]
}
