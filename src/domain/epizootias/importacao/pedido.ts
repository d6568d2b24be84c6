import { type Caller, holds } from '../../../caller/caller.ts'
import { covers } from '../../../caller/territorio.ts'
import { AppError } from '../../../errors/catalogue.ts'
import type { App } from '../../app.ts'
import { useArquivo } from '../../arquivos/arquivos.ts'
import { by } from '../../auditoria/auditoria.ts'
import type { TextCheck } from '../../importacao/formats/encoding.ts'
import type { Formato } from '../../importacao/formats/table.ts'
import { getImportacao, type MODOS } from '../../importacao/importacoes.ts'
import type { ImportFile } from '../../importacao/upload.ts'
import { enqueueJob } from '../../jobs/jobs.ts'
import { listTouchedPlaces } from './importar.sql.ts'

/** Imports of events as users ask for them. The jobs are in `importar.ts` and `desfazer.ts`. */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria' | 'jobs' | 'municipios'>

export interface PedidoDeEpizootias {
  modo: (typeof MODOS)[number]
  ignorar_erros: boolean
  formato: Formato | null
  arquivo_nome: string
}

/** Stored with the job. */
export interface ParametrosDeEpizootias extends PedidoDeEpizootias {
  arquivo_sha256: string
  arquivo_tamanho: number
  arquivo_texto: TextCheck
}

export async function requestImportEpizootias(
  app: Needs,
  caller: Caller,
  arquivo: ImportFile,
  pedido: PedidoDeEpizootias,
): Promise<string> {
  const id = await app.db.transaction(async (tx) => {
    await useArquivo(tx, arquivo.id)
    const { sha256, tamanho, text } = arquivo
    const parametros: ParametrosDeEpizootias = {
      ...pedido,
      ...{ arquivo_sha256: sha256.toString('hex'), arquivo_tamanho: tamanho, arquivo_texto: text },
    }
    return enqueueJob(app, tx, caller, {
      tipo: 'importacao_epizootias',
      trabalho: pedido.modo === 'validar' ? 'validacao' : 'importacao',
      parametros: { ...parametros },
      permissoes: ['epizootias.registrar'],
      arquivo: { id: arquivo.id, tamanho },
    })
  })
  app.jobs.wake()
  return id
}

/** One's own import, or anybody's with the right to delete events; wholly inside of the caller's territory. */
export async function requestUndoEpizootias(
  app: Needs,
  caller: Caller,
  id: number,
  simular: boolean,
): Promise<string> {
  const importacao = await getImportacao(app, caller, id, 'epizootias')
  const isOwn = importacao.usuario_id === caller.id
  if (!isOwn && !holds(caller, 'epizootias.deletar'))
    throw new AppError('PERMISSION_DENIED', { required_permission: 'epizootias.deletar' })
  if (importacao.desfeita_em !== null) throw new AppError('CONFLICT')
  const places = await listTouchedPlaces(app.db, id)
  if (!places.every((place) => covers(caller.territorio, place))) throw new AppError('OUT_OF_TERRITORY')
  const job = await app.db.transaction(async (tx) => {
    const jobId = await enqueueJob(app, tx, caller, {
      tipo: 'desfazer_epizootias',
      trabalho: simular ? 'simulacao' : 'desfazimento',
      parametros: { importacao_id: id, simular },
      permissoes: isOwn ? ['epizootias.registrar'] : ['epizootias.registrar', 'epizootias.deletar'],
    })
    if (!simular)
      await app.auditoria.record(tx, {
        acao: 'epizootia.importacao_desfazer',
        ...by(caller),
        recurso: 'importacao',
        recurso_id: id,
      })
    return jobId
  })
  app.jobs.wake()
  return job
}
