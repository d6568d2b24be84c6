import { sql } from '../src/db/sql.ts'
import type { Person, TestApp } from '../test/harness/app.ts'
import type { Random } from './random.ts'

/** Roles of callers, with their weights. */
const ROLES = {
  admin: 34,
  gestor: 20,
  analista: 11,
  usuario: 8,
  visualizador: 8,
  'sem grupo': 7,
  anonymous: 6,
  desativado: 3,
  garbage: 3,
} as const
export type Role = keyof typeof ROLES

const DRAWN = Object.entries(ROLES).flatMap(([role, weight]) =>
  Array.from({ length: weight }, () => role as Role),
)
export const anyRole = (random: Random): Role => random.pick(DRAWN)

/** Roles without a valid token. */
export const STRANGERS: readonly Role[] = ['anonymous', 'desativado', 'garbage']
/** Roles that may identify patients. */
export const MAY_IDENTIFY: readonly Role[] = ['admin', 'gestor']

export interface Cast {
  /** Headers that authenticate the role. */
  authorization(role: Role): Promise<string | null>
  /** Drops a session that an answer ended: the role logs in anew with its next request. */
  forget(role: Role): void
  person(role: Role): Person | undefined
}

/** `onPerson` is called with every account that is changed here. */
export function createCast(t: TestApp, random: Random, onPerson: (person: Person) => void): Cast {
  const people = new Map<Role, Person>()
  const garbage = [
    'Bearer',
    'Bearer x',
    'Bearer a.b.c',
    'Basic YTpi',
    `Bearer ${'A'.repeat(3000)}`,
    "Bearer ' or 1=1",
    'bearer null',
  ]

  async function enter(role: Role): Promise<Person> {
    if (role === 'admin') return t.person({ admin: true })
    if (role === 'sem grupo') return t.person()
    if (role !== 'desativado') return t.person({ grupos: [role] })
    return t.person({ grupos: ['gestor'] })
  }

  const deactivate = ({ id }: Person) =>
    t.database.pool.run(sql`
      update usuarios set desativado_em = now() where id = ${id} and desativado_em is null`)

  return {
    async authorization(role) {
      if (role === 'anonymous') return null
      if (role === 'garbage') return random.pick(garbage)
      const person = people.get(role) ?? (await enter(role))
      if (!people.has(role)) onPerson(person)
      people.set(role, person)
      // Repeated: an earlier request may have reactivated the account.
      if (role === 'desativado' && (await deactivate(person)) > 0) onPerson(person)
      return `Bearer ${person.token}`
    },
    forget: (role) => people.delete(role),
    person: (role) => people.get(role),
  }
}
