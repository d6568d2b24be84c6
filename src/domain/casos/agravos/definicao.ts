/**
 * Definition of a notifiable disease: data that an administrator writes, from which validation, imports, exports and forms follow.
 * Standard fields stay in the table of `casos/campos.ts`; a definition selects blocks of them and adds fields of its own.
 */
export interface Definicao {
  codigo: string
  nome: string
  descricao: string
  cid10_codes: string[]
  notificacao_obrigatoria: boolean
  notificacao_imediata: boolean
  prazo_encerramento_dias: number
  /** Meaning of `data_inicio_sintomas` for this disease. */
  data_de_inicio: (typeof DATAS_DE_INICIO)[number]
  blocos: BlocoDeCampos[]
  sinan: SinanDoAgravo
  classificacoes: CodigoPermitido[]
  /** None: a final classification alone closes a case. */
  criterios: CodigoPermitido[]
  evolucoes: (CodigoPermitido & {
    /** Classification that follows from the outcome. */
    classificacao?: string
  })[]
  /** Given to every new case; such a case is closed by an outcome or a closing date only. */
  classificacao_padrao?: string
  campos: CampoDaDefinicao[]
  layouts: LayoutDaDefinicao[]
  epidemiologia: Epidemiologia
  fonte: string
}

export const DATAS_DE_INICIO = ['sintomas', 'diagnostico'] as const

/** Blocks of standard fields; the first four are in every definition. */
export const BLOCOS = [
  'notificacao',
  'paciente',
  'residencia',
  'conclusao',
  'unidade',
  'infeccao',
  'hospitalizacao',
  'gestacao',
  'arbovirus_clinico',
  'arbovirus_laboratorio',
  'investigacao',
] as const
export type BlocoDeCampos = (typeof BLOCOS)[number]
export const BLOCOS_OBRIGATORIOS = ['notificacao', 'paciente', 'residencia', 'conclusao'] as const

export interface SinanDoAgravo {
  /** Values of `ID_AGRAVO` without dots and blanks; an exact one wins over a prefix, the longest prefix over others. */
  agravos: string[]
  prefixos: string[]
  /** First letters of the files that DATASUS publishes. */
  arquivo?: string
  /** Column of a standard field (by the last part of its name) where it is not the usual one; null: there is none. */
  colunas: Record<string, string | null>
}

/** A code of a vocabulary; label and group are needed where the vocabulary does not have it yet. */
export interface CodigoPermitido {
  codigo: string
  rotulo?: string
  grupo?: string
  /** Classifications only: counts as severe. */
  grave?: boolean
  /** Codes of SINAN for it. */
  sinan: string[]
}

export interface Epidemiologia {
  /** Weekly routes take the disease. */
  curva: boolean
  /** Alert levels are computed. */
  alertas: boolean
  /** In weeks; null: no reproduction number. */
  intervalo_geracao: { media: number; desvio: number } | null
}

export type CampoDaDefinicao = CampoPadrao | CampoProprio

/** A standard field outside the blocks, or with columns of its own. */
export interface CampoPadrao {
  /** Name of the standard field. */
  padrao: string
  rotulo?: string
  sinan: string[]
}

export const TIPOS_DE_CAMPO = [
  'bool',
  'opcao',
  'opcoes',
  'inteiro',
  'numero',
  'data',
  'texto',
  'municipio',
] as const
export type TipoDeCampo = (typeof TIPOS_DE_CAMPO)[number]

/** A field of this disease alone; its name is for ever. */
export interface CampoProprio {
  nome: string
  rotulo: string
  rotulo_en?: string
  rotulo_es?: string
  ajuda?: string
  tipo: TipoDeCampo
  /** Heading in the form. */
  grupo: string
  sinan: string[]
  /** Of `opcao` and `opcoes`; none for other kinds. */
  opcoes: Opcao[]
  /** Range of `inteiro` and `numero`. */
  minimo?: number
  maximo?: number
  /** Decimals of `numero`; 2 where none are given. */
  casas?: number
  /** Characters of `texto`; the most where none are given. */
  max?: number
  /** Of `data`: name of a date field that this one may not be before. */
  depois_de?: string
  antes_de?: string
  obrigatorio: boolean
  obrigatorio_quando?: Condicao[]
  obrigatorio_quando_modo: ModoDeCondicao
  mostrar_quando?: Condicao[]
  mostrar_quando_modo: ModoDeCondicao
  /** Encrypted with the identifying fields. */
  sigiloso: boolean
  /** May filter lists. */
  filtravel: boolean
  /** False: retired; kept where stored, no longer accepted. */
  ativo: boolean
}

export interface Opcao {
  codigo: string
  rotulo: string
  sinan: string[]
  ativo: boolean
}

export const OPERADORES = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'presente', 'ausente'] as const
export interface Condicao {
  /** A standard field, or one of its own that stands earlier. */
  campo: string
  op: (typeof OPERADORES)[number]
  valor?: ValorDeCondicao | ValorDeCondicao[]
}
export type ValorDeCondicao = string | number | boolean
export const MODOS = ['todos', 'algum'] as const
export type ModoDeCondicao = (typeof MODOS)[number]

/** Columns of a file that is not SINAN's. */
export interface LayoutDaDefinicao {
  nome: string
  /** Columns that must all be there. */
  reconhecer: string[]
  colunas: ColunaDoLayout[]
  constantes: Record<string, string>
  /** Field → field that stands in for it where it is empty. */
  substitutos: Record<string, string>
}

export const LEITURAS = ['texto', 'data', 'codigo', 'padrao', 'uf', 'municipio', 'anos', 'inteiro'] as const
export interface ColunaDoLayout {
  coluna: string
  campo: string
  le: (typeof LEITURAS)[number]
  /** Value of each text, compared without accents and case. */
  codigos?: Record<string, string>
  prefixo?: string
}

export const isProprio = (campo: CampoDaDefinicao): campo is CampoProprio => 'nome' in campo

/** Lists of codes that mean the same in every disease. */
export const LISTAS = ['classificacao', 'criterio', 'evolucao'] as const
export type Lista = (typeof LISTAS)[number]

export const GRUPOS = {
  classificacao: ['confirmado', 'descartado', 'inconclusivo'],
  criterio: ['final', 'aberto'],
  evolucao: ['cura', 'obito_agravo', 'obito_outras', 'obito_investigacao', 'outro', 'ignorado'],
} as const satisfies Record<Lista, readonly string[]>

export interface CodigoDoVocabulario {
  lista: Lista
  codigo: string
  rotulo: string
  grupo: string
  /** Classifications only. */
  grave: boolean
}

/** Largest definition and its parts: what is accepted is compiled, drawn and stored in bounded time. */
export const LIMITES = {
  ativos: 200,
  campos: 200,
  opcoes: 100,
  condicoes: 8,
  filtraveis: 10,
  bytes: 256 * 1024,
  dados: 32 * 1024,
  cids: 50,
  prazo: 1_000,
  vocabulario: 200,
  /** Characters. */
  nome: 100,
  rotulo: 200,
  grupo: 60,
  ajuda: 500,
  descricao: 1_000,
  fonte: 500,
  texto: 1_000,
  coluna: 100,
  /** Largest number of a range, either side of zero. */
  numero: 1e15,
  casas: 6,
  /** Values of `ID_AGRAVO`, and prefixes of them. */
  agravos: 50,
  /** Columns of SINAN for one field; codes of SINAN for one code. */
  colunas_do_campo: 10,
  codigos_do_sinan: 50,
  layouts: 10,
  reconhecer: 50,
  colunas_do_layout: 300,
  codigos_do_layout: 200,
  problemas: 100,
} as const
