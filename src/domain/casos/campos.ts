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
  TIPOS_ATIVOS,
  ZONAS,
} from './enumeracoes.ts'

/**
 * Table of the fields of a case: one row each, with its name in the interface (a dot leads into a group), the kind of its
 * values and where they are stored. Schemas and answers, columns, COPY lines, layouts of files and history are derived from it:
 * a new field is a row here, and a migration where it has a column of its own.
 */

export type Kind =
  | { kind: 'text'; max: number }
  /** Text of a fixed form, stored in one spelling. */
  | { kind: 'code'; form: keyof typeof CODES }
  | { kind: 'one-of'; values: readonly string[] }
  | { kind: 'boolean' }
  | { kind: 'date' }
  | { kind: 'integer' | 'number'; min: number; max: number }
  /** Stored by its IBGE code; given by code or by a name of at most `max` characters. */
  | { kind: 'municipio'; max: number }
  | { kind: 'list-of'; values: readonly string[] }
  | { kind: 'texts'; items: number; max: number }
  | { kind: 'locais' }

/**
 * `column`: a column of its own, which can be queried. `dados`: a key of the JSON column of that name, shown and never
 * queried. `sigilo`: identifies the patient or may do so; encrypted, and shown only in audited reads.
 */
type Place = 'column' | 'dados' | 'sigilo'

interface Traits {
  /** Name of its column, where that is not the last part of the field's name. */
  column?: string
  /** Part of each case of a list, not only of a case by itself. */
  listed?: true
  /** Path in answers, where it does not follow from the name (`ANSWER_GROUPS`). */
  shown?: string
  /** Deprecated names, accepted in requests and in the header of a file, and shown in a case by itself. */
  aliases?: readonly string[]
  /** Known when the case is created or never; neither requests nor imports change it later. */
  once?: true
  /** Synonyms accepted for its values. */
  words?: Readonly<Record<string, string>>
}

export type Campo = Kind & Traits & { place: Place }

/** Forms of codes: what is accepted, and the name of the form in error messages. */
export const CODES = {
  cep: { pattern: /^\d{5}-?\d{3}$/, expected: 'cep' },
  cnes: { pattern: /^\d{1,7}$/, expected: 'cnes' },
  telefone: { pattern: /^\(\d{2}\) \d{4,5}-\d{4}$/, expected: 'phone' },
} as const

const at =
  <const P extends Place>(place: P) =>
  <const K extends Kind, const T extends Traits>(kind: K, traits = {} as T) => ({
    place,
    ...kind,
    ...traits,
  })
const column = at('column')
const dados = at('dados')
const sigilo = at('sigilo')

const BOOLEAN = { kind: 'boolean' } as const
const DATE = { kind: 'date' } as const
const MUNICIPIO = { kind: 'municipio', max: 100 } as const
/** Code of a municipality with its check digit: the smallest and the largest. */
const IBGE = { kind: 'integer', min: 1_100_015, max: 5_300_108 } as const
const text = (max: number) => ({ kind: 'text', max }) as const
const texts = (items: number, max: number) => ({ kind: 'texts', items, max }) as const
const integer = (min: number, max: number) => ({ kind: 'integer', min, max }) as const
const number = (min: number, max: number) => ({ kind: 'number', min, max }) as const
const code = <const F extends keyof typeof CODES>(form: F) => ({ kind: 'code', form }) as const
const oneOf = <const V extends readonly string[]>(values: V) => ({ kind: 'one-of', values }) as const
const listOf = <const V extends readonly string[]>(values: V) => ({ kind: 'list-of', values }) as const

export const CAMPOS = {
  tipo_agravo: column(oneOf(TIPOS_ATIVOS), { listed: true }),
  numero_notificacao: column(text(40), { listed: true }),
  data_notificacao: column(DATE, { listed: true }),
  data_inicio_sintomas: column(DATE, {
    listed: true,
  }),

  paciente_nome: sigilo(text(200), { listed: true }),
  paciente_data_nascimento: sigilo(DATE),
  paciente_idade: column(integer(0, 130), { listed: true }),
  paciente_sexo: column(oneOf(SEXOS), { listed: true }),
  paciente_gestante: column(BOOLEAN, { listed: true }),
  paciente_raca: column(oneOf(RACAS)),
  paciente_escolaridade: column(oneOf(ESCOLARIDADES)),
  paciente_ocupacao: column(text(120)),

  municipio_residencia: column(MUNICIPIO, {
    listed: true,
    shown: 'endereco.municipio_residencia',
  }),
  estado_residencia: column(oneOf(UFS), {
    listed: true,
    shown: 'endereco.estado_residencia',
  }),
  bairro_residencia: column(text(120), { listed: true }),
  zona_residencia: column(oneOf(ZONAS), { listed: true }),
  logradouro_residencia: sigilo(text(200)),
  numero_residencia: sigilo(text(20)),
  cep_residencia: sigilo(code('cep')),
  latitude: sigilo(number(-90, 90), {
    shown: 'endereco.latitude',
  }),
  longitude: sigilo(number(-180, 180), {
    shown: 'endereco.longitude',
  }),

  municipio_infeccao: column(MUNICIPIO),
  estado_infeccao: column(oneOf(UFS)),
  pais_infeccao: column(text(80)),

  classificacao_inicial: column(oneOf(CLASSIFICACOES_INICIAIS)),
  classificacao_final: column(oneOf(CLASSIFICACOES), { listed: true }),
  criterio_confirmacao: column(oneOf(CRITERIOS), { listed: true }),
  evolucao: column(oneOf(EVOLUCOES), { listed: true }),
  data_obito: column(DATE),
  data_encerramento: column(DATE),
  data_investigacao: column(DATE),
  hospitalizacao: column(BOOLEAN, {
    listed: true,
    aliases: ['dados_clinicos.hospitalizacao'],
  }),
  data_internacao: column(DATE, {
    shown: 'dados_clinicos.data_internacao',
    aliases: ['dados_clinicos.data_internacao'],
  }),
  uti: column(BOOLEAN, {
    shown: 'dados_clinicos.uti',
    aliases: ['dados_clinicos.uti'],
  }),
  status: column(oneOf(STATUS), {
    listed: true,
  }),

  'dados_especificos.febre': dados(BOOLEAN, { aliases: ['dados_clinicos.sinais_sintomas.febre'] }),
  'dados_especificos.mialgia': dados(BOOLEAN, {
    aliases: ['dados_clinicos.sinais_sintomas.mialgia'],
  }),
  'dados_especificos.cefaleia': dados(BOOLEAN, {
    aliases: ['dados_clinicos.sinais_sintomas.cefaleia'],
  }),
  'dados_especificos.exantema': dados(BOOLEAN, {
    aliases: ['dados_clinicos.sinais_sintomas.exantema'],
  }),
  'dados_especificos.nausea': dados(BOOLEAN, {
    aliases: ['dados_clinicos.sinais_sintomas.nausea'],
  }),
  'dados_especificos.dor_retro_orbital': dados(BOOLEAN, {
    aliases: ['dados_clinicos.sinais_sintomas.dor_retro_orbital'],
  }),
  'dados_especificos.artralgia': dados(BOOLEAN, {
    aliases: ['dados_clinicos.sinais_sintomas.artralgia'],
  }),
  'dados_especificos.petequias': dados(BOOLEAN),
  'dados_especificos.vomito': dados(BOOLEAN),
  'dados_especificos.dor_costas': dados(BOOLEAN),
  'dados_especificos.conjuntivite': dados(BOOLEAN),
  'dados_especificos.artrite': dados(BOOLEAN),
  'dados_especificos.leucopenia': dados(BOOLEAN),
  'dados_especificos.prova_laco': dados(oneOf(PROVAS_DO_LACO)),
  'dados_especificos.sinais_alarme': dados(BOOLEAN, {
    aliases: ['dados_clinicos.sinais_alarme'],
  }),
  'dados_especificos.data_sinais_alarme': dados(DATE),
  'dados_especificos.hipotensao': dados(BOOLEAN),
  'dados_especificos.queda_plaquetas': dados(BOOLEAN),
  'dados_especificos.aumento_hematocrito': dados(BOOLEAN),
  'dados_especificos.sinais_gravidade': dados(listOf(SINAIS_GRAVIDADE)),
  'dados_especificos.data_sinais_gravidade': dados(DATE),
  'dados_especificos.sorotipo': dados(oneOf(SOROTIPOS)),
  'dados_especificos.apresentacao_clinica': dados(oneOf(APRESENTACOES)),
  'dados_especificos.idade_informada': dados(integer(121, 999)),
  'dados_especificos.idade_gestacional': dados(oneOf(IDADES_GESTACIONAIS)),
  'dados_especificos.autoctone': dados(oneOf(AUTOCTONES)),
  'dados_especificos.relacionada_ao_trabalho': dados(BOOLEAN),
  'dados_especificos.data_digitacao': column(DATE, { listed: true, once: true }),
  'dados_especificos.estado_notificacao': dados(oneOf(UFS)),
  'dados_especificos.municipio_notificacao': column(IBGE, { listed: true }),
  'dados_especificos.regional_notificacao': dados(text(20)),
  'dados_especificos.hospital_estado': dados(oneOf(UFS)),
  'dados_especificos.hospital_municipio': dados(IBGE),
  'dados_especificos.hospital_cnes': dados(code('cnes')),

  'dados_clinicos.sinais_sintomas.dor_abdominal': dados(BOOLEAN),
  'dados_clinicos.sinais_sintomas.vomito_persistente': dados(BOOLEAN),
  'dados_clinicos.sinais_sintomas.hepatomegalia': dados(BOOLEAN),
  'dados_clinicos.sinais_sintomas.sangramento_mucosa': dados(BOOLEAN),
  'dados_clinicos.sinais_sintomas.letargia': dados(BOOLEAN),
  'dados_clinicos.sinais_sintomas.acumulo_liquidos': dados(BOOLEAN),
  'dados_clinicos.comorbidades': dados(texts(30, 100)),

  'dados_laboratoriais.ns1': dados(oneOf(RESULTADOS)),
  'dados_laboratoriais.data_ns1': dados(DATE),
  'dados_laboratoriais.igm': dados(oneOf(RESULTADOS), {
    words: { reagente: 'positivo', nao_reagente: 'negativo' },
  }),
  'dados_laboratoriais.data_igm': dados(DATE),
  'dados_laboratoriais.pcr': dados(oneOf(RESULTADOS)),
  'dados_laboratoriais.data_pcr': dados(DATE),
  'dados_laboratoriais.isolamento_viral': dados(oneOf(RESULTADOS)),
  'dados_laboratoriais.data_isolamento_viral': dados(DATE),
  'dados_laboratoriais.prnt': dados(oneOf(RESULTADOS)),
  'dados_laboratoriais.data_prnt': dados(DATE),
  'dados_laboratoriais.histopatologia': dados(oneOf(RESULTADOS)),
  'dados_laboratoriais.imunohistoquimica': dados(oneOf(RESULTADOS)),
  'dados_laboratoriais.plaquetas': dados(integer(0, 5_000_000)),
  'dados_laboratoriais.hematocrito': dados(number(0, 100)),

  'investigacao.viagem_recente': dados(BOOLEAN),
  'investigacao.contato_casos_similares': dados(BOOLEAN),
  'investigacao.locais_frequentados': sigilo({ kind: 'locais' }),

  'unidade_notificante.nome': dados(text(200), { listed: true }),
  'unidade_notificante.cnes': column(code('cnes'), {
    listed: true,
    column: 'unidade_cnes',
  }),
  'unidade_notificante.telefone': dados(code('telefone')),
  'unidade_notificante.responsavel': dados(text(200)),
} as const satisfies Record<string, Campo>

/** Each of the places in `investigacao.locais_frequentados`. */
export interface Local {
  local: string
  endereco: string | null
  periodo: string | null
}
export const LOCAL = {
  local: { max: 200, description: 'Lugar, como o trabalho ou a escola' },
  endereco: { max: 300, description: 'Endereço do lugar' },
  periodo: { max: 100, description: 'Quando esteve lá' },
} as const satisfies Record<keyof Local, { max: number; description: string }>
export const MAX_LOCAIS = 50

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

export type FieldName = keyof typeof CAMPOS
export const FIELD_NAMES = Object.keys(CAMPOS) as FieldName[]

/** Never null in a stored case. */
export const ALWAYS_KNOWN = [
  'tipo_agravo',
  'numero_notificacao',
  'data_notificacao',
  'status',
] as const satisfies readonly FieldName[]
type AlwaysKnown = (typeof ALWAYS_KNOWN)[number]

/** A case as its fields, flat; null where nothing is known. */
export type Campos = {
  [N in FieldName]: N extends AlwaysKnown ? ValueOf<(typeof CAMPOS)[N]> : ValueOf<(typeof CAMPOS)[N]> | null
}
export type CampoValue = Campos[FieldName]
export const EMPTY_CASE = Object.fromEntries(FIELD_NAMES.map((nome) => [nome, null])) as unknown as Campos

/** Fields that a request or a row must have to create a case; `status` follows from the others. */
export const REQUIRED_ON_CREATION = [
  'tipo_agravo',
  'numero_notificacao',
  'data_notificacao',
  'paciente_nome',
  'municipio_residencia',
  'estado_residencia',
] as const satisfies readonly FieldName[]

/** Each municipality with its state. */
export const PLACES = [
  ['municipio_residencia', 'estado_residencia'],
  ['municipio_infeccao', 'estado_infeccao'],
] as const satisfies readonly (readonly [FieldName, FieldName])[]

type NamesWith<T> = { [N in FieldName]: (typeof CAMPOS)[N] extends T ? N : never }[FieldName]
const rowOf = (nome: FieldName): Campo => CAMPOS[nome]
const placed = <P extends Place>(place: P) =>
  FIELD_NAMES.filter((nome) => rowOf(nome).place === place) as NamesWith<{ place: P }>[]

export const COLUMN_FIELDS = placed('column')
export const DADOS = placed('dados')
export const SECRET_FIELDS = placed('sigilo')
export type ColumnField = (typeof COLUMN_FIELDS)[number]
export type DadosField = (typeof DADOS)[number]
export type SecretField = (typeof SECRET_FIELDS)[number]
export type OpenField = ColumnField | DadosField

/** Open fields of a group, in the order of the table. */
export const openFieldsOf = (group: string) =>
  FIELD_NAMES.filter((nome) => nome.startsWith(`${group}.`) && rowOf(nome).place !== 'sigilo') as OpenField[]

/** Fields that identify the patient. */
export type Sigilo = Pick<Campos, SecretField>

/** True for those of a disease's own, too (`proprios.ts`). */
export const isSecret = (nome: string): nome is SecretField =>
  (SECRET_FIELDS as readonly string[]).includes(nome) || nome.startsWith('dados_sigilosos.')

/** Columns of a listed case; of the fields in `dados` a list has them all. */
export type ListedField = NamesWith<{ place: 'column'; listed: true }>
export const LISTED_FIELDS = COLUMN_FIELDS.filter((nome) => rowOf(nome).listed) as ListedField[]

/** Fields that only the creation of a case sets. */
export const ONCE_FIELDS: readonly FieldName[] = FIELD_NAMES.filter((nome) => rowOf(nome).once)

/** Last part of a name; the key of a field in `dados` and `sigilo`, unique in each. */
export const leafOf = (nome: string) => nome.slice(nome.lastIndexOf('.') + 1)
export const columnOf = (nome: ColumnField): string => rowOf(nome).column ?? leafOf(nome)

/** Groups of an answer by an affix of the name: `paciente_idade` is shown at `paciente.idade`. */
const ANSWER_GROUPS: readonly (readonly [RegExp, string])[] = [
  [/^paciente_(?<leaf>\w+)$/, 'paciente.$<leaf>'],
  [/^(?<leaf>\w+)_residencia$/, 'endereco.$<leaf>'],
  [/^(?<leaf>\w+)_infeccao$/, 'local_infeccao.$<leaf>'],
]

/** Path of a field in answers: its name, unless its row or its affix says otherwise. */
export function answerPathOf(nome: FieldName): string {
  const { shown } = rowOf(nome)
  if (shown !== undefined) return shown
  const [affix, path] = ANSWER_GROUPS.find(([affix]) => affix.test(nome)) ?? []
  return affix === undefined ? nome : nome.replace(affix, path as string)
}

/** Fields in `dados`, each with its key there. */
export const DADOS_KEYS = DADOS.map((nome) => [nome, leafOf(nome)] as const)
export const SIGILO_KEYS = SECRET_FIELDS.map((nome) => [nome, leafOf(nome)] as const)

/** Each deprecated name with its field. */
export const ALIASES = FIELD_NAMES.flatMap((nome) =>
  (rowOf(nome).aliases ?? []).map((alias) => [alias, nome] as const),
)

const WORDS = new Map(FIELD_NAMES.map((nome) => [nome, new Map(Object.entries(rowOf(nome).words ?? {}))]))
export const wordsOf = (nome: FieldName) => WORDS.get(nome) as ReadonlyMap<string, string>
