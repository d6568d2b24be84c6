import type { Territorio } from '../../caller/territorio.ts'
import { Linhas } from '../../db/line-buffer.ts'
import type { App } from '../app.ts'
import { type AgravosVigentes, type DefinicaoVigente, vigentesOf } from '../casos/agravos/vigentes.ts'
import { lineOfCaso, lineOfOcorrencia } from '../casos/bulk/bulk.ts'
import { OUTSIDE_TEXT } from '../casos/bulk/territorio.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { isOutside, PLACE_FIELDS, placesOf } from '../casos/territorio.ts'
import type { KeyedHash } from '../cipher.ts'
import { InvalidFile } from './formats/table.ts'
import { type Causa, CauseTally, type GrupoDeCausa } from './layouts/causas.ts'
import { chooseLayout } from './layouts/choose.ts'
import type { ConvertedRow, Layout, RowWarning } from './layouts/layout.ts'

/** Converts rows of a file into COPY lines of its staging tables: each row is checked, its secret fields are encrypted. */

type Needs = Pick<App, 'cipher' | 'chaves' | 'linhaHash' | 'municipios'>

/** Context that rows are parsed in. */
export interface RowContext {
  jobId: string
  header: string[]
  /** Date in Brazil. */
  today: string
  tipoAgravo: TipoAgravo | null
  /** Definitions of diseases, as data: rows are converted in other threads. */
  definicoes: Pick<AgravosVigentes, 'vocabulario'> & { todos: readonly DefinicaoVigente[] }
  /** Places that bound the importer; null: none. */
  territorio: Territorio | null
  /** Takes texts of fields that a disease has of its own. */
  textos?: boolean
  /** Groups errors and warnings by their cause. */
  groups: boolean
}

/** Rows to convert, each as JSON: one string a row survives a garbage collection, not a string a cell. */
export interface RowBlock {
  /** Line of each row in the file. */
  lines: number[]
  rows: string[]
  /** Counts rejected rows without keeping them. */
  countOnly?: boolean
}

export interface ConvertedBlock {
  valid: number
  errors: number
  warnings: number
  /** Some row is a case or could be one. */
  plausible: boolean
  /** Some row has a derived notification number. */
  derived: boolean
  /** Diseases of its cases. */
  tipos: string[]
  casos: Buffer[]
  rejected: Buffer[]
  /** Lines of warnings, `MAX_DETAILS` at most. */
  warningLines: string[]
  /** Errors and warnings by cause, where they are grouped. */
  problemas: GrupoDeCausa[]
  avisos: GrupoDeCausa[]
}

export interface Converter {
  /** Blocks that are worth converting at the same time. */
  atOnce: number
  convert(block: RowBlock): Promise<ConvertedBlock>
  end(): Promise<void>
}

export type CreateConverter = (context: RowContext) => Converter

/** Errors and warnings listed in the result of an import. */
export const MAX_DETAILS = 1_000
const MAX_CACHED = 20_000

/** A converter in this thread. */
export function createConverter(app: Needs, context: RowContext): Converter {
  const convert = rowConverter(app, context)
  return { atOnce: 1, convert: async (block) => convert(block), end: async () => {} }
}

export function layoutOf(
  municipios: App['municipios'],
  {
    header,
    today,
    tipoAgravo,
    definicoes,
    textos = false,
  }: Pick<RowContext, 'header' | 'today' | 'tipoAgravo' | 'definicoes' | 'textos'>,
): Layout {
  const agravos = vigentesOf(definicoes.todos, definicoes.vocabulario)
  const layout = chooseLayout(header, { municipios, today, tipoAgravo, agravos, textos })
  if ('refusal' in layout)
    throw new InvalidFile(layout.refusal, layout.withoutDisease ? 'WITHOUT_DISEASE' : 'INVALID_FILE')
  return layout
}

export function rowConverter(app: Needs, context: RowContext): (block: RowBlock) => ConvertedBlock {
  const layout = layoutOf(app.municipios, context)
  // A line says nothing of fields without a column: the same values under other columns are another line.
  const chaves = { ...app.chaves, cep: cached(app.chaves.cep) }
  const writers = new Map<string, Parameters<typeof lineOfCaso>[0]>()
  const writingOf = (tipo: string) => {
    const known = writers.get(tipo)
    if (known !== undefined) return known
    const columns = [...layout.fieldsOf(tipo)].sort().join()
    const hashOf = (text: string) => app.linhaHash(`${columns}\n${text}`)
    const writing = { cipher: app.cipher, chaves, hashOf }
    writers.set(tipo, writing)
    return writing
  }
  const bounded = boundedBy(context.territorio, layout)

  return ({ lines, rows, countOnly }) => {
    const casos = new Linhas()
    const rejected = new Linhas()
    const counts = { valid: 0, errors: 0, warnings: 0, plausible: false, derived: false }
    const warningLines: string[] = []
    const tipos = new Set<string>()
    const [problemas, grouped] = [new CauseTally(), new CauseTally()]
    for (const [i, json] of rows.entries()) {
      const linha = lines[i] as number
      const values: string[] = JSON.parse(json)
      const converted = layout.convert(values)
      counts.plausible ||= converted.ok || layout.couldBeCase(values)
      const row = bounded(converted)
      if (row.ok) {
        const { campos, avisos, derivado } = row
        counts.valid += 1
        counts.warnings += avisos.length
        counts.derived ||= derivado
        tipos.add(campos.tipo_agravo)
        casos.add(lineOfCaso(writingOf(campos.tipo_agravo), { campos, linha, derivado }))
        const room = Math.max(0, MAX_DETAILS - warningLines.length)
        for (const aviso of avisos.slice(0, room))
          warningLines.push(warningLine(linha, campos.numero_notificacao, aviso))
        if (context.groups)
          for (const { column: coluna, ...aviso } of avisos) grouped.add({ ...aviso, coluna }, linha)
      } else {
        counts.errors += 1
        if (context.groups) for (const causa of row.causas) problemas.add(causa, linha)
        if (countOnly) continue
        const valores = app.cipher.encrypt(Buffer.from(json), rejectedContext(context.jobId, linha))
        const { numero_notificacao: numero, erro: texto } = row
        rejected.add(lineOfOcorrencia({ linha, erro: true, numero, texto, valores }))
      }
    }
    return {
      ...counts,
      tipos: [...tipos],
      warningLines,
      casos: casos.pieces(),
      rejected: rejected.pieces(),
      problemas: problemas.list(),
      avisos: grouped.list(),
    }
  }
}

export const OUTSIDE: Causa = {
  codigo: 'OUT_OF_TERRITORY',
  campo: null,
  coluna: null,
  regra: OUTSIDE_TEXT,
}

/**
 * Rejects rows of which no place is inside the importer's territory. A file that names no place at all passes: its rows change
 * cases where they are, and new ones are found out when they are compared.
 */
export function boundedBy(
  territorio: Territorio | null,
  { fields }: Layout,
): (row: ConvertedRow) => ConvertedRow {
  if (territorio === null || !fields.some((nome) => PLACE_FIELDS.includes(nome))) return (row) => row
  return (row) =>
    row.ok && isOutside(territorio, placesOf(row.campos))
      ? {
          ok: false,
          numero_notificacao: row.campos.numero_notificacao,
          erro: OUTSIDE_TEXT,
          causas: [OUTSIDE],
        }
      : row
}

function warningLine(linha: number, numero: string, { column, message }: RowWarning): string {
  const texto = column === null ? message : `${column}: ${message}`
  return lineOfOcorrencia({ linha, erro: false, numero, texto, valores: null })
}

export const rejectedContext = (jobId: string, linha: number) => `rejeitados/${jobId}/${linha}`

/** Caches the keys of postal codes, which many cases share. */
function cached(key: KeyedHash): KeyedHash {
  const known = new Map<string, Buffer>()
  return (cep) => {
    const before = known.get(cep as string)
    if (before !== undefined) return before
    const made = key(cep as string)
    if (known.size < MAX_CACHED) known.set(cep as string, made)
    return made
  }
}
