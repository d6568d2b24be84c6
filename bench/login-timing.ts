import { sql } from '../src/db/sql.ts'
import { benchService, PASSWORD } from './service.ts'

/**
 * Does the time of an answer tell whether an account exists? Medians over many tries, the kinds taken in turn so that the
 * machine's noise falls on all alike. `npm run bench:timing [-- tries]`
 */
const TRIES = Number(process.argv[2] ?? 500)
const MAX_DIFFERENCE_MS = 5

const { db, server, close } = await benchService('existente@bench.local')
await db.run(sql`
  insert into usuarios (nome, email, senha_hash, desativado_em)
  select 'Inativa', 'inativa@bench.local', senha_hash, now() from usuarios`)

/** Each try from an address of its own, so that only what is meant to be locked is. */
let address = 0
const nextAddress = () => `10.${(++address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`

async function post(url: string, payload: object, remoteAddress: string): Promise<number> {
  const start = performance.now()
  await server.inject({ method: 'POST', url: `/api/v1${url}`, payload, remoteAddress })
  return performance.now() - start
}

const LOCKED_FROM = '192.0.2.1'
for (let i = 0; i < 5; i++)
  await post('/auth/login', { email: 'existente@bench.local', senha: 'x' }, LOCKED_FROM)

const signup = (email: string) => ({ usuario: { nome: 'X', email, senha: PASSWORD, master_key: 'wrong' } })
const login = (email: string, from?: string) => async () => {
  // The lock from everywhere (50 failures) is not what is measured.
  await db.run(sql`delete from falhas_de_login`)
  return post('/auth/login', { email, senha: 'Errada#123' }, from ?? nextAddress())
}
const forgot = (email: string) => () => post('/auth/forgot-password', { email }, nextAddress())
const reset = (email: string) => () => post(`/usuarios/reset-password?email=${email}`, {}, nextAddress())

const GROUPS: Record<string, Record<string, () => Promise<number>>> = {
  login: {
    existing: login('existente@bench.local'),
    unknown: login('desconhecida@bench.local'),
    inactive: login('inativa@bench.local'),
    locked: login('existente@bench.local', LOCKED_FROM),
  },
  'forgot-password': {
    existing: forgot('existente@bench.local'),
    unknown: forgot('desconhecida@bench.local'),
    inactive: forgot('inativa@bench.local'),
  },
  'reset-password (A)': {
    existing: reset('existente@bench.local'),
    unknown: reset('desconhecida@bench.local'),
    inactive: reset('inativa@bench.local'),
  },
  'signup, wrong key': {
    existing: () => post('/usuarios/signup', signup('existente@bench.local'), nextAddress()),
    unknown: () => post('/usuarios/signup', signup('desconhecida@bench.local'), nextAddress()),
  },
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] as number

let worst = 0
for (const [route, kinds] of Object.entries(GROUPS)) {
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]))
  for (let i = 0; i < TRIES; i++)
    for (const [kind, attempt] of Object.entries(kinds)) times.get(kind)?.push(await attempt())
  const medians = [...times].map(([kind, list]) => [kind, median(list)] as const)
  const values = medians.map(([, value]) => value)
  const difference = Math.max(...values) - Math.min(...values)
  worst = Math.max(worst, difference)
  const text = medians.map(([kind, value]) => `${kind} ${value.toFixed(2)} ms`).join(', ')
  console.log(`${route}: ${text}; apart by ${difference.toFixed(2)} ms`)
}
console.log(
  `${TRIES} tries each; medians at most ${worst.toFixed(2)} ms apart (allowed: ${MAX_DIFFERENCE_MS})`,
)

await close()
process.exit(worst < MAX_DIFFERENCE_MS ? 0 : 1)
