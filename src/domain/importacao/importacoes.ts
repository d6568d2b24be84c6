import { type Caller, holds, mayIdentify } from '../../caller/caller.ts'
import { arraysOf } from '../../caller/territorio.ts'
import type { Db } from '../../db/db.ts'
import { AppError, because } from '../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { useArquivo } from '../arquivos/arquivos.ts'
import { by } from '../auditoria/auditoria.ts'
import { versoesAtivas } from '../casos/agravos/registro.ts'
import { anyImportedOutside } from '../casos/bulk/bulk.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { enqueueJob, findEntrada } from '../jobs/jobs.ts'
import type { Trabalho } from '../jobs/texts/texts.ts'
import type { TextCheck } from './formats/encoding.ts'
import { FORMATOS, type Formato } from './formats/table.ts'
import {
  type Alvo,
  type BoundViewer,
  findImportacao,
  findImportacoes,
  type ImportacaoRow,
} from './importacoes.sql.ts'
import { LAYOUTS } from './layouts/layout.ts'
import type { ImportFile } from './upload.ts'

export {
  completeImportacao,
  findImportacao,
  insertImportacao,
  markDesfeita,
  placeImportacao,
} from './importacoes.sql.ts'

/** Imports as users see them: sent, listed, undone. The jobs themselves are in `import.ts` and `undo.ts`. */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria' | 'jobs' | 'municipios' | 'agravos'>
type Reading = Pick<App, 'db' | 'municipios'>
type Importer = Pick<Caller, 'id' | 'nome' | 'permissoes' | 'territorio' | 'holdsAll'>

export const MAX_IMPORT_BYTES = 2 * 1024 ** 3
export const MODOS = ['validar', 'importar'] as const

export interface ImportRequest {
  formato: Formato
  modo: (typeof MODOS)[number]
  ignorar_erros: boolean
  tipo_agravo: TipoAgravo | null
  /** Takes texts of fields that a disease has of its own; jobs of an earlier version lack it. */
  textos?: boolean
  arquivo_nome: string
}

/** Parameters stored with the job. */
export interface ImportParameters extends ImportRequest {
  arquivo_sha256: string
  arquivo_tamanho: number
  /** Jobs of an earlier version lack these. */
  arquivo_texto?: TextCheck
  identifica?: boolean
  /** The account may see statistics, and the result of its dry run holds some. */
  estatisticas?: boolean
  /** Version of each definition that rows are read by. */
  definicoes?: Record<string, number>
}

export const trabalhoOf = ({ modo }: Pick<ImportRequest, 'modo'>): Trabalho =>
  modo === 'validar' ? 'validacao' : 'importacao'

export async function requestImport(
  app: Needs,
  caller: Importer,
  arquivo: ImportFile,
  pedido: ImportRequest,
): Promise<string> {
  const id = await app.db.transaction(async (tx) => {
    await useArquivo(tx, arquivo.id)
    const parametros = {
      ...pedido,
      arquivo_sha256: arquivo.sha256.toString('hex'),
      arquivo_tamanho: arquivo.tamanho,
      arquivo_texto: arquivo.text,
      definicoes: versoesAtivas(app.agravos.vigentes()),
    }
    return enqueueImport(app, tx, caller, arquivo.id, parametros)
  })
  app.jobs.wake()
  return id
}

/** Import of the very file that a dry run of the caller read, as that read it: the file is not sent again. */
export async function requestValidated(
  app: Needs,
  caller: Importer,
  { validacao, ignorar_erros }: { validacao: string; ignorar_erros: boolean },
): Promise<string> {
  const id = await app.db.transaction(async (tx) => {
    const job = await findEntrada(tx, validacao)
    if (job === null || job.usuario_id !== caller.id) throw new AppError('NOT_FOUND')
    const parametros = job.parametros as unknown as ImportParameters
    if (job.tipo !== 'importacao' || parametros.modo !== 'validar') throw because('JOB_IS_NO_VALIDATION')
    if (job.status === 'processing') throw because('JOB_NOT_OVER')
    const { entrada_id, entrada_expira_em } = job
    if (entrada_id === null || entrada_expira_em === null || entrada_expira_em <= app.clock.now())
      throw because('JOB_FILE_EXPIRED')
    await useArquivo(tx, entrada_id)
    return enqueueImport(app, tx, caller, entrada_id, { ...parametros, modo: 'importar', ignorar_erros })
  })
  app.jobs.wake()
  return id
}

function enqueueImport(
  app: Needs,
  tx: Db,
  caller: Importer,
  arquivoId: string,
  pedido: Omit<ImportParameters, 'identifica' | 'estatisticas'>,
): Promise<string> {
  const identifica = mayIdentify(caller)
  const estatisticas = pedido.modo === 'validar' && holds(caller, 'agravos.estatisticas')
  const parametros: ImportParameters = { ...pedido, identifica, estatisticas }
  return enqueueJob(app, tx, caller, {
    tipo: 'importacao',
    trabalho: trabalhoOf(pedido),
    parametros: { ...parametros },
    // Rights by which the result reveals more: the job does not outlive them.
    permissoes: [
      'agravos.importar',
      ...(identifica ? (['agravos.identificar'] as const) : []),
      ...(estatisticas ? (['agravos.estatisticas'] as const) : []),
    ],
    arquivo: { id: arquivoId, tamanho: pedido.arquivo_tamanho },
  })
}

export const IMPORTACOES_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    usuario_id: { type: 'integer' },
    arquivo_nome: { type: 'text', plain: 'like' },
    formato: { type: 'text', operators: ['eq', 'ne', 'in'], values: FORMATOS },
    layout: { type: 'text', operators: ['eq', 'ne', 'in'], values: LAYOUTS },
    desfeita: { type: 'boolean' },
    total_linhas: { type: 'integer' },
    importados: { type: 'integer' },
    atualizados: { type: 'integer' },
    erros: { type: 'integer' },
    criado_em: { type: 'datetime' },
  },
  sortable: ['criado_em', 'id', 'arquivo_nome', 'total_linhas', 'importados', 'erros'],
  defaultSort: { field: 'criado_em', order: 'desc' },
}

/** An import as a caller may see it. */
export interface ImportacaoView extends Omit<ImportacaoRow, 'arquivo_sha256' | 'arquivo_tamanho'> {
  arquivo_sha256: Buffer | null
  arquivo_tamanho: number | null
}

export async function pageOfImportacoes(
  app: Reading,
  caller: Caller,
  list: ListQuery,
  alvo: Alvo = 'casos',
): Promise<Page<ImportacaoView>> {
  const page = await findImportacoes(app.db, list, viewerOf(app, caller), alvo)
  return { ...page, items: page.items.map((row) => seenBy(caller, row)) }
}

export async function getImportacao(
  app: Reading,
  caller: Caller,
  id: number,
  alvo: Alvo = 'casos',
): Promise<ImportacaoView> {
  const importacao = await findImportacao(app.db, id, viewerOf(app, caller), alvo)
  if (importacao === null) throw new AppError('NOT_FOUND')
  return seenBy(caller, importacao)
}

/** Bound callers do not see the imports of others that wrote no case inside. */
function viewerOf({ municipios }: Reading, { id, territorio }: Caller): BoundViewer | null {
  return territorio && { usuarioId: id, ...arraysOf(territorio, municipios) }
}

/**
 * Hides hash and size, which could confirm a guess at a short file's content, from all but its importer and identifying callers
 * without bounds: rows outside are part of the guess.
 */
function seenBy(caller: Caller, importacao: ImportacaoRow): ImportacaoView {
  const identifies = mayIdentify(caller) && caller.territorio === null
  if (importacao.usuario_id === caller.id || identifies) return importacao
  return { ...importacao, arquivo_sha256: null, arquivo_tamanho: null }
}

/** Undoes one's own import, or anybody's with the right to delete cases; wholly inside of the caller's territory. */
export async function requestUndo(app: Needs, caller: Caller, id: number, simular: boolean): Promise<string> {
  const importacao = await getImportacao(app, caller, id)
  const isOwn = importacao.usuario_id === caller.id
  if (!isOwn && !holds(caller, 'agravos.deletar'))
    throw new AppError('PERMISSION_DENIED', { required_permission: 'agravos.deletar' })
  if (importacao.desfeita_em !== null) throw new AppError('CONFLICT')
  const { territorio } = caller
  if (territorio && (await anyImportedOutside(app.db, id, { territorio, municipios: app.municipios })))
    throw new AppError('OUT_OF_TERRITORY')
  const job = await app.db.transaction(async (tx) => {
    const jobId = await enqueueJob(app, tx, caller, {
      tipo: 'desfazer_importacao',
      trabalho: simular ? 'simulacao' : 'desfazimento',
      parametros: { importacao_id: id, simular },
      permissoes: isOwn ? ['agravos.importar'] : ['agravos.importar', 'agravos.deletar'],
    })
    if (!simular)
      await app.auditoria.record(tx, {
        acao: 'importacao.desfazer',
        ...by(caller),
        recurso: 'importacao',
        recurso_id: id,
      })
    return jobId
  })
  app.jobs.wake()
  return job
}
