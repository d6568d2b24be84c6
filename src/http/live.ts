import type { LiveValues } from '../system/live-list.ts'

export type { LiveValues }

/** Mark of a schema whose enumeration is a live list; a symbol, which neither JSON nor Ajv sees. */
export const LIVE = Symbol('live')

type Node = Record<string | symbol, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** True where some enumeration of a schema grows. */
export function isLive(schema: unknown): boolean {
  if (!isNode(schema)) return false
  return schema[LIVE] !== undefined || Object.values(schema).some(isLive)
}

/** Schema with the values of now; the same object where nothing in it grows, or nothing has grown. */
export function withCurrent<T>(schema: T, live: LiveValues | null): T {
  if (live === null || !isNode(schema)) return schema
  if (Array.isArray(schema)) return mapped(schema, live) as T
  const changed = Object.entries(schema).flatMap(([key, part]) => {
    const current = key === 'enum' ? currentEnum(schema, live) : withCurrent(part, live)
    return current === part ? [] : [[key, current] as const]
  })
  return changed.length === 0 ? schema : copied(schema, Object.fromEntries(changed))
}

function mapped(list: unknown[], live: LiveValues): unknown[] {
  const current = list.map((part) => withCurrent(part, live))
  return current.every((part, i) => part === list[i]) ? list : current
}

/** Keeps members that are not enumerable: the mark of an optional property is one. */
function copied<T extends object>(schema: T, changes: object): T {
  return Object.assign(Object.create(Object.prototype, Object.getOwnPropertyDescriptors(schema)), changes)
}

/** Enumeration of a schema with the values of now. */
export function currentEnum(schema: object, live: LiveValues | null): unknown[] {
  const { enum: before, [LIVE]: nome } = schema as { enum: unknown[]; [LIVE]?: string }
  const values = nome === undefined ? undefined : live?.lists[nome]
  if (values === undefined) return before
  const current = before.includes(null) ? [...values, null] : [...values]
  const isSame = current.length === before.length && current.every((one, i) => one === before[i])
  return isSame ? before : current
}
