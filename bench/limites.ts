import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from '../src/db/sql.ts'
import { insertSessao } from '../src/domain/sessoes/sessoes.sql.ts'
import { benchService } from './service.ts'

/**
 * What do the rate limits cost? The cheapest authenticated route, asked by turns of two instances on one database, without
 * limits and with: lifted, where one account can ask as fast as it likes, and as they are, with as many accounts as it takes
 * to stay below them. Printed are requests per second and CPU time, and their ratios. `npm run bench:limits [-- turns]`
 */
const TURNS = Number(process.argv[2] ?? 30)
const TURN_MS = 300
const AT_ONCE = 16
const ACCOUNTS = 2_000
const PATH = '/api/v1/agravos/tipos'

const bench = await benchService('admin@bench.local')
const { db, app } = bench
const { server: without } = bench
const { server: lifted } = await bench.build({ RATE_LIMITS: 'count' })
const { server: limited } = await bench.build({ RATE_LIMITS: 'on' })

async function tokenOf(usuario_id: number): Promise<string> {
  const sessao_id = randomUUID()
  const now = new Date()
  const expira_em = new Date(now.getTime() + 86_400_000)
  const origin = { endereco_ip: null, agente: null, lembrar: false }
  await insertSessao(db, { id: sessao_id, usuario_id, criado_em: now, expira_em, ...origin })
  return app.accessTokens.sign({ usuario_id, sessao_id }, { jti: sessao_id, issuedAt: now })
}

async function newAccounts(plano: string, count: number): Promise<string[]> {
  const rows = await db.rows<{ id: number }>(sql`
    with u as (
      insert into usuarios (nome, email, senha_hash, plano)
      select 'Pessoa', ${plano + count} || '-' || i || '@bench.local', 'x', ${plano} from generate_series(1, ${count}::int) i returning id),
    g as (insert into usuarios_grupos (usuario_id, grupo_id) select u.id, g.id from u, grupos g where g.nome = 'usuario')
    select id from u`)
  const tokens: string[] = []
  for (const { id } of rows) tokens.push(await tokenOf(id))
  return tokens
}

type Server = typeof without
type Request = (i: number) => { url: string; headers?: Record<string, string> }

/** Of this process and of PostgreSQL. Unlike the time it takes, it hardly depends on what else the machine does. */
async function cpuMs(): Promise<number> {
  const { user, system } = process.cpuUsage()
  const stats = await Promise.all(
    bench.databaseProcesses().map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  )
  const ticks = stats.map((stat) => {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  })
  return (user + system) / 1000 + 10 * ticks.reduce((sum, one) => sum + one, 0)
}

interface Turns {
  requests: number
  ms: number
  cpu: number
}

async function turn(server: Server, request: Request, turns: Turns): Promise<void> {
  const [start, cpu] = [performance.now(), await cpuMs()]
  const until = start + TURN_MS
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() < until) {
        const { statusCode, payload } = await server.inject(request(turns.requests++))
        if (statusCode !== 200) throw new Error(`${statusCode} ${payload}`)
      }
    }),
  )
  turns.ms += performance.now() - start
  turns.cpu += (await cpuMs()) - cpu
}

async function compare(what: string, counting: Server, request: Request): Promise<void> {
  const newTurns = (): Turns => ({ requests: 0, ms: 0, cpu: 0 })
  const [off, on] = [newTurns(), newTurns()]
  // The first ones only warm up; then each goes first as often as the other.
  for (let i = 0; i < 4; i++)
    for (const server of [without, counting]) await turn(server, request, newTurns())
  for (let i = 0; i < TURNS; i++) {
    if (i % 2 === 0) await turn(without, request, off)
    await turn(counting, request, on)
    if (i % 2 === 1) await turn(without, request, off)
  }
  const perSecond = ({ requests, ms }: Turns) => (1000 * requests) / ms
  const cpuOf = ({ requests, cpu }: Turns) => cpu / requests
  const line = (figure: (turns: Turns) => number, digits: number) =>
    `${figure(off).toFixed(digits)} → ${figure(on).toFixed(digits)} (× ${(figure(on) / figure(off)).toFixed(3)})`
  console.log(`${what.padEnd(24)} requests/s ${line(perSecond, 0)}; CPU ms a request ${line(cpuOf, 3)}`)
}

const asked = (tokens: string[]) => (i: number) => ({
  url: PATH,
  headers: { authorization: `Bearer ${tokens[i % tokens.length]}` },
})

await compare('lifted, one account', lifted, asked(await newAccounts('enterprise', 1)))
await compare('lifted, health', lifted, () => ({ url: '/api/v1/health' }))
await compare(`${ACCOUNTS} enterprise accounts`, limited, asked(await newAccounts('enterprise', ACCOUNTS)))
await compare(`${ACCOUNTS} basic accounts`, limited, asked(await newAccounts('basico', ACCOUNTS)))

for (const server of [lifted, limited]) await server.close()
await bench.close()
