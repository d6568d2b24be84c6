import { undoImport } from '../casos/bulk/undo.ts'
import { foldInBulk } from '../casos/counters/counters.ts'
import { emit } from '../eventos/eventos.ts'
import type { JobApp } from '../jobs/job-app.ts'
import type { JobTask } from '../jobs/queue.ts'
import { territorioOf } from '../jobs/territorio.ts'
import { findImportacao, markDesfeita } from './importacoes.sql.ts'

/** Takes an import back, in one transaction. */
export async function runUndo(app: JobApp, task: JobTask): Promise<void> {
  const { importacao_id, simular } = task.job.parametros as { importacao_id: number; simular: boolean }
  await app.db.transaction(async (tx) => {
    const importacao = await findImportacao(tx, importacao_id)
    if (importacao === null || importacao.desfeita_em !== null) {
      await task.finish(tx, { status: 'failed', message: { code: 'ALREADY_UNDONE' } })
      return
    }
    const usuario = { id: task.job.usuario_id, nome: task.job.usuario_nome }
    const territorio = territorioOf(app, task.job)
    const done = await undoImport(app, tx, task, {
      importacaoId: importacao_id,
      simular,
      usuario,
      territorio,
    })
    if (done === 'outside') {
      await task.finish(tx, { status: 'failed', message: { code: 'NOT_PERMITTED' } })
      return
    }
    const { removidos, restaurados, total_mantidos } = done
    if (!simular) {
      const now = app.clock.now()
      await foldInBulk(tx)
      await markDesfeita(tx, importacao_id, task.job.usuario_nome, now)
      await emit(tx, [
        {
          tipo: 'importacao.desfeita',
          dono_id: importacao.usuario_id,
          chave: `importacao:${importacao_id}`,
          dados: {
            id: importacao_id,
            job_id: task.job.id,
            ...{ removidos, restaurados, mantidos: total_mantidos },
            alvo: 'casos',
          },
          em: now,
        },
      ])
    }
    await task.finish(tx, {
      message: { code: 'COMPLETED', trabalho: simular ? 'simulacao' : 'desfazimento', rejeitadas: 0 },
      resultado: {
        simular,
        importacao_id,
        total_processados: removidos + restaurados + total_mantidos,
        sucesso: removidos + restaurados,
        erros: 0,
        ...done,
      },
    })
  })
}
