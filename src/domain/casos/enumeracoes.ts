import { liveList } from '../../system/live-list.ts'

/** The words of the notification form, in the order of its codes. */

/** Diseases that every installation has; definitions add others (`agravos/`). */
const CONHECIDOS = ['dengue', 'zika', 'chikungunya'] as const
export type AgravoConhecido = (typeof CONHECIDOS)[number]
export const TIPOS_AGRAVO: readonly TipoAgravo[] = liveList('tipos', CONHECIDOS)
/** Diseases that take new cases. */
export const TIPOS_ATIVOS: readonly TipoAgravo[] = liveList('tipos_ativos', CONHECIDOS)
/** Code of a disease. */
export type TipoAgravo = string

/** Classifications that count as confirmed; the last four are those of the forms before 2014. */
export const CONFIRMADOS = [
  'dengue_sem_sinais_alarme',
  'dengue_com_sinais_alarme',
  'dengue_grave',
  'confirmado',
  'dengue_classico',
  'dengue_com_complicacoes',
  'febre_hemorragica_dengue',
  'sindrome_choque_dengue',
] as const
const CLASSES = [...CONFIRMADOS, 'descartado', 'inconclusivo'] as const
export const CLASSIFICACOES: readonly string[] = liveList('classificacoes', CLASSES)
export type Classificacao = (typeof CLASSES)[number]

/**
 * Classifications that count as confirmed, and those that count as severe: of every installation, and those that definitions bring.
 * One list for the process, since a code has the same group in every disease and for ever.
 */
export const GRUPO_CONFIRMADO: string[] = [...CONFIRMADOS]
/** Dengue with warning signs or severe, and the severe classes of the forms before 2014. */
export const GRUPO_GRAVE: string[] = [
  'dengue_com_sinais_alarme',
  'dengue_grave',
  'dengue_com_complicacoes',
  'febre_hemorragica_dengue',
  'sindrome_choque_dengue',
]

export function addToGroup(group: string[], codigos: readonly string[]): void {
  for (const codigo of codigos) if (!group.includes(codigo)) group.push(codigo)
}

/** Final classifications as filters name them: each by itself, and groups. */
export const CLASSIFICACOES_FILTRADAS: readonly string[] = liveList('classificacoes_filtradas', [
  ...CLASSES,
  'em_investigacao',
  'provavel',
])

/** `confirmado` stands for its whole group, `em_investigacao` for none yet (`''`), `provavel` for all but `descartado`. */
export function classesNamed(nome: string): readonly string[] {
  if (nome === 'confirmado') return GRUPO_CONFIRMADO
  if (nome === 'provavel') return [...GRUPO_CONFIRMADO, 'inconclusivo', '']
  return [nome === 'em_investigacao' ? '' : nome]
}

/** Classifications of dengue alone. */
export const DENGUE_ONLY: readonly string[] = CONFIRMADOS.filter((one) => one !== 'confirmado')

export const CLASSIFICACOES_INICIAIS: readonly string[] = liveList('classificacoes_iniciais', [
  'suspeito',
  ...CLASSES,
])
export const CRITERIOS: readonly string[] = liveList('criterios', [
  'laboratorial',
  'clinico_epidemiologico',
  'em_investigacao',
])
export const EVOLUCOES: readonly string[] = liveList('evolucoes', [
  'cura',
  'obito',
  'obito_outras_causas',
  'obito_em_investigacao',
  'ignorado',
])
export const OBITOS: readonly string[] = ['obito', 'obito_outras_causas', 'obito_em_investigacao']
export const STATUS = ['em_investigacao', 'encerrado'] as const

export const SEXOS = ['M', 'F', 'I'] as const
/** Age bands of the bulletins. */
export const FAIXAS_ETARIAS = ['<1', '1-4', '5-9', '10-14', '15-19', '20-39', '40-59', '60-79', '80+']
export const RACAS = ['branca', 'preta', 'amarela', 'parda', 'indigena', 'ignorado'] as const
export const ZONAS = ['urbana', 'rural', 'periurbana', 'ignorado'] as const
export const ESCOLARIDADES = [
  'analfabeto',
  'fundamental_1_4_incompleto',
  'fundamental_4_completo',
  'fundamental_5_8_incompleto',
  'fundamental_completo',
  'medio_incompleto',
  'medio_completo',
  'superior_incompleto',
  'superior_completo',
  'ignorado',
  'nao_se_aplica',
] as const
export const IDADES_GESTACIONAIS = [
  'primeiro_trimestre',
  'segundo_trimestre',
  'terceiro_trimestre',
  'idade_gestacional_ignorada',
] as const
export const AUTOCTONES = ['sim', 'nao', 'indeterminado'] as const

export const RESULTADOS = ['positivo', 'negativo', 'inconclusivo', 'nao_realizado'] as const
export const PROVAS_DO_LACO = ['positiva', 'negativa', 'nao_realizada'] as const
export const SOROTIPOS = ['DENV1', 'DENV2', 'DENV3', 'DENV4'] as const
export const APRESENTACOES = ['aguda', 'cronica'] as const

/** The severity signs of item 70 of the form: plasma leak, bleeding, organs. */
export const SINAIS_GRAVIDADE = [
  'pulso_debil',
  'pa_convergente',
  'enchimento_capilar',
  'insuficiencia_respiratoria',
  'taquicardia',
  'extremidades_frias',
  'hipotensao',
  'hematemese',
  'melena',
  'metrorragia',
  'sangramento_snc',
  'ast_alt',
  'miocardite',
  'alteracao_consciencia',
  'outros_orgaos',
] as const

/** Facts by which somebody who knows a patient could find the case: onset, place, age, sex and race. */
export const QUASE_IDENTIFICADORES = ['inicio', 'lugar', 'idade', 'sexo', 'raca'] as const
export type QuaseIdentificador = (typeof QUASE_IDENTIFICADORES)[number]
