import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { discardArquivo, useArquivo } from '../arquivos/arquivos.ts'
import {
  changeExisting,
  closeLote,
  compare,
  type Importador,
  importedCount,
  insertNew,
  type Ocorrencia,
  pageOfOcorrencias,
} from '../casos/bulk/bulk.ts'
import { foldInBulk } from '../casos/counters/counters.ts'
import { emit } from '../eventos/eventos.ts'
import type { JobApp } from '../jobs/job-app.ts'
import type { JobTask } from '../jobs/queue.ts'
import { READ_PERCENT } from '../jobs/status.ts'
import type { JobMessage } from '../jobs/texts/texts.ts'
import { type CreateConversor, MAX_DETALHES } from './convert.ts'
import { InvalidFile } from './formats/table.ts'
import { completeImportacao, insertImportacao, listSameFile } from './importacoes.sql.ts'
import type { ParametrosDeImportacao } from './importacoes.ts'
import { REJECTED_FILE, storeRejected } from './rejeitados.ts'
import { type Preparado, prepare } from './stage.ts'

/**
 * An import, from the stored file to the result.
 *
 *   read and check (blocks; a crash goes on behind the last) ──► compare and store (one transaction, all or nothing)
 *                                                                       └── the result and the end of the job are part of it
 */

/** Imports may convert rows in other threads; tests keep fewer rejected rows and use shorter blocks. */
export type ImportApp = JobApp & {
  conversores?: CreateConversor
  keptRejected?: number
  importBlock?: number
}

const KEEP_REJECTED_MS = 30 * 86_400_000

export interface ResultadoDaImportacao extends Record<string, unknown> {
  modo: string
  total_linhas: number
  importados: number
  atualizados: number
  inalterados: number
  duplicados_no_arquivo: number
  erros: number
  avisos: number
  tempo_processamento: number
  erros_detalhados: { linha: number; numero_notificacao: string | null; erro: string }[]
  avisos_detalhados: { linha: number | null; numero_notificacao: string | null; aviso: string }[]
  arquivo: { nome: string; sha256: string; tamanho: number; formato: string; layout: string }
  importacao_id: number | null
}

/** What was made outside the transaction, and goes if that fails. */
interface Feito {
  rejeitados: { id: string } | null
}

export async function runImport(app: ImportApp, tarefa: JobTask): Promise<void> {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 10) / 100
  try {
    if (await finishUnchanged(app, tarefa, seconds)) return
    const preparado = await prepare(app, tarefa)
    await tarefa.progress(READ_PERCENT)
    const made: Feito = { rejeitados: null }
    try {
      await app.db.transaction((tx) => compareAndStore(app, tx, tarefa, preparado, made, seconds))
    } catch (error) {
      if (made.rejeitados !== null) await discardArquivo(app.db, made.rejeitados.id)
      throw error
    }
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error
    await tarefa.finish(app.db, {
      status: 'failed',
      message: { code: 'INVALID_FILE', motivo: error.message },
    })
  }
  await abandonImport(app, tarefa)
}

/** What an import leaves in the database while it works; the uploaded file goes with it. */
export async function abandonImport({ db }: Pick<App, 'db'>, { job }: Pick<JobTask, 'job'>): Promise<void> {
  await closeLote(db, job.numero)
  if (job.arquivo_id !== null) await discardArquivo(db, job.arquivo_id)
}

/**
 * The very same file again, and every row of it still stands as it was imported: nothing to read. Of somebody else's file
 * that is told only to those who may identify patients: a file of one row would be a guess at all it says.
 */
async function finishUnchanged(app: ImportApp, tarefa: JobTask, seconds: () => number): Promise<boolean> {
  const parametros = tarefa.job.parametros as unknown as ParametrosDeImportacao
  const sha256 = Buffer.from(parametros.arquivo_sha256, 'hex')
  const importador = importadorOf(tarefa)
  const by = importador.identifica ? 'anybody' : { usuarioId: importador.id }
  for (const earlier of await listSameFile(app.db, sha256, parametros.tipo_agravo, by)) {
    const { total_linhas } = earlier
    if ((await importedCount(app.db, earlier.id)) !== total_linhas) continue
    const { formato, layout, avisos } = earlier
    const numbers = {
      importados: 0,
      atualizados: 0,
      inalterados: total_linhas,
      duplicados_no_arquivo: 0,
      erros: 0,
    }
    await app.db.transaction(async (tx) => {
      const about = { formato, layout, total_linhas, avisos }
      const importacao_id =
        parametros.modo === 'importar'
          ? await registerImport(app, tx, tarefa, about, { ...numbers, avisos })
          : null
      const resultado: ResultadoDaImportacao = {
        modo: parametros.modo,
        total_linhas,
        ...numbers,
        avisos,
        tempo_processamento: seconds(),
        erros_detalhados: [],
        avisos_detalhados: [
          { linha: null, numero_notificacao: null, aviso: `Arquivo idêntico ao da importação ${earlier.id}` },
        ],
        arquivo: fileOf(parametros, { formato, layout }),
        importacao_id,
      }
      await tarefa.finish(tx, { message: messageOf(resultado), resultado })
    })
    await abandonImport(app, tarefa)
    return true
  }
  return false
}

async function compareAndStore(
  app: ImportApp,
  tx: Db,
  tarefa: JobTask,
  preparado: Preparado,
  made: Feito,
  seconds: () => number,
): Promise<void> {
  const parametros = tarefa.job.parametros as unknown as ParametrosDeImportacao
  const { layout, formato, linhas: total_linhas } = preparado
  const { numero } = tarefa.job
  const importador = importadorOf(tarefa)
  const regime = { presentes: layout.presentes, estrito: layout.nome === 'proprio', importador }
  const comparado = await compare(app, tx, tarefa, { numero, derivados: preparado.derivados, regime })
  await tarefa.progress(65)
  // First without writing: one bad row stops the import before anything is stored.
  const planned = await changeExisting(app, tx, tarefa, { numero, regime, autor: null })
  const erros = preparado.erros + planned.erros.length
  const avisos =
    preparado.avisos + preparado.avisosDoArquivo.length + planned.avisos.length + comparado.duplicados.length
  const refused = erros > 0 && !parametros.ignorar_erros
  const store = parametros.modo === 'importar' && !refused
  const numbers = {
    importados: comparado.novos,
    atualizados: planned.atualizados,
    inalterados: comparado.iguais + planned.inalterados,
    duplicados_no_arquivo: comparado.duplicados.length,
    erros,
    avisos,
  }
  let importacao_id: number | null = null
  if (store) {
    const about = { formato, layout: layout.nome, total_linhas, avisos }
    importacao_id = await registerImport(app, tx, tarefa, about, numbers)
    const autor = { importacao_id, usuario: authorOf(tarefa) }
    await changeExisting(app, tx, tarefa, { numero, regime, autor })
    await insertNew(app, tx, tarefa, { numero, autor }, { from: 66, to: 99 })
    await foldInBulk(tx)
  }
  const resultado: ResultadoDaImportacao = {
    modo: parametros.modo,
    total_linhas,
    ...numbers,
    ...(refused && { importados: 0, atualizados: 0 }),
    tempo_processamento: seconds(),
    erros_detalhados: await errorDetails(app, tarefa, planned.erros),
    avisos_detalhados: await warningDetails(app, tarefa, preparado, [
      ...planned.avisos,
      ...comparado.duplicados.map((one) => ({ ...one, texto: 'Repetido no arquivo; vale a última linha' })),
    ]),
    arquivo: fileOf(parametros, { formato, layout: layout.nome }),
    importacao_id,
  }
  const rejeitados = await storeRejected(app, tarefa, preparado, planned.erros)
  made.rejeitados = rejeitados
  if (rejeitados !== null) await useArquivo(tx, rejeitados.id)
  await tarefa.finish(tx, {
    status: refused && parametros.modo === 'importar' ? 'failed' : 'completed',
    message: messageOf(resultado, refused),
    resultado,
    arquivo: rejeitados && {
      id: rejeitados.id,
      ...REJECTED_FILE,
      expira_em: new Date(app.clock.now().getTime() + KEEP_REJECTED_MS),
    },
  })
}

/** Jobs of an earlier version do not say whether their account may identify patients. */
function importadorOf({ job }: JobTask): Importador {
  const { identifica = false } = job.parametros as unknown as ParametrosDeImportacao
  return { id: job.usuario_id, identifica }
}

const authorOf = ({ job }: JobTask) => ({ id: job.usuario_id, nome: job.usuario_nome })

const fileOf = (
  { arquivo_nome, arquivo_sha256, arquivo_tamanho }: ParametrosDeImportacao,
  { formato, layout }: { formato: string; layout: string },
) => ({ nome: arquivo_nome, sha256: arquivo_sha256, tamanho: arquivo_tamanho, formato, layout })

async function registerImport(
  app: ImportApp,
  tx: Db,
  tarefa: JobTask,
  about: { formato: string; layout: string; total_linhas: number; avisos: number },
  numbers: Parameters<typeof completeImportacao>[2],
): Promise<number> {
  const parametros = tarefa.job.parametros as unknown as ParametrosDeImportacao
  const id = await insertImportacao(tx, {
    job_id: tarefa.job.id,
    usuario_id: tarefa.job.usuario_id,
    usuario_nome: tarefa.job.usuario_nome,
    arquivo_nome: parametros.arquivo_nome,
    arquivo_sha256: Buffer.from(parametros.arquivo_sha256, 'hex'),
    arquivo_tamanho: parametros.arquivo_tamanho,
    tipo_agravo: parametros.tipo_agravo,
    erros: numbers.erros,
    criado_em: app.clock.now(),
    ...about,
  })
  await completeImportacao(tx, id, numbers)
  const { importados, atualizados, inalterados, erros } = numbers
  await emit(tx, [
    {
      tipo: 'importacao.concluida',
      chave: `importacao:${id}`,
      dados: {
        id,
        job_id: tarefa.job.id,
        total_linhas: about.total_linhas,
        ...{ importados, atualizados, inalterados, erros },
      },
      em: app.clock.now(),
    },
  ])
  return id
}

function messageOf({ modo, erros }: ResultadoDaImportacao, refused = false): JobMessage {
  const trabalho = modo === 'validar' ? 'validacao' : 'importacao'
  return refused
    ? { code: 'REFUSED', trabalho, linhas: erros }
    : { code: 'COMPLETED', trabalho, rejeitadas: erros }
}

async function errorDetails(app: ImportApp, { job }: JobTask, more: Ocorrencia[]) {
  const rows = await pageOfOcorrencias(app.db, job.numero, { erro: true, after: 0, size: MAX_DETALHES })
  return [
    ...rows.map(({ linha, numero, texto }) => ({ linha, numero_notificacao: numero, erro: texto })),
    ...more.map(({ linha, numero_notificacao, texto }) => ({ linha, numero_notificacao, erro: texto })),
  ]
    .sort((a, b) => a.linha - b.linha)
    .slice(0, MAX_DETALHES)
}

async function warningDetails(
  app: ImportApp,
  { job }: JobTask,
  { avisosDoArquivo }: Preparado,
  more: Ocorrencia[],
): Promise<ResultadoDaImportacao['avisos_detalhados']> {
  const rows = await pageOfOcorrencias(app.db, job.numero, { erro: false, after: 0, size: MAX_DETALHES })
  const ofFile = avisosDoArquivo.map(({ coluna, mensagem }) => ({
    linha: null,
    numero_notificacao: null,
    aviso: coluna === null ? mensagem : `${coluna}: ${mensagem}`,
  }))
  const ofRows = [
    ...rows.map(({ linha, numero, texto }) => ({ linha, numero_notificacao: numero, aviso: texto })),
    ...more.map(({ linha, numero_notificacao, texto }) => ({ linha, numero_notificacao, aviso: texto })),
  ].sort((a, b) => a.linha - b.linha)
  return [...ofFile, ...ofRows].slice(0, MAX_DETALHES)
}
