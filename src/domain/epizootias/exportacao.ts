import { codigoDaSemana } from '../../brasil/epi-week.ts'
import type { Municipios } from '../../brasil/municipios.ts'
import { type Caller, holds } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import type { CellValue, FileColumn } from '../arquivos/csv.ts'
import type { Cipher } from '../cipher.ts'
import { exportRows } from '../exportacao/export.ts'
import { type ExportRequest, formatOf, toldFormat } from '../exportacao/formats.ts'
import type { JobApp } from '../jobs/job-app.ts'
import { enqueueJob } from '../jobs/jobs.ts'
import type { JobTask } from '../jobs/queue.ts'
import { territorioOf } from '../jobs/territorio.ts'
import type { CampoName } from './campos.ts'
import { openEpizootias, type SealedRow } from './epizootias.sql.ts'
import { epizootiaColumns, inside } from './filtros.sql.ts'
import { roughly } from './leitura.ts'
import { unseal } from './sigilo.ts'

/**
 * Events in animals as a file, in the columns of the own layout, so that it can be imported again. Files are passed on: the
 * observation and the exact spot are in identified ones alone, for those who may register.
 */

interface Contexto {
  identificado: boolean
  municipios: Municipios
  cipher: Cipher
}

interface Coluna {
  kind: FileColumn['kind']
  read(row: SealedRow, contexto: Contexto): CellValue
}

const column = (nome: Exclude<CampoName, 'observacao'>, kind: Coluna['kind']): Coluna => ({
  kind,
  read: (row) => row[nome],
})
const spot = (nome: 'latitude' | 'longitude'): Coluna => ({
  kind: 'number',
  read: ({ [nome]: degrees }, { identificado }) =>
    degrees === null || identificado ? degrees : roughly(degrees),
})
const moment = (nome: 'criado_em' | 'atualizado_em'): Coluna => ({
  kind: 'moment',
  read: (row) => row[nome].toISOString(),
})

const COLUNAS = {
  id: { kind: 'integer', read: ({ id }) => id },
  numero: column('numero', 'text'),
  data_ocorrencia: column('data_ocorrencia', 'date'),
  mes_ocorrencia: column('mes_ocorrencia', 'integer'),
  ano_ocorrencia: column('ano_ocorrencia', 'integer'),
  precisao_data: column('precisao_data', 'text'),
  semana: {
    kind: 'text',
    read: ({ data_ocorrencia }) => data_ocorrencia && codigoDaSemana(data_ocorrencia),
  },
  data_notificacao: column('data_notificacao', 'date'),
  municipio: { kind: 'text', read: ({ municipio }) => String(municipio) },
  municipio_nome: {
    kind: 'text',
    read: ({ municipio }, { municipios }) => municipios.byCodigo(municipio)?.nome ?? null,
  },
  estado: column('estado', 'text'),
  localidade: column('localidade', 'text'),
  zona: column('zona', 'text'),
  latitude: spot('latitude'),
  longitude: spot('longitude'),
  ambiente: column('ambiente', 'text'),
  especie_grupo: column('especie_grupo', 'text'),
  especie: column('especie', 'text'),
  animais_doentes: column('animais_doentes', 'integer'),
  animais_mortos: column('animais_mortos', 'integer'),
  suspeita: column('suspeita', 'text'),
  material_coletado: column('material_coletado', 'boolean'),
  data_coleta: column('data_coleta', 'date'),
  laboratorio_resultado: column('laboratorio_resultado', 'text'),
  classificacao: column('classificacao', 'text'),
  criterio: column('criterio', 'text'),
  data_encerramento: column('data_encerramento', 'date'),
  observacao: {
    kind: 'text',
    read: (row, { cipher, identificado }) => (identificado ? unseal(cipher, row) : null),
  },
  criado_em: moment('criado_em'),
  atualizado_em: moment('atualizado_em'),
} satisfies Record<string, Coluna>
export type ColunaDeEpizootia = keyof typeof COLUNAS
export const COLUNAS_DE_EPIZOOTIA = Object.keys(COLUNAS) as ColunaDeEpizootia[]
/** Column of identified exports alone. */
export const COLUNA_SIGILOSA: ColunaDeEpizootia = 'observacao'
export const FORMATOS_DE_EPIZOOTIAS = ['csv', 'xlsx', 'json', 'parquet'] as const

export interface ExportacaoDeEpizootias extends ExportRequest {
  colunas: ColunaDeEpizootia[] | null
  identificado: boolean
}

export async function requestExportEpizootias(
  app: Pick<App, 'db' | 'clock' | 'jobs'>,
  caller: Caller,
  request: ExportacaoDeEpizootias,
): Promise<string> {
  if (request.identificado && !holds(caller, 'epizootias.registrar'))
    throw new AppError('PERMISSION_DENIED', { required_permission: 'epizootias.registrar' })
  const id = await app.db.transaction((tx) =>
    enqueueJob(app, tx, caller, {
      tipo: 'exportacao_epizootias',
      trabalho: 'exportacao',
      parametros: { ...request },
      permissoes: ['epizootias.listar', ...(request.identificado ? (['epizootias.registrar'] as const) : [])],
    }),
  )
  app.jobs.wake()
  return id
}

export async function runExportEpizootias(app: JobApp, task: JobTask): Promise<void> {
  const request = task.job.parametros as unknown as ExportacaoDeEpizootias
  const { filter, identificado } = request
  const names =
    request.colunas ?? COLUNAS_DE_EPIZOOTIA.filter((nome) => identificado || nome !== COLUNA_SIGILOSA)
  const contexto: Contexto = { identificado, municipios: app.municipios, cipher: app.cipher }
  const only = inside(territorioOf(app, task.job))
  await exportRows(app, task, {
    nome: 'epizootias',
    format: formatOf(request),
    async open(tx) {
      const listing = { columns: epizootiaColumns(app.municipios), only }
      const { total, blocks } = await openEpizootias(tx, filter, listing)
      return {
        colunas: names.map((nome) => ({ nome, kind: COLUNAS[nome].kind })),
        total,
        blocks: cells(blocks),
        metadata: { filtro: JSON.stringify(filter), gerado_em: app.clock.now().toISOString() },
      }
    },
    auditEntry: () => ({
      acao: 'epizootias.exportadas',
      recurso: 'epizootia',
      detalhes: { filtro: filter, colunas: names, identificado, ...toldFormat(request) },
    }),
  })

  async function* cells(blocks: AsyncIterable<SealedRow[]>): AsyncGenerator<CellValue[][]> {
    for await (const block of blocks)
      yield block.map((row) => names.map((nome) => COLUNAS[nome].read(row, contexto)))
  }
}
