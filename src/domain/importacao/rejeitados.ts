import type { Caller } from '../../caller/caller.ts'
import type { App } from '../app.ts'
import { storeArquivo } from '../arquivos/arquivos.ts'
import { csvLine } from '../arquivos/csv.ts'
import { type Ocorrencia, pageOfOcorrencias } from '../casos/bulk/bulk.ts'
import { type Download, type DownloadNeeds, getEnded, openFile } from '../jobs/downloads.ts'
import type { JobTask } from '../jobs/queue.ts'
import { rejectedContext } from './convert.ts'
import { openTable } from './formats/open.ts'
import type { ParametrosDeImportacao } from './importacoes.ts'
import { fonteOf } from './source.ts'
import { KEPT_REJECTED, type Preparado } from './stage.ts'

type Needs = Pick<App, 'db' | 'clock' | 'cipher'>

interface Rejeitada {
  linha: number
  texto: string
  valores: string[]
}

export const REJECTED_FILE = { nome: 'rejeitados.csv', tipo: 'text/csv; charset=utf-8' }
const ROWS = 1_000
const PIECE_CHARACTERS = 256 * 1024

/**
 * The rejected rows that are kept, as they came, with the reason: a file to mend and send again. `contraditas`: those
 * that were good by themselves and contradict the case they are about.
 */
export async function storeRejected(
  app: Needs,
  tarefa: JobTask,
  { erros, errosGuardados, cabecalho }: Preparado,
  contraditas: Ocorrencia[],
): Promise<{ id: string } | null> {
  if (erros + contraditas.length === 0) return null
  const room = Math.max(0, KEPT_REJECTED - errosGuardados)
  const rows = inOrder(badRows(app, tarefa), contradictingRows(app, tarefa, contraditas.slice(0, room)))
  return storeArquivo(app, toCsv(cabecalho, rows))
}

/** Rejected rows, for whoever sent them; without any, a file that has but a header. */
export async function openRejected(app: DownloadNeeds, caller: Caller, jobId: string): Promise<Download> {
  const job = await getEnded(app, caller, jobId, ['importacao'], 'JOB_IS_NO_IMPORT')
  if (job.resultado?.erros !== 0) return openFile(app, caller, job, 'rejeitados.baixados')
  return { ...REJECTED_FILE, content: [Buffer.from(headerOf([]))] }
}

async function* badRows({ db, cipher }: Needs, { job, proceed }: JobTask): AsyncGenerator<Rejeitada> {
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

/** Only what was bad by itself was kept: these are read from the file again. */
async function* contradictingRows(
  app: Needs,
  tarefa: JobTask,
  contraditas: Ocorrencia[],
): AsyncGenerator<Rejeitada> {
  if (contraditas.length === 0) return
  const textos = new Map(contraditas.map(({ linha, texto }) => [linha, texto]))
  const parametros = tarefa.job.parametros as unknown as ParametrosDeImportacao
  const fonte = fonteOf(app, tarefa.job.arquivo_id as string, parametros, tarefa.proceed)
  const { table } = await openTable(fonte, parametros.formato)
  for await (const block of table.blocks) {
    tarefa.proceed()
    for (const { line: linha, values: valores } of block) {
      const texto = textos.get(linha)
      if (texto !== undefined) yield { linha, texto, valores }
    }
  }
}

async function* inOrder(
  first: AsyncGenerator<Rejeitada>,
  second: AsyncGenerator<Rejeitada>,
): AsyncGenerator<Rejeitada> {
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

const headerOf = (cabecalho: string[]) => `\uFEFF${csvLine([...cabecalho, 'erro'])}`

async function* toCsv(cabecalho: string[], rows: AsyncIterable<Rejeitada>): AsyncGenerator<Buffer> {
  let text = headerOf(cabecalho)
  for await (const { texto, valores } of rows) {
    text += csvLine([...cabecalho.map((_, i) => valores[i] ?? ''), texto])
    // By length, not by number: a line may have a million characters.
    if (text.length < PIECE_CHARACTERS) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}
