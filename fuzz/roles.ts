import { sql } from '../src/db/sql.ts'
import type { Person, TestApp } from '../test/harness/app.ts'
import { bind } from '../test/harness/bound.ts'
import type { Random } from './random.ts'

/** Roles of callers, with their weights. */
const ROLES = {
  admin: 30,
  gestor: 12,
  analista: 8,
  usuario: 6,
  visualizador: 5,
  'sem grupo': 5,
  anonymous: 6,
  desativado: 3,
  garbage: 3,
  'gestor de um estado': 5,
  'gestor de uma região': 5,
  'gestor de dois municípios': 5,
  'gestor de onde só se notifica': 5,
} as const
export type Role = keyof typeof ROLES

const DRAWN = Object.entries(ROLES).flatMap(([role, weight]) =>
  Array.from({ length: weight }, () => role as Role),
)
export const anyRole = (random: Random): Role => random.pick(DRAWN)

/** Places of the roles that are bound; nobody lives in the last one, cases are only notified there. */
const LUGARES: Partial<Record<Role, string[]>> = {
  'gestor de um estado': ['uf:PE'],
  'gestor de uma região': ['regiao_saude:26010'],
  'gestor de dois municípios': ['municipio:2611606', 'municipio:3550308'],
  'gestor de onde só se notifica': ['municipio:1200401'],
}
export const BOUND = Object.keys(LUGARES) as Role[]

/** Roles without a valid token. */
export const STRANGERS: readonly Role[] = ['anonymous', 'desativado', 'garbage']
/** Roles that may identify patients. */
export const MAY_IDENTIFY: readonly Role[] = ['admin', 'gestor', ...BOUND]

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
    const lugares = LUGARES[role]
    if (lugares !== undefined) return bind(t, await t.person({ grupos: ['gestor'] }), ...lugares)
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
