import type { NivelDeAlerta } from '../alertas/nivel.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import type { Faixa } from '../casos/qualidade/regras.ts'
import type { QualidadeDoDiagrama } from '../epidemiologia/base-do-diagrama.ts'
import type { ZonaDoDiagrama } from '../epidemiologia/diagrama.ts'
import type { Sorotipo } from '../epidemiologia/indicadores.ts'
import type { NivelDeLugar } from '../territorios/lugar.ts'

/**
 * Weekly bulletin as it is frozen: plain JSON, the same bytes for the same cases and the same version of the service. Neither id nor
 * time of making is inside. Counts and rates are rounded as the routes of epidemiology round them. Weeks go up to that of the
 * bulletin, with what was known when it was made.
 *
 * Null is "not known" (no population, no base, no case before) unless `suprimido` beside it is true: then it is hidden.
 */
export interface Boletim {
  cabecalho: CabecalhoDoBoletim
  dados: DadosDoBoletim
}

/** Head: place, week, "data as of", own words. */
export interface CabecalhoDoBoletim {
  lugar: LugarDoBoletim
  /** In the order of the sections. */
  agravos: TipoAgravo[]
  /** Names of those that the service has no words for, by code. */
  nomes?: Record<TipoAgravo, string>
  semana: SemanaDoBoletim
  /** Small cells are suppressed, so that it may be published. */
  publico: boolean
  /** Moment of the latest change of a case of the place and the diseases; null without any. */
  dados_ate: string | null
  texto: TextoDoBoletim
}

/** Words of the person who asked for it. */
export interface TextoDoBoletim {
  /** Null: the document makes its own, in its language. */
  titulo: string | null
  destaques: string[]
  nota: string | null
}

export interface LugarDoBoletim {
  nivel: NivelDeLugar
  /** UF, five or seven digits; null for the country. */
  codigo: string | null
  nome: string
  estado: string | null
}

export interface SemanaDoBoletim {
  /** `AAAASS`. */
  semana: string
  inicio: string
  fim: string
}

export interface DadosDoBoletim {
  /** One section for each disease. */
  secoes: SecaoDoBoletim[]
  notas: NotasDoBoletim
}

export interface SecaoDoBoletim {
  tipo_agravo: TipoAgravo
  populacao: number | null
  populacao_ano: number | null
  numeros: NumerosDoBoletim
  curva: CurvaDoBoletim
  diagrama: DiagramaDoBoletim
  rt: RtDoBoletim
  mapa: MapaDoBoletim
  municipios: MunicipiosDoBoletim
  piramide: PiramideDoBoletim
  /** Null for diseases without serotypes. */
  sorotipos: SorotiposDoBoletim | null
  qualidade: QualidadeDoBoletim
}

/** Number with the reason of its absence. */
export interface Valor {
  valor: number | null
  suprimido: boolean
}

/** Box of headline figures, of weeks 1 to that of the bulletin unless said otherwise. */
export interface NumerosDoBoletim {
  casos_ano: Valor
  incidencia_ano: Valor
  /** Last four weeks. */
  casos_4_semanas: Valor
  incidencia_4_semanas: Valor
  /** The same weeks of the year before. */
  casos_ano_anterior: Valor
  /** Percent, against them. */
  variacao_pct: Valor
  confirmados: Valor
  /** Deaths by the disease. */
  obitos: Valor
  obitos_em_investigacao: Valor
  /** Among confirmed cases, percent, with its 95 % interval. */
  letalidade: Valor & { inferior: number | null; superior: number | null }
  /** Level of the place in the week. */
  nivel: NivelDeAlerta
  motivos: string[]
  /** Level of the week before. */
  nivel_anterior: NivelDeAlerta
}

/** Curve: probable cases of this year up to the week and of the two years before as a whole, the latest year first. */
export interface CurvaDoBoletim {
  anos: AnoDoBoletim[]
  /** Estimate of the last weeks with its 95 % band, in order; empty where there is none. */
  nowcast: SemanaEstimadaDoBoletim[]
  /** Reason why there is no estimate; null where there is one. */
  nowcast_motivo: string | null
  /** The estimate is unlikely and shown with a warning. */
  nowcast_duvidoso: boolean
}

export interface AnoDoBoletim {
  ano: number
  semanas: SemanaContada[]
}

export interface SemanaContada extends SemanaDoBoletim {
  casos: number | null
  incidencia: number | null
  suprimido: boolean
}

export interface SemanaEstimadaDoBoletim extends SemanaDoBoletim {
  conhecidos: number | null
  estimados: number | null
  inferior_95: number | null
  superior_95: number | null
  suprimido: boolean
}

/** Control diagram of the year (moving mean): limits of all its weeks, observations up to that of the bulletin. Per 100,000. */
export interface DiagramaDoBoletim {
  ano: number
  /** `insuficiente`: no limits. */
  qualidade: QualidadeDoDiagrama
  anos_base: number[]
  anos_excluidos: number[]
  semanas: SemanaDoDiagramaDoBoletim[]
  /** Weeks above the limit: of the year, and without interruption up to that of the bulletin. Null: hidden. */
  semanas_acima: number | null
  consecutivas_acima: number | null
}

export interface SemanaDoDiagramaDoBoletim extends SemanaDoBoletim {
  media: number | null
  limite_inferior: number | null
  limite_superior: number | null
  /** Observed; null after the week of the bulletin. */
  casos: number | null
  incidencia: number | null
  /** Expected probable cases of the last weeks, by which the zone is judged. */
  estimados: number | null
  /** Of what is judged: the estimate where there is one. */
  incidencia_julgada: number | null
  zona: ZonaDoDiagrama | null
  /** The observation is hidden. */
  suprimido: boolean
  /** The limits are hidden. */
  limites_suprimidos: boolean
}

/** Rt of the last 26 weeks, in order, with its 95 % interval. */
export interface RtDoBoletim {
  semanas: SemanaDoRtDoBoletim[]
}

export interface SemanaDoRtDoBoletim extends SemanaDoBoletim {
  rt: number | null
  inferior: number | null
  superior: number | null
  /** Probability that Rt exceeds 1. */
  p_maior_1: number | null
  /** False: fewer than 12 cases in the window. */
  confiavel: boolean
  /** The week is an estimate. */
  estimado: boolean
  suprimido: boolean
}

/**
 * Parts of the place, in the order of their codes: states of the country, municipalities of a state or a region, bairros of a
 * municipality.
 */
export type MapaDoBoletim =
  | { tipo: 'estado' | 'municipio'; lugares: LugarDoMapa[] }
  | { tipo: 'bairro'; bairros: BairroDoBoletim[]; demais: Valor }

export interface LugarDoMapa {
  /** UF or seven digits. */
  codigo: string
  nome: string
  estado: string
  /** Seat of a municipality; null for a state. */
  latitude: number | null
  longitude: number | null
  nivel: NivelDeAlerta
  nivel_anterior: NivelDeAlerta
  /** Probable cases of the last four weeks. */
  casos_4_semanas: number | null
  incidencia_4_semanas: number | null
  /** Null: unknown. */
  populacao: number | null
  suprimido: boolean
}

/** Bairro with at least five probable cases in the last four weeks, most cases first; those of the others together are `demais`. */
export interface BairroDoBoletim {
  nome: string
  casos_4_semanas: number | null
  suprimido: boolean
}

/** Tables of municipalities; empty for a municipality. */
export interface MunicipiosDoBoletim {
  /** Ten with the highest incidence of the last four weeks, the highest first; those without cases, population or a shown count are not among them. */
  maior_incidencia: LugarDoMapa[]
  /** Parts whose level differs from that of the week before, the highest level first. */
  mudaram_de_nivel: LugarDoMapa[]
}

/** Probable cases of weeks 1 to that of the bulletin by sex and age: M, then F, each by the nine bands. */
export interface PiramideDoBoletim {
  celulas: CelulaDoBoletim[]
  sem_sexo_ou_idade: Valor
  /** Year of the structure of the population. */
  estrutura_ano: number | null
}

export interface CelulaDoBoletim {
  sexo: 'M' | 'F'
  /** `<1`, `1-4`, … `80+`. */
  faixa: string
  casos: number | null
  populacao: number | null
  /** Per 100,000. */
  incidencia: number | null
  suprimido: boolean
}

/** Serotypes of weeks 1 to that of the bulletin. */
export interface SorotiposDoBoletim {
  contagens: { sorotipo: Sorotipo; casos: number | null }[]
  predominante: Sorotipo | null
  suprimido: boolean
}

/** Records notified in the last 365 days up to the end of the week. */
export interface QualidadeDoBoletim {
  inicio: string
  fim: string
  casos: Valor
  /** Open beyond the deadline of the disease on the day of the data. */
  atrasados: Valor
  /** Five fields. */
  completude: CompletudeDoBoletim[]
}

export interface CompletudeDoBoletim {
  campo: (typeof CAMPOS_DO_BOLETIM)[number]
  preenchidos: number | null
  de: number | null
  pct: number | null
  faixa: Faixa | null
  suprimido: boolean
}

export const CAMPOS_DO_BOLETIM = [
  'raca',
  'classificacao_final',
  'criterio_confirmacao',
  'evolucao',
  'data_encerramento',
] as const

/** Notes: what definitions, sources and software the numbers come from. The words are those of the document. */
export interface NotasDoBoletim {
  populacao: { fonte: 'DATASUS/IBGE'; ultimo_ano: number }
  /** Null: nothing is suppressed. */
  supressao: { minimo: number } | null
  /** Bairros with fewer cases are not named, whoever reads. */
  bairros_minimo: number
  rt: {
    janela: number
    intervalo_geracao_media: number
    intervalo_geracao_desvio: number
    /** Diseases with another generation interval than the first. */
    outros?: { nome: string; media: number; desvio: number }[]
  }
  diagrama: { metodo: 'media_movel'; anos: number; janela: number; desvios: number }
  nowcast: { intervalo: 95 }
  software: { nome: 'Vigia'; versao: string }
}
