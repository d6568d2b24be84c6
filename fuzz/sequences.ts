import type { ApiDocument, Operation } from './document.ts'
import type { Thing } from './memory.ts'
import type { Random } from './random.ts'
import type { Manner } from './requests.ts'
import { anyRole, BOUND, type Role } from './roles.ts'

export interface Step {
  operation: Operation
  role: Role
  manner: Manner
  focus?: Thing | null
  /** Target of an earlier request, to be used again. */
  params?: Record<string, string>
  /** With the token of the latest login instead of the role's own. */
  afterLogin?: boolean
  /** Drains the queues first. */
  settled?: boolean
  expected?: number[]
}

export interface Outcome {
  status: number
  params: Record<string, string>
  /** The created record. */
  created: Thing | null
}

export type Send = (step: Step) => Promise<Outcome>

export type Sequence = (send: Send) => Promise<void>

const DRAWN = 8

/** Sequences of requests: scattered, along the life cycle of a record, along a session, from place to place. */
export function createSequences(document: ApiDocument, random: Random): () => Sequence {
  const { operations, find } = document
  const manner = (): Manner => random.pick(['valid', 'valid', 'boundary', 'broken', 'broken'])
  const seen = new Map(operations.map((operation) => [operation, 0]))

  /** Least used of some random operations, so that every operation has its turn. */
  function seldom(): Operation {
    const some = Array.from({ length: DRAWN }, () => random.pick(operations))
    const [chosen] = some.sort((a, b) => (seen.get(a) ?? 0) - (seen.get(b) ?? 0)) as [Operation]
    seen.set(chosen, (seen.get(chosen) ?? 0) + 1)
    return chosen
  }

  async function scattered(send: Send): Promise<void> {
    for (let i = 0; i < 10; i++) await send({ operation: seldom(), role: anyRole(random), manner: manner() })
  }

  const lives = operations
    .filter(({ method, statuses }) => method === 'POST' && (statuses.has(201) || statuses.has(202)))
    .map((create) => ({ create, under: itemOperations(operations, create) }))
    .filter(({ under }) => under.length > 0)

  /** Life cycle: create → read → change, broken and good → any operation on it → delete → read → change → delete. */
  async function life(send: Send): Promise<void> {
    const { create, under } = random.pick(lives)
    const by = random.pick<Role>(['admin', 'admin', 'admin', 'gestor'])
    await send({ operation: create, role: anyRole(random), manner: 'broken' })
    const { created: focus } = await send({
      operation: create,
      role: by,
      manner: random.pick(['plain', 'valid', 'boundary']),
    })
    if (focus === null) return
    const item = under[0]?.path
    const [read, put, remove] = ['GET', 'PUT', 'DELETE'].map((method) =>
      under.find((one) => one.path === item && one.method === method),
    )
    const as = (operation: Operation | undefined, how: Manner, expected?: number[]) =>
      operation && send({ operation, role: by, manner: how, focus, ...(expected && { expected }) })
    await as(read, 'plain', by === 'admin' ? [200] : undefined)
    await as(put, 'broken')
    await as(put, 'valid')
    for (let i = 0; i < 6; i++) await something(send, under, focus, by)
    const gone = await as(remove, 'plain')
    const after = gone?.status === 204 && by === 'admin' ? [404] : undefined
    await as(read, 'plain', after)
    await as(put, 'valid')
    await as(remove, 'plain', after)
    await as(
      under.find(({ path }) => path.endsWith('/restaurar')),
      'plain',
    )
    await as(read, 'plain')
  }

  /** Any operation on a record; one that relates two records is also reversed. */
  async function something(send: Send, under: Operation[], focus: Thing, by: Role): Promise<void> {
    const operation = random.pick(under)
    const role = random.chance(0.5) ? by : anyRole(random)
    const done = await send({ operation, role, manner: manner(), focus, settled: random.chance(0.3) })
    const undo = operations.find((one) => one.method === 'DELETE' && one.path === operation.path)
    if (operation.method === 'POST' && done.status === 200 && undo)
      await send({ operation: undo, role, manner: 'plain', params: done.params })
  }

  const account = ACCOUNT.map(find)
  /** Session from login to logout, with requests out of order between. */
  async function session(send: Send): Promise<void> {
    const role = random.pick<Role>(['usuario', 'visualizador', 'analista', 'sem grupo'])
    for (const operation of account) {
      if (random.chance(0.3)) await send({ operation: random.pick(account), role, manner: 'broken' })
      if (random.chance(0.8))
        await send({ operation, role, manner: random.pick(['plain', 'plain', 'valid']) })
    }
  }

  const ofCasos = operations.filter(({ path }) =>
    /agravos\/(casos|importacoes)|\/eventos|webhooks|\/series|\/epizootias/.test(path),
  )

  /** A bound account looks around among the cases of all places. */
  async function neighbours(send: Send): Promise<void> {
    const role = random.pick(BOUND)
    for (let i = 0; i < 10; i++)
      await send({ operation: random.pick(ofCasos), role, manner: random.pick(['plain', 'plain', 'valid']) })
  }

  return () => {
    const drawn = random.next()
    return drawn < 0.55 ? scattered : drawn < 0.85 ? life : drawn < 0.92 ? session : neighbours
  }
}

/** Operations on the record that an operation creates: those on its own path first. */
function itemOperations(operations: Operation[], { path }: Operation): Operation[] {
  const collection = /\/(bulk|exportar|extratos|boletins|varredura|auditoria\/verificar)$/.test(path)
    ? '/api/v1/jobs'
    : path
  const own = new RegExp(`^${collection.replaceAll(/[{}]/g, '\\$&')}/\\{\\w+\\}`)
  return operations
    .filter((one) => own.test(one.path))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)
}

const ACCOUNT = [
  'POST /api/v1/usuarios/signup',
  'POST /api/v1/auth/login',
  'POST /api/v1/usuarios/login',
  'POST /api/v1/usuarios/login_sw',
  'GET /api/v1/usuarios/me',
  'POST /api/v1/auth/refresh',
  'POST /api/v1/usuarios/refresh-token',
  'POST /api/v1/auth/mfa/enable',
  'POST /api/v1/auth/mfa/verify',
  'POST /api/v1/auth/login',
  'POST /api/v1/auth/mfa/codigos',
  'POST /api/v1/auth/mfa/disable',
  'GET /api/v1/auth/oidc',
  'POST /api/v1/auth/oidc/segundo-fator',
  'GET /api/v1/usuarios/me/identidades',
  'DELETE /api/v1/usuarios/me/identidades/{id}',
  'GET /api/v1/auth/sessions',
  'DELETE /api/v1/auth/sessions/{session_id}',
  'POST /api/v1/auth/forgot-password',
  'POST /api/v1/usuarios/reset-password',
  'POST /api/v1/auth/verificar-email',
  'POST /api/v1/auth/nao-fui-eu',
  'POST /api/v1/auth/reset-password',
  'POST /api/v1/auth/change-password',
  'GET /api/v1/auth/security-metrics',
  'POST /api/v1/usuarios/logout',
  'POST /api/v1/auth/logout',
]
