import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays } from '../src/brasil/calendar.ts'
import { createRandom } from '../src/demo/random.ts'
import { FORWARDED } from './comparison/answers.ts'
import { quantilesOf, requestOf, type Times } from './comparison/load.ts'
import { EMAIL, PASSWORD, prepare } from './comparison/prepare.ts'
import { startLoader, startService } from './comparison/processes.ts'

/**
 * Lists and summaries of accounts with a territory against two requests of an account without one: the same request (p95 at most
 * 1.1 times), and the same request with the territory as its filter, which tells what the place itself costs. All of them take turns
 * on one connection, so that whatever else the machine does falls on all alike. Medians of the ratios of three passes, of each territory and of
 * the requests of all of them together.
 * `npx node bench/territorio.ts [cases [different requests [part of a name]]]`; exit code 1
 * where it is more.
 */
const CASES = Number(process.argv[2] ?? 1_000_000)
const DIFFERENT = Number(process.argv[3] ?? 2_000)
const ONLY = process.argv[4] ?? ''
const PASSES = 3
const AT_MOST = 1.1
const API = '/api/v1/agravos/casos'

interface Kind {
  name: string
  territorio: { nivel: string; codigo: string }[]
  /** Query that an account without a territory asks for the same place with; null: no filter names it. */
  filtro: string | null
}

const TERRITORIOS: Kind[] = [
  { name: 'a state', territorio: [{ nivel: 'uf', codigo: 'PE' }], filtro: 'estado=PE' },
  {
    name: 'a health region',
    territorio: [{ nivel: 'regiao_saude', codigo: '26010' }],
    filtro: 'regiao_saude=26010',
  },
  {
    name: 'two municipalities',
    territorio: [
      { nivel: 'municipio', codigo: '2611606' },
      { nivel: 'municipio', codigo: '3550308' },
    ],
    filtro: 'municipio[in]=2611606,3550308',
  },
  {
    name: 'a state and a municipality',
    territorio: [
      { nivel: 'uf', codigo: 'SP' },
      { nivel: 'municipio', codigo: '2611606' },
    ],
    filtro: null,
  },
]

const NOWHERE = 'no territory'
const ANYWHERE = 'all of them together'
const asFilter = (name: string) => `${name} as a filter`

const random = createRandom(20)
const period = (days: number) => {
  const de = addDays('2016-01-01', random.below(3_800 - days))
  return `data_inicio=${de}&data_fim=${addDays(de, days - 1)}`
}
const different = (make: () => string): string[] => {
  const all = new Set<string>()
  while (all.size < DIFFERENT) all.add(make())
  return [...all]
}
const REQUESTS: Record<string, string[]> = {
  'list, first pages': different(
    () =>
      `${API}?page=${1 + random.below(20)}&size=${25 + random.below(76)}&order=${random.pick(['asc', 'desc'])}`,
  ),
  'list, one disease and 30 days': different(
    () => `${API}?agravo_codigo=dengue&size=${25 + random.below(76)}&${period(30)}`,
  ),
  'summary of a year': different(
    () => `${API}/estatisticas/resumo?agregacao=mes&${period(330 + random.below(71))}`,
  ),
}

const missed: string[] = []
const stack = new AsyncDisposableStack()
try {
  const ground = await prepare(
    join(process.env.BENCH_DIR ?? join(tmpdir(), 'vigia-bench'), String(CASES)),
    CASES,
  )
  stack.defer(() => ground.postgres.stop())
  stack.defer(() => ground.client.end())
  const service = await startService({ ...ground.env, TRUST_PROXY: '127.0.0.1' })
  stack.defer(() => service.stop())
  const loader = startLoader()
  stack.defer(() => loader.stop())
  const call = createCall(service.port)
  const { access_token: admin } = await call<Session>('/auth/login', 'POST', {
    username: EMAIL,
    password: PASSWORD,
  })
  const free = await accountOf(call, admin, [])
  const kinds: { name: string; token: string; filtro: string }[] = [
    { name: NOWHERE, token: free, filtro: '' },
  ]
  for (const { name, territorio, filtro } of TERRITORIOS) {
    kinds.push({ name, token: await accountOf(call, admin, territorio), filtro: '' })
    if (filtro !== null) kinds.push({ name: asFilter(name), token: free, filtro: `&${filtro}` })
  }

  for (const [what, paths] of Object.entries(REQUESTS).filter(([name]) => name.includes(ONLY))) {
    const requests = paths.flatMap((path) =>
      kinds.map(({ token, filtro }) =>
        requestOf('GET', path + filtro, { ...FORWARDED, authorization: `Bearer ${token}` }),
      ),
    )
    const pass = (atMost: number) =>
      loader.run({
        port: service.port,
        secure: false,
        connections: 1,
        seconds: 3_600,
        requests,
        status: 200,
        atMost,
        kinds: kinds.length,
      })
    await pass(Math.ceil(requests.length / 4))
    const passes: Record<string, Times>[] = []
    for (let i = 0; i < PASSES; i++) {
      const { byKind, measured } = await pass(requests.length)
      const bound = measured.filter((_, k) => TERRITORIOS.some(({ name }) => name === kinds[k]?.name))
      passes.push({
        ...Object.fromEntries(kinds.map(({ name }, k) => [name, byKind[k] as Times])),
        [ANYWHERE]: quantilesOf(bound.flat()),
      })
    }
    const median = (numberOf: (times: Record<string, Times>) => number) =>
      passes.map(numberOf).sort((a, b) => a - b)[Math.floor(PASSES / 2)] as number
    const p95 = (name: string) => median((times) => (times[name] as Times).p95)
    const ratioOf = (name: string, base: string) =>
      median((times) => (times[name] as Times).p95 / (times[base] as Times).p95)
    console.log(`${what}: p95 ${p95(NOWHERE).toFixed(1)} ms without territory or filter`)
    for (const { name, filtro } of TERRITORIOS) {
      const ratio = ratioOf(name, NOWHERE)
      const own =
        filtro === null ? '' : `, ${ratioOf(name, asFilter(name)).toFixed(2)} of the place as a filter`
      console.log(
        `  ${name.padEnd(28)} ${p95(name).toFixed(1).padStart(7)} ms  ${ratio.toFixed(2)} (≤ ${AT_MOST})${own}`,
      )
      if (ratio > AT_MOST) missed.push(`${what}, ${name}: ${ratio.toFixed(2)}`)
    }
    console.log(`  ${ANYWHERE.padEnd(39)} ${ratioOf(ANYWHERE, NOWHERE).toFixed(2)}`)
  }
} finally {
  await stack.disposeAsync()
}
console.log(missed.length === 0 ? '\nEvery target was reached' : `\nMissed:\n  ${missed.join('\n  ')}`)
if (missed.length > 0) process.exitCode = 1

type Call = ReturnType<typeof createCall>
type Session = { access_token: string }

function createCall(port: number) {
  return async <T>(path: string, method: string, body?: unknown, token?: string): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: {
        ...FORWARDED,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
}

/** A new account of the group `analista`, bound to places, and its token. */
async function accountOf(call: Call, admin: string, territorios: object[]): Promise<string> {
  const { grupos } = await call<{ grupos: { id: number; nome: string }[] }>(
    '/grupos?size=100',
    'GET',
    undefined,
    admin,
  )
  const analista = grupos.find(({ nome }) => nome === 'analista')
  const email = `territorio-${Date.now()}-${Math.random().toString(36).slice(2)}@vigia.local`
  await call(
    '/usuarios',
    'POST',
    { nome: 'Bench', email, senha: PASSWORD, grupos_ids: [analista?.id], territorios },
    admin,
  )
  const session = await call<Session>('/auth/login', 'POST', { username: email, password: PASSWORD })
  return session.access_token
}
