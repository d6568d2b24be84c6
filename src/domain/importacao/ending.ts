import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { emit } from '../eventos/eventos.ts'
import { keepNewestEntradas, releaseEntrada } from '../jobs/jobs.ts'
import type { JobTask } from '../jobs/queue.ts'
import { completeImportacao, insertImportacao } from './importacoes.sql.ts'
import type { NumerosDaImportacao } from './resultado.ts'
import { authorOf, parametersOf } from './task.ts'
import { KEEP_VALIDATED_MS } from './validacao.ts'

/** End of an import, within the transaction that stores it: its row, its event, its file and its job. */

type Needs = Pick<App, 'clock'>

export interface KeptInput {
  id: string
  expira_em: Date
}

/** Input file that a dry run leaves for its import; null for the import itself. */
export function keptInput({ clock }: Needs, task: JobTask): KeptInput | null {
  const { arquivo_id } = task.job
  if (parametersOf(task).modo !== 'validar' || arquivo_id === null) return null
  return { id: arquivo_id, expira_em: new Date(clock.now().getTime() + KEEP_VALIDATED_MS) }
}

/** Ends the job; of a dry run the file is kept, of an import that was stored it is not. */
export async function finishImport(
  tx: Db,
  task: JobTask,
  end: Parameters<JobTask['finish']>[1],
  { entrada, stored }: { entrada: KeptInput | null; stored: boolean },
): Promise<void> {
  const { arquivo_id, usuario_id } = task.job
  await task.finish(tx, { ...end, entrada })
  if (stored && arquivo_id !== null) await releaseEntrada(tx, arquivo_id)
  if (entrada !== null && usuario_id !== null) await keepNewestEntradas(tx, usuario_id)
}

export async function registerImport(
  { clock }: Needs,
  tx: Db,
  task: JobTask,
  about: { formato: string; layout: string; total_linhas: number },
  numbers: NumerosDaImportacao,
): Promise<number> {
  const { arquivo_nome, arquivo_sha256, arquivo_tamanho, tipo_agravo } = parametersOf(task)
  const { importados, atualizados, inalterados, erros, avisos } = numbers
  const author = authorOf(task)
  const id = await insertImportacao(tx, {
    job_id: task.job.id,
    usuario_id: author.id,
    usuario_nome: author.nome,
    arquivo_nome,
    arquivo_sha256: Buffer.from(arquivo_sha256, 'hex'),
    arquivo_tamanho,
    tipo_agravo,
    erros,
    avisos,
    criado_em: clock.now(),
    ...about,
  })
  await completeImportacao(tx, id, numbers)
  await emit(tx, [
    {
      tipo: 'importacao.concluida',
      dono_id: author.id,
      chave: `importacao:${id}`,
      dados: {
        id,
        job_id: task.job.id,
        total_linhas: about.total_linhas,
        ...{ importados, atualizados, inalterados, erros },
        alvo: 'casos',
      },
      em: clock.now(),
    },
  ])
  return id
}
