import {
  answerPathOf,
  type Campos,
  type CampoValue,
  EMPTY_CASE,
  FIELD_NAMES,
  type FieldName,
  isSecret,
  type PLACES,
} from '../../../../src/domain/casos/campos.ts'
import type { AnswerOf } from '../../api/rows.ts'
import type { Ficha } from './ficha.ts'

/** A case between the shapes of the service and the flat fields of the form. */

export type Detalhe = AnswerOf<'GET', '/api/v1/agravos/casos/{id}'>

/** Path of the code of a municipality in an answer; its name is at the field's own path. */
const CODE_AT: Partial<Record<FieldName, string>> = {
  municipio_residencia: 'endereco.codigo_ibge',
  municipio_infeccao: 'local_infeccao.codigo_ibge',
} satisfies Record<(typeof PLACES)[number][0], string>

function at(answer: unknown, path: string): unknown {
  let node = answer
  for (const key of path.split('.')) node = (node as Record<string, unknown> | null | undefined)?.[key]
  return node ?? null
}

/** Open fields of a case. What identifies the patient stays empty: it is sent only where it is typed. */
export function fromDetalhe(answer: Detalhe, ficha: Ficha): Campos {
  const campos: Record<string, unknown> = { ...EMPTY_CASE }
  const own = ficha.fields.filter(ficha.isOwn)
  for (const nome of [...FIELD_NAMES, ...own])
    if (!isSecret(nome) && !ficha.isSecret(nome)) campos[nome] = valueIn(answer, nome)
  return campos as Campos
}

function valueIn(answer: Detalhe, nome: FieldName): CampoValue {
  const code = CODE_AT[nome]
  if (code !== undefined) {
    const codigo = at(answer, code)
    return codigo === null ? null : Number(codigo)
  }
  const value = at(answer, nome in EMPTY_CASE ? answerPathOf(nome) : nome)
  if (Array.isArray(value)) return value.length === 0 ? null : (value as CampoValue)
  // A moment at the beginning of the day.
  if (nome === 'data_notificacao' && typeof value === 'string') return value.slice(0, 10)
  return value as CampoValue
}

export const iniciaisOf = (answer: Detalhe) => at(answer, 'paciente.nome') as string | null
export const versaoOf = (answer: Detalhe) => at(answer, 'versao') as number

interface Change {
  data: string
  usuario: { nome: string } | null
}
/** The last change of a case: who and when. */
export const lastChangeOf = (answer: Detalhe) =>
  ((answer.historico ?? []) as Change[]).toSorted((one, other) => (one.data < other.data ? 1 : -1))[0] ?? null

/** Body of a request: names with dots become groups, municipalities their codes as text. */
export function bodyOf(values: Partial<Campos>): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [nome, value] of Object.entries(values) as [FieldName, CampoValue][]) {
    const path = nome.split('.')
    let node = body
    for (const key of path.slice(0, -1)) {
      node[key] ??= {}
      node = node[key] as Record<string, unknown>
    }
    node[path.at(-1) as string] = isPlace(nome) && value !== null ? String(value) : value
  }
  return body
}

const isPlace = (nome: FieldName) => CODE_AT[nome] !== undefined

/** Field of a problem that the service names by its place in the body; null: of none in the form. */
export function fieldAt(path: string, ficha: Ficha): FieldName | null {
  if ((ficha.fields as readonly string[]).includes(path)) return path as FieldName
  const above = path.lastIndexOf('.')
  return above === -1 ? null : fieldAt(path.slice(0, above), ficha)
}
