import { liveList } from '../../../system/live-list.ts'
import type { FieldName } from '../campos.ts'

/**
 * Rules of quality as rows. Each has a bit of a column that PostgreSQL computes when a case is written, by the condition of that bit
 * (migrations `0015_qualidade`, `0049_pendencias_do_dia`): what is counted and what is listed are the same bit, and cannot differ.
 */

/** Field of the form: filled in, by its bit of `casos.qualidade`. */
export interface FieldRule {
  campo: string
  bit: number
  /** Bit of the records that the field is asked of; all of them without it. */
  asked?: number
}

export const COMPLETUDE = [
  { campo: 'data_inicio_sintomas', bit: 0 },
  { campo: 'sexo', bit: 1 },
  { campo: 'idade', bit: 2 },
  { campo: 'raca', bit: 3 },
  { campo: 'escolaridade', bit: 4 },
  { campo: 'classificacao_final', bit: 5 },
  { campo: 'criterio_confirmacao', bit: 6 },
  { campo: 'evolucao', bit: 7 },
  { campo: 'hospitalizacao', bit: 8, asked: 15 },
  { campo: 'data_encerramento', bit: 9 },
  { campo: 'municipio_residencia', bit: 10 },
  { campo: 'bairro_residencia', bit: 11 },
  { campo: 'unidade', bit: 12 },
  { campo: 'gestante', bit: 13, asked: 16 },
  { campo: 'sorotipo', bit: 14, asked: 17 },
] as const satisfies readonly FieldRule[]

/** Names of fields in answers: those of every form, and required ones of the diseases' own. */
export const CAMPOS_DA_COMPLETUDE: readonly string[] = liveList(
  'campos_da_completude',
  COMPLETUDE.map(({ campo }) => campo),
)

/** Field of the case, where its name here is shorter. */
export const FIELD_OF: Readonly<Record<string, FieldName>> = {
  sexo: 'paciente_sexo',
  idade: 'paciente_idade',
  raca: 'paciente_raca',
  escolaridade: 'paciente_escolaridade',
  unidade: 'unidade_notificante.cnes',
  gestante: 'paciente_gestante',
  sorotipo: 'dados_especificos.sorotipo',
}

/** Bit of records that the source closed by itself. */
export const ENCERRADO_AUTOMATICO = 18

/** Contradictions inside of a record, by their bit of `casos.pendencias`. */
export const CONTRADICOES = [
  { codigo: 'inicio_implausivel', bit: 0 },
  { codigo: 'obito_sem_data', bit: 1 },
  { codigo: 'data_obito_sem_obito', bit: 2 },
  { codigo: 'obito_antes_do_inicio', bit: 3 },
  { codigo: 'internado_sem_data', bit: 4 },
  { codigo: 'data_internacao_sem_internacao', bit: 5 },
  { codigo: 'internacao_antes_do_inicio', bit: 6 },
  { codigo: 'classificado_sem_encerramento', bit: 7 },
  { codigo: 'encerrado_sem_classificacao', bit: 8 },
  { codigo: 'alarme_sem_sinais', bit: 9 },
  { codigo: 'grave_sem_sinais', bit: 10 },
  { codigo: 'sorotipo_sem_exame', bit: 11 },
] as const

/** Bit of records whose investigation is open: `a_encerrar` up to the deadline of the disease, `atrasado` beyond it. */
export const ABERTO = 12

/** Work that is not done. */
export const TRABALHO = [
  { codigo: 'obito_sem_investigacao', bit: 15 },
  { codigo: 'obito_a_investigar', bit: 13 },
  { codigo: 'sem_classificacao', bit: 14 },
  { codigo: 'sem_inicio_sintomas', bit: 16 },
  { codigo: 'sem_hospitalizacao', bit: 17 },
] as const

/** Bit of a death whose investigation has not begun; it counts once its day of grace is over. */
export const SEM_INVESTIGACAO = 15
/** Days after the death: as only its day is known, 24 hours have passed for certain when this one is over. */
export const DIAS_PARA_INVESTIGAR = 1
/** Bit of a field that not every form has. */
export const SEM_HOSPITALIZACAO = 17

/** About two records, and found by what only identified reads show: see `duplicados.sql.ts`. */
export const DUPLICADO = 'possivel_duplicado'

export const INCONSISTENCIAS = [...CONTRADICOES.map(({ codigo }) => codigo), DUPLICADO] as const

export const PENDENCIAS = [
  'atrasado',
  'a_encerrar',
  ...TRABALHO.map(({ codigo }) => codigo),
  ...INCONSISTENCIAS,
] as const
export type CodigoDePendencia = (typeof PENDENCIAS)[number]

export const hasBit = (bits: number, bit: number): boolean => (bits & (1 << bit)) !== 0

/** Bands of the Ministry of Health for the share of records in which a field is filled in; lower limits in percent. */
export const FAIXAS = ['excelente', 'bom', 'regular', 'ruim', 'muito_ruim'] as const
export type Faixa = (typeof FAIXAS)[number]
const LIMITS = [95, 90, 80, 50] as const

/** Of the exact share, not of the rounded one; null where no record has the field. */
export function faixaOf(filled: number, of: number): Faixa | null {
  if (of === 0) return null
  const band = LIMITS.findIndex((limit) => filled * 100 >= limit * of)
  return FAIXAS[band === -1 ? LIMITS.length : band] as Faixa
}

/** Delays that are measured, by what is awaited. */
export const MEDIDAS = ['notificacao', 'digitacao', 'encerramento', 'obito'] as const
export type Medida = (typeof MEDIDAS)[number]

/** Parts that a place is counted by. */
export const DIVISOES = ['municipio', 'regiao_saude', 'estado', 'unidade'] as const
export type Divisao = (typeof DIVISOES)[number]
