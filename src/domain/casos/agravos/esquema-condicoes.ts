import type { Condicao, ModoDeCondicao, ValorDeCondicao } from './definicao.ts'
import type { CampoConhecido, CamposConhecidos, Valores } from './nomes.ts'

/** Conditions as JSON Schema, over the body that creates a case. */

export type JsonSchema = { [key: string]: unknown }

/** A schema for the value at a dotted name; `required`: it must be there. */
export function within(nome: string, schema: JsonSchema, required: boolean): JsonSchema {
  return nome.split('.').reduceRight<JsonSchema>(
    (inner, key) => ({
      type: 'object',
      properties: { [key]: inner },
      ...(required && { required: [key] }),
    }),
    schema,
  )
}

export function conditionSchema(
  condicoes: readonly Condicao[] | undefined,
  modo: ModoDeCondicao,
  conhecidos: CamposConhecidos,
): JsonSchema | null {
  if (condicoes === undefined || condicoes.length === 0) return null
  const schemas = condicoes.map((condicao) =>
    testSchema(condicao, conhecidos.named(condicao.campo) as CampoConhecido),
  )
  if (schemas.length === 1) return schemas[0] as JsonSchema
  return { [modo === 'todos' ? 'allOf' : 'anyOf']: schemas }
}

function testSchema({ op, valor }: Condicao, { enviado, valores }: CampoConhecido): JsonSchema {
  const holds = (schema: JsonSchema) => within(enviado, schema, true)
  switch (op) {
    case 'eq':
      return holds(among([valor as ValorDeCondicao], valores))
    case 'ne':
      return { not: holds(among([valor as ValorDeCondicao], valores)) }
    case 'in':
      return holds(among(valor as ValorDeCondicao[], valores))
    case 'presente':
      return holds(presentOf(valores))
    case 'ausente':
      return { not: holds(presentOf(valores)) }
    default:
      return holds(typeof valor === 'string' ? dates(op, valor) : numbers(op, valor as number))
  }
}

/** A list has a value where it is one of its items. A municipality may be sent by its code only, with or without check digit. */
function among(given: readonly ValorDeCondicao[], { tipo }: Valores): JsonSchema {
  if (tipo === 'opcoes' || tipo === 'textos') return { type: 'array', contains: { enum: given } }
  return { enum: tipo === 'municipio' ? given.flatMap((one) => spellings(one as number)) : given }
}

const spellings = (codigo: number) => {
  const short = Math.trunc(codigo / 10)
  return [codigo, String(codigo), short, String(short)]
}

export function presentOf({ tipo }: Valores): JsonSchema {
  if (tipo === 'opcoes' || tipo === 'textos' || tipo === 'locais') return { type: 'array', minItems: 1 }
  if (tipo === 'texto') return { type: 'string', pattern: '\\S' }
  return { not: { type: 'null' } }
}

type Order = 'gt' | 'gte' | 'lt' | 'lte'
const KEYWORDS: Record<Order, string> = {
  gt: 'exclusiveMinimum',
  gte: 'minimum',
  lt: 'exclusiveMaximum',
  lte: 'maximum',
}
const numbers = (op: Order, valor: number): JsonSchema => ({ type: 'number', [KEYWORDS[op]]: valor })

/** JSON Schema compares no texts: the dates after or before a day, as a pattern of their digits. */
function dates(op: Order, day: string): JsonSchema {
  const later = op === 'gt' || op === 'gte'
  const alternatives = [...day].flatMap((char, i) => {
    const digits =
      char === '-' ? '' : later ? '0123456789'.slice(Number(char) + 1) : '0123456789'.slice(0, Number(char))
    return digits === '' ? [] : [`${day.slice(0, i)}[${digits}]`]
  })
  if (op === 'gte' || op === 'lte') alternatives.push(day)
  return { type: 'string', pattern: alternatives.length === 0 ? '^(?!)' : `^(?:${alternatives.join('|')})` }
}
