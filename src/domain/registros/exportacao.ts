import type { Caller } from '../../caller/caller.ts'
import type { Filter } from '../../filter.ts'
import type { App } from '../app.ts'
import type { CellValue } from '../arquivos/csv.ts'
import type { AuditoriaRow } from '../auditoria/auditoria.sql.ts'
import { openAuditoria } from '../auditoria/list.ts'
import { exportRows } from '../exportacao/export.ts'
import { type ExportRequest, formatOf, toldFormat } from '../exportacao/formats.ts'
import type { JobApp } from '../jobs/job-app.ts'
import { enqueueJob } from '../jobs/jobs.ts'
import type { JobTask } from '../jobs/queue.ts'
import { territorioOf } from '../jobs/territorio.ts'
import { readableBy } from './registros.ts'

/** Records of the audit as a file: those that its list shows the same account, in the order of the chain, with their seals. */

const COLUMNS = {
  id: ({ id }) => id,
  data: ({ data }) => data.toISOString(),
  ator_id: ({ ator_id }) => ator_id,
  ator_nome: ({ ator_nome }) => ator_nome,
  acao: ({ acao }) => acao,
  recurso: ({ recurso }) => recurso,
  recurso_id: ({ recurso_id }) => recurso_id,
  detalhes: ({ detalhes }) => JSON.stringify(detalhes),
  endereco_ip: ({ endereco_ip }) => endereco_ip,
  request_id: ({ request_id }) => request_id,
  hash: ({ hash }) => hash.toString('hex'),
} satisfies Record<string, (registro: AuditoriaRow) => CellValue>
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

export async function requestExportAuditoria(
  app: Pick<App, 'db' | 'clock' | 'jobs'>,
  caller: Caller,
  request: ExportRequest,
): Promise<string> {
  const id = await app.db.transaction((tx) =>
    enqueueJob(app, tx, caller, {
      tipo: 'exportacao_auditoria',
      trabalho: 'exportacao',
      parametros: { ...request },
      permissoes: ['auditoria.ver'],
    }),
  )
  app.jobs.wake()
  return id
}

export async function runExportAuditoria(app: JobApp, task: JobTask): Promise<void> {
  const request = task.job.parametros as unknown as ExportRequest
  const filter = request.filter as Filter
  const owner = { id: task.job.usuario_id ?? 0, territorio: territorioOf(app, task.job) }
  await exportRows(app, task, {
    nome: 'auditoria',
    format: formatOf(request),
    async open(tx) {
      const { total, blocks } = await openAuditoria(tx, filter, readableBy(owner, app.municipios))
      return {
        colunas: NAMES.map((nome) => ({ nome, kind: nome === 'data' ? 'moment' : 'text' })),
        total,
        blocks: cells(blocks),
        metadata: {},
      }
    },
    auditEntry: () => ({
      acao: 'auditoria.exportada',
      recurso: 'auditoria',
      detalhes: { filtro: filter, ...toldFormat(request) },
    }),
  })
}

async function* cells(blocks: AsyncIterable<AuditoriaRow[]>): AsyncGenerator<CellValue[][]> {
  for await (const block of blocks)
    yield block.map((registro) => NAMES.map((nome) => COLUMNS[nome](registro)))
}
