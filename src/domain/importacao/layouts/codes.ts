import {
  type AgravoConhecido,
  APRESENTACOES,
  AUTOCTONES,
  CRITERIOS,
  EVOLUCOES,
  type IDADES_GESTACIONAIS,
  RACAS,
  RESULTADOS,
  SEXOS,
  SOROTIPOS,
  ZONAS,
} from '../../casos/enumeracoes.ts'
import { codeOf, isMissing, labelOf } from './values.ts'

/** Code tables of the notification forms, with the labels that processed files hold in place of codes. */

/** Values by code without leading zeros, and by label. Null: unknown, according to the form. */
export type CodeTable<V> = ReadonlyMap<string, V | null>

/** Returns `undefined` for a code that the form does not have. */
export function decode<V>(codes: CodeTable<V>, text: string): V | null | undefined {
  if (isMissing(text)) return null
  const byCode = codes.get(codeOf(text))
  return byCode === undefined ? codes.get(labelOf(text)) : byCode
}

type Labels<V> = Record<string, V | null>

function codeTable<const V>(byCode: Labels<V>, labels: Labels<V> = {}): CodeTable<V> {
  const map = new Map<string, V | null>()
  for (const [codigo, value] of Object.entries(byCode)) {
    map.set(codigo, value)
    if (typeof value === 'string') map.set(labelOf(value), value)
  }
  for (const [label, value] of Object.entries(labels)) map.set(label, value)
  return map
}

/** Table of values in the order of their codes, from 1. */
const inOrder = <V extends string>(values: readonly V[], labels: Labels<V> = {}, others: Labels<V> = {}) =>
  codeTable({ ...Object.fromEntries(values.map((value, i) => [String(i + 1), value])), ...others }, labels)

/** Codes that a definition gives to values; labels are those of the values, and others that name them. */
export function definedTable<V extends string>(
  values: readonly { codigo: V; sinan: readonly string[]; rotulo?: string | undefined }[],
): CodeTable<V> {
  const labels = values.flatMap(({ codigo, rotulo }) => (rotulo ? [[labelOf(rotulo), codigo] as const] : []))
  const byCode = values.flatMap(({ codigo, sinan }) => sinan.map((code) => [codeOf(code), codigo] as const))
  return new Map<string, V>([
    ...labels,
    ...values.map(({ codigo }) => [labelOf(codigo), codigo] as const),
    ...byCode,
  ])
}

export const SIM_NAO = codeTable(
  { 1: true, 2: false, 9: null },
  { sim: true, s: true, true: true, nao: false, n: false, false: false, ignorado: null, i: null },
)

export const SEXO = codeTable(
  {},
  {
    ...Object.fromEntries(SEXOS.map((sexo) => [sexo.toLowerCase(), sexo])),
    masculino: 'M',
    feminino: 'F',
    ignorado: 'I',
  },
)

type Raca = (typeof RACAS)[number]
const [, , , , , RACA_IGNORADA] = RACAS
export const RACA: CodeTable<Raca> = inOrder<Raca>(RACAS.slice(0, 5), {}, { 9: RACA_IGNORADA })

type Zona = (typeof ZONAS)[number]
export const ZONA: CodeTable<Zona> = inOrder<Zona>(
  ZONAS.slice(0, 3),
  { peri_urbana: 'periurbana' },
  { 9: 'ignorado', 0: null },
)

export const ESCOLARIDADE = codeTable(
  {
    0: 'analfabeto',
    1: 'fundamental_1_4_incompleto',
    2: 'fundamental_4_completo',
    3: 'fundamental_5_8_incompleto',
    4: 'fundamental_completo',
    5: 'medio_incompleto',
    6: 'medio_completo',
    7: 'superior_incompleto',
    8: 'superior_completo',
    9: 'ignorado',
    10: 'nao_se_aplica',
  },
  {
    '1a_a_4a_serie_incompleta_do_ef': 'fundamental_1_4_incompleto',
    '4a_serie_completa_do_ef': 'fundamental_4_completo',
    '5a_a_8a_serie_incompleta_do_ef': 'fundamental_5_8_incompleto',
    ensino_fundamental_completo: 'fundamental_completo',
    ensino_medio_incompleto: 'medio_incompleto',
    ensino_medio_completo: 'medio_completo',
    educacao_superior_incompleta: 'superior_incompleto',
    ensino_superior_incompleto: 'superior_incompleto',
    educacao_superior_completa: 'superior_completo',
    ensino_superior_completo: 'superior_completo',
  },
)

export type Gestacao = (typeof IDADES_GESTACIONAIS)[number] | 'nao'
export const GESTANTE = codeTable<Gestacao>(
  {
    1: 'primeiro_trimestre',
    2: 'segundo_trimestre',
    3: 'terceiro_trimestre',
    4: 'idade_gestacional_ignorada',
    5: 'nao',
    6: 'nao',
    9: null,
  },
  {
    '1o_trimestre': 'primeiro_trimestre',
    '1_trimestre': 'primeiro_trimestre',
    '2o_trimestre': 'segundo_trimestre',
    '2_trimestre': 'segundo_trimestre',
    '3o_trimestre': 'terceiro_trimestre',
    '3_trimestre': 'terceiro_trimestre',
    nao_se_aplica: 'nao',
    ignorado: null,
  },
)

export const CRITERIO = inOrder(CRITERIOS, { laboratorio: 'laboratorial' })

type Evolucao = (typeof EVOLUCOES)[number]
export const EVOLUCAO: CodeTable<Evolucao> = inOrder<Evolucao>(
  EVOLUCOES.slice(0, 4),
  {
    obito_pelo_agravo: 'obito',
    obito_pelo_agravo_notificado: 'obito',
    obito_por_dengue: 'obito',
    obito_por_outras_causas: 'obito_outras_causas',
    obito_por_outra_causa: 'obito_outras_causas',
  },
  { 9: 'ignorado' },
)

const REACTIVE = { reagente: 'positivo', nao_reagente: 'negativo', compativel: 'positivo' } as const
export const RESULTADO = inOrder(RESULTADOS, REACTIVE)
export const LACO = codeTable(
  { 1: 'positiva', 2: 'negativa', 9: 'nao_realizada' },
  { sim: 'positiva', nao: 'negativa', positivo: 'positiva', negativo: 'negativa', ignorado: 'nao_realizada' },
)
export const SOROTIPO = inOrder(
  SOROTIPOS,
  Object.fromEntries(
    SOROTIPOS.flatMap((one, i) =>
      [`den_${i + 1}`, `den${i + 1}`, `denv_${i + 1}`].map((label) => [label, one]),
    ),
  ),
)
export const APRESENTACAO = inOrder(APRESENTACOES)
export const AUTOCTONE = inOrder(AUTOCTONES)

/** By disease: the same code has different meanings. */
const COMMON = { 8: 'inconclusivo' } as const
export const CLASSIFICACAO = {
  dengue: codeTable(
    {
      1: 'dengue_classico',
      2: 'dengue_com_complicacoes',
      3: 'febre_hemorragica_dengue',
      4: 'sindrome_choque_dengue',
      5: 'descartado',
      10: 'dengue_sem_sinais_alarme',
      11: 'dengue_com_sinais_alarme',
      12: 'dengue_grave',
      ...COMMON,
    },
    {
      dengue: 'dengue_sem_sinais_alarme',
      dengue_com_sinais_de_alarme: 'dengue_com_sinais_alarme',
      dengue_sem_sinais_de_alarme: 'dengue_sem_sinais_alarme',
      febre_hemorragica_do_dengue: 'febre_hemorragica_dengue',
      febre_hemorragica_da_dengue: 'febre_hemorragica_dengue',
      sindrome_do_choque_do_dengue: 'sindrome_choque_dengue',
      sindrome_do_choque_da_dengue: 'sindrome_choque_dengue',
      confirmado: 'confirmado',
    },
  ),
  chikungunya: codeTable({ 5: 'descartado', 13: 'confirmado', ...COMMON }, { chikungunya: 'confirmado' }),
  zika: codeTable({ 1: 'confirmado', 2: 'descartado', ...COMMON }, { zika: 'confirmado' }),
} as const satisfies Record<AgravoConhecido, CodeTable<string>>

/** Names of the diseases. */
const DISEASES: ReadonlyMap<string, AgravoConhecido> = new Map([
  ['dengue', 'dengue'],
  ['chikungunya', 'chikungunya'],
  ['febre_de_chikungunya', 'chikungunya'],
  ['febre_chikungunya', 'chikungunya'],
  ['zika', 'zika'],
  ['zika_virus', 'zika'],
  ['febre_pelo_virus_zika', 'zika'],
  ['doenca_aguda_pelo_virus_zika', 'zika'],
])
const CIDS: [prefix: string, AgravoConhecido][] = [
  ['A90', 'dengue'],
  ['A91', 'dengue'],
  ['A97', 'dengue'],
  ['A925', 'zika'],
  ['A928', 'zika'],
  ['U069', 'zika'],
]
const CHIKUNGUNYA = new Set(['A92', 'A920'])

export function readAgravo(text: string): AgravoConhecido | null | undefined {
  if (isMissing(text)) return null
  const cid = text.replace(/[.\s]/g, '').toUpperCase()
  if (CHIKUNGUNYA.has(cid)) return 'chikungunya'
  return CIDS.find(([prefix]) => cid.startsWith(prefix))?.[1] ?? DISEASES.get(labelOf(text))
}

/** Kinds of rows that are not one person's notification. */
export const NOT_INDIVIDUAL = codeTable(
  { 1: 'negativa', 3: 'surto', 4: 'agregada', 2: null },
  { individual: null, agregado: 'agregada' },
)
export const DUPLICIDADE = codeTable({ 0: false, 1: false, 2: true })
