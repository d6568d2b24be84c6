import { setImmediate as nextTurn } from 'node:timers/promises'
import { dateInBrazil } from '../../brasil/calendar.ts'
import type { Territorio } from '../../caller/territorio.ts'
import { clearStaging, countStaged, openStaging, writeStaged } from '../casos/bulk/bulk.ts'
import type { JobTask } from '../jobs/queue.ts'
import { READ_PERCENT } from '../jobs/status.ts'
import { territorioOf } from '../jobs/territorio.ts'
import { createSample, type Sample } from './amostra.ts'
import {
  boundedBy,
  type ConvertedBlock,
  type Converter,
  createConverter,
  layoutOf,
  MAX_DETAILS,
  type RowBlock,
  type RowContext,
} from './convert.ts'
import { openTable } from './formats/open.ts'
import { type FileTable, type Formato, InvalidFile, LIMITS } from './formats/table.ts'
import { CauseTally, type GrupoDeCausa } from './layouts/causas.ts'
import type { FileWarning, Layout } from './layouts/layout.ts'
import { sourceOf } from './source.ts'
import { type ImportApp, parametersOf } from './task.ts'

/**
 * First half of an import: reads the file, checks every row and copies the valid ones into a staging table, block by block.
 * A block and its checkpoint commit together, so that a killed import continues behind the last block.
 */

/** Rows per block: one COPY and one checkpoint. While one is written, others are converted and the next is read. */
const BLOCK = 4_000
/** Characters per block, since a row may have a million. */
const BLOCK_CHARACTERS = 4 * 1024 * 1024
/** Rows between two turns of the event loop: blocks on their way to the database are not held up by reading. */
const ROWS_PER_TURN = 100
export const KEPT_REJECTED = 100_000
/** Encrypted size of the rejected rows that are kept. */
const KEPT_REJECTED_BYTES = 256 * 1024 * 1024

/** Rows read so far, and what became of them; stored with the job. */
export interface Checkpoint {
  linhas: number
  valid: number
  errors: number
  warnings: number
  plausible: boolean
  /** Rejected rows in the staging table, and their size there. */
  keptErrors: number
  keptBytes: number
  /** Warnings in the staging table. */
  keptWarnings: number
  /** Some notification number is derived. */
  derived: boolean
  /** Diseases of its cases; jobs of an earlier version lack them. */
  tipos?: string[]
  /** By cause, in dry runs; jobs of an earlier version lack them. */
  problemas?: GrupoDeCausa[]
  avisos?: GrupoDeCausa[]
}

export interface StagedFile extends Checkpoint {
  formato: Formato
  layout: Layout
  header: string[]
  /** Warnings about the file as a whole. */
  fileWarnings: FileWarning[]
  look: FileLook
}

/** The file as its sender may look at it. */
export interface FileLook extends Pick<FileTable, 'codificacao' | 'delimitador'> {
  sample: Sample
}

const START: Checkpoint = {
  linhas: 0,
  valid: 0,
  errors: 0,
  warnings: 0,
  plausible: false,
  keptErrors: 0,
  keptBytes: 0,
  keptWarnings: 0,
  derived: false,
}

export async function stageFile(app: ImportApp, task: JobTask): Promise<StagedFile> {
  const { job } = task
  const parametros = parametersOf(task)
  const source = sourceOf(app, job.arquivo_id as string, parametros, task.proceed)
  const { table, warning } = await openTable(source, parametros.formato)
  const { header } = table
  const today = dateInBrazil(app.clock.now())
  const territorio = territorioOf(app, job)
  const groups = parametros.modo === 'validar'
  const context = {
    ...{ jobId: job.id, header, today, tipoAgravo: parametros.tipo_agravo, territorio, groups },
    textos: parametros.textos ?? false,
    definicoes: definicoesOf(app),
  }
  const layout = layoutOf(app.municipios, context)
  const sample = createSample(layout, header)
  await openStaging(app.db, job.numero)
  const state = await resume(app, task)
  const converter = app.createConverter?.(context) ?? createConverter(app, context)
  try {
    const writer = createWriter(app, task, converter, state, () =>
      source.size === 0 ? 0 : (READ_PERCENT * source.position()) / source.size,
    )
    const read = groups ? sampling(table, sample, layout, territorio) : table.blocks
    await readAll(read, writer, task, state.linhas, app.importBlock ?? BLOCK)
  } finally {
    await converter.end()
  }
  const messages = [warning, limitedRejected(state)].filter((message) => message !== null)
  const fileWarnings = [
    ...messages.map((message) => ({ column: null, message })),
    ...layout.avisosOf(state.tipos ?? []),
  ]
  const { formato, codificacao, delimitador } = table
  return { ...state, formato, layout, header, fileWarnings, look: { codificacao, delimitador, sample } }
}

/** Looks at the first rows on their way, also when the import goes on behind them: the file is read from its beginning. */
async function* sampling(
  { blocks }: FileTable,
  sample: Sample,
  layout: Layout,
  territorio: Territorio | null,
): FileTable['blocks'] {
  const bounded = boundedBy(territorio, layout)
  for await (const rows of blocks) {
    for (const { line, values } of rows) {
      if (!sample.wants()) break
      sample.add(line, values, bounded(layout.convert(values)))
    }
    yield rows
  }
}

/** The first rows alone, for a file that need not be read. */
export async function lookAtFile(app: ImportApp, task: JobTask): Promise<FileLook> {
  const parametros = parametersOf(task)
  const source = sourceOf(app, task.job.arquivo_id as string, parametros, task.proceed)
  const { table } = await openTable(source, parametros.formato)
  const { header, codificacao, delimitador } = table
  const today = dateInBrazil(app.clock.now())
  const layout = layoutOf(app.municipios, {
    ...{ header, today, tipoAgravo: parametros.tipo_agravo, textos: parametros.textos ?? false },
    definicoes: definicoesOf(app),
  })
  const sample = createSample(layout, header)
  for await (const _ of sampling(table, sample, layout, territorioOf(app, task.job)))
    if (!sample.wants()) break
  return { codificacao, delimitador, sample }
}

/** Definitions in force without what was compiled of them. */
function definicoesOf({ agravos }: Pick<ImportApp, 'agravos'>): RowContext['definicoes'] {
  const { todos, vocabulario } = agravos.vigentes()
  return { todos: todos.map(({ definicao, versao, ativo }) => ({ definicao, versao, ativo })), vocabulario }
}

const shown = (number: number): string => number.toLocaleString('pt-BR')

const limitedRejected = ({ errors, keptErrors }: Checkpoint): string | null =>
  errors > keptErrors
    ? `Das ${shown(errors)} linhas rejeitadas, só as primeiras ${shown(keptErrors)} foram guardadas`
    : null

/** Refuses a file of something else after its first rows, without reading the rest. */
function checkPlausible({ plausible, linhas }: Checkpoint): void {
  if (plausible || linhas < LIMITS.rowsWithoutCaso) return
  throw new InvalidFile(
    `Nenhuma das primeiras ${shown(linhas)} linhas tem uma data de notificação legível: o arquivo não parece ser de casos, e o resto não foi lido.`,
  )
}

/** Last checkpoint; the beginning where the staging tables do not hold its rows, as after a crash of the database. */
async function resume({ db }: ImportApp, task: JobTask): Promise<Checkpoint> {
  const { numero } = task.job
  const last = task.job.ponto as Checkpoint | null
  const staged = await countStaged(db, numero)
  const isComplete =
    last !== null && staged.casos === last.valid && staged.ocorrencias === last.keptErrors + last.keptWarnings
  if (isComplete) return { ...last }
  await db.transaction(async (tx) => {
    await clearStaging(tx, numero)
    await task.checkpoint(tx, START, 0)
  })
  return { ...START }
}

/** Reads all rows and writes those behind `done`, the rows that were committed before a crash. */
async function readAll(
  blocks: FileTable['blocks'],
  writer: Writer,
  task: JobTask,
  done: number,
  blockRows: number,
): Promise<void> {
  let read = 0
  let block: RowBlock = { lines: [], rows: [] }
  let characters = 0
  const flush = async () => {
    const full = block
    block = { lines: [], rows: [] }
    characters = 0
    await writer.write(full)
  }
  for await (const rows of blocks) {
    task.proceed()
    for (const { line, values } of rows) {
      read += 1
      if (read > done) {
        const json = JSON.stringify(values)
        block.lines.push(line)
        block.rows.push(json)
        characters += json.length
        if (block.lines.length >= blockRows || characters >= BLOCK_CHARACTERS) await flush()
      }
      if (read % ROWS_PER_TURN === 0) await nextTurn()
    }
  }
  if (block.lines.length > 0) await flush()
  await writer.end()
}

interface Writer {
  /** Returns when there is room for the next block. */
  write(block: RowBlock): Promise<void>
  end(): Promise<void>
}

/** Pipeline of blocks: one is written while others are converted, `converter.atOnce` of them at most. */
function createWriter(
  app: ImportApp,
  task: JobTask,
  converter: Converter,
  state: Checkpoint,
  percent: () => number,
): Writer {
  const { numero } = task.job
  const { keptRejected = KEPT_REJECTED } = app
  const keepsRejected = () => state.keptErrors < keptRejected && state.keptBytes < KEPT_REJECTED_BYTES
  /** Oldest first. */
  const underWay: Promise<void>[] = []

  async function writeAfter(
    previous: Promise<void> | undefined,
    converting: Promise<ConvertedBlock>,
    rows: number,
  ): Promise<void> {
    const reached = percent()
    const [converted] = await Promise.all([converting, previous])
    const warningLines = converted.warningLines.slice(0, MAX_DETAILS - state.keptWarnings)
    const rejected = keepsRejected() ? converted.rejected : []
    advance(state, converted, { rows, rejected, keptWarnings: warningLines.length })
    checkPlausible(state)
    const checkpoint = { ...state }
    await app.db.transaction(async (tx) => {
      await writeStaged(tx, numero, { casos: converted.casos, ocorrencias: [...rejected, ...warningLines] })
      await task.checkpoint(tx, checkpoint, reached)
    })
  }

  return {
    async write(block) {
      const converting = converter.convert({ ...block, countOnly: !keepsRejected() })
      const writing = writeAfter(underWay.at(-1), converting, block.lines.length)
      // Its failure is reported to the block that is written after it.
      writing.catch(() => {})
      underWay.push(writing)
      if (underWay.length > converter.atOnce) await underWay.shift()
    },
    async end() {
      await underWay.at(-1)
    },
  }
}

function advance(
  state: Checkpoint,
  { valid, errors, warnings, plausible, derived, tipos, problemas, avisos }: ConvertedBlock,
  { rows, rejected, keptWarnings }: { rows: number; rejected: Buffer[]; keptWarnings: number },
): void {
  state.linhas += rows
  state.valid += valid
  state.errors += errors
  state.warnings += warnings
  state.plausible ||= plausible
  state.keptErrors += rejected.length > 0 ? errors : 0
  state.keptBytes += rejected.reduce((sum, { length }) => sum + length, 0)
  state.keptWarnings += keptWarnings
  state.derived ||= derived
  state.tipos = [...new Set([...(state.tipos ?? []), ...tipos])]
  if (problemas.length > 0) state.problemas = joined(state.problemas, problemas)
  if (avisos.length > 0) state.avisos = joined(state.avisos, avisos)
}

function joined(groups: GrupoDeCausa[] | undefined, more: GrupoDeCausa[]): GrupoDeCausa[] {
  const tally = new CauseTally(groups)
  tally.merge(more)
  return tally.list()
}
