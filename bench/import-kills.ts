import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { attachEmbedded } from '../src/db/embedded/embedded.ts'
import {
  arquivoDeCasos,
  enqueue,
  formOf,
  numbersOf,
  resultadoEsperado,
  retratoDe,
  retratoEsperado,
} from '../test/process/import-setup.ts'
import { dataFolder, type Service } from '../test/process/service.ts'

/**
 * An import during which the service is killed again and again at random moments and started anew: is every row there
 * exactly once, and are the numbers of the job and of the statistics right?
 * `npm run bench:kills [-- rows [kills [seed]]]`
 */
const ROWS = Number(process.argv[2] ?? 200_000)
const KILLS = Number(process.argv[3] ?? 10)
const SEED = Number(process.argv[4] ?? 1)
const PASSWORD = 'Senha#Boa1'
const SERIE = 'K'
/** A dead worker is replaced when its lease is over. */
const LEASE_MS = 10_000

/** Numbers from 0 to 1 that are the same for the same seed. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const cleanups: (() => Promise<void>)[] = []
const folder = await dataFolder({ after: (done) => cleanups.push(done) })
const next = random(SEED)
const start = () => folder.start({ ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'error' })

let service: Service = await start()
const token = await service.login('admin@vigia.local', PASSWORD)
let client = await connect()

/** Each start takes the database over by starting it anew. */
async function connect(): Promise<pg.Client> {
  const connection = await attachEmbedded(folder.dataDir)
  assert.ok(connection)
  const made = new pg.Client({ ...connection, ssl: false })
  made.on('error', () => {})
  await made.connect()
  return made
}

const begun = performance.now()
const id = await enqueue(service, token, formOf(arquivoDeCasos(SERIE, ROWS)))
const phases: string[] = []

async function look(): Promise<{ status: string; progress: number; linhas: number | null; worked: boolean }> {
  const { rows } = await client.query(
    `select j.status, j.progress, (f.ponto->>'linhas')::int as linhas,
       coalesce(f.trabalhador is not null and f.vence_em > now(), false) as worked
     from jobs j left join jobs_fila f on f.job_id = j.id where j.id = $1`,
    [id],
  )
  return rows[0]
}

/** Until somebody works on the job, or it is over. */
async function untilWorked(after: { trabalhador: string | null }): Promise<boolean> {
  const deadline = Date.now() + 3 * LEASE_MS
  for (;;) {
    const { rows } = await client.query('select trabalhador from jobs_fila where job_id = $1', [id])
    if (rows.length === 0) return false
    const { trabalhador } = rows[0]
    if (trabalhador !== null && trabalhador !== after.trabalhador) {
      after.trabalhador = trabalhador
      return true
    }
    assert.ok(Date.now() < deadline, 'nobody takes the job')
    await sleep(20)
  }
}

const last = { trabalhador: null as string | null }
let highest = 0
let back = 0
for (let i = 0; i < KILLS && (await untilWorked(last)); i++) {
  // Anywhere from its first moment on; a process needs a second or two before it reads.
  await sleep(next() * 6_000)
  const { status, progress, linhas } = await look()
  if (progress < highest) back += 1
  highest = Math.max(highest, progress)
  if (status !== 'processing') break
  await service.kill()
  phases.push(linhas === ROWS ? 'storing' : `reading at ${linhas ?? 0}`)
  await client.end().catch(() => {})
  service = await start()
  client = await connect()
}

const deadline = Date.now() + 600_000
let job = (await service.request(`/api/v1/jobs/${id}`, { token })).body
while (job.status === 'processing' && Date.now() < deadline) {
  await sleep(200)
  job = (await service.request(`/api/v1/jobs/${id}`, { token })).body
  if (job.progress < highest) back += 1
  highest = Math.max(highest, job.progress)
}
const seconds = (performance.now() - begun) / 1000

const { body: sums } = await service.request('/api/v1/agravos/casos/estatisticas/resumo', { token })
const { rows: imports } = await client.query('select importados, total_linhas from importacoes')
const expected = retratoEsperado(ROWS)
const comparisons: [string, unknown, unknown][] = [
  ['status', job.status, 'completed'],
  ['result of the job', numbersOf(job.resultado ?? {}), resultadoEsperado(ROWS)],
  ['cases in the database', await retratoDe(client, SERIE), expected],
  ['imports', imports, [{ importados: ROWS, total_linhas: ROWS }]],
  [
    'statistics',
    [sums.total, sums.por_classificacao.confirmado, sums.obitos],
    [ROWS, expected.confirmados, expected.obitos],
  ],
  ['sum over the statistics', sumOf(sums.por_classificacao), ROWS],
  ['progress that went back', back, 0],
]

function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

console.log(`killed: ${phases.join(', ')}`)
let different = 0
for (const [what, found, wanted] of comparisons) {
  try {
    assert.deepEqual(found, wanted)
  } catch {
    different += 1
    console.log(`DIFFERENT ${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
  }
}
console.log(
  `${ROWS} rows, ${phases.length} kills (${phases.filter((phase) => phase === 'storing').length} while storing), ${seconds.toFixed(1)} s, ${comparisons.length - different} of ${comparisons.length} comparisons equal`,
)

await client.end()
await service.stop()
for (const cleanup of cleanups) await cleanup()
process.exit(different === 0 && phases.length === KILLS ? 0 : 1)
