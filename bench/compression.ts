import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requestOf } from './comparison/load.ts'
import { EMAIL, PASSWORD, prepare } from './comparison/prepare.ts'
import { cpuOf, type Running, startLoader, startService, treeOf } from './comparison/processes.ts'

/**
 * Price of compressed answers: bytes, CPU of the service and requests a second of a list of 50 cases and of the painel, in gzip and brotli
 * against the same as it is, by turns in one run. `npx node bench/compression.ts [cases [seconds]]`
 */
const CASES = Number(process.argv[2] ?? 100_000)
const SECONDS = Number(process.argv[3] ?? 4)
const ROUNDS = 3
const CONNECTIONS = 4
const FORWARDED = { 'x-forwarded-proto': 'https' }
const ENCODINGS = ['identity', 'gzip', 'br'] as const
const YEARS = [2019, 2020, 2021, 2022, 2023, 2024, 2025]
const STATES = ['PE', 'SP', 'MG', 'BA', 'RJ', 'CE', 'GO', 'PR']

/** Many different ones, so that no cache of the database or of answers tells the price of one. */
const REQUESTS: Record<string, string[]> = {
  'list of 50': Array.from({ length: 40 }, (_, i) => `/api/v1/agravos/casos?size=50&page=${1 + i}`),
  painel: YEARS.flatMap((ano) =>
    STATES.map((uf) => `/api/v1/agravos/casos/painel?tipo_agravo=dengue&estado=${uf}&ano=${ano}`),
  ),
}

interface Measured {
  bytes: number
  cpu: number
  perSecond: number
}

const stack = new AsyncDisposableStack()
try {
  const folder = join(process.env.BENCH_DIR ?? join(tmpdir(), 'vigia-bench'), String(CASES))
  const ground = await prepare(folder, CASES)
  stack.defer(() => ground.postgres.stop())
  stack.defer(() => ground.client.end())
  const service = await startService({ ...ground.env, TRUST_PROXY: '127.0.0.1' })
  stack.defer(() => service.stop())
  const loader = startLoader()
  stack.defer(() => loader.stop())
  const authorization = `Bearer ${await logIn(service)}`

  const turn = async (paths: string[], encoding: string): Promise<Measured> => {
    const headers = { ...FORWARDED, authorization, 'accept-encoding': encoding }
    const before = cpuOf(treeOf(service.pid))
    const { requests, seconds } = await loader.run({
      port: service.port,
      secure: false,
      connections: CONNECTIONS,
      seconds: SECONDS,
      requests: paths.map((path) => requestOf('GET', path, headers)),
      status: 200,
    })
    const cpu = (1_000 * (cpuOf(treeOf(service.pid)) - before)) / requests
    return { bytes: await bytesOf(service, paths, headers), cpu, perSecond: requests / seconds }
  }

  console.log(
    `${CASES} cases, ${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} s by turns; in brackets: against identity\n`,
  )
  for (const [what, paths] of Object.entries(REQUESTS)) {
    const turns: Record<string, Measured[]> = {}
    for (let round = 0; round < 2 * ROUNDS; round++)
      for (const encoding of ENCODINGS) {
        const measured = await turn(paths, encoding)
        if (round >= ROUNDS) turns[encoding] = [...(turns[encoding] ?? []), measured]
      }
    const median = (encoding: string, name: keyof Measured) =>
      turns[encoding]?.map((one) => one[name]).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number
    const cell = (encoding: string, name: keyof Measured, digits: number) => {
      const value = median(encoding, name)
      return `${value.toFixed(digits).padStart(8)} (${(value / median('identity', name)).toFixed(2)})`
    }
    console.log(what)
    for (const encoding of ENCODINGS)
      console.log(
        `  ${encoding.padEnd(10)} ${cell(encoding, 'bytes', 0)} bytes  ${cell(encoding, 'cpu', 2)} ms of CPU  ${cell(encoding, 'perSecond', 0)} requests/s`,
      )
  }
} finally {
  await stack.disposeAsync()
}

async function logIn({ port }: Running): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { ...FORWARDED, 'content-type': 'application/json' },
    body: JSON.stringify({ username: EMAIL, password: PASSWORD }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Mean length of the bodies, as they are sent. */
async function bytesOf({ port }: Running, paths: string[], headers: Record<string, string>): Promise<number> {
  let sum = 0
  for (const path of paths) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    sum += Number(answer.headers.get('content-length'))
    await answer.arrayBuffer()
  }
  return sum / paths.length
}
