import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultColumns } from '../src/domain/exportacao/columns.ts'
import { askParquet } from '../test/contracts/b/duckdb.ts'
import { EMAIL, PASSWORD, prepare } from './comparison/prepare.ts'
import { cpuOf, memoryOf, startService, treeOf } from './comparison/processes.ts'

/**
 * Files for analysts from a million cases: seconds, CPU of the service, memory of the job's process and size of each format, and of a research extract.
 * `npx node bench/exportacao.ts [cases [kind …]]`; exit code 1 where a limit is passed, or where DuckDB finds the extract less than it has to be.
 */
const [cases = '1000000', ...wanted] = process.argv.slice(2)
const CASES = Number(cases)
const FORWARDED = { 'x-forwarded-proto': 'https' }
/** Of a hundred cases, left out of an extract. */
const MOST_SUPPRESSED = 5
const EXTRATO = { k: 5, finalidade: 'Medida de desempenho', orgao: 'Vigia' }

interface Kind {
  nome: string
  path?: string
  body: object
  /** For a million rows; the part is of the CSV. */
  atMost?: { seconds?: number; mebibytes?: number; part?: number }
  /** What is wrong with the file; nothing where it is as it has to be. */
  check?(port: number, token: string, job: string): Promise<string[]>
}
const KINDS: Kind[] = [
  { nome: 'csv', body: { formato: 'csv' } },
  {
    nome: 'csv, gzip',
    body: { formato: 'csv', compactacao: 'gzip' },
    atMost: { seconds: 90, mebibytes: 250 },
  },
  { nome: 'parquet', body: { formato: 'parquet' }, atMost: { mebibytes: 250, part: 0.1 } },
  {
    nome: 'parquet, 60',
    body: { formato: 'parquet', campos: defaultColumns(false).slice(0, 60) },
    atMost: { seconds: 90, mebibytes: 250 },
  },
  {
    nome: 'dbf of dengue',
    body: { formato: 'dbf', filtros: { tipo_agravo: 'dengue' } },
    atMost: { seconds: 60, mebibytes: 150 },
  },
  { nome: 'dbc of Zika', body: { formato: 'dbc', filtros: { tipo_agravo: 'zika' } } },
  { nome: 'dbc of dengue', body: { formato: 'dbc', filtros: { tipo_agravo: 'dengue' } } },
  { nome: 'csv_sinan of dengue', body: { formato: 'csv_sinan', filtros: { tipo_agravo: 'dengue' } } },
  // Of dengue: a sheet does not have room for all.
  { nome: 'xlsx', body: { formato: 'xlsx', filtros: { tipo_agravo: 'dengue' } } },
  {
    nome: 'extract, k = 5',
    path: '/agravos/casos/extratos',
    body: { formato: 'parquet', ...EXTRATO },
    atMost: { seconds: 120, mebibytes: 250 },
    check: checkExtrato,
  },
]

const missed: string[] = []
let csvBytes = Number.POSITIVE_INFINITY
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
  const { access_token } = (await call(service.port, '/auth/login', null, {
    username: EMAIL,
    password: PASSWORD,
  })) as { access_token: string }

  const kinds = KINDS.filter(({ nome }) => wanted.length === 0 || wanted.includes(nome))
  for (const { nome, path = '/agravos/casos/exportar', body, atMost, check } of kinds) {
    const before = cpuOf(treeOf(service.pid), { ended: true })
    const start = performance.now()
    const { job_id } = (await call(service.port, path, access_token, body)) as { job_id: string }
    const { resultado, mebibytes } = await ended(service, access_token, job_id)
    const seconds = (performance.now() - start) / 1000
    const cpu = cpuOf(treeOf(service.pid), { ended: true }) - before
    console.log(
      `${nome.padEnd(20)} ${resultado.sucesso} rows, ${seconds.toFixed(1)} s, CPU ${cpu.toFixed(1)} s, ` +
        `${Math.round(mebibytes)} MiB at most, file ${(resultado.tamanho / 1e6).toFixed(1)} MB`,
    )
    const scale = Math.max(1, resultado.sucesso / 1_000_000)
    if (seconds > (atMost?.seconds ?? Number.POSITIVE_INFINITY) * scale)
      missed.push(`${nome}: ${seconds.toFixed(1)} s`)
    if (mebibytes > (atMost?.mebibytes ?? Number.POSITIVE_INFINITY))
      missed.push(`${nome}: ${Math.round(mebibytes)} MiB`)
    if (nome === 'csv') csvBytes = resultado.tamanho
    if (resultado.tamanho > csvBytes * (atMost?.part ?? 1))
      missed.push(`${nome}: 1/${(csvBytes / resultado.tamanho).toFixed(1)} of the CSV`)
    for (const wrong of (await check?.(service.port, access_token, job_id)) ?? [])
      missed.push(`${nome}: ${wrong}`)
  }
} finally {
  await stack.disposeAsync()
}
console.log(missed.length === 0 ? '\nEvery target was reached' : `\nMissed:\n  ${missed.join('\n  ')}`)
if (missed.length > 0) process.exitCode = 1

/** Classes of the extract as DuckDB groups them, and the share of the cases that it leaves out. */
async function checkExtrato(port: number, token: string, job: string): Promise<string[]> {
  const file = await fetch(`http://127.0.0.1:${port}/api/v1/jobs/${job}/arquivo`, {
    headers: { ...FORWARDED, authorization: `Bearer ${token}` },
  })
  const [found = {}] = await askParquet(
    Buffer.from(await file.arrayBuffer()),
    (path) => `
      select count(*)::int as classes, min(size)::int as smallest, sum(size)::int as rows
      from (select count(*) as size from ${path} group by inicio, lugar, idade, sexo, raca)`,
  )
  const { classes, smallest, rows } = found as { classes: number; smallest: number; rows: number }
  const { total } = (await call(port, '/agravos/casos/estatisticas/resumo', token)) as { total: number }
  const suppressed = (100 * (total - rows)) / total
  console.log(
    `  ${classes} classes, the smallest of ${smallest}; ${suppressed.toFixed(2)} % of ${total} cases left out`,
  )
  return [
    ...(smallest >= EXTRATO.k ? [] : [`a class of ${smallest}`]),
    ...(suppressed <= MOST_SUPPRESSED ? [] : [`${suppressed.toFixed(2)} % left out`]),
  ]
}

interface Ended {
  resultado: { sucesso: number; tamanho: number }
  /** Largest resident memory of the processes that run jobs. */
  mebibytes: number
}

async function ended(
  { pid, port }: { pid: number; port: number },
  token: string,
  id: string,
): Promise<Ended> {
  for (let mebibytes = 0; ; await sleep(200)) {
    mebibytes = Math.max(mebibytes, memoryOf(treeOf(pid).slice(1)))
    const { status, result, message } = (await call(port, `/jobs/${id}`, token)) as {
      status: string
      message: string
      result: Ended['resultado']
    }
    if (status === 'completed') return { resultado: result, mebibytes }
    if (status !== 'processing') throw new Error(`${id}: ${message}`)
  }
}

async function call(port: number, path: string, token: string | null, body?: object): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...FORWARDED,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
