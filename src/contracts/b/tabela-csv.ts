import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CellValue, csvLine } from '../../domain/arquivos/csv.ts'
import { OneOf } from '../../http/schemas.ts'
import { type Static, type TSchema, Type } from '../../http/type.ts'

/** Tables of an answer as CSV, for all routes that offer it: rows and the names of their columns. */
export interface TabelaCsv {
  /** Name of the file, without its ending. */
  nome: string
  /** Names as in the JSON; a dot leads into an object: `lugar.codigo`. */
  colunas: readonly string[]
  linhas: readonly object[]
}

/** Query of a route that answers JSON or CSV. */
export const FormatoQuery = {
  formato: Type.Optional(
    OneOf(['json', 'csv'], { description: 'Vale mais do que o cabeçalho `Accept`; `csv` traz só a tabela' }),
  ),
}

/** Reply that is JSON by its schema, or CSV as bytes. */
export const OrCsv = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | Buffer>(schema)

export const CSV = 'text/csv'

/** By `formato`, else by the media type that the client prefers; JSON wins a tie. */
export function wantsCsv({ headers }: FastifyRequest, formato: 'json' | 'csv' | undefined): boolean {
  if (formato !== undefined) return formato === 'csv'
  const weights = new Map(
    (headers.accept ?? '').split(',', 20).map((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
  const json = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0
  return (weights.get(CSV) ?? 0) > json
}

/** Sets the headers and makes the bytes: UTF-8 with a byte order mark, semicolons, decimal comma in Portuguese. */
export function answerCsv(
  { nome, colunas, linhas }: TabelaCsv,
  request: FastifyRequest,
  reply: FastifyReply,
): Buffer {
  const toCell = cellsIn(request.language === 'pt-BR' ? ',' : '.')
  const lines = linhas.map((linha) => csvLine(colunas.map((coluna) => toCell(valueAt(linha, coluna)))))
  reply.type(`${CSV}; charset=utf-8`).header('content-disposition', `attachment; filename="${nome}.csv"`)
  return Buffer.from(`\uFEFF${csvLine(colunas)}${lines.join('')}`)
}

const valueAt = (row: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Record<string, unknown> | null)?.[name], row)

const cellsIn =
  (separator: string) =>
  (value: unknown): CellValue => {
    if (typeof value === 'number' && !Number.isInteger(value)) return String(value).replace('.', separator)
    return (value ?? null) as CellValue
  }
