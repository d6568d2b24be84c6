import { codigoDaSemana } from '../../brasil/epi-week.ts'
import type { Municipios } from '../../brasil/municipios.ts'
import type { CellValue, FileColumn } from '../arquivos/csv.ts'
import type { ProprioCompilado } from '../casos/agravos/conferir.ts'
import type { TipoDeCampo } from '../casos/agravos/definicao.ts'
import { CAMPOS, FIELD_NAMES, type FieldName, isSecret, type Kind, SECRET_FIELDS } from '../casos/campos.ts'
import { fieldReader, type WalkedCaso } from '../casos/reading/walked.ts'

type ReadCell = (caso: WalkedCaso, municipios: Municipios) => CellValue

/** Computed columns of an export of cases; the importer ignores them. */
const EXTRAS = {
  id: (caso) => caso.id,
  paciente_iniciais: (caso) => (caso.sigilo === null ? caso.paciente_iniciais : null),
  semana_epidemiologica: (caso) => codigoDaSemana(caso.data_notificacao),
  semana_epidemiologica_sintomas: (caso) =>
    caso.data_inicio_sintomas && codigoDaSemana(caso.data_inicio_sintomas),
  municipio_residencia_nome: (caso, municipios) => nomeOf(caso.municipio_residencia, municipios),
  municipio_infeccao_nome: (caso, municipios) => nomeOf(caso.municipio_infeccao, municipios),
  criado_em: (caso) => caso.criado_em.toISOString(),
  atualizado_em: (caso) => caso.atualizado_em.toISOString(),
} satisfies Record<string, ReadCell>
type Extra = keyof typeof EXTRAS
const EXTRA_KINDS: Partial<Record<Extra, FileColumn['kind']>> = {
  id: 'integer',
  criado_em: 'moment',
  atualizado_em: 'moment',
}
export const isMoment = (column: CasosColumn): boolean => isExtra(column) && EXTRA_KINDS[column] === 'moment'

const nomeOf = (codigo: number | null, municipios: Municipios): string | null =>
  codigo === null ? null : (municipios.byCodigo(codigo)?.nome ?? null)

/** Computed columns placed beside a field in the default selection. */
const BESIDE: Partial<Record<FieldName, Extra>> = {
  data_notificacao: 'semana_epidemiologica',
  data_inicio_sintomas: 'semana_epidemiologica_sintomas',
  municipio_residencia: 'municipio_residencia_nome',
  municipio_infeccao: 'municipio_infeccao_nome',
}

/** Column of a disease's own field, or of all of them as JSON where there are several diseases. */
export interface ColunaPropria {
  coluna: FileColumn
  read(caso: WalkedCaso): CellValue
}

/** Columns of own fields in the order of the definition, retired ones last. */
export function colunasProprias(
  proprios: readonly ProprioCompilado[],
  { identificado, retirados }: { identificado: boolean; retirados: ReadonlySet<string> },
): ColunaPropria[] {
  const shown = proprios.filter(
    ({ nome, campo }) => (identificado || !campo.sigiloso) && (campo.ativo || retirados.has(nome)),
  )
  return [...shown.filter(({ campo }) => campo.ativo), ...shown.filter(({ campo }) => !campo.ativo)].map(
    ({ nome, flat, enviado, campo }) => ({
      coluna: { nome: enviado, kind: OWN_KINDS[campo.tipo] ?? 'text' },
      read({ proprios, sigilo }) {
        const value = campo.sigiloso ? (sigilo as Record<string, unknown> | null)?.[flat] : proprios?.[nome]
        return Array.isArray(value) ? listCell(value) : ((value ?? null) as CellValue)
      },
    }),
  )
}

const OWN_KINDS: Partial<Record<TipoDeCampo, FileColumn['kind']>> = {
  bool: 'boolean',
  inteiro: 'integer',
  numero: 'number',
  data: 'date',
  municipio: 'integer',
}

/** Own fields of whatever disease as one column; the open ones, as they are stored. */
export const COLUNA_DE_TODOS: ColunaPropria = {
  coluna: { nome: 'dados_especificos', kind: 'text' },
  read: ({ proprios }) => proprios && JSON.stringify(proprios),
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

/** Compiles the columns of an export, once for all its rows. */
export function rowReader(
  colunas: readonly CasosColumn[],
  municipios: Municipios,
): (caso: WalkedCaso) => CellValue[] {
  const cells = colunas.map(cellReader)
  return (caso) => cells.map((read) => read(caso, municipios))
}

function cellReader(column: CasosColumn): ReadCell {
  if (isExtra(column)) return EXTRAS[column]
  const read = fieldReader(column)
  return LISTS.has(CAMPOS[column].kind)
    ? (caso) => listCell(read(caso) as unknown[] | null)
    : (read as ReadCell)
}

const LISTS = new Set<Kind['kind']>(['list-of', 'texts', 'locais'])

/** Inverse of the importer: plain lists are joined with bars, others written as JSON. */
function listCell(list: unknown[] | null): CellValue {
  if (list === null) return null
  return list.length > 0 && list.every(isPlain) ? list.join('|') : JSON.stringify(list)
}

const isPlain = (one: unknown) =>
  typeof one === 'string' && one === one.trim() && !one.includes('|') && !one.startsWith('[')
