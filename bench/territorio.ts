import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays } from '../src/brasil/calendar.ts'
import { createRandom } from '../src/demo/random.ts'
import { requestOf } from './comparison/load.ts'
import { EMAIL, PASSWORD, prepare } from './comparison/prepare.ts'
import { startLoader, startService } from './comparison/processes.ts'

/**
 * Lists and summaries of accounts with a territory against the same requests of an account without one, by turns in one run:
 * p95 at most 1.1 times. `npx node bench/territorio.ts [cases [seconds]]`; exit code 1 where it is more.
 */
const CASES = Number(process.argv[2] ?? 1_000_000)
const SECONDS = Number(process.argv[3] ?? 4)
const ROUNDS = 3
/** Few enough that requests do not wait for each other: the time is that of an answer. */
const CONNECTIONS = 2
const AT_MOST = 1.1
const API = '/api/v1/agravos/casos'
const FORWARDED = { 'x-forwarded-proto': 'https' }
const DIFFERENT = 500

const TERRITORIOS: Record<string, { nivel: string; codigo: string }[]> = {
  'a state': [{ nivel: 'uf', codigo: 'PE' }],
  'a health region': [{ nivel: 'regiao_saude', codigo: '26010' }],
  'two municipalities': [
    { nivel: 'municipio', codigo: '2611606' },
    { nivel: 'municipio', codigo: '3550308' },
  ],
  'a state and a municipality': [
    { nivel: 'uf', codigo: 'SP' },
    { nivel: 'municipio', codigo: '2611606' },
  ],
}

const random = createRandom(20)
const period = (days: number) => {
  const de = addDays('2016-01-01', random.below(3_800 - days))
  return `data_inicio=${de}&data_fim=${addDays(de, days - 1)}`
}
const REQUESTS: Record<string, string[]> = {
  'list, first pages': Array.from({ length: DIFFERENT }, () => `${API}?page=${1 + random.below(20)}`),
  'list, one disease and 30 days': Array.from(
    { length: DIFFERENT },
    () => `${API}?agravo_codigo=dengue&${period(30)}`,
  ),
  'summary of a year': Array.from(
    { length: DIFFERENT },
    () => `${API}/estatisticas/resumo?agregacao=mes&${period(365)}`,
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
  const tokens: Record<string, string> = { 'no territory': await accountOf(call, admin, []) }
  for (const [name, lugares] of Object.entries(TERRITORIOS))
    tokens[name] = await accountOf(call, admin, lugares)

  for (const [what, paths] of Object.entries(REQUESTS)) {
    const times: Record<string, number[]> = {}
    for (let round = 0; round < 2 * ROUNDS; round++)
      for (const [name, token] of Object.entries(tokens)) {
        const headers = { ...FORWARDED, authorization: `Bearer ${token}` }
        const { p95 } = await loader.run({
          port: service.port,
          secure: false,
          connections: CONNECTIONS,
          seconds: SECONDS,
          requests: paths.map((path) => requestOf('GET', path, headers)),
          status: 200,
        })
        if (round >= ROUNDS) times[name] = [...(times[name] ?? []), p95]
      }
    const median = (name: string) => times[name]?.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number
    const base = median('no territory')
    console.log(`${what}: p95 without a territory ${base.toFixed(1)} ms`)
    for (const name of Object.keys(TERRITORIOS)) {
      const ratio = median(name) / base
      console.log(
        `  ${name.padEnd(28)} ${median(name).toFixed(1).padStart(7)} ms  ${ratio.toFixed(2)} (≤ ${AT_MOST})`,
      )
      if (ratio > AT_MOST) missed.push(`${what}, ${name}: ${ratio.toFixed(2)}`)
    }
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
