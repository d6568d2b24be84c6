import type { Db } from '../../db/db.ts'
import type { Filter } from '../../filter.ts'
import { discardArquivo, storeArquivo, useArquivo } from '../arquivos/arquivos.ts'
import type { Celula, ColunaDeArquivo } from '../arquivos/csv.ts'
import type { JobApp } from '../importacao/import.ts'
import type { Tarefa } from '../jobs/queue.ts'
import { encodeRows, type FormatoDeExportacao, TIPOS } from './formats.ts'
import { MAX_ROWS } from './xlsx.ts'

export interface Pedido {
  formato: FormatoDeExportacao
  filter: Filter
}

interface Exportacao {
  formato: FormatoDeExportacao
  colunas: readonly ColunaDeArquivo[]
  nome: string
  total: number
  blocos(tx: Db): AsyncIterable<Celula[][]>
  /** What the audit says of it; the number of rows is added. */
  registro: { acao: string; recurso: string; detalhes: Record<string, unknown> }
}

const KEPT_MS = 24 * 3_600_000

/** Rows → a file that its owner can fetch for a day. One snapshot; a crash begins anew. */
export async function exportRows(app: JobApp, tarefa: Tarefa, exportacao: Exportacao): Promise<void> {
  const { formato, colunas, total, nome, registro } = exportacao
  if (formato === 'xlsx' && total >= MAX_ROWS) {
    await tarefa.finish(app.db, {
      status: 'failed',
      message: { code: 'TOO_MANY_ROWS', linhas: total, limite: MAX_ROWS - 1 },
    })
    return
  }
  let linhas = 0
  const arquivo = await app.db.transaction((tx) =>
    storeArquivo(app, encodeRows(formato, colunas, counted(exportacao.blocos(tx)))),
  )
  try {
    await app.db.transaction(async (tx) => {
      await useArquivo(tx, arquivo.id)
      await tarefa.finish(tx, {
        message: { code: 'COMPLETED', trabalho: 'exportacao', rejeitadas: 0 },
        resultado: { total_processados: linhas, sucesso: linhas, erros: 0, tamanho: arquivo.tamanho },
        arquivo: {
          id: arquivo.id,
          nome: `${nome}.${TIPOS[formato].extensao}`,
          tipo: TIPOS[formato].tipo,
          expira_em: new Date(app.clock.now().getTime() + KEPT_MS),
        },
      })
      const { usuario_id, usuario_nome, id } = tarefa.job
      await app.auditoria.record(tx, {
        ...registro,
        ator: usuario_id === null ? null : { id: usuario_id, nome: usuario_nome },
        origin: null,
        detalhes: { ...registro.detalhes, formato, linhas, job_id: id },
      })
    })
  } catch (error) {
    await discardArquivo(app.db, arquivo.id)
    throw error
  }

  async function* counted(blocos: AsyncIterable<Celula[][]>): AsyncGenerator<Celula[][]> {
    for await (const bloco of blocos) {
      tarefa.proceed()
      linhas += bloco.length
      yield bloco
      await tarefa.progress(total === 0 ? 0 : Math.min(99, (99 * linhas) / total))
    }
  }
}
