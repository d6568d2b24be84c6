import type { Db } from '../../db/db.ts'
import { discardArquivo, storeArquivo, useArquivo } from '../arquivos/arquivos.ts'
import type { CellValue } from '../arquivos/csv.ts'
import type { JobApp } from '../jobs/job-app.ts'
import type { JobTask } from '../jobs/queue.ts'
import type { JobMessage } from '../jobs/texts/texts.ts'
import type { FileContent, FileFormat } from './content.ts'

/** File that an export makes. */
export interface ExportPlan {
  nome: string
  format: FileFormat
  /** Content of one snapshot; the header of some formats tells its number of rows. */
  open(tx: Db): Promise<FileContent>
  /** Audit entry of the export; format and number of rows are added. */
  auditEntry(): { acao: string; recurso: string; detalhes: Record<string, unknown> }
}

/** Ends an export without a file, with a message for its owner. */
export class ExportRefusal extends Error {
  readonly refusal: JobMessage

  constructor(refusal: JobMessage) {
    super(refusal.code)
    this.refusal = refusal
  }
}

const KEPT_MS = 24 * 3_600_000
/** Pause between two reports of progress. Each is a commit on the primary that a synchronous standby confirms; people look less often. */
const REPORT_MS = 1_000

/**
 * Writes rows into a stored file that its owner can download for a day. Reads one snapshot, so there are no checkpoints: a
 * crashed export starts over, on the primary.
 */
export async function exportRows(app: JobApp, task: JobTask, plan: ExportPlan): Promise<void> {
  const { format } = plan
  let rows = 0
  let reportAt = 0
  const again = task.job.tentativas > 1
  const arquivo = await app.reader.snapshot(store, { again }).catch(refused)
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
    const content = await plan.open(tx)
    const { total, colunas } = content
    const limite = format.maxRows?.(colunas) ?? Number.POSITIVE_INFINITY
    if (total > limite) throw new ExportRefusal({ code: 'TOO_MANY_ROWS', linhas: total, limite })
    return storeArquivo(app, format.encode({ ...content, blocks: counted(content.blocks, total) }))
  }

  async function* counted(
    blocks: AsyncIterable<CellValue[][]>,
    total: number,
  ): AsyncGenerator<CellValue[][]> {
    for await (const block of blocks) {
      task.proceed()
      rows += block.length
      yield block
      if (performance.now() < reportAt) continue
      await task.progress(total === 0 ? 0 : Math.min(99, (99 * rows) / total))
      reportAt = performance.now() + REPORT_MS
    }
    if (format.tellsTotal && rows !== total)
      throw new ExportRefusal({ code: 'TOTAL_DIFFERS', contadas: total, linhas: rows })
  }

  async function refused(error: unknown): Promise<null> {
    if (!(error instanceof ExportRefusal)) throw error
    await task.finish(app.db, { status: 'failed', message: error.refusal })
    return null
  }

  function record(tx: Db): Promise<void> {
    const { usuario_id, usuario_nome, id } = task.job
    const { detalhes, ...entry } = plan.auditEntry()
    return app.auditoria.record(tx, {
      ...entry,
      ator: usuario_id === null ? null : { id: usuario_id, nome: usuario_nome },
      origin: null,
      detalhes: { ...detalhes, linhas: rows, job_id: id },
    })
  }
}
