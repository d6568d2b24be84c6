import type { FieldName } from '../../../../src/domain/casos/campos.ts'
import { SECRET_FIELDS } from '../../../../src/domain/casos/campos.ts'
import { BLOCK_FIELDS, type BlockName } from '../../state/caso-campos.ts'
import type { ColumnName } from './address.ts'

/** Columns that an export computes, beside the fields of a case. */
export type ComputedColumn = (typeof COMPUTED)[keyof typeof COMPUTED][number]
export type ExportColumn = FieldName | ComputedColumn

/** Columns of a file by those of the list; what a case lacks is told by the list alone. */
const CAMPOS = {
  numero: ['numero_notificacao'],
  agravo: ['tipo_agravo'],
  notificacao: ['data_notificacao'],
  sintomas: ['data_inicio_sintomas'],
  se: ['semana_epidemiologica', 'semana_epidemiologica_sintomas'],
  paciente: ['paciente_iniciais'],
  idade: ['paciente_idade', 'paciente_sexo'],
  municipio: ['municipio_residencia', 'municipio_residencia_nome', 'bairro_residencia'],
  uf: ['estado_residencia'],
  zona: ['zona_residencia'],
  classificacao: ['classificacao_final'],
  criterio: ['criterio_confirmacao'],
  evolucao: ['evolucao'],
  hospitalizacao: ['hospitalizacao'],
  situacao: ['status'],
  unidade: ['unidade_notificante.nome', 'unidade_notificante.cnes'],
  pendencias: [],
  criado: ['criado_em'],
  atualizado: ['atualizado_em'],
} as const satisfies Record<ColumnName, readonly ExportColumn[]>

/** Added to the patient's column where the file identifies. */
const IDENTIFYING = [
  'paciente_nome',
  'paciente_data_nascimento',
  'logradouro_residencia',
  'cep_residencia',
] as const

export const camposOf = (columns: readonly ColumnName[], isIdentified: boolean): ExportColumn[] => [
  ...columns.flatMap((column) => [...CAMPOS[column]]),
  ...(isIdentified ? IDENTIFYING : []),
]

/** Computed columns by the block whose fields they go with. */
const COMPUTED = {
  geral: ['id', 'semana_epidemiologica', 'semana_epidemiologica_sintomas', 'criado_em', 'atualizado_em'],
  paciente: ['paciente_iniciais'],
  residencia: ['municipio_residencia_nome'],
  conclusao: ['municipio_infeccao_nome'],
} as const satisfies Partial<Record<BlockName, readonly string[]>>

/** Every column that a file can have, in the blocks of the paper form; those that identify where the file does. */
export const choosableColumns = (
  isIdentified: boolean,
): readonly (readonly [BlockName, readonly ExportColumn[]])[] =>
  BLOCK_FIELDS.map(([block, fields]) => [
    block,
    [
      ...(block in COMPUTED ? COMPUTED[block as keyof typeof COMPUTED] : []),
      ...fields.filter((nome) => isIdentified || !(SECRET_FIELDS as readonly string[]).includes(nome)),
    ],
  ])

/** Chosen columns in the order of the form; an identifying one only where the file identifies. */
export const orderedColumns = (chosen: ReadonlySet<ExportColumn>, isIdentified: boolean): ExportColumn[] =>
  choosableColumns(isIdentified).flatMap(([, columns]) => columns.filter((column) => chosen.has(column)))
