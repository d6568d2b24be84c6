import { sql } from '../src/db/sql.ts'
import { benchService } from './service.ts'

/**
 * Many tabs of many people refresh at the same moment: is anybody logged out, does every session stay one chain?
 * `npm run bench:refresh [-- sessions [times]]`
 */
const SESSIONS = Number(process.argv[2] ?? 1000)
const TIMES = Number(process.argv[3] ?? 20)
/** Sessions in hand at once, each with all its refreshes: beyond 200 requests waiting the service answers 503. */
const AT_ONCE = Math.max(1, Math.floor(200 / TIMES))

const { db, server, close } = await benchService('ana@bench.local')
await db.run(sql`
  with s as (
    insert into sessoes (id, usuario_id, criado_em, expira_em)
    select gen_random_uuid(), u.id, now(), now() + interval '7 days'
      from usuarios u, generate_series(1, ${SESSIONS}::int) returning id),
  n as (select id, row_number() over () as i from s)
  insert into refresh_tokens (hash, sessao_id, criado_em)
  select sha256(convert_to('sessao-' || i, 'UTF8')), id, now() from n`)

const statuses = new Map<number, number>()
let forked = 0

async function refresh(refresh_token: string): Promise<string> {
  const url = '/api/v1/auth/refresh'
  const { statusCode, payload } = await server.inject({ method: 'POST', url, payload: { refresh_token } })
  statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
  return payload
}

async function storm(session: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: TIMES }, () => refresh(`sessao-${session}`)))
  if (new Set(answers).size !== 1) forked++
}

let next = 1
const start = performance.now()
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (next <= SESSIONS) await storm(next++)
  }),
)
const seconds = (performance.now() - start) / 1000

/** A live chain: the session lives and exactly one of its tokens has not been used. */
const after = await db.first<{ encerradas: number; vivas: number }>(sql`
  select count(*) filter (where encerrada_em is not null) as encerradas,
         count(*) filter (where encerrada_em is null and livres = 1) as vivas
    from (select s.encerrada_em, count(*) filter (where r.rotacionado_em is null) as livres
            from sessoes s join refresh_tokens r on r.sessao_id = s.id group by s.id) as sessao`)
const { encerradas = -1, vivas = -1 } = after ?? {}

console.log(`${SESSIONS} sessions × ${TIMES} simultaneous refreshes in ${seconds.toFixed(1)} s`)
console.log(`${Math.round((SESSIONS * TIMES) / seconds)} refreshes/s`)
console.log(`statuses: ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`)
console.log(`sessions logged out: ${encerradas} (allowed: 0)`)
console.log(`sessions with different answers: ${forked} (allowed: 0)`)
console.log(`live chains: ${vivas} (needed: ${SESSIONS})`)

await close()
const good = encerradas === 0 && forked === 0 && vivas === SESSIONS && statuses.get(200) === SESSIONS * TIMES
process.exit(good ? 0 : 1)
