import type { TipoAgravo } from '../casos/enumeracoes.ts'

/** Thresholds of a disease. A change adds a version, for levels that are computed afterwards; stored ones keep theirs. */
export interface Regra extends Limiares {
  tipo_agravo: TipoAgravo
  versao: number
}

export interface Limiares {
  /** Probability of R above 1 that is growth. */
  p_crescimento: number
  /** Cases that the window of R needs. */
  casos_janela: number
  casos_amarelo: number
  casos_laranja: number
  casos_vermelho: number
  /** Cases of four weeks for each 100,000 residents that are an epidemic, where the diagram has too few years. */
  incidencia_4_semanas: number
}
