import { loadPopulacao } from '../brasil/populacao.ts'
import { lazyEstruturaEtaria } from '../brasil/populacao-sexo-faixa.ts'
import { runAlertas } from '../domain/alertas/job.ts'
import { runBoletim } from '../domain/boletins/job.ts'
import { runDuplicidades } from '../domain/casos/duplicidades/pendentes.ts'
import { runVarredura } from '../domain/casos/duplicidades/varredura.ts'
import { runExportEpizootias } from '../domain/epizootias/exportacao.ts'
import { runUndoEpizootias } from '../domain/epizootias/importacao/desfazer.ts'
import { abandonEpizootias, runImportEpizootias } from '../domain/epizootias/importacao/importar.ts'
import { runExportCasos } from '../domain/exportacao/casos.ts'
import { runExtrato } from '../domain/exportacao/extrato/extrato.ts'
import { runExportUsuarios } from '../domain/exportacao/usuarios.ts'
import { abandonImport, runImport } from '../domain/importacao/import.ts'
import type { ImportApp } from '../domain/importacao/task.ts'
import { runUndo } from '../domain/importacao/undo.ts'
import type { TipoDeJob } from '../domain/jobs/jobs.ts'
import type { ClaimedJob, SystemJob } from '../domain/jobs/queue.sql.ts'
import { createJobTask, type JobTask, type StopRequest } from '../domain/jobs/queue.ts'
import { runExportAuditoria } from '../domain/registros/exportacao.ts'
import { runVerificacao } from '../domain/registros/verificacao.ts'
import { runUndoSeries } from '../domain/series/importacao/desfazer.ts'
import { abandonSeries, runImportSeries } from '../domain/series/importacao/importar.ts'

export interface JobKind {
  run(app: ImportApp, task: JobTask): Promise<void>
  /** Removes the leftovers of a job that was ended from outside. */
  abandon?(app: Pick<ImportApp, 'db'>, task: Pick<JobTask, 'job'>): Promise<void>
  /** It holds little longer than a block of rows: a small young generation is enough. */
  streams?: boolean
}

/** Implementation of each kind of job. */
const JOB_KINDS: Record<TipoDeJob | SystemJob, JobKind> = {
  importacao: { run: runImport, abandon: abandonImport },
  desfazer_importacao: { run: runUndo },
  importacao_series: { run: runImportSeries, abandon: abandonSeries },
  desfazer_series: { run: runUndoSeries },
  importacao_epizootias: { run: runImportEpizootias, abandon: abandonEpizootias },
  desfazer_epizootias: { run: runUndoEpizootias },
  exportacao_casos: { run: runExportCasos, streams: true },
  exportacao_usuarios: { run: runExportUsuarios, streams: true },
  exportacao_auditoria: { run: runExportAuditoria, streams: true },
  exportacao_epizootias: { run: runExportEpizootias, streams: true },
  extrato_casos: { run: runExtrato },
  // The population is read here: no other job needs it.
  boletim: {
    run: async (app, task) =>
      runBoletim({ ...app, populacao: await loadPopulacao(), estruturaEtaria: lazyEstruturaEtaria() }, task),
  },
  verificacao_auditoria: { run: runVerificacao },
  varredura_duplicidades: { run: runVarredura },
  duplicidades: { run: runDuplicidades },
  alertas: { run: async (app, task) => runAlertas({ ...app, populacao: await loadPopulacao() }, task) },
}

export const kindOf = ({ tipo }: Pick<ClaimedJob, 'tipo'>): JobKind =>
  JOB_KINDS[tipo as keyof typeof JOB_KINDS]

/** Runs one job, after checking the permissions of its owner. */
export async function runTask(
  app: ImportApp,
  job: ClaimedJob,
  worker: string,
  stop: StopRequest,
  step?: () => void,
): Promise<void> {
  const task = createJobTask(app, job, worker, stop, step)
  await task.authorise(app.db)
  await kindOf(job).run(app, task)
}
