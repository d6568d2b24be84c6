import type { NivelDeLugar } from '../territorios/lugar.ts'
import type { Periodo } from './periodos.ts'

/** A series as it is registered: what its values mean, how they add up, where they come from. */

export const DOMINIOS = ['humano', 'animal', 'ambiental'] as const
export const TEMAS = ['clima', 'vetor', 'fauna', 'agua', 'ar', 'territorio', 'populacao', 'outro'] as const
export const TIPOS_DE_VALOR = ['numero', 'inteiro', 'categoria'] as const
export const AGREGA_TEMPO = ['soma', 'media', 'minimo', 'maximo', 'ultimo', 'nenhuma'] as const
export const AGREGA_LUGAR = ['soma', 'media', 'media_populacao', 'minimo', 'maximo', 'nenhuma'] as const
export const OPERADORES = ['gte', 'gt', 'lte', 'lt'] as const

export type AgregaTempo = (typeof AGREGA_TEMPO)[number]
export type AgregaLugar = (typeof AGREGA_LUGAR)[number]

export interface Categoria {
  codigo: string
  rotulo: string
  /** Stored in place of the category. */
  ordem: number
}

export interface Limiar {
  codigo: string
  rotulo: string
  operador: (typeof OPERADORES)[number]
  valor: number
  /** Consecutive weeks up to the one asked for that must meet it. */
  semanas: number
}

/** Computed at the time of the question, from given series alone or from the counters of events in animals. */
export type Derivada =
  | { tipo: 'epizootias'; especie_grupo?: string; suspeita?: string; classificacao?: string }
  | { tipo: 'razao'; numerador: string; denominador: string; fator: number }
  | { tipo: 'diferenca'; minuendo: string; subtraendo: string }
  | { tipo: 'media_movel'; serie: string; semanas: number }

/** Fields that change only while there is no value. */
export interface MedidaDaSerie {
  unidade: string
  tipo_valor: (typeof TIPOS_DE_VALOR)[number]
  categorias: Categoria[]
  periodo: Periodo
  nivel: NivelDeLugar
  agrega_tempo: AgregaTempo
  agrega_lugar: AgregaLugar
  derivada: Derivada | null
}

export interface Descricao {
  nome: string
  descricao: string
  dominio: (typeof DOMINIOS)[number]
  tema: (typeof TEMAS)[number]
  minimo: number | null
  maximo: number | null
  casas: number
  validade: number
  limiares: Limiar[]
  fonte: string
  fonte_url: string | null
  licenca: string
  atribuicao: string | null
  publica: boolean
  ativa: boolean
}

export interface NovaSerie extends MedidaDaSerie, Descricao {
  codigo: string
}

export interface Serie extends NovaSerie {
  id: number
  versao: number
  criado_em: Date
  atualizado_em: Date
  valores: number
  lugares: number
  /** First day of the first and of the last period with a value. */
  primeiro: string | null
  ultimo: string | null
  valores_em: Date | null
  /** Images of blocks from before this moment are gone. */
  compactada_ate: Date | null
  /** Another one after each change of the definition or of a value. */
  estado: string
}

export const MOST_SERIES = 500
export const MOST_CATEGORIAS = 20
export const MOST_LIMIARES = 4
/** Names that paths, screens and the weeks of the panel use. */
export const RESERVED = [
  ...['painel', 'importacoes', 'bulk', 'importar'],
  ...['semana', 'inicio', 'fim', 'casos', 'incidencia', 'completude_esperada'],
]

/** Series that a derived one is computed from. */
export function basesOf(derivada: Derivada | null): string[] {
  switch (derivada?.tipo) {
    case 'razao':
      return [derivada.numerador, derivada.denominador]
    case 'diferenca':
      return [derivada.minuendo, derivada.subtraendo]
    case 'media_movel':
      return [derivada.serie]
    case 'epizootias':
    case undefined:
      return []
  }
}
