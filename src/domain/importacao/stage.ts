import { setImmediate as nextTurn } from 'node:timers/promises'
import { dateInBrazil } from '../../brasil/calendar.ts'
import type { App } from '../app.ts'
import { clearLote, openLote, sizeOfLote, writeLote } from '../casos/bulk/bulk.ts'
import type { JobTask } from '../jobs/queue.ts'
import { READ_PERCENT } from '../jobs/status.ts'
import {
  type Conversor,
  type Convertidas,
  type CreateConversor,
  createConversor,
  layoutOf,
  MAX_DETALHES,
  type Pacote,
} from './convert.ts'
import { openTable } from './formats/open.ts'
import { type FileTable, type Formato, InvalidFile, LIMITS } from './formats/table.ts'
import type { ParametrosDeImportacao } from './importacoes.ts'
import type { Aviso, Layout } from './layouts/layout.ts'
import { fonteOf } from './source.ts'

/**
 * The first half of an import: the file is read, every row checked, what is good copied into a table of its own, block
 * by block. A block and the place where to go on commit together.
 */

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'cepKey' | 'linhaHash' | 'municipios'> & {
  /** How rows are converted elsewhere than in this thread. */
  conversores?: CreateConversor
  /** Rejected rows to keep; block by block, so that there may be a block more. */
  keptRejected?: number
  /** Rows per checkpoint; smaller in tests, which stop an import between two of them. */
  importBlock?: number
}

/** Rows per block: one COPY and one checkpoint. While one is written, others are converted and the next is read. */
const BLOCK = 4_000
/** Of their values: rows may be long. */
const BLOCK_CHARACTERS = 4 * 1024 * 1024
/** Rows after which what is on its way to the database gets its turn: it must not wait for the next rows to be read. */
const TURN = 100
export const KEPT_REJECTED = 100_000
/** As they are stored: rows may be long. */
const KEPT_REJECTED_BYTES = 256 * 1024 * 1024

export interface Ponto {
  linhas: number
  validas: number
  erros: number
  avisos: number
  plausible: boolean
  /** Rejected rows that were kept, and how long they are. */
  errosGuardados: number
  bytesGuardados: number
  /** Rows of warnings that were kept. */
  avisosGuardados: number
  derivados: boolean
}

export interface Preparado extends Ponto {
  formato: Formato
  layout: Layout
  cabecalho: string[]
  avisosDoArquivo: Aviso[]
}

const START: Ponto = {
  linhas: 0,
  validas: 0,
  erros: 0,
  avisos: 0,
  plausible: false,
  errosGuardados: 0,
  bytesGuardados: 0,
  avisosGuardados: 0,
  derivados: false,
}

export async function prepare(app: Needs, tarefa: JobTask): Promise<Preparado> {
  const { job } = tarefa
  const parametros = job.parametros as unknown as ParametrosDeImportacao
  const fonte = fonteOf(app, job.arquivo_id as string, parametros, tarefa.proceed)
  const { table, warning } = await openTable(fonte, parametros.formato)
  const { header: cabecalho } = table
  const today = dateInBrazil(app.clock.now())
  const leitura = { jobId: job.id, cabecalho, today, tipoAgravo: parametros.tipo_agravo }
  const layout = layoutOf(app.municipios, leitura)
  await openLote(app.db, job.numero)
  const ponto = await resume(app, tarefa)
  const conversor = app.conversores?.(leitura) ?? createConversor(app, leitura)
  try {
    const writer = createWriter(app, tarefa, conversor, ponto, () =>
      fonte.size === 0 ? 0 : (READ_PERCENT * fonte.position()) / fonte.size,
    )
    await readAll(table, writer, tarefa, ponto.linhas, app.importBlock ?? BLOCK)
  } finally {
    await conversor.end()
  }
  const ofFile = [warning, limitedRejected(ponto)].filter((mensagem) => mensagem !== null)
  const avisosDoArquivo = [...ofFile.map((mensagem) => ({ coluna: null, mensagem })), ...layout.avisos]
  return { ...ponto, formato: table.formato, layout, cabecalho, avisosDoArquivo }
}

const shown = (number: number): string => number.toLocaleString('pt-BR')

const limitedRejected = ({ erros, errosGuardados }: Ponto): string | null =>
  erros > errosGuardados
    ? `Das ${shown(erros)} linhas rejeitadas, só as primeiras ${shown(errosGuardados)} foram guardadas`
    : null

/** A file of something else is told by its first rows: no more of it is read. */
function checkPlausible({ plausible, linhas }: Ponto): void {
  if (plausible || linhas < LIMITS.rowsWithoutCaso) return
  throw new InvalidFile(
    `Nenhuma das primeiras ${shown(linhas)} linhas tem uma data de notificação legível: o arquivo não parece ser de casos, e o resto não foi lido.`,
  )
}

/** A crash of the database empties the tables: then from the beginning. */
async function resume({ db }: Needs, tarefa: JobTask): Promise<Ponto> {
  const { numero } = tarefa.job
  const ponto = tarefa.job.ponto as Ponto | null
  const kept = await sizeOfLote(db, numero)
  const whole =
    ponto !== null &&
    kept.casos === ponto.validas &&
    kept.ocorrencias === ponto.errosGuardados + ponto.avisosGuardados
  if (whole) return { ...ponto }
  await db.transaction(async (tx) => {
    await clearLote(tx, numero)
    await tarefa.checkpoint(tx, START, 0)
  })
  return { ...START }
}

/** What was committed before a crash is read again, but neither checked nor written. */
async function readAll(
  table: FileTable,
  writer: Writer,
  tarefa: JobTask,
  done: number,
  blockRows: number,
): Promise<void> {
  let read = 0
  let block: Pacote = { linhas: [], valores: [] }
  let characters = 0
  const flush = async () => {
    const full = block
    block = { linhas: [], valores: [] }
    characters = 0
    await writer.write(full)
  }
  for await (const lidas of table.blocks) {
    tarefa.proceed()
    for (const lida of lidas) {
      read += 1
      if (read > done) {
        const valores = JSON.stringify(lida.values)
        block.linhas.push(lida.line)
        block.valores.push(valores)
        characters += valores.length
        if (block.linhas.length >= blockRows || characters >= BLOCK_CHARACTERS) await flush()
      }
      if (read % TURN === 0) await nextTurn()
    }
  }
  // Without a row there is no step forward to be recorded.
  if (block.linhas.length > 0) await flush()
  await writer.end()
}

interface Writer {
  /** Returns when there is room for the next block. */
  write(pacote: Pacote): Promise<void>
  end(): Promise<void>
}

function createWriter(
  app: Needs,
  tarefa: JobTask,
  conversor: Conversor,
  ponto: Ponto,
  percent: () => number,
): Writer {
  const { numero } = tarefa.job
  const { keptRejected = KEPT_REJECTED } = app
  const keepsRejected = () =>
    ponto.errosGuardados < keptRejected && ponto.bytesGuardados < KEPT_REJECTED_BYTES
  /** Blocks that are being converted or written, the oldest first. */
  const underWay: Promise<void>[] = []

  async function writeAfter(
    before: Promise<void> | undefined,
    converting: Promise<Convertidas>,
    linhas: number,
  ): Promise<void> {
    const reached = percent()
    const [convertidas] = await Promise.all([converting, before])
    const avisadas = convertidas.avisadas.slice(0, MAX_DETALHES - ponto.avisosGuardados)
    const rejeitadas = keepsRejected() ? convertidas.rejeitadas : []
    advance(ponto, convertidas, { linhas, rejeitadas, avisosGuardados: avisadas.length })
    checkPlausible(ponto)
    const here = { ...ponto }
    await app.db.transaction(async (tx) => {
      await writeLote(tx, numero, {
        casos: convertidas.casos,
        ocorrencias: [...rejeitadas, ...avisadas],
      })
      await tarefa.checkpoint(tx, here, reached)
    })
  }

  return {
    async write(pacote) {
      const converting = conversor.convert({ ...pacote, countOnly: !keepsRejected() })
      const block = writeAfter(underWay.at(-1), converting, pacote.linhas.length)
      // Its failure is met by whoever waits for it.
      block.catch(() => {})
      underWay.push(block)
      // One is written while others are converted: memory stays bounded.
      if (underWay.length > conversor.atOnce) await underWay.shift()
    },
    async end() {
      await underWay.at(-1)
    },
  }
}

function advance(
  ponto: Ponto,
  { validas, erros, avisos, plausible, derivados }: Convertidas,
  { linhas, rejeitadas, avisosGuardados }: { linhas: number; rejeitadas: Buffer[]; avisosGuardados: number },
): void {
  ponto.linhas += linhas
  ponto.validas += validas
  ponto.erros += erros
  ponto.avisos += avisos
  ponto.plausible ||= plausible
  ponto.errosGuardados += rejeitadas.length > 0 ? erros : 0
  ponto.bytesGuardados += rejeitadas.reduce((sum, { length }) => sum + length, 0)
  ponto.avisosGuardados += avisosGuardados
  ponto.derivados ||= derivados
}
