import type { Static, TSchema, Type as TypeBox } from 'typebox'

/**
 * The builders of TypeBox that routes use, as plain JSON Schemas under TypeBox's types. Loading TypeBox itself, 373 modules, would be
 * a sixth of the time that a start of the service takes.
 */
export type { Static, TSchema }

/** Mark of a property that may be missing; not enumerable, so that a copy of the schema is without it. */
const OPTIONAL = '~optional'

type Schema = Record<string, unknown>
type Properties = Record<string, Schema>

const isOptional = (schema: Schema) => schema[OPTIONAL] === true

function optional(schema: Schema): Schema {
  return Object.defineProperty({ ...schema }, OPTIONAL, { value: true })
}

function object(properties: Properties, options?: object): Schema {
  const required = Object.keys(properties).filter((name) => !isOptional(properties[name] as Schema))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

/** The options of the whole object are not those of its part. */
function partial({ properties }: Schema, options?: object): Schema {
  const all = Object.entries(properties as Properties).map(([name, schema]) => [name, optional(schema)])
  return object(Object.fromEntries(all), options)
}

const builders = {
  Array: (items: Schema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Literal: (value: unknown, options?: object) => ({ type: typeof value, const: value, ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Object: object,
  Optional: optional,
  Partial: partial,
  /** Keys are any text. */
  Record: (_key: Schema, value: Schema, options?: object) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: (options?: object) => ({ type: 'string', ...options }),
  Union: (schemas: Schema[], options?: object) => ({ anyOf: schemas, ...options }),
  Unsafe: (schema: Schema) => schema,
}

export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>
