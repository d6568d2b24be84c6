import {
  APRESENTACOES,
  AUTOCTONES,
  CRITERIOS,
  EVOLUCOES,
  type IDADES_GESTACIONAIS,
  RACAS,
  RESULTADOS,
  SEXOS,
  SOROTIPOS,
  type TipoAgravo,
  ZONAS,
} from '../../casos/enumeracoes.ts'
import { codeOf, isMissing, labelOf } from './values.ts'

/** What the codes of the notification forms mean, and the words that processed files hold in their place. */

/** By code without leading zeros, or by label. Null: the form says that nothing is known. */
export type Codigos<V> = ReadonlyMap<string, V | null>

/** `undefined`: a code that the form does not have. */
export function decode<V>(codigos: Codigos<V>, text: string): V | null | undefined {
  if (isMissing(text)) return null
  const byCode = codigos.get(codeOf(text))
  return byCode === undefined ? codigos.get(labelOf(text)) : byCode
}

type Rotulos<V> = Record<string, V | null>

function codigos<const V>(porCodigo: Rotulos<V>, rotulos: Rotulos<V> = {}): Codigos<V> {
  const map = new Map<string, V | null>()
  for (const [codigo, value] of Object.entries(porCodigo)) {
    map.set(codigo, value)
    if (typeof value === 'string') map.set(labelOf(value), value)
  }
  for (const [rotulo, value] of Object.entries(rotulos)) map.set(rotulo, value)
  return map
}

/** In the order of the codes, which begin with 1. */
const emOrdem = <V extends string>(
  values: readonly V[],
  rotulos: Rotulos<V> = {},
  semCodigo: Rotulos<V> = {},
) =>
  codigos({ ...Object.fromEntries(values.map((value, i) => [String(i + 1), value])), ...semCodigo }, rotulos)

export const SIM_NAO = codigos(
  { 1: true, 2: false, 9: null },
  { sim: true, s: true, true: true, nao: false, n: false, false: false, ignorado: null, i: null },
)

export const SEXO = codigos(
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
export const RACA: Codigos<Raca> = emOrdem<Raca>(RACAS.slice(0, 5), {}, { 9: RACA_IGNORADA })

type Zona = (typeof ZONAS)[number]
export const ZONA: Codigos<Zona> = emOrdem<Zona>(
  ZONAS.slice(0, 3),
  { peri_urbana: 'periurbana' },
  { 9: 'ignorado', 0: null },
)

export const ESCOLARIDADE = codigos(
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
export const GESTANTE = codigos<Gestacao>(
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

export const CRITERIO = emOrdem(CRITERIOS, { laboratorio: 'laboratorial' })

type Evolucao = (typeof EVOLUCOES)[number]
export const EVOLUCAO: Codigos<Evolucao> = emOrdem<Evolucao>(
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

const REAGENTES = { reagente: 'positivo', nao_reagente: 'negativo', compativel: 'positivo' } as const
export const RESULTADO = emOrdem(RESULTADOS, REAGENTES)
export const LACO = codigos(
  { 1: 'positiva', 2: 'negativa', 9: 'nao_realizada' },
  { sim: 'positiva', nao: 'negativa', positivo: 'positiva', negativo: 'negativa', ignorado: 'nao_realizada' },
)
export const SOROTIPO = emOrdem(
  SOROTIPOS,
  Object.fromEntries(
    SOROTIPOS.flatMap((one, i) =>
      [`den_${i + 1}`, `den${i + 1}`, `denv_${i + 1}`].map((label) => [label, one]),
    ),
  ),
)
export const APRESENTACAO = emOrdem(APRESENTACOES)
export const AUTOCTONE = emOrdem(AUTOCTONES)

/** The same number means another thing for another disease. */
const COMUNS = { 8: 'inconclusivo' } as const
export const CLASSIFICACAO = {
  dengue: codigos(
    {
      1: 'dengue_classico',
      2: 'dengue_com_complicacoes',
      3: 'febre_hemorragica_dengue',
      4: 'sindrome_choque_dengue',
      5: 'descartado',
      10: 'dengue_sem_sinais_alarme',
      11: 'dengue_com_sinais_alarme',
      12: 'dengue_grave',
      ...COMUNS,
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
  chikungunya: codigos({ 5: 'descartado', 13: 'confirmado', ...COMUNS }, { chikungunya: 'confirmado' }),
  zika: codigos({ 1: 'confirmado', 2: 'descartado', ...COMUNS }, { zika: 'confirmado' }),
} as const satisfies Record<TipoAgravo, Codigos<string>>

/** CID-10, and the names of the diseases. */
const DOENCAS: ReadonlyMap<string, TipoAgravo> = new Map([
  ['dengue', 'dengue'],
  ['chikungunya', 'chikungunya'],
  ['febre_de_chikungunya', 'chikungunya'],
  ['febre_chikungunya', 'chikungunya'],
  ['zika', 'zika'],
  ['zika_virus', 'zika'],
  ['febre_pelo_virus_zika', 'zika'],
  ['doenca_aguda_pelo_virus_zika', 'zika'],
])
const CIDS: [prefix: string, TipoAgravo][] = [
  ['A90', 'dengue'],
  ['A91', 'dengue'],
  ['A97', 'dengue'],
  ['A925', 'zika'],
  ['A928', 'zika'],
  ['U069', 'zika'],
]
const CHIKUNGUNYA = new Set(['A92', 'A920'])

export function readAgravo(text: string): TipoAgravo | null | undefined {
  if (isMissing(text)) return null
  const cid = text.replace(/[.\s]/g, '').toUpperCase()
  if (CHIKUNGUNYA.has(cid)) return 'chikungunya'
  return CIDS.find(([prefix]) => cid.startsWith(prefix))?.[1] ?? DOENCAS.get(labelOf(text))
}

/** What a row is that is not one person's notification. */
export const NAO_INDIVIDUAL = codigos(
  { 1: 'negativa', 3: 'surto', 4: 'agregada', 2: null },
  { individual: null, agregado: 'agregada' },
)
export const DUPLICIDADE = codigos({ 0: false, 1: false, 2: true })
