/** Fields of an event in animals, and the values that they may have. */

export const PRECISOES = ['dia', 'mes', 'ano'] as const
export const AMBIENTES = ['domicilio', 'via_publica', 'parque', 'mata', 'rural', 'outro'] as const
export const ESPECIE_GRUPOS = [
  ...(['pnh', 'canideo', 'felideo', 'quiroptero', 'equideo'] as const),
  ...(['bovino', 'suino', 'ave', 'roedor', 'outro'] as const),
] as const
export const RESULTADOS = ['positivo', 'negativo', 'inconclusivo', 'nao_realizado'] as const
export const CLASSIFICACOES_DE_EPIZOOTIA = [
  'em_investigacao',
  'confirmada',
  'indeterminada',
  'descartada',
] as const
export const CRITERIOS_DE_EPIZOOTIA = ['laboratorial', 'vinculo_epidemiologico'] as const

export type EspecieGrupo = (typeof ESPECIE_GRUPOS)[number]
export type ClassificacaoDeEpizootia = (typeof CLASSIFICACOES_DE_EPIZOOTIA)[number]
export type Precisao = (typeof PRECISOES)[number]

/** A record as it is stored; the observation in clear. */
export interface CamposDaEpizootia {
  numero: string
  /** Null where only month or year are known. */
  data_ocorrencia: string | null
  mes_ocorrencia: number | null
  ano_ocorrencia: number
  precisao_data: Precisao
  data_notificacao: string | null
  /** IBGE, seven digits. */
  municipio: number
  estado: string
  localidade: string | null
  zona: string | null
  latitude: number | null
  longitude: number | null
  ambiente: (typeof AMBIENTES)[number] | null
  especie_grupo: EspecieGrupo
  especie: string | null
  animais_doentes: number | null
  animais_mortos: number | null
  suspeita: string
  material_coletado: boolean | null
  data_coleta: string | null
  laboratorio_resultado: (typeof RESULTADOS)[number] | null
  classificacao: ClassificacaoDeEpizootia
  criterio: (typeof CRITERIOS_DE_EPIZOOTIA)[number] | null
  data_encerramento: string | null
  observacao: string | null
}

export type CampoName = keyof CamposDaEpizootia

/** The observation is encrypted; the others are columns of their own. */
export const COLUMN_NAMES = [
  ...(['numero', 'data_ocorrencia', 'mes_ocorrencia', 'ano_ocorrencia', 'precisao_data'] as const),
  ...(['data_notificacao', 'municipio', 'estado', 'localidade', 'zona', 'latitude', 'longitude'] as const),
  ...(['ambiente', 'especie_grupo', 'especie', 'animais_doentes', 'animais_mortos', 'suspeita'] as const),
  ...(['material_coletado', 'data_coleta', 'laboratorio_resultado', 'classificacao', 'criterio'] as const),
  'data_encerramento',
] as const satisfies readonly CampoName[]

export const CAMPO_NAMES: readonly CampoName[] = [...COLUMN_NAMES, 'observacao']

export const EMPTY: Omit<
  CamposDaEpizootia,
  'numero' | 'ano_ocorrencia' | 'municipio' | 'estado' | 'especie_grupo' | 'suspeita'
> = {
  data_ocorrencia: null,
  mes_ocorrencia: null,
  precisao_data: 'ano',
  data_notificacao: null,
  localidade: null,
  zona: null,
  latitude: null,
  longitude: null,
  ambiente: null,
  especie: null,
  animais_doentes: null,
  animais_mortos: null,
  material_coletado: null,
  data_coleta: null,
  laboratorio_resultado: null,
  classificacao: 'em_investigacao',
  criterio: null,
  data_encerramento: null,
  observacao: null,
}

/** Fields as they were sent, the municipality by code or name. */
export interface EntradaDeEpizootia extends Partial<Omit<CamposDaEpizootia, 'municipio' | 'ano_ocorrencia'>> {
  municipio?: string
  ano_ocorrencia?: number | null
}

export const FIRST_YEAR = 1950
export const MOST_ANIMALS = 100_000
