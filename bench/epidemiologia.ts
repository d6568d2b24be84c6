import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadMunicipios } from '../src/brasil/municipios.ts'
import { DIFFERENT, FORWARDED, logIn, measureAnswers } from './comparison/answers.ts'
import { prepare } from './comparison/prepare.ts'
import { startLoader, startService } from './comparison/processes.ts'

/**
 * The part of `npm run bench` about curves, diagrams, indicators and the painel, alone. `npx node bench/epidemiologia.ts [cases [seed [requests]]]`;
 * exit code 1 when a bar is missed.
 */
const CASES = Number(process.argv[2] ?? 1_000_000)
const SEED = Number(process.argv[3] ?? randomInt(1_000_000))
const REQUESTS = Number(process.argv[4] ?? DIFFERENT)

const missed: string[] = []
const stack = new AsyncDisposableStack()
try {
  const folder = join(process.env.BENCH_DIR ?? join(tmpdir(), 'vigia-bench'), String(CASES))
  const ground = await prepare(folder, CASES)
  stack.defer(() => ground.postgres.stop())
  stack.defer(() => ground.client.end())
  // Without its jobs: the levels of alert, which an import makes due, take a core for a minute.
  const running = await startService({ ...ground.env, TRUST_PROXY: '127.0.0.1', WORKER: 'off' })
  stack.defer(() => running.stop())
  const loader = startLoader()
  stack.defer(() => loader.stop())
  const headers = { ...FORWARDED, authorization: `Bearer ${await logIn(running)}` }
  const { all } = await loadMunicipios()
  console.log(`${CASES} cases, requests of seed ${SEED}`)
  missed.push(...(await measureAnswers(loader, { running, headers }, all, SEED, REQUESTS)))
} finally {
  await stack.disposeAsync()
}
console.log(missed.length === 0 ? '\nEvery target was reached' : `\nMissed:\n  ${missed.join('\n  ')}`)
if (missed.length > 0) process.exitCode = 1
