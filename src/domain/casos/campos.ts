import { UFS } from '../../brasil/uf.ts'
import {
  APRESENTACOES,
  AUTOCTONES,
  CLASSIFICACOES,
  CLASSIFICACOES_INICIAIS,
  CRITERIOS,
  ESCOLARIDADES,
  EVOLUCOES,
  IDADES_GESTACIONAIS,
  PROVAS_DO_LACO,
  RACAS,
  RESULTADOS,
  SEXOS,
  SINAIS_GRAVIDADE,
  SOROTIPOS,
  STATUS,
  TIPOS_AGRAVO,
  ZONAS,
} from './enumeracoes.ts'

/**
 * Every field of a case, once: what it holds and where it is kept. Names are those of the interface; a dot leads into
 * a group. The contract makes its schemas of this table, the store its columns, the history its comparison.
 */

export type Kind =
  | { kind: 'text'; max: number }
  /** Text of a fixed form, in the one spelling that is stored. */
  | { kind: 'code'; form: 'cnes' | 'cep' | 'telefone' }
  | { kind: 'one-of'; values: readonly string[] }
  | { kind: 'boolean' }
  | { kind: 'date' }
  | { kind: 'integer' | 'number'; min: number; max: number }
  | { kind: 'municipio' }
  | { kind: 'list-of'; values: readonly string[] }
  | { kind: 'texts'; max: number; items: number }
  | { kind: 'locais' }

/**
 * `coluna`: a column of that name. `dados`: shown, never queried. `sigilo`: tells who the patient is or may do so;
 * encrypted, and shown to nobody who did not ask for it by right.
 */
type Place = 'coluna' | 'dados' | 'sigilo'

export type Campo = Kind & { place: Place }

const at = <const P extends Place>(place: P) => ({
  text: (max: number) => ({ place, kind: 'text', max }) as const,
  code: <const F extends string>(form: F) => ({ place, kind: 'code', form }) as const,
  oneOf: <const V extends readonly string[]>(values: V) => ({ place, kind: 'one-of', values }) as const,
  boolean: { place, kind: 'boolean' } as const,
  date: { place, kind: 'date' } as const,
  integer: (min: number, max: number) => ({ place, kind: 'integer', min, max }) as const,
  number: (min: number, max: number) => ({ place, kind: 'number', min, max }) as const,
  municipio: { place, kind: 'municipio' } as const,
})
const coluna = at('coluna')
const dados = at('dados')
const sigilo = at('sigilo')
/** The smallest and the largest code of a municipality, with its check digit. */
const IBGE = [1_100_015, 5_300_108] as const

export const CAMPOS = {
  tipo_agravo: coluna.oneOf(TIPOS_AGRAVO),
  numero_notificacao: coluna.text(40),
  data_notificacao: coluna.date,
  data_inicio_sintomas: coluna.date,

  paciente_nome: sigilo.text(200),
  paciente_data_nascimento: sigilo.date,
  paciente_idade: coluna.integer(0, 130),
  paciente_sexo: coluna.oneOf(SEXOS),
  paciente_gestante: coluna.boolean,
  paciente_raca: coluna.oneOf(RACAS),
  paciente_escolaridade: coluna.oneOf(ESCOLARIDADES),
  paciente_ocupacao: coluna.text(120),

  municipio_residencia: coluna.municipio,
  estado_residencia: coluna.oneOf(UFS),
  bairro_residencia: coluna.text(120),
  zona_residencia: coluna.oneOf(ZONAS),
  logradouro_residencia: sigilo.text(200),
  numero_residencia: sigilo.text(20),
  cep_residencia: sigilo.code('cep'),
  latitude: sigilo.number(-90, 90),
  longitude: sigilo.number(-180, 180),

  municipio_infeccao: coluna.municipio,
  estado_infeccao: coluna.oneOf(UFS),
  pais_infeccao: coluna.text(80),

  classificacao_inicial: coluna.oneOf(CLASSIFICACOES_INICIAIS),
  classificacao_final: coluna.oneOf(CLASSIFICACOES),
  criterio_confirmacao: coluna.oneOf(CRITERIOS),
  evolucao: coluna.oneOf(EVOLUCOES),
  data_obito: coluna.date,
  data_encerramento: coluna.date,
  data_investigacao: coluna.date,
  hospitalizacao: coluna.boolean,
  data_internacao: coluna.date,
  uti: coluna.boolean,
  status: coluna.oneOf(STATUS),

  'dados_especificos.febre': dados.boolean,
  'dados_especificos.mialgia': dados.boolean,
  'dados_especificos.cefaleia': dados.boolean,
  'dados_especificos.exantema': dados.boolean,
  'dados_especificos.nausea': dados.boolean,
  'dados_especificos.dor_retro_orbital': dados.boolean,
  'dados_especificos.artralgia': dados.boolean,
  'dados_especificos.petequias': dados.boolean,
  'dados_especificos.vomito': dados.boolean,
  'dados_especificos.dor_costas': dados.boolean,
  'dados_especificos.conjuntivite': dados.boolean,
  'dados_especificos.artrite': dados.boolean,
  'dados_especificos.leucopenia': dados.boolean,
  'dados_especificos.prova_laco': dados.oneOf(PROVAS_DO_LACO),
  'dados_especificos.sinais_alarme': dados.boolean,
  'dados_especificos.data_sinais_alarme': dados.date,
  'dados_especificos.hipotensao': dados.boolean,
  'dados_especificos.queda_plaquetas': dados.boolean,
  'dados_especificos.aumento_hematocrito': dados.boolean,
  'dados_especificos.sinais_gravidade': { place: 'dados', kind: 'list-of', values: SINAIS_GRAVIDADE },
  'dados_especificos.data_sinais_gravidade': dados.date,
  'dados_especificos.sorotipo': dados.oneOf(SOROTIPOS),
  'dados_especificos.apresentacao_clinica': dados.oneOf(APRESENTACOES),
  'dados_especificos.idade_gestacional': dados.oneOf(IDADES_GESTACIONAIS),
  'dados_especificos.autoctone': dados.oneOf(AUTOCTONES),
  'dados_especificos.relacionada_ao_trabalho': dados.boolean,
  'dados_especificos.data_digitacao': dados.date,
  'dados_especificos.estado_notificacao': dados.oneOf(UFS),
  'dados_especificos.municipio_notificacao': dados.integer(...IBGE),
  'dados_especificos.regional_notificacao': dados.text(20),
  'dados_especificos.hospital_estado': dados.oneOf(UFS),
  'dados_especificos.hospital_municipio': dados.integer(...IBGE),
  'dados_especificos.hospital_cnes': dados.code('cnes'),

  'dados_clinicos.sinais_sintomas.dor_abdominal': dados.boolean,
  'dados_clinicos.sinais_sintomas.vomito_persistente': dados.boolean,
  'dados_clinicos.sinais_sintomas.hepatomegalia': dados.boolean,
  'dados_clinicos.sinais_sintomas.sangramento_mucosa': dados.boolean,
  'dados_clinicos.sinais_sintomas.letargia': dados.boolean,
  'dados_clinicos.sinais_sintomas.acumulo_liquidos': dados.boolean,
  'dados_clinicos.comorbidades': { place: 'dados', kind: 'texts', max: 100, items: 30 },

  'dados_laboratoriais.ns1': dados.oneOf(RESULTADOS),
  'dados_laboratoriais.data_ns1': dados.date,
  'dados_laboratoriais.igm': dados.oneOf(RESULTADOS),
  'dados_laboratoriais.data_igm': dados.date,
  'dados_laboratoriais.pcr': dados.oneOf(RESULTADOS),
  'dados_laboratoriais.data_pcr': dados.date,
  'dados_laboratoriais.isolamento_viral': dados.oneOf(RESULTADOS),
  'dados_laboratoriais.data_isolamento_viral': dados.date,
  'dados_laboratoriais.prnt': dados.oneOf(RESULTADOS),
  'dados_laboratoriais.data_prnt': dados.date,
  'dados_laboratoriais.histopatologia': dados.oneOf(RESULTADOS),
  'dados_laboratoriais.imunohistoquimica': dados.oneOf(RESULTADOS),
  'dados_laboratoriais.plaquetas': dados.integer(0, 5_000_000),
  'dados_laboratoriais.hematocrito': dados.number(0, 100),

  'investigacao.viagem_recente': dados.boolean,
  'investigacao.contato_casos_similares': dados.boolean,
  'investigacao.locais_frequentados': { place: 'sigilo', kind: 'locais' },

  'unidade_notificante.nome': dados.text(200),
  'unidade_notificante.cnes': { place: 'coluna', kind: 'code', form: 'cnes' },
  'unidade_notificante.telefone': dados.code('telefone'),
  'unidade_notificante.responsavel': dados.text(200),
} as const satisfies Record<string, Campo>

export interface Local {
  local: string
  endereco: string | null
  periodo: string | null
}

type ValueOf<C> = C extends { kind: 'boolean' }
  ? boolean
  : C extends { kind: 'integer' | 'number' | 'municipio' }
    ? number
    : C extends { kind: 'one-of' | 'list-of'; values: readonly (infer V)[] }
      ? C extends { kind: 'one-of' }
        ? V
        : V[]
      : C extends { kind: 'texts' }
        ? string[]
        : C extends { kind: 'locais' }
          ? Local[]
          : string

export type NomeDeCampo = keyof typeof CAMPOS
export const NOMES = Object.keys(CAMPOS) as NomeDeCampo[]
const OBRIGATORIOS = ['tipo_agravo', 'numero_notificacao', 'data_notificacao', 'status'] as const
type Obrigatorio = (typeof OBRIGATORIOS)[number]

/** A case as its fields, flat. What nobody told is null. */
export type Campos = {
  [N in NomeDeCampo]: N extends Obrigatorio ? ValueOf<(typeof CAMPOS)[N]> : ValueOf<(typeof CAMPOS)[N]> | null
}
export type Valor = Campos[NomeDeCampo]

type At<P extends Place> = {
  [N in NomeDeCampo]: (typeof CAMPOS)[N]['place'] extends P ? N : never
}[NomeDeCampo]
const placed = <P extends Place>(place: P) => NOMES.filter((nome) => CAMPOS[nome].place === place) as At<P>[]

export const COLUNAS = placed('coluna')
export const DADOS = placed('dados')
export const SIGILOSOS = placed('sigilo')
export type CampoSigiloso = At<'sigilo'>
export type CampoDeDados = At<'dados'>
export type CampoAberto = At<'coluna' | 'dados'>

/** What identifies the patient; null where the caller does not see it. */
export type Sigilo = Pick<Campos, CampoSigiloso>

export const isSigiloso = (nome: string): nome is CampoSigiloso =>
  (SIGILOSOS as readonly string[]).includes(nome)

/** The name inside its group. Unique among the fields in `dados`, whose keys they are. */
export const leafOf = (nome: string) => nome.slice(nome.lastIndexOf('.') + 1)

/** Each field in `dados` with its key there. */
export const CHAVES_DE_DADOS = DADOS.map((nome) => [nome, leafOf(nome)] as const)
export const CHAVES_DE_SIGILO = SIGILOSOS.map((nome) => [nome, leafOf(nome)] as const)

export const VAZIO = Object.fromEntries(NOMES.map((nome) => [nome, null])) as unknown as Campos

/** The required ones, besides `status`, which follows from the others. */
export const EXIGIDOS_AO_CRIAR = [
  'tipo_agravo',
  'numero_notificacao',
  'data_notificacao',
  'paciente_nome',
  'municipio_residencia',
  'estado_residencia',
] as const satisfies readonly NomeDeCampo[]
