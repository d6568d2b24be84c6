// Walks every case by the client's `paginas()` while the service is killed and started again; what was seen is compared with the database.
// `npx node bench/paginas.ts [cases [seconds between kills]]`; exit code 1 where a case was lost or came twice.
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createVigia } from '../clients/ts/src/index.ts'
import { EMAIL, PASSWORD, prepare } from './comparison/prepare.ts'
import { type Running, startService } from './comparison/processes.ts'

const [cases = '1000000', pause = '10'] = process.argv.slice(2)
const PAUSE_MS = 1_000 * Number(pause)

const stack = new AsyncDisposableStack()
try {
  const folder = join(process.env.BENCH_DIR ?? join(tmpdir(), 'vigia-bench'), cases)
  const ground = await prepare(folder, Number(cases))
  stack.defer(() => ground.postgres.stop())
  stack.defer(() => ground.client.end())
  let service = await startService(ground.env)
  stack.defer(() => service.stop())
  const { port } = service

  let kills = 0
  const walked = new AbortController()
  const killing = (async () => {
    while (await isStillWalking(walked.signal)) {
      service = await killed(service, { ...ground.env, PORT: String(port) })
      kills++
    }
  })()
  const begun = performance.now()
  const walking = walk(`https://127.0.0.1:${port}`, join(ground.env.DATA_DIR as string, 'tls', 'cert.pem'))
  const seen = await walking.finally(() => walked.abort())
  const seconds = (performance.now() - begun) / 1000
  await killing

  const { rows } = await ground.client.query<{ id: number }>(
    'select id from casos where excluido_em is null order by id',
  )
  const stored = new Set(rows.map(({ id }) => Number(id)))
  const once = new Set(seen)
  const lost = [...stored].filter((id) => !once.has(id)).length
  const unknown = [...once].filter((id) => !stored.has(id)).length
  console.log(
    `${stored.size} cases, ${seen.length} seen in ${seconds.toFixed(0)} s over ${kills} kills: ` +
      `${lost} lost, ${seen.length - once.size} twice, ${unknown} that the database does not have`,
  )
  if (kills === 0) throw new Error('nothing was killed: more cases, or fewer seconds between kills')
  if (lost + unknown > 0 || seen.length !== once.size) process.exitCode = 1
} finally {
  await stack.disposeAsync()
}

function isStillWalking(signal: AbortSignal): Promise<boolean> {
  return sleep(PAUSE_MS, true, { signal }).catch(() => false)
}

/** Between kill and start nobody listens: the next page meets a refused connection. */
async function killed({ pid, stop }: Running, env: Record<string, string>): Promise<Running> {
  process.kill(pid, 'SIGKILL')
  await stop()
  return startService(env)
}

async function walk(url: string, caFile: string): Promise<number[]> {
  const vigia = createVigia({ url, ca: await readFile(caFile, 'utf8'), email: EMAIL, senha: PASSWORD })
  const seen: number[] = []
  for await (const casos of vigia.paginas('/agravos/casos')) for (const { id } of casos) seen.push(id)
  return seen
}
