import type { Db } from '../../db/db.ts'
import type { Filter } from '../../filter.ts'
import { discardArquivo, storeArquivo, useArquivo } from '../arquivos/arquivos.ts'
import type { CellValue, FileColumn } from '../arquivos/csv.ts'
import type { JobApp } from '../jobs/job-app.ts'
import type { JobTask } from '../jobs/queue.ts'
import { encodeRows, FILE_TYPES, type FormatoDeExportacao } from './formats.ts'
import { MAX_ROWS } from './xlsx.ts'

export interface ExportRequest {
  formato: FormatoDeExportacao
  filter: Filter
}

interface ExportPlan {
  formato: FormatoDeExportacao
  colunas: readonly FileColumn[]
  nome: string
  total: number
  blocks(tx: Db): AsyncIterable<CellValue[][]>
  /** Audit entry of the export; the number of rows is added. */
  auditEntry: { acao: string; recurso: string; detalhes: Record<string, unknown> }
}

const KEPT_MS = 24 * 3_600_000

/**
 * Writes rows into a stored file that its owner can download for a day. Reads one snapshot, so there are no checkpoints: a
 * crashed export starts over.
 */
export async function exportRows(app: JobApp, task: JobTask, plan: ExportPlan): Promise<void> {
  const { formato, colunas, total, nome, auditEntry } = plan
  if (formato === 'xlsx' && total >= MAX_ROWS) {
    await task.finish(app.db, {
      status: 'failed',
      message: { code: 'TOO_MANY_ROWS', linhas: total, limite: MAX_ROWS - 1 },
    })
    return
  }
  let rows = 0
  const arquivo = await app.db.transaction((tx) =>
    storeArquivo(app, encodeRows(formato, colunas, counted(plan.blocks(tx)))),
  )
  try {
    await app.db.transaction(async (tx) => {
      await useArquivo(tx, arquivo.id)
      await task.finish(tx, {
        message: { code: 'COMPLETED', trabalho: 'exportacao', rejeitadas: 0 },
        resultado: { total_processados: rows, sucesso: rows, erros: 0, tamanho: arquivo.tamanho },
        arquivo: {
          id: arquivo.id,
          nome: `${nome}.${FILE_TYPES[formato].extension}`,
          tipo: FILE_TYPES[formato].tipo,
          expira_em: new Date(app.clock.now().getTime() + KEPT_MS),
        },
      })
      const { usuario_id, usuario_nome, id } = task.job
      await app.auditoria.record(tx, {
        ...auditEntry,
        ator: usuario_id === null ? null : { id: usuario_id, nome: usuario_nome },
        origin: null,
        detalhes: { ...auditEntry.detalhes, formato, linhas: rows, job_id: id },
      })
    })
  } catch (error) {
    await discardArquivo(app.db, arquivo.id)
    throw error
  }

  async function* counted(blocks: AsyncIterable<CellValue[][]>): AsyncGenerator<CellValue[][]> {
    for await (const block of blocks) {
      task.proceed()
      rows += block.length
      yield block
      await task.progress(total === 0 ? 0 : Math.min(99, (99 * rows) / total))
    }
  }
}
