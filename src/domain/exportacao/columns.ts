import { codigoDaSemana } from '../../brasil/epi-week.ts'
import type { Municipios } from '../../brasil/municipios.ts'
import type { CellValue, FileColumn } from '../arquivos/csv.ts'
import {
  CAMPOS,
  type Campos,
  FIELD_NAMES,
  type FieldName,
  isSecret,
  type Kind,
  SECRET_FIELDS,
} from '../casos/campos.ts'
import type { CasoView } from '../casos/view.ts'

/** Computed columns of an export of cases; the importer ignores them. */
const EXTRAS = {
  id: (caso) => caso.id,
  paciente_iniciais: (caso) => (caso.sigilo === null ? caso.nome : null),
  semana_epidemiologica: (caso) => codigoDaSemana(caso.data_notificacao),
  semana_epidemiologica_sintomas: (caso) =>
    caso.data_inicio_sintomas && codigoDaSemana(caso.data_inicio_sintomas),
  municipio_residencia_nome: (caso, municipios) => nomeOf(caso.municipio_residencia, municipios),
  municipio_infeccao_nome: (caso, municipios) => nomeOf(caso.municipio_infeccao, municipios),
  criado_em: (caso) => caso.criado_em.toISOString(),
  atualizado_em: (caso) => caso.atualizado_em.toISOString(),
} satisfies Record<string, (caso: CasoView, municipios: Municipios) => CellValue>
type Extra = keyof typeof EXTRAS
const EXTRA_KINDS: Partial<Record<Extra, FileColumn['kind']>> = {
  id: 'integer',
  criado_em: 'moment',
  atualizado_em: 'moment',
}

const nomeOf = (codigo: number | null, municipios: Municipios): string | null =>
  codigo === null ? null : (municipios.byCodigo(codigo)?.nome ?? null)

/** Computed columns placed beside a field in the default selection. */
const BESIDE: Partial<Record<FieldName, Extra>> = {
  data_notificacao: 'semana_epidemiologica',
  data_inicio_sintomas: 'semana_epidemiologica_sintomas',
  municipio_residencia: 'municipio_residencia_nome',
  municipio_infeccao: 'municipio_infeccao_nome',
}

export type CasosColumn = FieldName | Extra
export const CASOS_COLUMNS = [...(Object.keys(EXTRAS) as Extra[]), ...FIELD_NAMES] as const
const isExtra = (column: string): column is Extra => Object.hasOwn(EXTRAS, column)

/** Default selection: all columns the reader may see. */
export function defaultColumns(identificado: boolean): CasosColumn[] {
  if (identificado) return ['id', ...FIELD_NAMES.flatMap(withBeside)]
  return ['id', 'paciente_iniciais', ...FIELD_NAMES.filter((nome) => !isSecret(nome)).flatMap(withBeside)]
}

const withBeside = (nome: FieldName): CasosColumn[] => [nome, BESIDE[nome] ?? []].flat()

export function toFileColumn(nome: CasosColumn): FileColumn {
  return { nome, kind: isExtra(nome) ? (EXTRA_KINDS[nome] ?? 'text') : kindOf(CAMPOS[nome].kind) }
}

function kindOf(kind: Kind['kind']): FileColumn['kind'] {
  if (kind === 'municipio') return 'integer'
  return kind === 'date' || kind === 'boolean' || kind === 'integer' || kind === 'number' ? kind : 'text'
}

/** Columns of identified exports only. */
export const SEALED_COLUMNS: readonly string[] = SECRET_FIELDS

export function rowOf(caso: CasoView, colunas: readonly CasosColumn[], municipios: Municipios): CellValue[] {
  return colunas.map((column) => {
    if (isExtra(column)) return EXTRAS[column](caso, municipios)
    return cellOf(isSecret(column) ? (caso.sigilo?.[column] ?? null) : caso[column])
  })
}

/** Inverse of the importer: plain lists are joined with bars, others written as JSON. */
function cellOf(value: Campos[FieldName]): CellValue {
  if (!Array.isArray(value)) return value
  return value.length > 0 && value.every(isPlain) ? value.join('|') : JSON.stringify(value)
}

const isPlain = (one: unknown) =>
  typeof one === 'string' && one === one.trim() && !one.includes('|') && !one.startsWith('[')
