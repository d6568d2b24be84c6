import { holds } from '../src/caller/caller.ts'
import { authenticate } from '../src/domain/sessoes/authenticate.ts'
import { createBounds, type Outsider } from './bounds.ts'
import { type Answer, findingsIn, type Seen, undeclared } from './checks.ts'
import { readDocument } from './document.ts'
import { type Delivery, deliveriesOf, inject, isWhole, overTls } from './exchange.ts'
import { createForms } from './files.ts'
import { createHints } from './hints.ts'
import { createMemory } from './memory.ts'
import { createRandom } from './random.ts'
import { createReport, type Report } from './report.ts'
import { createRequests, type FuzzRequest } from './requests.ts'
import { BOUND, createCast, MAY_IDENTIFY } from './roles.ts'
import { createSequences, type Outcome, type Step } from './sequences.ts'
import { createValues } from './values.ts'
import { createWorld, type Sabotage, type World } from './world.ts'

export interface FuzzOptions {
  requests: number
  seed: number
  /** Requests of one world (service and database); a fresh one has all rights intact. Several run side by side. */
  worldRequests?: number
  /** Mutation of the service that the fuzzer must find. */
  sabotage?: Sabotage
  /** Ends a run before its last request: everything it was made for is found. */
  until?(report: Report): boolean
  /** File of the report, updated while it runs. */
  report?: Report
  onProgress?(report: Report): void
}

const WORLD_REQUESTS = 10_000
/** Stride of the seeds of worlds: runs with neighbouring seeds have no world in common. */
const SEEDS_APART = 1_000_003
/** Worlds at a time, more than cores: each mostly waits for its database. */
const LANES = 4
const PROGRESS = 100
/** Share of requests over TLS, most of them truncated. */
const OVER_TLS = 0.02

export async function fuzz(options: FuzzOptions): Promise<Report> {
  const { requests, seed, worldRequests = WORLD_REQUESTS, report = createReport(seed) } = options
  const budgets = Array.from({ length: Math.ceil(requests / worldRequests) }, (_, world) =>
    Math.min(worldRequests, requests - world * worldRequests),
  )
  for (let first = 0; first < budgets.length; first += LANES) {
    // All are ready before the first request: making one takes the thread for seconds, and would pass for a hang.
    await using lanes = new AsyncDisposableStack()
    const runs = []
    for (const [lane, budget] of budgets.slice(first, first + LANES).entries()) {
      const world = lanes.use(await createWorld(options.sabotage))
      const own = seed + (first + lane) * SEEDS_APART
      runs.push(await prepareRun(world, report, { seed: own, budget }, options))
    }
    await Promise.all(runs.map((run) => run()))
  }
  return report
}

async function prepareRun(
  world: World,
  report: Report,
  { seed, budget }: { seed: number; budget: number },
  { onProgress, until = () => false }: FuzzOptions,
): Promise<() => Promise<void>> {
  const { t } = world
  const random = createRandom(seed)
  const document = readDocument(t.document)
  const memory = createMemory(document.operations, random)
  const values = createValues(document, random, createHints(memory, random, world.receiverUrl))
  const forms = await createForms(random, values)
  const requests = createRequests({ random, values, memory, forms })
  const cast = createCast(t, random, ({ email }) => {
    isDirty = true
    memory.note('email', email)
  })
  const creation = document.find('POST /api/v1/agravos/casos')
  const bounds = await createBounds(t, (body) => memory.learn(creation, {}, body))
  const nextSequence = createSequences(document, random)
  report.expect(document.operations)

  let sent = 0
  // Changes by workers must not be attributed to requests.
  let isDirty = true
  async function send(step: Step): Promise<Outcome> {
    // An event stream ends with its job.
    if (step.settled || step.operation.path.endsWith('/eventos') || random.chance(0.02)) await work()
    const request = requests.make(step.operation, step.role, step.manner, step)
    if (step.expected) request.expected = step.expected
    const latest = step.afterLogin ? memory.recall('access_token') : undefined
    const authorization = latest ? `Bearer ${latest}` : await cast.authorization(step.role)
    if (authorization !== null) request.headers.authorization = authorization
    const mayIdentify = await mayIdentifyNow(request)
    const outside = latest ? null : await outsideNow(request)
    if (isDirty) await world.traces()
    isDirty = false
    const delivery = !step.expected && random.chance(OVER_TLS) ? random.pick(deliveriesOf(request)) : null
    const answer = await exchange(request, delivery)
    sent++
    const violations = t.ledger.violations.splice(0)
    if (answer === null) {
      isDirty = true
      report.note(seed, sent, request, null, undeclared(violations))
      return { status: 0, params: request.params, created: null }
    }
    const seen: Seen = {
      request,
      answer,
      mayIdentify,
      outside,
      cutOff: delivery !== null && !isWhole(delivery),
      violations,
      faults: t.logs.splice(0).filter((line) => /^\{"level":(50|60)/.test(line)),
      traces: await world.traces(),
    }
    report.note(seed, sent, request, answer, findingsIn(seen))
    if (report.requests % PROGRESS === 0) onProgress?.(report)
    return learn(request, answer)
  }

  async function exchange(request: FuzzRequest, delivery: Delivery | null): Promise<Answer | null> {
    if (delivery === null) return inject(t.server, request)
    const answer = await overTls(await world.port(), request, delivery, random)
    // A request that was cut off may still be writing; its changes are not the next one's.
    if (!isWhole(delivery)) await world.rest()
    return answer
  }

  /** Permission to identify, by role or by rights that earlier requests granted. */
  async function mayIdentifyNow({ role, identified, operation }: FuzzRequest): Promise<boolean> {
    if (MAY_IDENTIFY.includes(role)) return true
    const person = cast.person(role)
    const mayMatter = identified || operation.path.endsWith('arquivo')
    if (person === undefined || !mayMatter) return false
    const caller = await authenticate(t.app, person.token, {
      endereco_ip: null,
      agente: null,
      request_id: '',
    })
    return caller !== null && holds(caller, 'agravos.identificar')
  }

  /** By the places that bind the account at this moment: earlier requests may have changed them. */
  async function outsideNow({ role }: FuzzRequest): Promise<Outsider[] | null> {
    const person = cast.person(role)
    return BOUND.includes(role) && person !== undefined ? bounds.outsideOf(person) : null
  }

  function learn({ operation, params, role }: FuzzRequest, answer: Answer): Outcome {
    if (answer.kind === 'failed') return { status: 0, params, created: null }
    const { status, text } = answer
    const isOut =
      status === 401 || /PASSWORD_CHANGE_REQUIRED/.test(text) || (role === 'admin' && status === 403)
    if (isOut) cast.forget(role)
    if (status >= 300 || !text.startsWith('{')) return { status, params, created: null }
    const body = parsed(text)
    memory.learn(operation, params, body)
    return { status, params, created: memory.created(operation, params, body) }
  }

  async function work(): Promise<void> {
    isDirty = true
    for (const mail of await world.work())
      for (const [, token] of mail.matchAll(/#token=([\w-]+)/g)) memory.note('token', token as string)
  }

  return async () => {
    for (const name of ['GET /api/v1/permissoes/', 'GET /api/v1/grupos', 'GET /api/v1/auth/sessions'])
      await send({ operation: document.find(name), role: 'admin', manner: 'plain' })
    while (sent < budget && !until(report)) await nextSequence()(send)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
