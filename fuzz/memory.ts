import type { Operation } from './document.ts'
import type { Random } from './random.ts'

/** Record that exists, or did: its id, and the id of its parent. */
export interface Thing {
  kind: string
  id: string
  parent: string | null
}

/** Ids, tokens and secrets of earlier answers; later requests use them to reach deep states. */
export interface Memory {
  learn(operation: Operation, params: Record<string, string>, body: unknown): void
  /** Record of the answer to a creation. */
  created(operation: Operation, params: Record<string, string>, body: unknown): Thing | null
  any(kind: string): Thing | null
  note(name: string, value: string): void
  /** Remembered value, in most calls the latest. */
  recall(name: string): string | undefined
}

const KEPT = 40
/** Fields of answers that later requests send back. */
const WORDS: Record<string, RegExp> = {
  access_token: /./,
  refresh_token: /./,
  proximo_cursor: /./,
  // Base32, the form of a second factor's secret; a webhook's has another form.
  secret: /^[A-Z2-7]+$/,
}

/** `{id}` is named by what stands before it, any other parameter by itself: `{grupo_id}` is one of `grupos`. */
export function kindOf(path: string, parameter: string): string {
  if (parameter === 'id') return path.split('/{id}')[0]?.split('/').at(-1) as string
  return KINDS[parameter] ?? parameter.replace(/_id$/, 's')
}
const KINDS: Record<string, string> = { permissao_id: 'permissoes', session_id: 'sessions' }

export function createMemory(operations: Operation[], random: Random): Memory {
  const things = new Map<string, Thing[]>()
  const words = new Map<string, string[]>()
  const kinds = new Set(
    operations.flatMap(({ path, parameters }) =>
      parameters.filter((one) => one.in === 'path').map(({ name }) => kindOf(path, name)),
    ),
  )

  function keep<T>(map: Map<string, T[]>, key: string, value: T): void {
    const list = map.get(key) ?? []
    list.push(value)
    if (list.length > KEPT) list.shift()
    map.set(key, list)
  }

  /** Kind of the records of a path: its last word that names one. */
  const subjectOf = ({ path }: Operation) => path.split('/').findLast((word) => kinds.has(word)) ?? ''

  /** Parent's id: the parameter before the subject in the path. */
  function parentOf({ path }: Operation, subject: string, params: Record<string, string>): string | null {
    const before = path.split(`/${subject}`)[0]?.match(/\{(\w+)\}$/)?.[1]
    return before === undefined ? null : (params[before] ?? null)
  }

  const toThing = (kind: string, id: unknown, parent: string | null): Thing => ({
    kind,
    id: String(id),
    parent,
  })

  function walk(value: unknown, kind: string, parent: string | null, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > 3) return
    for (const [key, inner] of Object.entries(value).slice(0, 60)) {
      if (key === 'id' && kind !== '') keep(things, kind, toThing(kind, inner, parent))
      else if (key === 'job_id' || key === 'session_id')
        keep(things, kindOf('', key), toThing(kindOf('', key), inner, null))
      else if (typeof inner === 'string' && WORDS[key]?.test(inner)) keep(words, key, inner)
      else if (key === 'backup_codes') for (const code of inner) keep(words, key, String(code))
      else if (typeof inner === 'object') walk(inner, kinds.has(key) ? key : kind, parent, depth + 1)
    }
  }

  return {
    learn(operation, params, body) {
      const subject = subjectOf(operation)
      walk(body, subject, parentOf(operation, subject, params), 0)
    },
    created(operation, params, body) {
      const { id, job_id } = (body ?? {}) as { id?: unknown; job_id?: unknown }
      const subject = subjectOf(operation)
      if (id !== undefined) return toThing(subject, id, parentOf(operation, subject, params))
      return job_id === undefined ? null : toThing('jobs', job_id, null)
    },
    any(kind) {
      const list = things.get(kind) ?? []
      return list.length === 0 ? null : random.pick(list)
    },
    note: (name, value) => keep(words, name, value),
    recall(name) {
      const list = words.get(name) ?? []
      return random.chance(0.7) ? list.at(-1) : list[random.integer(0, list.length)]
    },
  }
}
