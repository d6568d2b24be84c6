import { type Caller, holds } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import type { CellValue, FileColumn } from '../arquivos/csv.ts'
import { by } from '../auditoria/auditoria.ts'
import { comValor } from '../casos/agravos/leitura.ts'
import { assertMayIdentify } from '../casos/reading/read.ts'
import { totalOfCasos, type WalkParts, walkCasos } from '../casos/reading/walk.ts'
import type { WalkedCaso } from '../casos/reading/walked.ts'
import { tiposOf } from '../casos/statistics/recorte.ts'
import { withinTerritorio } from '../casos/territorio.ts'
import type { JobApp } from '../jobs/job-app.ts'
import { enqueueJob } from '../jobs/jobs.ts'
import type { JobTask } from '../jobs/queue.ts'
import { territorioOf } from '../jobs/territorio.ts'
import {
  type CasosColumn,
  COLUNA_DE_TODOS,
  type ColunaPropria,
  colunasProprias,
  defaultColumns,
  isMoment,
  rowReader,
  toFileColumn,
} from './columns.ts'
import { exportRows } from './export.ts'
import { type ExportRequest, formatOf, toldFormat } from './formats.ts'
import type { CreateGroupEncoder } from './parquet-groups.ts'
import { type LayoutDeExportacao, sinanExport } from './sinan/layout.ts'

export interface CasosExportRequest extends ExportRequest {
  colunas: CasosColumn[] | null
  /** Layout of SINAN, in its formats only. */
  layout: LayoutDeExportacao | null
  identificado: boolean
  /** Cases that another one absorbed, too; in formats of SINAN only. */
  fundidos?: boolean
}

/** An identified export reads the identity of all its cases, hence is recorded in the audit before it begins. */
export async function requestExportCasos(
  app: Pick<App, 'db' | 'clock' | 'auditoria' | 'jobs'>,
  caller: Caller,
  request: CasosExportRequest,
): Promise<string> {
  if (request.identificado) assertMayIdentify(caller)
  if (request.fundidos && !holds(caller, 'agravos.duplicidades'))
    throw new AppError('PERMISSION_DENIED', { required_permission: 'agravos.duplicidades' })
  const id = await app.db.transaction(async (tx) => {
    const job = await enqueueJob(app, tx, caller, {
      tipo: 'exportacao_casos',
      trabalho: 'exportacao',
      parametros: { ...request },
      permissoes: [
        'agravos.exportar',
        ...(request.identificado ? (['agravos.identificar'] as const) : []),
        ...(request.fundidos ? (['agravos.duplicidades'] as const) : []),
      ],
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

/** Exports may encode Parquet in another thread. */
export type ExportApp = JobApp & { createEncoder?: CreateGroupEncoder }

export async function runExportCasos(app: ExportApp, task: JobTask): Promise<void> {
  const request = task.job.parametros as unknown as CasosExportRequest
  const { filter, identificado } = request
  const { createEncoder } = app
  const asked = withinTerritorio(filter, { territorio: territorioOf(app, task.job) })
  const { colunas, parts, rowOf, detalhes } = await tableOf(app, { ...request, filter: asked })
  const nivel = identificado ? 'identificado' : 'desidentificado'
  await exportRows(app, task, {
    nome: 'casos',
    format: formatOf(request),
    open: async (tx) => ({
      colunas,
      total: await totalOfCasos(app, tx, asked, parts),
      blocks: toRows(walkCasos(app, tx, asked, { identificado, ...parts })),
      metadata: { filtro: JSON.stringify(filter), gerado_em: app.clock.now().toISOString(), nivel },
      ...(createEncoder && { createEncoder }),
    }),
    auditEntry: () => ({
      acao: 'casos.exportados',
      recurso: 'caso',
      detalhes: { filtro: filter, ...detalhes, identificado, nivel, ...toldFormat(request) },
    }),
  })

  async function* toRows(casos: AsyncIterable<WalkedCaso[]>) {
    for await (const block of casos) yield block.map(rowOf)
  }
}

interface CasosTable {
  colunas: FileColumn[]
  parts: Omit<WalkParts, 'identificado'>
  rowOf(caso: WalkedCaso): CellValue[]
  /** Details for the audit. */
  detalhes: Record<string, unknown>
}

/** Columns and rows of an export: a layout of SINAN, or the fields that were asked for. */
async function tableOf(
  app: Pick<App, 'db' | 'municipios' | 'agravos'>,
  request: CasosExportRequest,
): Promise<CasosTable> {
  const { municipios } = app
  const { layout = null, identificado, fundidos = false } = request
  if (layout !== null) {
    const [tipo = ''] = tiposOf(request.filter, municipios)
    const agravo = app.agravos.vigentes().get(tipo)
    if (agravo === undefined) throw new Error(`an export of ${tipo}, which is no disease any more`)
    return {
      ...sinanExport(agravo, { layout, identificado, curto: request.formato !== 'csv_sinan' }, app),
      parts: { momentos: false, sinan: true, fundidos },
      detalhes: { layout, ...(fundidos && { fundidos }) },
    }
  }
  const names = request.colunas ?? defaultColumns(identificado)
  const proprias = request.colunas === null ? await propriasOf(app, request) : []
  const read = rowReader(names, municipios)
  return {
    colunas: [...names.map(toFileColumn), ...proprias.map(({ coluna }) => coluna)],
    parts: { momentos: names.some(isMoment), sinan: false, fundidos: false },
    rowOf: proprias.length === 0 ? read : (caso) => [...read(caso), ...proprias.map((one) => one.read(caso))],
    detalhes: { colunas: [...names, ...proprias.map(({ coluna }) => coluna.nome)] },
  }
}

/** Own fields of the one disease of an export; those of several are one column. */
async function propriasOf(
  app: Pick<App, 'db' | 'municipios' | 'agravos'>,
  { filter, identificado }: Pick<CasosExportRequest, 'filter' | 'identificado'>,
): Promise<ColunaPropria[]> {
  const { todos, get } = app.agravos.vigentes()
  const tipos = tiposOf(filter, app.municipios)
  const asked = tipos.length === 0 ? todos : tipos.flatMap((tipo) => get(tipo) ?? [])
  const [agravo, ...others] = asked.filter(({ proprios }) => proprios.length > 0)
  if (agravo === undefined) return []
  if (tipos.length !== 1 || others.length > 0) return [COLUNA_DE_TODOS]
  const retirados = agravo.proprios.filter(({ campo }) => !campo.ativo).map(({ nome }) => nome)
  return colunasProprias(agravo.proprios, {
    identificado,
    retirados: await comValor(app, retirados, filter),
  })
}
