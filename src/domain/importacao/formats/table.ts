import type { Exame } from './encoding.ts'

/** A file that can be read again and from any place; nobody needs it in memory as a whole. */
export interface Fonte {
  tamanho: number
  /** Where it is known without reading all of it. */
  exame?: Exame
  stream(): AsyncIterable<Buffer>
  readAt(offset: number, length: number): Promise<Buffer>
}

export const FORMATOS = ['csv', 'xlsx', 'dbf', 'dbc'] as const
export type Formato = (typeof FORMATOS)[number]

export interface LinhaLida {
  /** The line in the file, the header being 1 (CSV: where the record begins; DBF: the record, plus one). */
  linha: number
  /** Text as the file has it, trimmed; as many as there are, which may be fewer or more than the header has. */
  valores: string[]
}

/** Any format as a header and rows. */
export interface Tabela {
  formato: Formato
  cabecalho: string[]
  /** In blocks, so that reading a million rows does not mean a million turns. Read once. */
  blocos: AsyncIterable<LinhaLida[]>
}

/** Why a file cannot be read at all. The message is for the person who sent it. */
export class ArquivoInvalido extends Error {}

/** What no honest file exceeds. */
export const LIMITES = {
  colunas: 1_000,
  caracteresPorLinha: 1_000_000,
  linhas: 10_000_000,
  /** Of text: a record may hold line breaks, and the number of its line is stored as an integer. */
  linhasDeTexto: 20_000_000,
  /** Rows at the beginning, none of which could be a case: then the file is another one than it claims to be. */
  linhasSemCaso: 10_000,
  /** Of what a compressed file unfolds to. */
  bytesExpandidos: 8 * 1024 ** 3,
  razaoDeCompressao: 200,
  textosCompartilhados: 64 * 1024 * 1024,
} as const

export function mensagemDeLinhas(): string {
  return `O arquivo tem mais de ${LIMITES.linhas.toLocaleString('pt-BR')} linhas, que é o máximo. Divida-o em partes.`
}
