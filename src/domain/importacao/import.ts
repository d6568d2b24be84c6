import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { discardArquivo, useArquivo } from '../arquivos/arquivos.ts'
import { fixedAgravos, loadVigentes, versoesAtivas } from '../casos/agravos/registro.ts'
import {
  changeExisting,
  closeStaging,
  compare,
  countImported,
  insertNew,
  type Ocorrencia,
  pageOfOcorrencias,
  placesOfImported,
} from '../casos/bulk/bulk.ts'
import { effectScope } from '../casos/bulk/efeito.ts'
import type { Importer } from '../casos/bulk/merge.ts'
import { foldInBulk } from '../casos/counters/counters.ts'
import { followImport } from '../casos/duplicidades/pendentes.ts'
import { emit } from '../eventos/eventos.ts'
import type { JobApp } from '../jobs/job-app.ts'
import { discardEntrada, keepNewestEntradas, releaseEntrada } from '../jobs/jobs.ts'
import type { JobTask } from '../jobs/queue.ts'
import { READ_PERCENT } from '../jobs/status.ts'
import { territorioOf } from '../jobs/territorio.ts'
import type { JobMessage } from '../jobs/texts/texts.ts'
import { type CreateConverter, MAX_DETAILS } from './convert.ts'
import { InvalidFile } from './formats/table.ts'
import { completeImportacao, insertImportacao, listSameFile, placeImportacao } from './importacoes.sql.ts'
import type { ImportParameters } from './importacoes.ts'
import { REJECTED_FILE, storeRejected } from './rejeitados.ts'
import { lookAtFile, type StagedFile, stageFile } from './stage.ts'
import { KEEP_VALIDATED_MS, unchangedValidation, validationOf } from './validacao.ts'

/**
 * An import, from the stored file to the result.
 *
 *   read and check (blocks; a crash goes on behind the last) ──► compare and store (one transaction, all or nothing)
 *                                                                       └── the result and the end of the job are part of it
 */

/** Imports may convert rows in other threads; tests keep fewer rejected rows and use shorter blocks. */
export type ImportApp = JobApp & {
  createConverter?: CreateConverter
  keptRejected?: number
  importBlock?: number
}

const KEEP_REJECTED_MS = 30 * 86_400_000

/** With the members of `Validacao` where it is a dry run. */
export interface ResultadoDaImportacao extends Record<string, unknown> {
  modo: string
  total_linhas: number
  importados: number
  atualizados: number
  inalterados: number
  /** Lines about cases that another case absorbed. */
  fundidos: number
  duplicados_no_arquivo: number
  erros: number
  avisos: number
  tempo_processamento: number
  erros_detalhados: { linha: number; numero_notificacao: string | null; erro: string }[]
  avisos_detalhados: { linha: number | null; numero_notificacao: string | null; aviso: string }[]
  arquivo: { nome: string; sha256: string; tamanho: number; formato: string; layout: string }
  importacao_id: number | null
  /** The import of the very same file, where that was recognised without reading it. */
  identico_a?: number
  /** Undecided pairs of its cases, added once they were compared. */
  duplicidades?: { quase_certas: number; provaveis: number; possiveis: number }
}

/** Made outside the transaction, and discarded when that fails. */
interface SideEffects {
  rejeitados: { id: string } | null
}

/** The service with the definitions that were in force when the import was asked for. */
async function withDefinicoes(app: ImportApp, { job }: JobTask): Promise<ImportApp> {
  const { definicoes } = job.parametros as unknown as ImportParameters
  if (definicoes === undefined) return app
  return { ...app, agravos: fixedAgravos(await loadVigentes(app.db, definicoes)) }
}

export async function runImport(given: ImportApp, task: JobTask): Promise<void> {
  const app = await withDefinicoes(given, task)
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 10) / 100
  try {
    if (await finishUnchanged(app, task, seconds)) return
    const staged = await stageFile(app, task)
    await task.progress(READ_PERCENT)
    const made: SideEffects = { rejeitados: null }
    try {
      await app.db.transaction((tx) => compareAndStore(app, tx, task, staged, made, seconds))
    } catch (error) {
      if (made.rejeitados !== null) await discardArquivo(app.db, made.rejeitados.id)
      throw error
    }
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error
    await task.finish(app.db, {
      status: 'failed',
      message: { code: error.code, motivo: error.message },
    })
  }
  await abandonImport(app, task)
}

/** Removes the staging tables and the uploaded file, unless that is kept for the import of what was validated. */
export async function abandonImport({ db }: Pick<App, 'db'>, { job }: Pick<JobTask, 'job'>): Promise<void> {
  await closeStaging(db, job.numero)
  if (job.arquivo_id !== null) await discardEntrada(db, job.arquivo_id, job.id)
}

/** Input file that a dry run leaves for its import; null for the import itself. */
function keptInput({ clock }: Pick<App, 'clock'>, { job }: JobTask): { id: string; expira_em: Date } | null {
  const { modo } = job.parametros as unknown as ImportParameters
  if (modo !== 'validar' || job.arquivo_id === null) return null
  return { id: job.arquivo_id, expira_em: new Date(clock.now().getTime() + KEEP_VALIDATED_MS) }
}

/** Ends the job; of a dry run the file is kept, of an import that was stored it is not. */
async function finishImport(
  tx: Db,
  task: JobTask,
  end: Parameters<JobTask['finish']>[1],
  { entrada, stored }: { entrada: { id: string; expira_em: Date } | null; stored: boolean },
): Promise<void> {
  const { arquivo_id, usuario_id } = task.job
  await task.finish(tx, { ...end, entrada })
  if (stored && arquivo_id !== null) await releaseEntrada(tx, arquivo_id)
  if (entrada !== null && usuario_id !== null) await keepNewestEntradas(tx, usuario_id)
}

/**
 * Shortcut for the very same file again, while all its rows still stand as imported: nothing is read. Somebody else's file
 * counts only for importers who may identify patients: a file of one row would be a guess at all it says. Not for bound
 * importers: rows of the file may be outside by now.
 */
async function finishUnchanged(app: ImportApp, task: JobTask, seconds: () => number): Promise<boolean> {
  const parametros = task.job.parametros as unknown as ImportParameters
  const sha256 = Buffer.from(parametros.arquivo_sha256, 'hex')
  const importer = importerOf(app, task)
  if (importer.territorio !== null) return false
  const by = importer.identifies ? 'anybody' : { usuarioId: importer.id }
  const { tipo_agravo, textos = false } = parametros
  const reading = { tipo_agravo, textos, definicoes: versoesAtivas(app.agravos.vigentes()) }
  for (const earlier of await listSameFile(app.db, sha256, reading, by)) {
    const { total_linhas } = earlier
    if ((await countImported(app.db, earlier.id)) !== total_linhas) continue
    const { formato, layout, avisos } = earlier
    const numbers = {
      importados: 0,
      atualizados: 0,
      inalterados: total_linhas,
      fundidos: 0,
      duplicados_no_arquivo: 0,
      erros: 0,
    }
    const entrada = keptInput(app, task)
    const look = entrada && unchangedValidation(await lookAtFile(app, task), parametros, entrada.expira_em)
    await app.db.transaction(async (tx) => {
      const about = { formato, layout, total_linhas, avisos }
      const importacao_id =
        parametros.modo === 'importar'
          ? await registerImport(app, tx, task, about, { ...numbers, avisos })
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
        identico_a: earlier.id,
        ...look,
      }
      const stored = importacao_id !== null
      await finishImport(tx, task, { message: messageOf(resultado), resultado }, { entrada, stored })
    })
    await abandonImport(app, task)
    return true
  }
  return false
}

async function compareAndStore(
  app: ImportApp,
  tx: Db,
  task: JobTask,
  read: StagedFile,
  made: SideEffects,
  seconds: () => number,
): Promise<void> {
  const parametros = task.job.parametros as unknown as ImportParameters
  const { layout, formato, linhas: total_linhas } = read
  const { numero } = task.job
  const importer = importerOf(app, task)
  const { fields } = layout
  const rules = { fields, fieldsOf: layout.fieldsOf, strict: layout.nome === 'proprio', importer }
  const comparison = await compare(app, tx, task, { numero, derivados: read.derived, rules })
  const staged = withParecidos(read, comparison.parecidos)
  await task.progress(65)
  // Dry run first: one bad row stops the import before anything is stored.
  const entrada = keptInput(app, task)
  const scope = parametros.estatisticas ? await effectScope(tx, numero, importer.territorio) : null
  const planned = await changeExisting(app, tx, task, {
    numero,
    rules,
    author: null,
    onChange: (before, after) => scope?.changes.move(before, after),
  })
  const refusedLines = [...comparison.fora, ...planned.erros].sort((a, b) => a.linha - b.linha)
  const erros = staged.errors + refusedLines.length
  const avisos =
    staged.warnings +
    staged.fileWarnings.length +
    planned.avisos.length +
    planned.divergentes.length +
    comparison.duplicados.length
  const refused = erros > 0 && !parametros.ignorar_erros
  const store = parametros.modo === 'importar' && !refused
  const numbers = {
    importados: comparison.novos,
    atualizados: planned.atualizados,
    inalterados: comparison.unchanged + planned.inalterados,
    fundidos: comparison.fundidos + planned.fundidos,
    duplicados_no_arquivo: comparison.duplicados.length,
    erros,
    avisos,
  }
  let importacao_id: number | null = null
  if (store) {
    const about = { formato, layout: layout.nome, total_linhas, avisos }
    importacao_id = await registerImport(app, tx, task, about, numbers)
    const author = { importacao_id, usuario: authorOf(task) }
    await changeExisting(app, tx, task, { numero, rules, author })
    await insertNew(app, tx, task, { numero, author }, { from: 66, to: 99 })
    await placeImportacao(tx, importacao_id, await placesOfImported(tx, importacao_id))
    await foldInBulk(tx)
    // Others could send a guess at a name and watch the number.
    if (importer.identifies) await followImport(tx, { importacao_id, job_id: task.job.id })
  }
  const resultado: ResultadoDaImportacao = {
    modo: parametros.modo,
    total_linhas,
    ...numbers,
    ...(refused && { importados: 0, atualizados: 0 }),
    tempo_processamento: seconds(),
    erros_detalhados: await errorDetails(app, task, refusedLines),
    avisos_detalhados: await warningDetails(app, task, staged, [
      ...planned.avisos,
      ...planned.divergentes,
      ...comparison.duplicados.map((one) => ({
        ...one,
        texto: 'Repetido no arquivo; vale a última linha',
        problems: [],
      })),
    ]),
    arquivo: fileOf(parametros, { formato, layout: layout.nome }),
    importacao_id,
    ...(entrada &&
      (await validationOf(
        tx,
        numero,
        {
          staged,
          refused: refusedLines,
          warned: planned.avisos,
          duplicados: comparison.duplicados,
          divergentes: planned.divergentes,
          scope,
        },
        entrada.expira_em,
      ))),
  }
  const rejeitados = await storeRejected(app, task, staged, refusedLines)
  made.rejeitados = rejeitados
  if (rejeitados !== null) await useArquivo(tx, rejeitados.id)
  const end = {
    status: refused && parametros.modo === 'importar' ? ('failed' as const) : ('completed' as const),
    message: messageOf(resultado, refused),
    resultado,
    arquivo: rejeitados && {
      id: rejeitados.id,
      ...REJECTED_FILE,
      expira_em: new Date(app.clock.now().getTime() + KEEP_REJECTED_MS),
    },
  }
  await finishImport(tx, task, end, { entrada, stored: store })
}

/** Warning of the file: some of its lines may be cases that are stored under their number. */
function withParecidos(staged: StagedFile, parecidos: number): StagedFile {
  if (parecidos === 0) return staged
  const lines = parecidos === 1 ? '1 linha sem número é igual' : `${parecidos} linhas sem número são iguais`
  const message = `${lines} em data, unidade ou município, idade e sexo a casos com número: podem ser os mesmos, e não foram reunidos`
  return { ...staged, fileWarnings: [...staged.fileWarnings, { column: null, message }] }
}

/** Jobs of an earlier version do not record whether their account may identify patients. */
function importerOf(app: ImportApp, { job }: JobTask): Importer {
  const { identifica = false } = job.parametros as unknown as ImportParameters
  return { id: job.usuario_id, identifies: identifica, territorio: territorioOf(app, job) }
}

const authorOf = ({ job }: JobTask) => ({ id: job.usuario_id, nome: job.usuario_nome })

const fileOf = (
  { arquivo_nome, arquivo_sha256, arquivo_tamanho }: ImportParameters,
  { formato, layout }: { formato: string; layout: string },
) => ({ nome: arquivo_nome, sha256: arquivo_sha256, tamanho: arquivo_tamanho, formato, layout })

async function registerImport(
  app: ImportApp,
  tx: Db,
  task: JobTask,
  about: { formato: string; layout: string; total_linhas: number; avisos: number },
  numbers: Parameters<typeof completeImportacao>[2],
): Promise<number> {
  const parametros = task.job.parametros as unknown as ImportParameters
  const id = await insertImportacao(tx, {
    job_id: task.job.id,
    usuario_id: task.job.usuario_id,
    usuario_nome: task.job.usuario_nome,
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
      dono_id: task.job.usuario_id,
      chave: `importacao:${id}`,
      dados: {
        id,
        job_id: task.job.id,
        total_linhas: about.total_linhas,
        ...{ importados, atualizados, inalterados, erros },
        alvo: 'casos',
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
  const rows = await pageOfOcorrencias(app.db, job.numero, { erro: true, after: 0, size: MAX_DETAILS })
  return [
    ...rows.map(({ linha, numero, texto }) => ({ linha, numero_notificacao: numero, erro: texto })),
    ...more.map(({ linha, numero_notificacao, texto }) => ({ linha, numero_notificacao, erro: texto })),
  ]
    .sort((a, b) => a.linha - b.linha)
    .slice(0, MAX_DETAILS)
}

async function warningDetails(
  app: ImportApp,
  { job }: JobTask,
  { fileWarnings }: StagedFile,
  more: Ocorrencia[],
): Promise<ResultadoDaImportacao['avisos_detalhados']> {
  const rows = await pageOfOcorrencias(app.db, job.numero, { erro: false, after: 0, size: MAX_DETAILS })
  const ofFile = fileWarnings.map(({ column, message }) => ({
    linha: null,
    numero_notificacao: null,
    aviso: column === null ? message : `${column}: ${message}`,
  }))
  const ofRows = [
    ...rows.map(({ linha, numero, texto }) => ({ linha, numero_notificacao: numero, aviso: texto })),
    ...more.map(({ linha, numero_notificacao, texto }) => ({ linha, numero_notificacao, aviso: texto })),
  ].sort((a, b) => a.linha - b.linha)
  return [...ofFile, ...ofRows].slice(0, MAX_DETAILS)
}
