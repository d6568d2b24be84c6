import { type Celula, type ColunaDeArquivo, csvLine } from '../arquivos/csv.ts'
import { writeXlsx } from './xlsx.ts'

export const FORMATOS_DE_EXPORTACAO = ['csv', 'xlsx', 'json'] as const
export type FormatoDeExportacao = (typeof FORMATOS_DE_EXPORTACAO)[number]

export const TIPOS: Record<FormatoDeExportacao, { tipo: string; extensao: string }> = {
  csv: { tipo: 'text/csv; charset=utf-8', extensao: 'csv' },
  xlsx: {
    tipo: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extensao: 'xlsx',
  },
  json: { tipo: 'application/x-ndjson; charset=utf-8', extensao: 'jsonl' },
}

/** Blocks of rows → the bytes of a file, as they come. */
export function encodeRows(
  formato: FormatoDeExportacao,
  colunas: readonly ColunaDeArquivo[],
  blocos: AsyncIterable<Celula[][]>,
): AsyncIterable<Buffer> {
  if (formato === 'xlsx') return writeXlsx(colunas, blocos)
  const names = colunas.map(({ nome }) => nome)
  return formato === 'csv' ? csvOf(names, blocos) : jsonOf(names, blocos)
}

/** With the mark that tells spreadsheets it is UTF-8. */
async function* csvOf(colunas: readonly string[], blocos: AsyncIterable<Celula[][]>): AsyncGenerator<Buffer> {
  yield Buffer.from(`\uFEFF${csvLine(colunas)}`)
  for await (const bloco of blocos) yield Buffer.from(bloco.map(csvLine).join(''))
}

async function* jsonOf(
  colunas: readonly string[],
  blocos: AsyncIterable<Celula[][]>,
): AsyncGenerator<Buffer> {
  const objectOf = (row: Celula[]) => Object.fromEntries(colunas.map((coluna, i) => [coluna, row[i] ?? null]))
  for await (const bloco of blocos)
    yield Buffer.from(bloco.map((row) => `${JSON.stringify(objectOf(row))}\n`).join(''))
}
