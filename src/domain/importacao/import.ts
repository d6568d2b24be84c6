import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { discardArquivo, useArquivo } from '../arquivos/arquivos.ts'
import { fixedAgravos, loadVigentes } from '../casos/agravos/registro.ts'
import {
  type Comparison,
  changeExisting,
  closeStaging,
  compare,
  type ImportedChanges,
  insertNew,
  type Ocorrencia,
  placesOfImported,
} from '../casos/bulk/bulk.ts'
import { type EffectScope, effectScope } from '../casos/bulk/efeito.ts'
import type { MergeRules } from '../casos/bulk/merge.ts'
import { foldInBulk } from '../casos/counters/counters.ts'
import { followImport } from '../casos/duplicidades/pendentes.ts'
import { discardEntrada } from '../jobs/jobs.ts'
import type { JobTask } from '../jobs/queue.ts'
import { READ_PERCENT } from '../jobs/status.ts'
import { finishImport, keptInput, registerImport } from './ending.ts'
import { InvalidFile } from './formats/table.ts'
import { placeImportacao } from './importacoes.sql.ts'
import { KEEP_REJECTED_MS, REJECTED_FILE, storeRejected } from './rejeitados.ts'
import {
  arquivoOf,
  errorDetails,
  messageOf,
  type NumerosDaImportacao,
  type ResultadoDaImportacao,
  warningDetails,
} from './resultado.ts'
import { finishUnchanged } from './same-file.ts'
import { type StagedFile, stageFile } from './stage.ts'
import { authorOf, type ImportApp, importerOf, parametersOf } from './task.ts'
import { validationOf } from './validacao.ts'

/**
 * An import, from the stored file to the result.
 *
 *   read and check (blocks; a crash goes on behind the last) ──► compare and store (one transaction, all or nothing)
 *                                                                       └── the result and the end of the job are part of it
 */

/** Made outside the transaction, and discarded when that fails. */
interface SideEffects {
  rejeitados: { id: string } | null
}

/** Comparison of the lines of the file with the cases, before anything is stored. */
interface Found {
  staged: StagedFile
  rules: MergeRules
  comparison: Comparison
  planned: ImportedChanges
  /** Lines that are valid by themselves, in their order. */
  refused: Ocorrencia[]
  /** Null: the effect is not told. */
  scope: EffectScope | null
  numbers: NumerosDaImportacao
}

export async function runImport(given: ImportApp, task: JobTask): Promise<void> {
  const app = await withDefinicoes(given, task)
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 10) / 100
  try {
    if (!(await finishUnchanged(app, task, seconds))) await readAndStore(app, task, seconds)
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

/** The service with the definitions that were in force when the import was asked for. */
async function withDefinicoes(app: ImportApp, task: JobTask): Promise<ImportApp> {
  const { definicoes } = parametersOf(task)
  if (definicoes === undefined) return app
  return { ...app, agravos: fixedAgravos(await loadVigentes(app.db, definicoes)) }
}

async function readAndStore(app: ImportApp, task: JobTask, seconds: () => number): Promise<void> {
  const staged = await stageFile(app, task)
  await task.progress(READ_PERCENT)
  const made: SideEffects = { rejeitados: null }
  try {
    await app.db.transaction((tx) => compareAndStore(app, tx, task, staged, made, seconds))
  } catch (error) {
    if (made.rejeitados !== null) await discardArquivo(app.db, made.rejeitados.id)
    throw error
  }
}

async function compareAndStore(
  app: ImportApp,
  tx: Db,
  task: JobTask,
  read: StagedFile,
  made: SideEffects,
  seconds: () => number,
): Promise<void> {
  const parametros = parametersOf(task)
  const found = await findChanges(app, tx, task, read)
  const { staged, numbers } = found
  // One bad row stops the import before anything is stored.
  const isRefused = numbers.erros > 0 && !parametros.ignorar_erros
  const importacao_id =
    parametros.modo === 'importar' && !isRefused ? await store(app, tx, task, found) : null
  const entrada = keptInput(app, task)
  const resultado: ResultadoDaImportacao = {
    modo: parametros.modo,
    total_linhas: staged.linhas,
    ...numbers,
    ...(isRefused && { importados: 0, atualizados: 0 }),
    tempo_processamento: seconds(),
    erros_detalhados: await errorDetails(app.db, task.job.numero, found.refused),
    avisos_detalhados: await warningDetails(app.db, task.job.numero, staged.fileWarnings, warnedIn(found)),
    arquivo: arquivoOf(parametros, { formato: staged.formato, layout: staged.layout.nome }),
    importacao_id,
    ...(entrada && (await validationOf(tx, task.job.numero, found, entrada.expira_em))),
  }
  made.rejeitados = await storeRejected(app, task, staged, found.refused)
  if (made.rejeitados !== null) await useArquivo(tx, made.rejeitados.id)
  const end = {
    status: isRefused && parametros.modo === 'importar' ? ('failed' as const) : ('completed' as const),
    message: messageOf(resultado, isRefused),
    resultado,
    arquivo: made.rejeitados && {
      id: made.rejeitados.id,
      ...REJECTED_FILE,
      expira_em: new Date(app.clock.now().getTime() + KEEP_REJECTED_MS),
    },
  }
  await finishImport(tx, task, end, { entrada, stored: importacao_id !== null })
}

async function findChanges(app: ImportApp, tx: Db, task: JobTask, read: StagedFile): Promise<Found> {
  const { numero } = task.job
  const { fields, fieldsOf, nome } = read.layout
  const importer = importerOf(app, task)
  const rules = { fields, fieldsOf, strict: nome === 'proprio', importer }
  const comparison = await compare(app, tx, task, { numero, derivados: read.derived, rules })
  const staged = withParecidos(read, comparison.parecidos)
  await task.progress(65)
  const scope = parametersOf(task).estatisticas ? await effectScope(tx, numero, importer.territorio) : null
  const planned = await changeExisting(app, tx, task, {
    numero,
    rules,
    author: null,
    onChange: (before, after) => scope?.changes.move(before, after),
  })
  const refused = [...comparison.fora, ...planned.erros].sort((a, b) => a.linha - b.linha)
  const numbers = {
    importados: comparison.novos,
    atualizados: planned.atualizados,
    inalterados: comparison.unchanged + planned.inalterados,
    fundidos: comparison.fundidos + planned.fundidos,
    duplicados_no_arquivo: comparison.duplicados.length,
    erros: staged.errors + refused.length,
    avisos:
      staged.warnings +
      staged.fileWarnings.length +
      planned.avisos.length +
      planned.divergentes.length +
      comparison.duplicados.length,
  }
  return { staged, rules, comparison, planned, refused, scope, numbers }
}

async function store(app: ImportApp, tx: Db, task: JobTask, found: Found): Promise<number> {
  const { staged, rules, numbers } = found
  const { numero } = task.job
  const about = { formato: staged.formato, layout: staged.layout.nome, total_linhas: staged.linhas }
  const importacao_id = await registerImport(app, tx, task, about, numbers)
  const author = { importacao_id, usuario: authorOf(task) }
  await changeExisting(app, tx, task, { numero, rules, author })
  await insertNew(app, tx, task, { numero, author }, { from: 66, to: 99 })
  await placeImportacao(tx, importacao_id, await placesOfImported(tx, importacao_id))
  await foldInBulk(tx)
  // Others could send a guess at a name and watch the number.
  if (rules.importer.identifies) await followImport(tx, { importacao_id, job_id: task.job.id })
  return importacao_id
}

/** Warning of the file: some of its lines may be cases that are stored under their number. */
function withParecidos(staged: StagedFile, parecidos: number): StagedFile {
  if (parecidos === 0) return staged
  const lines = parecidos === 1 ? '1 linha sem número é igual' : `${parecidos} linhas sem número são iguais`
  const message = `${lines} em data, unidade ou município, idade e sexo a casos com número: podem ser os mesmos, e não foram reunidos`
  return { ...staged, fileWarnings: [...staged.fileWarnings, { column: null, message }] }
}

/** Warnings that the comparison with the cases brought. */
const warnedIn = ({ planned, comparison }: Found): Ocorrencia[] => [
  ...planned.avisos,
  ...planned.divergentes,
  ...comparison.duplicados.map((one) => ({
    ...one,
    texto: 'Repetido no arquivo; vale a última linha',
    problems: [],
  })),
]
