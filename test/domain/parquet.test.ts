import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CellValue, FileColumn } from '../../src/domain/arquivos/csv.ts'
import { writeParquet } from '../../src/domain/exportacao/parquet.ts'
import type { GroupEncoder } from '../../src/domain/exportacao/parquet-groups.ts'
import { encodingInThread } from '../../src/worker/parquet.ts'
import { askParquet } from '../contracts/b/duckdb.ts'

/** More than two row groups. */
const ROWS = 45_000
const BLOCK = 5_000

const colunas: FileColumn[] = [
  { nome: 'id', kind: 'integer' },
  { nome: 'municipio', kind: 'integer' },
  { nome: 'dia', kind: 'date' },
  { nome: 'alguns_dias', kind: 'date' },
  { nome: 'nenhum_dia', kind: 'date' },
  { nome: 'nenhum_numero', kind: 'integer' },
  { nome: 'extremo', kind: 'integer' },
  { nome: 'nome', kind: 'text' },
]

const dayAfter = (days: number) =>
  new Date(Date.UTC(1999, 0, 1) + 86_400_000 * days).toISOString().slice(0, 10)
const rowOf = (i: number): CellValue[] => [
  // In no order, as the ids of cases by day are.
  (i * 7919) % 1_000_003,
  2_600_000 + (i % 5_570),
  dayAfter(i % 9_000),
  i % 3 === 0 ? dayAfter((i * 31) % 9_000) : null,
  null,
  null,
  i % 2 === 0 ? 2_147_483_647 : -2_147_483_648,
  i % 4 === 0 ? null : `Nome ${i % 1_000}`,
]

async function* blocks(): AsyncGenerator<CellValue[][]> {
  for (let start = 0; start < ROWS; start += BLOCK)
    yield Array.from({ length: BLOCK }, (_, i) => rowOf(start + i))
}

const content = { colunas, total: ROWS, metadata: { filtro: '{}' } }

async function joined(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

describe('A Parquet file of several row groups', async () => {
  const file = await joined(writeParquet({ ...content, blocks: blocks() }))

  it('has every value of every row, in order', async () => {
    const names = colunas.map(({ nome, kind }) => (kind === 'date' ? `${nome}::varchar as ${nome}` : nome))
    const rows = await askParquet(file, (path) => `select ${names.join(', ')} from ${path}`)
    assert.equal(rows.length, ROWS)
    for (const [i, row] of rows.entries())
      assert.deepEqual(
        colunas.map(({ nome }) => row[nome]),
        rowOf(i),
      )
  })

  it('has differences of days and of numbers that do not repeat, and each code of a place once', async () => {
    const found = await askParquet(
      file,
      (path) => `select distinct path_in_schema as nome, encodings from parquet_metadata(${path}) order by 1`,
    )
    const encodings = Object.fromEntries(found.map(({ nome, encodings }) => [nome, String(encodings)]))
    assert.match(encodings.id as string, /DELTA_BINARY_PACKED/)
    assert.match(encodings.dia as string, /DELTA_BINARY_PACKED/)
    assert.match(encodings.municipio as string, /RLE_DICTIONARY/)
  })

  it('has the same bytes where its groups are encoded in a thread', async () => {
    const there = await joined(
      writeParquet({ ...content, blocks: blocks(), createEncoder: encodingInThread }),
    )
    assert.ok(there.equals(file))
  })

  it('has the same bytes, however its rows come', async () => {
    async function* atOnce() {
      yield Array.from({ length: ROWS - 1 }, (_, i) => rowOf(i))
      yield [rowOf(ROWS - 1)]
    }
    assert.ok((await joined(writeParquet({ ...content, blocks: atOnce() }))).equals(file))
  })
})

describe('A Parquet file whose thread has a group in hand', () => {
  let encoder: GroupEncoder | undefined
  const written = (some: AsyncIterable<CellValue[][]>) =>
    writeParquet({
      ...content,
      blocks: some,
      createEncoder(table) {
        encoder = encodingInThread(table)
        return encoder
      },
    })

  it('ends the thread when no more rows can be read, with their error', async () => {
    async function* failing() {
      let given = 0
      for await (const block of blocks()) {
        yield block
        given += block.length
        if (given > ROWS / 2) throw new Error('no more rows')
      }
    }
    await assert.rejects(joined(written(failing())), /no more rows/)
    await assert.rejects(async () => encoder?.finish(), /the thread ended/)
  })

  it('ends the thread when nobody takes the file any more', async () => {
    for await (const piece of written(blocks())) {
      assert.ok(piece.length > 0)
      break
    }
    await assert.rejects(async () => encoder?.finish(), /the thread ended/)
  })
})
