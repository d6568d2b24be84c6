import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from '../../src/http/type.ts'

type Builders = Pick<typeof TypeBox, keyof typeof Type>

/** Every builder, plain and with options. */
const SCHEMAS: [what: string, make: (type: Builders) => unknown][] = [
  ['a text', (type) => type.String()],
  ['a text with options', (type) => type.String({ minLength: 1, pattern: '^a', description: 'A' })],
  ['an integer', (type) => type.Integer({ minimum: 1 })],
  ['a number', (type) => type.Number({ maximum: 2 })],
  ['a boolean', (type) => type.Boolean({ default: true })],
  ['a constant text', (type) => type.Literal('a')],
  ['a constant number', (type) => type.Literal(1, { description: 'One' })],
  ['a constant boolean', (type) => type.Literal(true)],
  ['a list', (type) => type.Array(type.Integer(), { maxItems: 3 })],
  ['an alternative', (type) => type.Union([type.String(), type.Integer()], { description: 'Either' })],
  ['a record', (type) => type.Record(type.String(), type.Integer(), { maxProperties: 2 })],
  ['any other schema', (type) => type.Unsafe({ type: ['string', 'null'], enum: ['a', null] })],
  ['an object of nothing', (type) => type.Object({})],
  ['an object', (type) => type.Object({ a: type.String(), b: type.Integer() }, { title: 'AB' })],
  ['an optional property', (type) => type.Object({ a: type.Optional(type.String()), b: type.Integer() })],
  ['optional properties only', (type) => type.Object({ a: type.Optional(type.String({ minLength: 2 })) })],
  ['a part', (type) => type.Partial(type.Object({ a: type.String(), b: type.Integer() }))],
  [
    'a part with options, which are not those of the whole',
    (type) => type.Partial(type.Object({ a: type.String() }, { title: 'A' }), { minProperties: 1 }),
  ],
  [
    'the properties of a part in another object',
    (type) =>
      type.Object({ ...type.Partial(type.Object({ a: type.String() })).properties, b: type.Number() }),
  ],
  [
    'a copy of an optional property, which is optional no more',
    (type) => type.Object({ a: { ...type.Optional(type.String()) } }),
  ],
]

describe('The builders of schemas', () => {
  for (const [what, make] of SCHEMAS)
    it(`write ${what} as TypeBox does`, () => {
      assert.equal(JSON.stringify(make(Type)), JSON.stringify(make(TypeBox)))
    })
})
