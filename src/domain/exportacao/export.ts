import type { Db } from '../../db/db.ts'
import type { Filter } from '../../filter.ts'
import { discardArquivo, storeArquivo, useArquivo } from '../arquivos/arquivos.ts'
import type { CellValue, FileColumn } from '../arquivos/csv.ts'
import type { JobApp } from '../jobs/job-app.ts'
import type { JobTask } from '../jobs/queue.ts'
import { type Compactacao, type FormatoDeExportacao, formatOf } from './formats.ts'

export interface ExportRequest {
  formato: FormatoDeExportacao
  compactacao: Compactacao | null
  filter: Filter
}

interface ExportPlan {
  request: ExportRequest
  colunas: readonly FileColumn[]
  nome: string
  /** Facts for the file itself. */
  metadata?: Readonly<Record<string, string>>
  /** Number of rows; the header of some formats tells it, hence of the same snapshot as `blocks`. */
  total(tx: Db): Promise<number>
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
  const { formato, compactacao = null } = plan.request
  const format = formatOf(formato, compactacao)
  let rows = 0
  const arquivo = await app.db.snapshot(store)
  if (arquivo === null) return
  try {
    await app.db.transaction(async (tx) => {
      await useArquivo(tx, arquivo.id)
      await task.finish(tx, {
        message: { code: 'COMPLETED', trabalho: 'exportacao', rejeitadas: 0 },
        resultado: { total_processados: rows, sucesso: rows, erros: 0, tamanho: arquivo.tamanho },
        arquivo: {
          id: arquivo.id,
          nome: `${plan.nome}.${format.extension}`,
          tipo: format.tipo,
          expira_em: new Date(app.clock.now().getTime() + KEPT_MS),
        },
      })
      await record(tx)
    })
  } catch (error) {
    await discardArquivo(app.db, arquivo.id)
    throw error
  }

  async function store(tx: Db) {
    const { colunas, metadata = {} } = plan
    const total = await plan.total(tx)
    const limite = format.maxRows?.(colunas) ?? Number.POSITIVE_INFINITY
    if (total > limite) {
      await task.finish(app.db, {
        status: 'failed',
        message: { code: 'TOO_MANY_ROWS', linhas: total, limite },
      })
      return null
    }
    const blocks = counted(plan.blocks(tx), total)
    return storeArquivo(app, format.encode({ colunas, blocks, total, metadata }))
  }

  async function* counted(
    blocks: AsyncIterable<CellValue[][]>,
    total: number,
  ): AsyncGenerator<CellValue[][]> {
    for await (const block of blocks) {
      task.proceed()
      rows += block.length
      yield block
      await task.progress(total === 0 ? 0 : Math.min(99, (99 * rows) / total))
    }
  }

  function record(tx: Db): Promise<void> {
    const { usuario_id, usuario_nome, id } = task.job
    const { detalhes, ...entry } = plan.auditEntry
    return app.auditoria.record(tx, {
      ...entry,
      ator: usuario_id === null ? null : { id: usuario_id, nome: usuario_nome },
      origin: null,
      detalhes: { ...detalhes, formato, ...(compactacao && { compactacao }), linhas: rows, job_id: id },
    })
  }
}
