import {
  CAMPOS,
  type Campo,
  type Campos,
  FIELD_NAMES,
  type FieldName,
  ONCE_FIELDS,
} from '../../../../src/domain/casos/campos.ts'
import { CONFIRMADOS, DENGUE_ONLY, OBITOS } from '../../../../src/domain/casos/enumeracoes.ts'

import { fieldsOf, type Section, type Values } from './ficha.ts'

/** Sections of the form, in the order of the SINAN ficha: Tab follows the paper. */

export type SectionId =
  | 'gerais'
  | 'paciente'
  | 'residencia'
  | 'clinicos'
  | 'laboratorio'
  | 'hospitalizacao'
  | 'conclusao'
  | 'investigacao'

const especificos = (...leaves: string[]) => leaves.map((leaf) => `dados_especificos.${leaf}` as FieldName)
const sinais = (...leaves: string[]) =>
  leaves.map((leaf) => `dados_clinicos.sinais_sintomas.${leaf}` as FieldName)

/** Signs of alarm, as the form lists them. */
const ALARME: FieldName[] = [
  ...especificos('hipotensao', 'queda_plaquetas', 'aumento_hematocrito'),
  ...sinais(
    'dor_abdominal',
    'vomito_persistente',
    'hepatomegalia',
    'sangramento_mucosa',
    'letargia',
    'acumulo_liquidos',
  ),
]

const PLACED: (Section & { id: SectionId })[] = [
  {
    id: 'gerais',
    groups: [
      { fields: ['tipo_agravo', 'numero_notificacao', 'data_notificacao', 'data_inicio_sintomas'] },
      {
        id: 'notificante',
        fields: [
          'unidade_notificante.cnes',
          'unidade_notificante.nome',
          'dados_especificos.municipio_notificacao',
          'dados_especificos.estado_notificacao',
          'dados_especificos.regional_notificacao',
          'unidade_notificante.telefone',
          'unidade_notificante.responsavel',
        ],
      },
    ],
  },
  {
    id: 'paciente',
    groups: [
      {
        fields: [
          'paciente_nome',
          'paciente_data_nascimento',
          'paciente_idade',
          'paciente_sexo',
          'paciente_gestante',
          'dados_especificos.idade_gestacional',
          'paciente_raca',
          'paciente_escolaridade',
          'paciente_ocupacao',
        ],
      },
    ],
  },
  {
    id: 'residencia',
    groups: [
      {
        fields: [
          'municipio_residencia',
          'estado_residencia',
          'bairro_residencia',
          'logradouro_residencia',
          'numero_residencia',
          'cep_residencia',
          'zona_residencia',
          'latitude',
          'longitude',
        ],
      },
    ],
  },
  {
    id: 'clinicos',
    groups: [
      {
        id: 'sintomas',
        fields: [
          ...especificos('febre', 'mialgia', 'cefaleia', 'exantema', 'vomito', 'nausea', 'dor_costas'),
          ...especificos(
            'conjuntivite',
            'artrite',
            'artralgia',
            'petequias',
            'leucopenia',
            'dor_retro_orbital',
          ),
          'dados_especificos.prova_laco',
          'dados_especificos.apresentacao_clinica',
          'dados_clinicos.comorbidades',
        ],
      },
      {
        id: 'alarme',
        fields: [...especificos('sinais_alarme'), ...ALARME, 'dados_especificos.data_sinais_alarme'],
      },
      { id: 'gravidade', fields: especificos('sinais_gravidade', 'data_sinais_gravidade') },
    ],
  },
  {
    id: 'laboratorio',
    groups: [
      {
        fields: [
          'dados_laboratoriais.igm',
          'dados_laboratoriais.data_igm',
          'dados_laboratoriais.prnt',
          'dados_laboratoriais.data_prnt',
          'dados_laboratoriais.ns1',
          'dados_laboratoriais.data_ns1',
          'dados_laboratoriais.isolamento_viral',
          'dados_laboratoriais.data_isolamento_viral',
          'dados_laboratoriais.pcr',
          'dados_laboratoriais.data_pcr',
          'dados_especificos.sorotipo',
          'dados_laboratoriais.histopatologia',
          'dados_laboratoriais.imunohistoquimica',
          'dados_laboratoriais.plaquetas',
          'dados_laboratoriais.hematocrito',
        ],
      },
    ],
  },
  {
    id: 'hospitalizacao',
    groups: [
      {
        fields: [
          'hospitalizacao',
          'data_internacao',
          'uti',
          'dados_especificos.hospital_municipio',
          'dados_especificos.hospital_estado',
          'dados_especificos.hospital_cnes',
        ],
      },
    ],
  },
  {
    id: 'conclusao',
    groups: [
      {
        id: 'local_infeccao',
        fields: ['dados_especificos.autoctone', 'municipio_infeccao', 'estado_infeccao', 'pais_infeccao'],
      },
      {
        fields: [
          'classificacao_inicial',
          'classificacao_final',
          'criterio_confirmacao',
          'dados_especificos.relacionada_ao_trabalho',
          'evolucao',
          'data_obito',
          'data_encerramento',
        ],
      },
    ],
  },
  {
    id: 'investigacao',
    groups: [
      {
        fields: [
          'data_investigacao',
          'investigacao.viagem_recente',
          'investigacao.contato_casos_similares',
          'investigacao.locais_frequentados',
        ],
      },
    ],
  },
]

/** Not asked: what follows from others, what the service notes itself, and what only files tell. */
const NOT_ASKED: readonly FieldName[] = ['status', 'dados_especificos.idade_informada', ...ONCE_FIELDS]

/** Section of a new field of the table until it is given its place on the form. */
const SECTION_OF_GROUP: Record<string, SectionId> = {
  dados_especificos: 'clinicos',
  dados_clinicos: 'clinicos',
  dados_laboratoriais: 'laboratorio',
  investigacao: 'investigacao',
  unidade_notificante: 'gerais',
}

function withUnplaced(placed: (Section & { id: SectionId })[]): Section[] {
  const known = new Set<FieldName>([
    ...NOT_ASKED,
    ...placed.flatMap(({ groups }) => groups.flatMap(({ fields }) => fields)),
  ])
  const rest = FIELD_NAMES.filter((nome) => !known.has(nome))
  return placed.map((section) => {
    const fields = rest.filter(
      (nome) => (SECTION_OF_GROUP[nome.split('.')[0] as string] ?? 'conclusao') === section.id,
    )
    return fields.length === 0 ? section : { ...section, groups: [...section.groups, { fields }] }
  })
}

export const SECTIONS = withUnplaced(PLACED)

export const FORM_FIELDS = SECTIONS.flatMap(fieldsOf)

export const campoOf = (nome: FieldName): Campo => CAMPOS[nome]

/** Municipality by its code: a field of that kind, or a plain code of the table. */
export const STATE_OF: Partial<Record<FieldName, FieldName>> = {
  municipio_residencia: 'estado_residencia',
  municipio_infeccao: 'estado_infeccao',
  'dados_especificos.municipio_notificacao': 'dados_especificos.estado_notificacao',
  'dados_especificos.hospital_municipio': 'dados_especificos.hospital_estado',
}
export const isMunicipio = (nome: FieldName) => STATE_OF[nome] !== undefined

type Condition = (values: Values) => boolean

const isDengue: Condition = ({ tipo_agravo }) => (tipo_agravo ?? 'dengue') === 'dengue'
const wasAdmitted: Condition = ({ hospitalizacao }) => hospitalizacao === true
const wasDone = (exame: FieldName) => (values: Values) =>
  values[exame] != null && values[exame] !== 'nao_realizado'
const hasAlarme: Condition = (values) =>
  isDengue(values) &&
  ['dados_especificos.sinais_alarme' as const, ...ALARME].some((nome) => values[nome] === true)

const all = (names: FieldName[], condition: Condition) =>
  Object.fromEntries(names.map((nome) => [nome, condition]))

/** Condition under which a field applies; absent: always. One that does not is hidden, and counts as empty. */
const APPLIES: Partial<Record<FieldName, Condition>> = {
  paciente_idade: ({ paciente_data_nascimento }) => paciente_data_nascimento == null,
  paciente_gestante: ({ paciente_sexo }) => paciente_sexo !== 'M',
  'dados_especificos.idade_gestacional': ({ paciente_gestante, paciente_sexo }) =>
    paciente_gestante === true && paciente_sexo !== 'M',
  ...all(['dados_especificos.sinais_alarme', ...ALARME], isDengue),
  'dados_especificos.data_sinais_alarme': hasAlarme,
  'dados_especificos.sinais_gravidade': isDengue,
  'dados_especificos.data_sinais_gravidade': (values) =>
    isDengue(values) && values['dados_especificos.sinais_gravidade'] != null,
  'dados_especificos.prova_laco': isDengue,
  'dados_especificos.sorotipo': isDengue,
  'dados_laboratoriais.ns1': isDengue,
  'dados_laboratoriais.data_ns1': (values) => isDengue(values) && wasDone('dados_laboratoriais.ns1')(values),
  'dados_laboratoriais.data_igm': wasDone('dados_laboratoriais.igm'),
  'dados_laboratoriais.data_pcr': wasDone('dados_laboratoriais.pcr'),
  'dados_laboratoriais.data_prnt': wasDone('dados_laboratoriais.prnt'),
  'dados_laboratoriais.data_isolamento_viral': wasDone('dados_laboratoriais.isolamento_viral'),
  'dados_especificos.apresentacao_clinica': ({ tipo_agravo }) => tipo_agravo === 'chikungunya',
  ...all(
    [
      'data_internacao',
      'uti',
      'dados_especificos.hospital_municipio',
      'dados_especificos.hospital_estado',
      'dados_especificos.hospital_cnes',
    ],
    wasAdmitted,
  ),
  data_obito: ({ evolucao }) => OBITOS.includes(evolucao ?? ''),
}

export const applies = (nome: FieldName, values: Values): boolean => APPLIES[nome]?.(values) ?? true

/** Classifications of the forms before 2014, offered only where a case has one. */
const BEFORE_2014: readonly string[] = CONFIRMADOS.slice(CONFIRMADOS.indexOf('dengue_classico'))

/** Values that a choice offers: those of the disease, and the one that is there. */
export function optionsOf(
  nome: FieldName,
  tipo: Campos['tipo_agravo'] | null,
  chosen: string,
): readonly string[] {
  const campo = campoOf(nome)
  if (campo.kind !== 'one-of') return []
  if (nome !== 'classificacao_final' && nome !== 'classificacao_inicial') return campo.values
  const wrong = tipo === null || tipo === 'dengue' ? BEFORE_2014 : DENGUE_ONLY
  return campo.values.filter((value) => value === chosen || !wrong.includes(value))
}

/** Codes of the paper form: shown before the word, and typed. */
const CODES: Partial<Record<FieldName, Record<string, string>>> = {
  paciente_raca: { ignorado: '9' },
  zona_residencia: { ignorado: '9' },
  evolucao: { ignorado: '9' },
  'dados_especificos.prova_laco': { nao_realizada: '9' },
  paciente_escolaridade: Object.fromEntries(
    CAMPOS.paciente_escolaridade.values.map((value, at) => [value, String(at)]),
  ),
}
/** By disease: the same code has different meanings. */
const CODES_OF_CLASSES: Record<string, Record<string, string>> = {
  dengue: {
    dengue_sem_sinais_alarme: '10',
    dengue_com_sinais_alarme: '11',
    dengue_grave: '12',
    descartado: '5',
    inconclusivo: '8',
  },
  chikungunya: { confirmado: '13', descartado: '5', inconclusivo: '8' },
  zika: { confirmado: '1', descartado: '2', inconclusivo: '8' },
}
/** Choices whose words the paper form has no codes for, or whose values are their own codes. */
const WITHOUT_CODES: readonly FieldName[] = ['tipo_agravo', 'paciente_sexo', 'classificacao_inicial']

export function paperCode(nome: FieldName, value: string, tipo: string | null): string | null {
  const campo = campoOf(nome)
  if (campo.kind !== 'one-of' || WITHOUT_CODES.includes(nome) || nome.includes('estado')) return null
  if (nome === 'classificacao_final') return CODES_OF_CLASSES[tipo ?? 'dengue']?.[value] ?? null
  return CODES[nome]?.[value] ?? String(campo.values.indexOf(value) + 1)
}
