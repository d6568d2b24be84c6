import { runExportCasos } from '../domain/exportacao/casos.ts'
import { runExportUsuarios } from '../domain/exportacao/usuarios.ts'
import { abandonImport, type JobApp, runImport } from '../domain/importacao/import.ts'
import { runUndo } from '../domain/importacao/undo.ts'
import type { TipoDeJob } from '../domain/jobs/jobs.ts'
import type { JobReservado } from '../domain/jobs/queue.sql.ts'
import { createTarefa, type Parada, type Tarefa } from '../domain/jobs/queue.ts'

interface Task {
  run(app: JobApp, tarefa: Tarefa): Promise<void>
  /** Takes away what a job that ended before its time left behind. */
  abandon?(app: Pick<JobApp, 'db'>, tarefa: Pick<Tarefa, 'job'>): Promise<void>
}

/** What each kind of job does. */
export const TASKS: Record<TipoDeJob, Task> = {
  importacao: { run: runImport, abandon: abandonImport },
  desfazer_importacao: { run: runUndo },
  exportacao_casos: { run: runExportCasos },
  exportacao_usuarios: { run: runExportUsuarios },
}

/** One job, from the look at its owner's rights to its end. */
export async function runTask(
  app: JobApp,
  job: JobReservado,
  worker: string,
  parada: Parada,
  step?: () => void,
): Promise<void> {
  const tarefa = createTarefa(app, job, worker, parada, step)
  await tarefa.authorise(app.db)
  await TASKS[job.tipo as TipoDeJob].run(app, tarefa)
}
