import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { loadMunicipios } from '../src/brasil/municipios.ts'
import { CONHECIDOS } from '../src/domain/casos/agravos/conhecidos.ts'
import { MODELOS } from '../src/domain/casos/agravos/modelos.ts'
import { VOCABULARIO } from '../src/domain/casos/agravos/vocabulario.ts'
import { createChaves } from '../src/domain/casos/sigilo.ts'
import { createCipher, createLineHash } from '../src/domain/cipher.ts'
import { type RowBlock, rowConverter } from '../src/domain/importacao/convert.ts'
import { openTable } from '../src/domain/importacao/formats/open.ts'
import type { FileRow } from '../src/domain/importacao/formats/table.ts'

/**
 * Conversion of the rows of files, without database: CPU a row and a filled value of each file, some thousand rows of each, by
 * turns. Against the first file, which should be one of dengue, a filled value of another may take a tenth more.
 * `npx node bench/conversao.ts dengue.csv LEPT.dbc …`; exit code 1 where it takes longer.
 */
const FILES = process.argv.slice(2)
const ROUNDS = 12
const BLOCK = 500
/** Rows of a round. */
const ROWS = 5_000
const BAR = 1.1
const PIECE = 65_536

assert.ok(FILES.length > 1, 'npx node bench/conversao.ts dengue.csv other.dbc …')
const key = Buffer.alloc(32, 1)
const app = {
  cipher: createCipher(key),
  chaves: createChaves(key),
  linhaHash: createLineHash(key, 'linha'),
  municipios: await loadMunicipios(),
}
const todos = [...CONHECIDOS, ...MODELOS].map((definicao) => ({ definicao, versao: 1, ativo: true }))

interface Lida {
  name: string
  /** Values of a row that are not empty. */
  filled: number
  rows: number
  blocks: RowBlock[]
  convert: ReturnType<typeof rowConverter>
  /** Microseconds a row. */
  best: number
}

async function read(path: string): Promise<Lida> {
  const bytes = await readFile(path)
  const { table } = await openTable(
    {
      size: bytes.length,
      async *stream() {
        for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
      },
      readAt: async (at, length) => bytes.subarray(at, at + length),
    },
    null,
  )
  const rows: FileRow[] = []
  for await (const block of table.blocks) rows.push(...block.slice(0, ROWS - rows.length))
  const filled = rows.reduce((sum, { values }) => sum + values.filter(isFilled).length, 0) / rows.length
  const blocks: RowBlock[] = []
  for (let at = 0; at < rows.length; at += BLOCK) {
    const some = rows.slice(at, at + BLOCK)
    blocks.push({
      lines: some.map(({ line }) => line),
      rows: some.map(({ values }) => JSON.stringify(values)),
    })
  }
  const convert = rowConverter(app, {
    ...{ jobId: 'bench', header: table.header, today: '2026-11-18', tipoAgravo: null, territorio: null },
    ...{ definicoes: { vocabulario: VOCABULARIO, todos }, groups: false },
  })
  return { name: basename(path), filled, rows: rows.length, blocks, convert, best: Number.POSITIVE_INFINITY }
}

const isFilled = (text: string) => text !== '' && text !== 'NA'

/** Microseconds of CPU a row. */
function measure({ blocks, rows, convert }: Lida): number {
  const turns = Math.ceil(ROWS / rows)
  const before = process.cpuUsage()
  for (let turn = 0; turn < turns; turn++) for (const block of blocks) convert(block)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (turns * rows)
}

const files: Lida[] = []
for (const path of FILES) files.push(await read(path))
// The best of each: other work on the machine hits all of them.
for (let round = 0; round < ROUNDS; round++)
  for (const file of files) file.best = Math.min(file.best, measure(file))
const ofValue = ({ best, filled }: Lida) => best / filled
const [first] = files as [Lida]
for (const file of files) {
  const ratio = ofValue(file) / ofValue(first)
  console.log(
    `${file.name}: ${file.best.toFixed(1)} µs a row, ${file.filled.toFixed(1)} filled values, ${ofValue(file).toFixed(2)} µs each, ${ratio.toFixed(2)} of ${first.name}`,
  )
  if (ratio > BAR) process.exitCode = 1
}
