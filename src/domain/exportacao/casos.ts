import type { Caller } from '../../caller/caller.ts'
import type { Filter } from '../../filter.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { assertMayIdentify } from '../casos/reading/read.ts'
import { totalOfCasos, walkCasos } from '../casos/reading/walk.ts'
import { withinTerritorio } from '../casos/territorio.ts'
import type { CasoView } from '../casos/view.ts'
import type { JobApp } from '../jobs/job-app.ts'
import { enqueueJob } from '../jobs/jobs.ts'
import type { JobTask } from '../jobs/queue.ts'
import { territorioOf } from '../jobs/territorio.ts'
import { type CasosColumn, defaultColumns, rowOf, toFileColumn } from './columns.ts'
import { type ExportRequest, exportRows } from './export.ts'

export interface CasosExportRequest extends ExportRequest {
  colunas: CasosColumn[] | null
  identificado: boolean
}

/** An identified export reads the identity of all its cases, hence is recorded in the audit before it begins. */
export async function requestExportCasos(
  app: Pick<App, 'db' | 'clock' | 'auditoria' | 'jobs'>,
  caller: Caller,
  request: CasosExportRequest,
): Promise<string> {
  if (request.identificado) assertMayIdentify(caller)
  const id = await app.db.transaction(async (tx) => {
    const job = await enqueueJob(app, tx, caller, {
      tipo: 'exportacao_casos',
      trabalho: 'exportacao',
      parametros: { ...request },
      permissoes: request.identificado ? ['agravos.exportar', 'agravos.identificar'] : ['agravos.exportar'],
    })
    if (request.identificado)
      await app.auditoria.record(tx, {
        acao: 'caso.identificado',
        ...by(caller),
        recurso: 'caso',
        detalhes: { exportacao: job, filtro: request.filter },
      })
    return job
  })
  app.jobs.wake()
  return id
}

export async function runExportCasos(app: JobApp, task: JobTask): Promise<void> {
  const { formato, filter, colunas, identificado } = task.job.parametros as unknown as CasosExportRequest
  const names = colunas ?? defaultColumns(identificado)
  const asked = withinTerritorio(filter as Filter, { territorio: territorioOf(app, task.job) })
  const total = await totalOfCasos(app, app.db, asked)
  await exportRows(app, task, {
    formato,
    total,
    colunas: names.map(toFileColumn),
    nome: 'casos',
    blocks: (tx) => toRows(walkCasos(app, tx, asked, identificado)),
    auditEntry: {
      acao: 'casos.exportados',
      recurso: 'caso',
      detalhes: { filtro: filter, colunas: names, identificado },
    },
  })

  async function* toRows(casos: AsyncIterable<CasoView[]>) {
    for await (const block of casos) yield block.map((caso) => rowOf(caso, names, app.municipios))
  }
}
