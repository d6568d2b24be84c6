import type { Db } from '../../db/db.ts'
import { type Ocorrencia, pageOfOcorrencias } from '../casos/bulk/bulk.ts'
import type { JobMessage } from '../jobs/texts/texts.ts'
import { MAX_DETAILS } from './convert.ts'
import type { ImportParameters } from './importacoes.ts'
import type { FileWarning } from './layouts/layout.ts'

/** With the members of `Validacao` where it is a dry run. */
export interface ResultadoDaImportacao extends NumerosDaImportacao, Record<string, unknown> {
  modo: string
  total_linhas: number
  tempo_processamento: number
  erros_detalhados: { linha: number; numero_notificacao: string | null; erro: string }[]
  avisos_detalhados: { linha: number | null; numero_notificacao: string | null; aviso: string }[]
  arquivo: { nome: string; sha256: string; tamanho: number; formato: string; layout: string }
  importacao_id: number | null
  /** The import of the very same file, where that was recognised without reading it. */
  identico_a?: number
  /** Undecided pairs of its cases, added once they were compared. */
  duplicidades?: { quase_certas: number; provaveis: number; possiveis: number }
}

export interface NumerosDaImportacao {
  importados: number
  atualizados: number
  inalterados: number
  /** Lines about cases that another case absorbed. */
  fundidos: number
  duplicados_no_arquivo: number
  erros: number
  avisos: number
}

export function messageOf({ modo, erros }: ResultadoDaImportacao, refused = false): JobMessage {
  const trabalho = modo === 'validar' ? 'validacao' : 'importacao'
  return refused
    ? { code: 'REFUSED', trabalho, linhas: erros }
    : { code: 'COMPLETED', trabalho, rejeitadas: erros }
}

export const arquivoOf = (
  { arquivo_nome, arquivo_sha256, arquivo_tamanho }: ImportParameters,
  { formato, layout }: { formato: string; layout: string },
): ResultadoDaImportacao['arquivo'] => ({
  ...{ nome: arquivo_nome, sha256: arquivo_sha256, tamanho: arquivo_tamanho },
  ...{ formato, layout },
})

/** The first rejected lines: those staged as such, and those that the comparison with the cases refused. */
export async function errorDetails(
  db: Db,
  numero: number,
  refused: readonly Ocorrencia[],
): Promise<ResultadoDaImportacao['erros_detalhados']> {
  return (await withStaged(db, numero, { erro: true }, refused)).map(({ texto, ...of }) => ({
    ...of,
    erro: texto,
  }))
}

/** The first warnings, those of the file itself before those of its lines. */
export async function warningDetails(
  db: Db,
  numero: number,
  fileWarnings: readonly FileWarning[],
  further: readonly Ocorrencia[],
): Promise<ResultadoDaImportacao['avisos_detalhados']> {
  const ofFile = fileWarnings.map(({ column, message }) => ({
    linha: null,
    numero_notificacao: null,
    aviso: column === null ? message : `${column}: ${message}`,
  }))
  const ofLines = (await withStaged(db, numero, { erro: false }, further)).map(({ texto, ...of }) => ({
    ...of,
    aviso: texto,
  }))
  return [...ofFile, ...ofLines].slice(0, MAX_DETAILS)
}

async function withStaged(
  db: Db,
  numero: number,
  { erro }: { erro: boolean },
  further: readonly Ocorrencia[],
): Promise<{ linha: number; numero_notificacao: string | null; texto: string }[]> {
  const staged = await pageOfOcorrencias(db, numero, { erro, after: 0, size: MAX_DETAILS })
  return [
    ...staged.map(({ linha, numero, texto }) => ({ linha, numero_notificacao: numero, texto })),
    ...further.map(({ linha, numero_notificacao, texto }) => ({ linha, numero_notificacao, texto })),
  ]
    .sort((a, b) => a.linha - b.linha)
    .slice(0, MAX_DETAILS)
}
