import type { Caller } from '../../caller/caller.ts'
import type { App } from '../app.ts'
import { storeArquivo } from '../arquivos/arquivos.ts'
import { csvLine } from '../arquivos/csv.ts'
import { type Ocorrencia, pageOfOcorrencias } from '../casos/bulk/bulk.ts'
import { type Download, type DownloadNeeds, getEnded, openFile } from '../jobs/downloads.ts'
import type { JobTask } from '../jobs/queue.ts'
import { rejectedContext } from './convert.ts'
import { openTable } from './formats/open.ts'
import { sourceOf } from './source.ts'
import { KEPT_REJECTED, type StagedFile } from './stage.ts'
import { parametersOf } from './task.ts'

type Needs = Pick<App, 'db' | 'clock' | 'cipher'>

interface RejectedRow {
  linha: number
  texto: string
  valores: string[]
}

export const REJECTED_FILE = { nome: 'rejeitados.csv', tipo: 'text/csv; charset=utf-8' }
/** Retention of the file. */
export const KEEP_REJECTED_MS = 30 * 86_400_000
const IMPORTS = ['importacao', 'importacao_series', 'importacao_epizootias'] as const
const ROWS = 1_000
const PIECE_CHARACTERS = 256 * 1024

/**
 * Writes the rejected rows with their reasons to a file that can be corrected and sent again. `contradicting`: rows that are
 * valid by themselves and contradict the case they match, or belong to one that the importer may not write.
 */
export async function storeRejected(
  app: Needs,
  task: JobTask,
  { errors, keptErrors, header }: StagedFile,
  contradicting: Ocorrencia[],
): Promise<{ id: string } | null> {
  if (errors + contradicting.length === 0) return null
  const room = Math.max(0, KEPT_REJECTED - keptErrors)
  const rows = inOrder(badRows(app, task), contradictingRows(app, task, contradicting.slice(0, room)))
  return storeArquivo(app, toCsv(header, rows))
}

/** The same of rows that are in memory; null without any. */
export async function storeRejectedLines(
  app: Needs,
  header: readonly string[],
  rejeitadas: readonly { valores: readonly string[]; erro: string }[],
): Promise<{ id: string } | null> {
  if (rejeitadas.length === 0) return null
  const lines = rejeitadas.map(({ valores, erro }) =>
    csvLine([...header.map((_, i) => valores[i] ?? ''), erro]),
  )
  const text = `\uFEFF${csvLine([...header, 'erro'])}${lines.join('')}`
  return storeArquivo(app, onePiece(Buffer.from(text)))
}

async function* onePiece(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

/** Rejected rows for their sender; a mere header where there are none. */
export async function openRejected(app: DownloadNeeds, caller: Caller, jobId: string): Promise<Download> {
  const job = await getEnded(app, caller, jobId, IMPORTS, 'JOB_IS_NO_IMPORT')
  if (job.resultado?.erros !== 0) return openFile(app, caller, job, 'rejeitados.baixados')
  return { ...REJECTED_FILE, content: [Buffer.from(headerOf([]))] }
}

async function* badRows({ db, cipher }: Needs, { job, proceed }: JobTask): AsyncGenerator<RejectedRow> {
  for (let after = 0; ; ) {
    proceed()
    const rows = await pageOfOcorrencias(db, job.numero, { erro: true, after, size: ROWS, whole: true })
    if (rows.length === 0) return
    for (const { linha, texto, valores } of rows) {
      const bytes = valores && cipher.decrypt(valores, rejectedContext(job.id, linha))
      yield { linha, texto, valores: bytes === null ? [] : JSON.parse(bytes.toString()) }
    }
    after = rows.at(-1)?.linha ?? after
  }
}

/** Reads contradicting rows from the file again: only rows invalid by themselves are in the staging table. */
async function* contradictingRows(
  app: Needs,
  task: JobTask,
  contradicting: Ocorrencia[],
): AsyncGenerator<RejectedRow> {
  if (contradicting.length === 0) return
  const texts = new Map(contradicting.map(({ linha, texto }) => [linha, texto]))
  const parametros = parametersOf(task)
  const source = sourceOf(app, task.job.arquivo_id as string, parametros, task.proceed)
  const { table } = await openTable(source, parametros.formato)
  for await (const block of table.blocks) {
    task.proceed()
    for (const { line: linha, values: valores } of block) {
      const texto = texts.get(linha)
      if (texto !== undefined) yield { linha, texto, valores }
    }
  }
}

async function* inOrder(
  first: AsyncGenerator<RejectedRow>,
  second: AsyncGenerator<RejectedRow>,
): AsyncGenerator<RejectedRow> {
  let [one, other] = [await first.next(), await second.next()]
  for (;;) {
    if (!one.done && (other.done || one.value.linha < other.value.linha)) {
      yield one.value
      one = await first.next()
    } else if (!other.done) {
      yield other.value
      other = await second.next()
    } else return
  }
}

const headerOf = (header: string[]) => `\uFEFF${csvLine([...header, 'erro'])}`

async function* toCsv(header: string[], rows: AsyncIterable<RejectedRow>): AsyncGenerator<Buffer> {
  let text = headerOf(header)
  for await (const { texto, valores } of rows) {
    text += csvLine([...header.map((_, i) => valores[i] ?? ''), texto])
    // Bounded by length, not by number: a line may have a million characters.
    if (text.length < PIECE_CHARACTERS) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}
