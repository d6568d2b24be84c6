import { codigoDaSemana } from '../../brasil/epi-week.ts'
import type { Municipios } from '../../brasil/municipios.ts'
import {
  ALWAYS_KNOWN,
  answerPathOf,
  CAMPOS,
  type Campo,
  type FieldName,
  LOCAL,
} from '../../domain/casos/campos.ts'
import { DESCRICOES } from '../../domain/casos/descricoes.ts'
import { TIPOS_AGRAVO, TIPOS_ATIVOS } from '../../domain/casos/enumeracoes.ts'
import { DateTime, described, Nullable, OneOf } from '../../http/schemas.ts'
import { type TSchema, Type } from '../../http/type.ts'
import { type Nested, nested } from './nested.ts'

/** Spec 2.7: members of a case in answers, derived from the table of fields. */

export interface Member<C> {
  /** A dot leads into a group. */
  path: string
  schema: TSchema
  value: Getter<C>
  /** Absent: shown as it is. */
  render?: Render | undefined
}

/** Name of a property of the case, or a function of the case. */
export type Getter<C> = string | ((caso: C) => unknown)

export const NullableText = Nullable(Type.String())

/** Calendar dates are dates of Brazil; where the interface wants a moment, it is their beginning. */
export const atMidnight = (date: string) => `${date}T00:00:00-03:00`

/** Stored value to shown value. Beside null, values are of the field's own type. */
type Render = (value: never, municipios: Municipios) => unknown

const LocalFrequentado = Type.Object({
  local: described(LOCAL.local.description, Type.String()),
  endereco: described(LOCAL.endereco.description, NullableText),
  periodo: described(LOCAL.periodo.description, NullableText),
})

function shownSchema(campo: Campo): TSchema {
  switch (campo.kind) {
    case 'text':
    case 'code':
    case 'municipio':
      return Type.String()
    case 'one-of':
      // Cases of a disease that takes no more of them are still shown.
      return OneOf(campo.values === TIPOS_ATIVOS ? TIPOS_AGRAVO : campo.values)
    case 'boolean':
      return Type.Boolean()
    case 'date':
      return Type.String({ format: 'date' })
    case 'integer':
      return Type.Integer()
    case 'number':
      return Type.Number()
    case 'list-of':
      return Type.Array(OneOf(campo.values))
    case 'texts':
      return Type.Array(Type.String())
    case 'locais':
      return Type.Array(LocalFrequentado)
  }
}

function renderOf(campo: Campo): Render | undefined {
  switch (campo.kind) {
    case 'code':
      return campo.form === 'cep' ? formatted : undefined
    case 'municipio':
      return municipioName
    case 'list-of':
    case 'texts':
      return (list: unknown[] | null) => list ?? []
    default:
      return undefined
  }
}

const formatted = (cep: string | null) => cep && `${cep.slice(0, 5)}-${cep.slice(5)}`

const municipioName = (codigo: number | null, municipios: Municipios) =>
  codigo === null ? null : (municipios.byCodigo(codigo)?.nome ?? null)

const municipioCode = (codigo: number | null) => (codigo === null ? null : String(codigo))

const semanaOf = (day: string | null) => day && codigoDaSemana(day)

/** Fields that are shown otherwise than their kind says. */
const EXCEPTIONS: Partial<Record<FieldName, { schema?: TSchema; description?: string; render?: Render }>> = {
  data_notificacao: { schema: DateTime, render: atMidnight },
  paciente_nome: { description: 'Iniciais; o nome completo só na leitura identificada' },
  estado_residencia: { schema: Type.String() },
  estado_infeccao: { schema: Type.String() },
}

/** Members computed from the value of a field, placed behind it. */
const COMPUTED: Partial<Record<FieldName, { path: string; schema: TSchema; render: Render }>> = {
  data_notificacao: {
    path: 'semana_epidemiologica',
    schema: described('Da notificação, `AAAASS`, de domingo a sábado', Type.String()),
    render: semanaOf,
  },
  data_inicio_sintomas: {
    path: 'semana_epidemiologica_sintomas',
    schema: described('Do início dos sintomas, `AAAASS`', NullableText),
    render: semanaOf,
  },
  municipio_residencia: {
    path: 'endereco.codigo_ibge',
    schema: described('Do município de residência, sete dígitos', NullableText),
    render: municipioCode,
  },
  municipio_infeccao: {
    path: 'local_infeccao.codigo_ibge',
    schema: described('Do município da infecção, sete dígitos', NullableText),
    render: municipioCode,
  },
}

const hasValueAlways = (nome: FieldName) =>
  (ALWAYS_KNOWN as readonly string[]).includes(nome) || ['list-of', 'texts'].includes(CAMPOS[nome].kind)

function schemaOf(nome: FieldName): TSchema {
  const { schema = shownSchema(CAMPOS[nome]), description = DESCRICOES[nome] } = EXCEPTIONS[nome] ?? {}
  return described(description, hasValueAlways(nome) ? schema : Nullable(schema))
}

/** Member of a field at a path; `value`: as it is stored. */
export const memberAt = <C>(path: string, nome: FieldName, value: Getter<C>): Member<C> => ({
  path,
  schema: schemaOf(nome),
  value,
  render: EXCEPTIONS[nome]?.render ?? renderOf(CAMPOS[nome]),
})

/** A field at its path, with the member computed from it. */
export function membersOf<C>(nome: FieldName, value: Getter<C>): Member<C>[] {
  const field = memberAt(answerPathOf(nome), nome, value)
  const computed = COMPUTED[nome]
  return computed === undefined ? [field] : [field, { ...computed, value }]
}

export const treeOf = <C>(members: readonly Member<C>[]): Nested<Member<C>> =>
  nested(members.map((member) => [member.path, member]))

export function propertiesOf<C>(tree: Nested<Member<C>>): Record<string, TSchema> {
  return Object.fromEntries(
    [...tree].map(([key, node]) => [
      key,
      node instanceof Map ? Type.Object(propertiesOf(node)) : node.schema,
    ]),
  )
}

/** The same members, none of them required. */
export function optionalPropertiesOf<C>(tree: Nested<Member<C>>): Record<string, TSchema> {
  return Object.fromEntries(
    [...tree].map(([key, node]) => [
      key,
      Type.Optional(node instanceof Map ? Type.Object(optionalPropertiesOf(node)) : node.schema),
    ]),
  )
}

export type Mapper<C> = (caso: C, municipios: Municipios) => Record<string, unknown>

/** Interprets members one by one: for a selection of one request, which a compilation would not pay for. */
export function readerOf<C>(tree: Nested<Member<C>>): Mapper<C> {
  return (caso, municipios) => readMembers(tree, caso, municipios)
}

function readMembers<C>(tree: Nested<Member<C>>, caso: C, municipios: Municipios): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [key, node] of tree)
    read[key] =
      node instanceof Map ? readMembers(node, caso, municipios) : memberValue(node, caso, municipios)
  return read
}

function memberValue<C>({ value, render }: Member<C>, caso: C, municipios: Municipios): unknown {
  const stored = typeof value === 'string' ? caso[value as keyof C] : value(caso)
  return render === undefined ? stored : render(stored as never, municipios)
}

/**
 * Compiles members to a mapper, by code generation: an object literal is built in one step with one hidden class, where a loop
 * over members would take half as long again for each row of a list. The code holds names of the table only, quoted.
 */
export function mapperOf<C>(tree: Nested<Member<C>>): Mapper<C> {
  const functions: unknown[] = []
  const call = (one: unknown, args: string) => `functions[${functions.push(one) - 1}](${args})`
  const expression = (node: Member<C> | Nested<Member<C>>): string => {
    if (node instanceof Map)
      return `{${[...node].map(([key, one]) => `${JSON.stringify(key)}:${expression(one)}`)}}`
    const { value, render } = node
    const stored = typeof value === 'string' ? `caso[${JSON.stringify(value)}]` : call(value, 'caso')
    return render === undefined ? stored : call(render, `${stored},municipios`)
  }
  const code = `return (caso, municipios) => (${expression(tree)})`
  return new Function('functions', code)(functions)
}
