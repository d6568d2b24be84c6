import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { CellValue, FileColumn } from '../../../src/domain/arquivos/csv.ts'
import { type ExportPlan, exportRows } from '../../../src/domain/exportacao/export.ts'
import { FORMATS, type FormatoDeExportacao } from '../../../src/domain/exportacao/formats.ts'
import { maxDbfRows } from '../../../src/domain/exportacao/sinan/dbf.ts'
import { createJobTask } from '../../../src/domain/jobs/queue.ts'
import { queueApp } from './queue-app.ts'

/** Rows that an export has, was told to have, and may have. */

const f = await queueApp()
const { app } = f.t
after(() => f.t.close())
beforeEach(() => f.emptyQueue())

const colunas: FileColumn[] = [{ nome: 'ID_AGRAVO', kind: 'text', width: 5 }]

async function* rowsOf(rows: number): AsyncGenerator<CellValue[][]> {
  for (let i = 0; i < rows; i++) yield [['A90']]
}

/** An export of so many rows to its end; `total` is what its counters say. */
async function exported(formato: FormatoDeExportacao, { total, rows }: { total: number; rows: number }) {
  const id = await f.enqueue()
  const plan: ExportPlan = {
    nome: 'casos',
    format: FORMATS[formato],
    open: async () => ({ colunas, blocks: rowsOf(rows), total, metadata: {} }),
    auditEntry: () => ({ acao: 'casos.exportados', recurso: 'caso', detalhes: {} }),
  }
  await f.worker((job, worker, stop) => exportRows(app, createJobTask(app, job, worker, stop), plan)).runAll()
  const { status, body } = await f.t.as(f.gestor).get(`/jobs/${id}`)
  assert.equal(status, 200)
  return body
}

const kept = () =>
  f.pool.first(sql`
    select (select count(*) from arquivos) as arquivos,
           (select count(*) from auditoria where acao = 'casos.exportados') as exportados`)

describe('An export whose rows are not those that were counted', () => {
  for (const formato of ['dbf', 'dbc'] as const)
    for (const [total, rows] of [
      [3, 2],
      [3, 4],
      [0, 1],
    ] as const)
      it(`as ${formato} with ${rows} rows for ${total} fails with a message and leaves no file: its header would lie`, async () => {
        const before = await kept()
        const { status, codigo, message } = await exported(formato, { total, rows })
        assert.deepEqual([status, codigo], ['failed', 'TOTAL_DIFFERS'])
        assert.match(message, new RegExp(`diria ${total} linhas, e foram lidas ${rows}`))
        assert.deepEqual(await kept(), before)
      })

  for (const formato of ['csv', 'csv_sinan', 'xlsx', 'json', 'parquet'] as const)
    it(`as ${formato} is written as it was read: nothing in it tells the number`, async () => {
      const { status, result } = await exported(formato, { total: 3, rows: 2 })
      assert.deepEqual([status, result.sucesso], ['completed', 2])
    })
})

describe('An export of more rows than its file can have', () => {
  for (const [formato, most] of [
    ['dbf', maxDbfRows(colunas)],
    ['dbc', maxDbfRows(colunas)],
    ['xlsx', 1_048_575],
  ] as const)
    it(`as ${formato} fails with the limit in its message, before a row is read`, async () => {
      const before = await kept()
      const { status, codigo, message } = await exported(formato, { total: most + 1, rows: 1 })
      assert.deepEqual([status, codigo], ['failed', 'TOO_MANY_ROWS'])
      assert.match(message, new RegExp(`${most + 1} linhas, e o arquivo comporta ${most}`))
      assert.deepEqual(await kept(), before)
    })

  it('as csv has no limit', async () => {
    assert.equal((await exported('csv', { total: 10 ** 9, rows: 1 })).status, 'completed')
  })
})

describe('Rows of a DBF', () => {
  /** One header of 32 bytes and one for each column, an end of columns, an end of the file. */
  const bytesOf = (rows: number, widths: number[]) =>
    32 + 32 * widths.length + 1 + rows * widths.reduce((sum, width) => sum + width, 1) + 1

  it('are as many as fit in 2 GiB less a byte, whatever the columns', () => {
    for (const widths of [[1], [5], [40, 8, 70], Array.from({ length: 121 }, (_, i) => 1 + (i % 9))]) {
      const most = maxDbfRows(widths.map((width, i) => ({ nome: `C${i}`, kind: 'text', width })))
      assert.ok(bytesOf(most, widths) <= 2 ** 31 - 1, `${most} rows of ${widths.length} columns`)
      assert.ok(bytesOf(most + 1, widths) > 2 ** 31 - 1, `${most + 1} rows of ${widths.length} columns`)
    }
  })
})
