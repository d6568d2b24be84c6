import { liveNameOf } from '../system/live-list.ts'
import { LIVE } from './live.ts'
import { type Static, type TSchema, Type } from './type.ts'

/** `string|null` of the spec. One `type` array, not `anyOf`: faster to serialise and exact in OpenAPI 3.1. */
export function Nullable<T extends TSchema>(schema: T) {
  const type = (schema as { type?: string | string[] }).type
  if (type === undefined) throw new Error('Nullable takes a schema of plain types')
  const values = (schema as { enum?: unknown[] }).enum
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, 'null'].flat(),
    ...(values && { enum: [...values, null] }),
  })
}

/** Goes inside `Type.Optional`, whose mark does not survive the copy. */
export const described = <T extends TSchema>(description: string, schema: T): T => ({
  ...schema,
  description,
})

/** One of a list; of a list that grows (`live-list.ts`), one of its values at the time of the request. */
export function OneOf<const T extends string>(values: readonly T[], options: object = {}) {
  const nome = liveNameOf(values)
  return Type.Unsafe<T>({
    type: 'string',
    enum: [...values],
    ...options,
    ...(nome !== undefined && { [LIVE]: nome }),
  })
}

export const Id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
export const DateTime = Type.String({ format: 'date-time' })
/** Text as PostgreSQL can store it: no NUL, no half of a surrogate pair. Always bounded. */
export const Text = (options: {
  minLength?: number
  maxLength: number
  description?: string
  examples?: string[]
}) => Type.String({ pattern: '^[^\\u0000\\ud800-\\udfff]*$', 'x-format': 'text', ...options })
/** The same, and something to read in it. */
export const ProseText = (options: { maxLength: number; description?: string }) =>
  Type.String({
    pattern: '^(?!\\s+$)[^\\u0000\\ud800-\\udfff]*$',
    'x-format': 'prose',
    minLength: 1,
    ...options,
  })
/** An address that a reader may follow: absolute, http or https, and no `user@` that would disguise the host. */
export const HttpUrl = (options: { maxLength: number; description?: string }) =>
  Type.String({
    pattern:
      '^[Hh][Tt][Tt][Pp][Ss]?://(?:[\\p{L}\\p{M}\\p{N}._~-]+|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?(?:[/?#][^\\s\\p{C}"<>\\\\]*)?$',
    'x-format': 'http-url',
    ...options,
  })
export const Ids = Type.Array(Id, { maxItems: 500 })
