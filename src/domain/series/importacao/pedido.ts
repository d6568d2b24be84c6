import { type Caller, holds } from '../../../caller/caller.ts'
import { AppError, invalid } from '../../../errors/catalogue.ts'
import type { App } from '../../app.ts'
import { useArquivo } from '../../arquivos/arquivos.ts'
import { by } from '../../auditoria/auditoria.ts'
import type { TextCheck } from '../../importacao/formats/encoding.ts'
import type { Formato } from '../../importacao/formats/table.ts'
import { getImportacao, type MODOS } from '../../importacao/importacoes.ts'
import type { ImportFile } from '../../importacao/upload.ts'
import { enqueueJob } from '../../jobs/jobs.ts'
import { listTouched } from '../blocos.sql.ts'
import { findCompactacao } from '../compactar.sql.ts'
import { isInside } from '../lugares.ts'
import type { Formulario } from './arquivo.ts'

/** Imports of series as users ask for them. The jobs are in `importar.ts` and `desfazer.ts`. */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria' | 'jobs' | 'municipios' | 'territorios'>

export interface PedidoDeSeries {
  modo: (typeof MODOS)[number]
  ignorar_erros: boolean
  formato: Formato | null
  arquivo_nome: string
  form: Formulario
}

/** Stored with the job. */
export interface ParametrosDeSeries extends PedidoDeSeries {
  arquivo_sha256: string
  arquivo_tamanho: number
  arquivo_texto: TextCheck
}

export async function requestImportSeries(
  app: Needs,
  caller: Caller,
  arquivo: ImportFile,
  pedido: PedidoDeSeries,
): Promise<string> {
  const id = await app.db.transaction(async (tx) => {
    await useArquivo(tx, arquivo.id)
    const parametros: ParametrosDeSeries = {
      ...pedido,
      arquivo_sha256: arquivo.sha256.toString('hex'),
      arquivo_tamanho: arquivo.tamanho,
      arquivo_texto: arquivo.text,
    }
    return enqueueJob(app, tx, caller, {
      tipo: 'importacao_series',
      trabalho: pedido.modo === 'validar' ? 'validacao' : 'importacao',
      parametros: { ...parametros },
      permissoes: ['series.importar'],
      arquivo: { id: arquivo.id, tamanho: arquivo.tamanho },
    })
  })
  app.jobs.wake()
  return id
}

/** One's own import, or anybody's with the right to define series; wholly inside of the caller's territory. */
export async function requestUndoSeries(
  app: Needs,
  caller: Caller,
  id: number,
  simular: boolean,
): Promise<string> {
  const importacao = await getImportacao(app, caller, id, 'series')
  const isOwn = importacao.usuario_id === caller.id
  if (!isOwn && !holds(caller, 'series.definir'))
    throw new AppError('PERMISSION_DENIED', { required_permission: 'series.definir' })
  if (importacao.desfeita_em !== null) throw new AppError('CONFLICT')
  const compactada = await findCompactacao(app.db)
  if (compactada !== null && importacao.criado_em < compactada)
    throw invalid('path', ['id'], 'BEFORE', { field: compactada.toISOString() })
  const { lugares } = await listTouched(app.db, id)
  if (!lugares.every((key) => isInside(app, caller.territorio, key))) throw new AppError('OUT_OF_TERRITORY')
  const job = await app.db.transaction(async (tx) => {
    const jobId = await enqueueJob(app, tx, caller, {
      tipo: 'desfazer_series',
      trabalho: simular ? 'simulacao' : 'desfazimento',
      parametros: { importacao_id: id, simular },
      permissoes: isOwn ? ['series.importar'] : ['series.importar', 'series.definir'],
    })
    if (!simular)
      await app.auditoria.record(tx, {
        acao: 'serie.importacao_desfazer',
        ...by(caller),
        recurso: 'importacao',
        recurso_id: id,
      })
    return jobId
  })
  app.jobs.wake()
  return job
}
