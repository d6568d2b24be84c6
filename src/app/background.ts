import { standbyConnection } from '../db/open.ts'
import { createAgendaDeAlertas } from '../domain/alertas/agenda.ts'
import type { App } from '../domain/app.ts'
import { createAgendaDeBoletins } from '../domain/boletins/vencidas.ts'
import { createAgendaDeDuplicidades } from '../domain/casos/duplicidades/agenda.ts'
import { createPublicacao } from '../domain/noticias/publicar.ts'
import { createWebhookWorker } from '../domain/webhooks/worker.ts'
import { abandonIn, runHere, runInProcess } from '../worker/run.ts'
import { createJobWorker, type JobWorker } from '../worker/worker.ts'
import type { Parts } from './parts.ts'

export type Background = ReturnType<typeof createBackground>

/** Work beside the requests; who serves starts and stops it. */
export function createBackground(app: App, parts: Parts) {
  const { log, tuning = {} } = parts
  const asking = (failure: string) => (error: unknown) => log.error({ err: error }, failure)
  return {
    jobWorker: createJobs(app, parts),
    webhookWorker: createWebhookWorker({
      app,
      ...(tuning.webhooks && { timing: tuning.webhooks }),
      onError: asking('webhooks cannot be delivered'),
    }),
    /** Asks for the computation of alerts when it is due. */
    agendaDeAlertas: createAgendaDeAlertas(app, asking('alerts cannot be asked for')),
    /** Asks for the comparison of changed cases. */
    agendaDeDuplicidades: createAgendaDeDuplicidades(
      app,
      asking('the comparison of cases cannot be asked for'),
    ),
    /** Runs due schedules of bulletins. */
    agendaDeBoletins: createAgendaDeBoletins(app, asking('schedules of bulletins cannot be run')),
    /** Tells of news whose day has come. */
    publicacao: createPublicacao(app, asking('news of today cannot be told of')),
  }
}

function createJobs(app: App, { config, dataKey, connection, log, tuning = {} }: Parts): JobWorker {
  const blocks = tuning.importBlock === undefined ? {} : { importBlock: tuning.importBlock }
  return createJobWorker({
    app,
    run: connection
      ? runInProcess(
          {
            connection,
            standby: standbyConnection(config),
            dataKey,
            municipios: app.municipios.all,
            territorioObrigatorio: config.territorioObrigatorio,
            duplicidadeDias: config.duplicidadeDias,
            ...blocks,
          },
          tuning.jobs,
        )
      : runHere({ ...app, ...blocks }),
    abandon: abandonIn(app),
    ...(tuning.jobs && { timings: tuning.jobs }),
    onError: (error, job) =>
      log.error(
        { err: error, job_id: job?.id, tipo: job?.tipo },
        job ? 'a job failed' : 'no job could be taken',
      ),
  })
}
