import {
  CAMPOS,
  type Campo,
  CODES,
  FIELD_NAMES,
  type FieldName,
  LOCAL,
  MAX_LOCAIS,
  REQUIRED_ON_CREATION,
  wordsOf,
} from '../campos.ts'
import { DESCRICOES } from '../descricoes.ts'
import { padraoOf } from './blocos.ts'
import { type CampoProprio, type Definicao, isProprio, type TipoDeCampo } from './definicao.ts'
import { conditionSchema, type JsonSchema, presentOf, within } from './esquema-condicoes.ts'
import { allowedCodes, type CamposConhecidos, conhecidosOf, sentName, valoresDoProprio } from './nomes.ts'

/**
 * JSON Schema of the body that creates a case of a disease. It sees the body alone: derived fields, the order of dates and the
 * existence of municipalities are the service's to check.
 */

const REQUIRED: readonly string[] = REQUIRED_ON_CREATION
const NOTHING: JsonSchema = { type: 'null' }
const TEXT = '^[^\\u0000\\ud800-\\udfff]*$'
const PROSE = '^(?!\\s+$)[^\\u0000\\ud800-\\udfff]*$'

export function esquemaOf(definicao: Definicao): JsonSchema {
  const conhecidos = conhecidosOf(definicao)
  const proprios = definicao.campos.filter(isProprio)
  const root = newGroup()
  const present = new Set<string>(padraoOf(definicao))
  for (const nome of FIELD_NAMES)
    put(root, nome, present.has(nome) ? padraoSchema(nome, definicao) : NOTHING, isRequired(nome))
  for (const campo of proprios) {
    const always = campo.ativo && campo.obrigatorio && campo.mostrar_quando === undefined
    put(root, sentName(campo.nome), campo.ativo ? proprioSchema(campo, !always) : NOTHING, always)
  }
  const rules = proprios.filter(({ ativo }) => ativo).flatMap((campo) => rulesOf(campo, conhecidos))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: definicao.nome,
    ...(definicao.descricao !== '' && { description: definicao.descricao }),
    ...schemaOfGroup(root),
    ...(rules.length > 0 && { allOf: rules }),
  }
}

const isRequired = (nome: string) => REQUIRED.includes(nome)

interface Group {
  members: Map<string, Group | JsonSchema>
  required: Set<string>
}
const newGroup = (): Group => ({ members: new Map(), required: new Set() })
const isGroup = (node: Group | JsonSchema | undefined): node is Group => node?.members instanceof Map

/** Puts a schema at a dotted name; a required one makes its groups required. */
function put(root: Group, nome: string, schema: JsonSchema, required: boolean): void {
  const parts = nome.split('.')
  const leaf = parts.pop() as string
  let group = root
  for (const part of parts) {
    const known = group.members.get(part)
    const next = isGroup(known) ? known : newGroup()
    group.members.set(part, next)
    if (required) group.required.add(part)
    group = next
  }
  group.members.set(leaf, schema)
  if (required) group.required.add(leaf)
}

function schemaOfGroup({ members, required }: Group): JsonSchema {
  return {
    type: 'object',
    ...(required.size > 0 && { required: [...required] }),
    properties: Object.fromEntries(
      [...members].map(([key, node]) => [key, isGroup(node) ? schemaOfGroup(node) : node]),
    ),
  }
}

const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema.type, 'null'].flat(),
  ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
})

/** One of several codes; where there is none, only null. */
const oneOf = (values: readonly string[]): JsonSchema =>
  values.length === 0 ? NOTHING : { type: 'string', enum: values }

function padraoSchema(nome: FieldName, definicao: Definicao): JsonSchema {
  const description = DESCRICOES[nome]
  const schema = kindSchema(nome, definicao)
  return { description, ...(isRequired(nome) || schema === NOTHING ? schema : orNull(schema)) }
}

function kindSchema(nome: FieldName, definicao: Definicao): JsonSchema {
  const campo: Campo = CAMPOS[nome]
  switch (campo.kind) {
    case 'text':
      return isRequired(nome)
        ? { type: 'string', minLength: 1, maxLength: campo.max, pattern: PROSE }
        : { type: 'string', maxLength: campo.max, pattern: TEXT }
    case 'code':
      return { type: 'string', pattern: CODES[campo.form].pattern.source }
    case 'one-of':
      return oneOf(allowedCodes(nome, definicao) ?? [...campo.values, ...wordsOf(nome).keys()])
    case 'boolean':
      return { type: 'boolean' }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'integer':
    case 'number':
      return { type: campo.kind, minimum: campo.min, maximum: campo.max }
    case 'municipio':
      return municipioSchema(campo.max)
    case 'list-of':
      return { type: 'array', uniqueItems: true, items: { type: 'string', enum: campo.values } }
    case 'texts':
      return {
        type: 'array',
        uniqueItems: true,
        maxItems: campo.items,
        items: { type: 'string', minLength: 1, maxLength: campo.max, pattern: PROSE },
      }
    case 'locais':
      return { type: 'array', maxItems: MAX_LOCAIS, items: LOCAL_SCHEMA }
  }
}

const municipioSchema = (max: number): JsonSchema => ({
  type: ['string', 'integer'],
  maxLength: max,
  pattern: TEXT,
})

const localText = ({ max, description }: { max: number; description: string }, pattern: string) => ({
  type: 'string',
  description,
  maxLength: max,
  pattern,
})
const LOCAL_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['local'],
  properties: {
    local: { ...localText(LOCAL.local, PROSE), minLength: 1 },
    endereco: orNull(localText(LOCAL.endereco, TEXT)),
    periodo: orNull(localText(LOCAL.periodo, TEXT)),
  },
}

function proprioSchema(campo: CampoProprio, nullable: boolean): JsonSchema {
  const schema = ownKind(campo)
  return {
    title: campo.rotulo,
    ...(campo.ajuda !== undefined && { description: campo.ajuda }),
    ...(nullable ? orNull(schema) : { ...schema, ...NOT_EMPTY[campo.tipo] }),
  }
}

/** An empty list and a blank text are no value. */
const NOT_EMPTY: Partial<Record<TipoDeCampo, JsonSchema>> = {
  opcoes: { minItems: 1 },
  texto: { minLength: 1, pattern: PROSE },
}

function ownKind(campo: CampoProprio): JsonSchema {
  const codigos = campo.opcoes.filter(({ ativo }) => ativo).map(({ codigo }) => codigo)
  switch (campo.tipo) {
    case 'bool':
      return { type: 'boolean' }
    case 'opcao':
      return oneOf(codigos)
    case 'opcoes':
      return { type: 'array', uniqueItems: true, items: oneOf(codigos) }
    case 'inteiro':
      return { type: 'integer', minimum: campo.minimo, maximum: campo.maximo }
    case 'numero':
      return {
        type: campo.casas === 0 ? 'integer' : 'number',
        minimum: campo.minimo,
        maximum: campo.maximo,
      }
    case 'data':
      return { type: 'string', format: 'date' }
    case 'texto':
      return { type: 'string', maxLength: campo.max, pattern: TEXT }
    case 'municipio':
      return municipioSchema(CAMPOS.municipio_residencia.max)
  }
}

/** Rules of a field that depend on others: hidden where its condition does not hold, required where the other one does. */
function rulesOf(campo: CampoProprio, conhecidos: CamposConhecidos): JsonSchema[] {
  const nome = sentName(campo.nome)
  const shown = conditionSchema(campo.mostrar_quando, campo.mostrar_quando_modo, conhecidos)
  const when = conditionSchema(campo.obrigatorio_quando, campo.obrigatorio_quando_modo, conhecidos)
  const hidden = shown === null ? [] : [implies({ not: shown }, within(nome, NOTHING, false))]
  const there = within(nome, presentOf(valoresDoProprio(campo)), true)
  if (campo.obrigatorio) return shown === null ? [] : [...hidden, implies(shown, there)]
  if (when === null) return hidden
  return [...hidden, implies(shown === null ? when : { allOf: [shown, when] }, there)]
}

/** Written as entries: an object literal with `then` could be taken for a promise. */
const implies = (condition: JsonSchema, conclusion: JsonSchema): JsonSchema =>
  Object.fromEntries([
    ['if', condition],
    ['then', conclusion],
  ])
