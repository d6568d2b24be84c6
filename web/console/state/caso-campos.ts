import {
  answerPathOf,
  CAMPOS,
  type Campo,
  FIELD_NAMES,
  type FieldName,
  isSecret,
} from '../../../src/domain/casos/campos.ts'
import { valorWords } from './filter-words.ts'
import type { Texts } from './text-types.ts'

/** Fields of a case as screens show them: their blocks, their place in an answer, their values in words. */

export type BlockName = keyof Texts['caso']['blocks']

/** Blocks of the paper form, each by the names of its fields. The first that matches has the field; the rest is general. */
const BLOCKS: readonly (readonly [BlockName, RegExp])[] = [
  ['paciente', /^paciente_|\.idade_/],
  ['residencia', /_residencia$|^(?:latitude|longitude)$/],
  ['hospitalizacao', /^(?:hospitalizacao|data_internacao|uti)$|\.hospital_/],
  ['laboratorio', /^dados_laboratoriais\.|\.sorotipo$/],
  ['investigacao', /^investigacao\.|^data_investigacao$/],
  [
    'conclusao',
    /^(?:classificacao_|criterio_|evolucao$|data_obito$|data_encerramento$|status$)|_infeccao$|\.(?:autoctone|relacionada_ao_trabalho|apresentacao_clinica)$/,
  ],
  ['geral', /^unidade_notificante\.|_notificacao$|\.data_digitacao$|^(?:tipo_agravo|data_inicio_sintomas)$/],
  ['clinicos', /^dados_/],
]
const ORDER: BlockName[] = [
  'geral',
  'paciente',
  'residencia',
  'clinicos',
  'laboratorio',
  'hospitalizacao',
  'conclusao',
  'investigacao',
]

const blockOf = (nome: FieldName): BlockName => BLOCKS.find(([, names]) => names.test(nome))?.[0] ?? 'geral'

/** Every field of a case, in the block where the paper form has it. */
export const BLOCK_FIELDS: readonly (readonly [BlockName, FieldName[]])[] = ORDER.map((block) => [
  block,
  FIELD_NAMES.filter((nome) => blockOf(nome) === block),
])

export function valueIn(caso: object, nome: FieldName): unknown {
  let value: unknown = caso
  for (const part of answerPathOf(nome).split('.'))
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined
  return value ?? null
}

export const isField = (nome: string): nome is FieldName => Object.hasOwn(CAMPOS, nome)

/** True for fields that only an identified reading shows; of the name others have the initials. */
export const isHidden = (nome: FieldName) => isSecret(nome) && nome !== 'paciente_nome'

/** Value of a field in words; empty: not known. */
export function textOf(nome: FieldName, value: unknown, t: Texts): string {
  if (value === null || value === undefined) return ''
  const { kind }: Campo = CAMPOS[nome]
  if (Array.isArray(value)) return value.map((one) => itemOf(one, t)).join(', ')
  switch (kind) {
    case 'boolean':
      return value === true ? t.valores.sim : t.valores.nao
    case 'date':
      return t.filtros.day(String(value).slice(0, 10))
    case 'one-of':
      return wordOf(String(value), t)
    case 'integer':
    case 'number':
      return isMunicipio(nome) || typeof value !== 'number' ? String(value) : t.filtros.number(value)
    default:
      return String(value)
  }
}

/** Fields that hold the code of a municipality, and not its name. */
export const isMunicipio = (nome: FieldName) => /\.(?:municipio_notificacao|hospital_municipio)$/.test(nome)

const wordOf = valorWords

/** A value of a list, or one of the places that were visited. */
function itemOf(item: unknown, t: Texts): string {
  if (typeof item !== 'object' || item === null) return wordOf(String(item), t)
  return Object.values(item)
    .filter((part) => part !== null && part !== '')
    .join(', ')
}
