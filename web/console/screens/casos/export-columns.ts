import type { ColumnName } from './address.ts'

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
} as const satisfies Record<ColumnName, readonly string[]>

/** Added to the patient's column where the file identifies. */
const IDENTIFYING = [
  'paciente_nome',
  'paciente_data_nascimento',
  'logradouro_residencia',
  'cep_residencia',
] as const

export const camposOf = (columns: readonly ColumnName[], isIdentified: boolean) => [
  ...columns.flatMap((column) => [...CAMPOS[column]]),
  ...(isIdentified ? IDENTIFYING : []),
]
