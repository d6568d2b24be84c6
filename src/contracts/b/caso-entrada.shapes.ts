import { isCalendarDate } from '../../brasil/calendar.ts'
import {
  ALIASES,
  CAMPOS,
  type Campo,
  CODES,
  FIELD_NAMES,
  type FieldName,
  type Kind,
  LOCAL,
  type Local,
  MAX_LOCAIS,
  REQUIRED_ON_CREATION,
  wordsOf,
} from '../../domain/casos/campos.ts'
import { DESCRICOES } from '../../domain/casos/descricoes.ts'
import type { CasoInput } from '../../domain/casos/input.ts'
import { type Problem, problem } from '../../errors/catalogue.ts'
import { Nullable, OneOf, ProseText, Text } from '../../http/schemas.ts'
import { type TSchema, Type } from '../../http/type.ts'
import { Telefone } from '../usuario-fields.shapes.ts'
import { type Nested, nested } from './nested.ts'

/** Spec 2.7: flat fields, and groups that merge. The schemas are derived from the table of fields. */

const textOf = ({ max, description }: { max: number; description: string }) => ({
  maxLength: max,
  description,
})

const LocalFrequentado = Type.Object({
  local: ProseText(textOf(LOCAL.local)),
  endereco: Type.Optional(Nullable(Text(textOf(LOCAL.endereco)))),
  periodo: Type.Optional(Nullable(Text(textOf(LOCAL.periodo)))),
})

function schemaOf(campo: Campo): TSchema {
  switch (campo.kind) {
    case 'text':
      return Text({ maxLength: campo.max })
    case 'code':
      return campo.form === 'telefone' ? Telefone : codeSchema(campo.form)
    case 'one-of':
      return OneOf(campo.values)
    case 'boolean':
      return Type.Boolean()
    case 'date':
      return Type.String({ format: 'date' })
    case 'integer':
      return Type.Integer({ minimum: campo.min, maximum: campo.max })
    case 'number':
      return Type.Number({ minimum: campo.min, maximum: campo.max })
    case 'municipio':
      return Type.Unsafe<string | number>({ type: ['string', 'integer'], maxLength: campo.max })
    case 'list-of':
      return Type.Array(OneOf(campo.values), { uniqueItems: true })
    case 'texts':
      return Type.Array(ProseText({ maxLength: campo.max }), { maxItems: campo.items, uniqueItems: true })
    case 'locais':
      return Type.Array(LocalFrequentado, { maxItems: MAX_LOCAIS })
  }
}

const codeSchema = (form: keyof typeof CODES) =>
  Type.String({ pattern: CODES[form].pattern.source, 'x-format': CODES[form].expected })

/** Schemas for every name that a field can be sent under, by group; an alias points to the name in force. */
function properties(demand: (nome: FieldName, accepted: TSchema) => TSchema): Nested<TSchema> {
  const sent = (name: string, nome: FieldName, documentation: object) =>
    [name, demand(nome, Type.Unsafe({ ...acceptedOf(nome), ...documentation }))] as const
  return nested([
    ...FIELD_NAMES.map((nome) => sent(nome, nome, { description: descriptionOf(nome) })),
    ...ALIASES.map(([alias, nome]) =>
      sent(alias, nome, { deprecated: true, description: `Use \`${nome}\`` }),
    ),
  ])
}

function descriptionOf(nome: FieldName): string {
  const how =
    CAMPOS[nome].kind === 'municipio' ? ': código IBGE (6 ou 7 dígitos) ou nome dentro do estado' : ''
  return `${DESCRICOES[nome]}${how}`
}

/** Title of a group's component: the groups are the same in every request that sends a case. */
const groupTitle = (name: string) =>
  `Entrada${name
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')}`

function objectOf(nodes: Nested<TSchema>): Record<string, TSchema> {
  return Object.fromEntries(
    [...nodes].map(([name, node]) => [
      name,
      node instanceof Map ? Type.Optional(Type.Object(objectOf(node), { title: groupTitle(name) })) : node,
    ]),
  )
}

const REQUIRED: readonly string[] = REQUIRED_ON_CREATION

function acceptedOf(nome: FieldName): TSchema {
  const campo: Campo = CAMPOS[nome]
  if (campo.kind === 'one-of' && wordsOf(nome).size > 0)
    return OneOf([...campo.values, ...wordsOf(nome).keys()])
  if (!REQUIRED.includes(nome)) return schemaOf(campo)
  if (campo.kind === 'text') return ProseText({ maxLength: campo.max })
  // A blank text names no municipality.
  if (campo.kind === 'municipio') return { ...ProseText({ maxLength: campo.max }), ...schemaOf(campo) }
  return schemaOf(campo)
}

const EXEMPLO = {
  tipo_agravo: 'dengue',
  numero_notificacao: '1234567',
  data_notificacao: '2026-03-12',
  data_inicio_sintomas: '2026-03-08',
  paciente_nome: 'Maria da Silva Santos',
  paciente_data_nascimento: '1990-05-20',
  paciente_sexo: 'F',
  paciente_gestante: false,
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
  bairro_residencia: 'Boa Viagem',
  zona_residencia: 'urbana',
  dados_especificos: { febre: true, mialgia: true, prova_laco: 'negativa' },
}

export const CriarCaso = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    objectOf(
      properties((nome, accepted) =>
        REQUIRED.includes(nome) ? accepted : Type.Optional(Nullable(accepted)),
      ),
    ),
    { title: 'CriarCaso', examples: [EXEMPLO] },
  ),
)

export const AlterarCaso = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    objectOf(
      properties((nome, accepted) =>
        Type.Optional(REQUIRED.includes(nome) || nome === 'status' ? accepted : Nullable(accepted)),
      ),
    ),
    {
      title: 'AlterarCaso',
      description: 'Só os campos a alterar; os grupos se fundem com o que já existe',
      examples: [{ classificacao_final: 'dengue_grave', dados_laboratoriais: { ns1: 'positivo' } }],
    },
  ),
)

/** Every path in a body that leads to a field, by the group that it is in. */
const GROUPS = Map.groupBy(
  [...FIELD_NAMES.map((nome) => [nome, nome] as const), ...ALIASES].map(([place, nome]) => {
    const path = place.split('.')
    return { path, key: path.at(-1) as string, nome }
  }),
  ({ path }) => path.slice(0, -1).join('.'),
)
const PLACES = [...GROUPS].map(([group, fields]) => ({ group: group === '' ? [] : group.split('.'), fields }))

/** Flattens a body into fields; a field sent under two names with different values is a problem. */
export function fromCaso(body: unknown): { entrada: CasoInput; problems: Problem[] } {
  const entrada: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const { group, fields } of PLACES) {
    const values = groupAt(body, group)
    if (values === null) continue
    for (const { path, key, nome } of fields) {
      const value = values[key]
      if (value === undefined || !fits(CAMPOS[nome], value)) continue
      const normal = normalised(nome, value)
      if (entrada[nome] !== undefined && entrada[nome] !== normal)
        problems.push(problem('body', path, 'INCONSISTENT', { field: nome }))
      entrada[nome] = normal
    }
  }
  const proprios = propriosIn(body)
  if (proprios !== null) entrada.proprios = proprios
  return { entrada: entrada as CasoInput, problems }
}

const ESPECIFICOS = new Set(GROUPS.get('dados_especificos')?.map(({ key }) => key))

/** Members of `dados_especificos` that only the definition of the disease can know; null without any. */
function propriosIn(body: unknown): Record<string, unknown> | null {
  const others = Object.entries(groupAt(body, ['dados_especificos']) ?? {}).filter(
    ([key]) => !ESPECIFICOS.has(key),
  )
  return others.length === 0 ? null : Object.fromEntries(others)
}

/** An object of the body by its path; null where there is none. No name of a group or field is one of every object. */
function groupAt(body: unknown, path: string[]): Record<string, unknown> | null {
  let node = body
  for (const key of path) {
    if (typeof node !== 'object' || node === null) return null
    node = (node as Record<string, unknown>)[key]
  }
  return typeof node === 'object' ? (node as Record<string, unknown> | null) : null
}

function normalised(nome: FieldName, value: unknown): unknown {
  if (CAMPOS[nome].kind === 'municipio' && typeof value === 'number') return String(value)
  if (typeof value === 'string') return wordsOf(nome).get(value) ?? value
  if (CAMPOS[nome].kind === 'locais' && value !== null)
    return (value as Local[]).map(({ local, endereco = null, periodo = null }) => ({
      local,
      endereco,
      periodo,
    }))
  return value
}

/** True for values of a type that the rules can check; others are left to the schema's own refusal. */
function fits(kind: Kind, value: unknown): boolean {
  if (value === null) return true
  switch (kind.kind) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return typeof value === 'string' && isCalendarDate(value)
    case 'integer':
    case 'number':
      return typeof value === 'number'
    case 'municipio':
      return typeof value === 'string' || typeof value === 'number'
    case 'list-of':
    case 'texts':
      return Array.isArray(value)
    case 'locais':
      return Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null)
    default:
      return typeof value === 'string'
  }
}
