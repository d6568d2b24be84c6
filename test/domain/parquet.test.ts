import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CellValue, FileColumn } from '../../src/domain/arquivos/csv.ts'
import { writeParquet } from '../../src/domain/exportacao/parquet.ts'
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

describe('A Parquet file of several row groups', async () => {
  const pieces: Buffer[] = []
  for await (const piece of writeParquet({ colunas, blocks: blocks(), total: ROWS, metadata: {} }))
    pieces.push(piece)
  const file = Buffer.concat(pieces)

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
})
