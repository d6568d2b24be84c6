// `npm test` checks format, lint and types and runs every test; `npm test -- file …` runs these files alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, matchesGlob, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onSignal } from '../src/commands/signals.ts'
import { ensureBrowser } from './harness/browser.ts'
import { compareLedger } from './harness/ledger-check.ts'
import { startTestServer } from './harness/server.ts'
import { runLane } from './runner/lane.ts'
import { createSummary, type Summary } from './runner/summary.ts'

/** Tests that mostly wait for processes, timers and sockets: more of them at once than there are cores. */
const WAITING = [
  'test/process/**',
  'test/db/embedded*',
  'test/domain/jobs/**',
  'test/http/{certificate,listener*,protocol}.test.ts',
  'test/mail/**',
  'test/outbound/**',
]
/** `further` ones compute when no waiting test is left: two that wait for browser and database by turns do not fill two cores. */
const WORKERS = { waiting: 3, computing: 2, further: 1 }
/**
 * Begun first, so that no core is idle while the longest of all runs last. One that moves hundreds of megabytes makes V8 collect
 * again and again, which takes six times the CPU in a worker that holds the services of a hundred files.
 */
const LONGEST = [
  'test/domain/arquivos.test.ts',
  'test/console/casos-views.test.ts',
  'test/console/formulario.test.ts',
  'test/console/screens.test.ts',
  'test/console/importacoes.test.ts',
  'test/console/painel.test.ts',
  'test/fuzz.test.ts',
  'test/casos-properties.test.ts',
  'test/access.test.ts',
  'test/privacidade.test.ts',
  'test/escalation.test.ts',
  'test/territorio-access.test.ts',
  'test/http/list-routes.test.ts',
  'test/process/commands.test.ts',
  'test/process/lifecycle.test.ts',
  'test/process/uploads.test.ts',
]
/** Options of the compiler. Incremental checking: the next run takes a tenth of the CPU, for a file of what this one found. */
const remembering = (name: string) => [
  // Side by side its checkers do much of the work twice, and the cores have tests to run.
  '--singleThreaded',
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/${name}.tsbuildinfo`,
]

const root = fileURLToPath(new URL('..', import.meta.url))
const asked = process.argv.slice(2)
const isWhole = asked.length === 0
// An interrupted run takes its database and its workers along.
onSignal(() => process.exit(1))

ensureBrowser()
// The services of the tests serve the console.
await import('../scripts/build-console.ts')
process.exit(await runAll())

async function runAll(): Promise<number> {
  // Beside the tests, which leave the processor time while they wait.
  const checks = isWhole
    ? [
        runCheck('biome', ['check', '.']),
        runCheck('tsc', ['--noEmit', ...remembering('types')]),
        runCheck('tsc', ['--noEmit', '-p', 'web/console', ...remembering('console-types')]),
        runCheck('tsc', ['--noEmit', '-p', 'clients/ts', ...remembering('client-types')]),
      ]
    : []
  const summary = createSummary({ verbose: !isWhole })
  const findings = (await Promise.all([runTests(summary), ...checks])).flat()
  return summary.print(findings) ? 0 : 1
}

/** Runs the files in two lanes; returns what the ledger finds when all of them passed. */
async function runTests(summary: Summary): Promise<string[]> {
  await using server = await startTestServer()
  const ledgerFile = join(server.dir, 'ledger.txt')
  const env = {
    ...process.env,
    VIGIA_TEST_SERVER: JSON.stringify(server.address),
    VIGIA_TEST_LEDGER: ledgerFile,
    // Workers and the services they start read the same modules; node keeps them compiled there.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/vigia-test'),
  }
  const files = testFiles()
  const waits = (file: string) => WAITING.some((pattern) => matchesGlob(file, pattern))
  const run = (queue: string[], workers: number) => runLane({ queue, workers }, env, summary.add)
  const computing = files.filter((file) => !waits(file))
  await Promise.all([
    run(files.filter(waits), WORKERS.waiting).then(() => run(computing, WORKERS.further)),
    run(computing, WORKERS.computing),
  ])
  // A busy machine may fail a test that it passes alone; a defect fails both times.
  if (isWhole) await run(summary.takeFailed(), 1)
  return isWhole && summary.hasPassed() ? ledgerFindings(await readFile(ledgerFile, 'utf8')) : []
}

function testFiles(): string[] {
  const patterns = isWhole ? ['test/**/*.test.ts'] : asked.map((path) => relative(root, join(root, path)))
  const files = globSync(patterns, { cwd: root }).toSorted()
  if (files.length === 0) throw new Error(`no such test file: ${asked.join(' ')}`)
  return [
    ...LONGEST.filter((file) => files.includes(file)),
    ...files.filter((file) => !LONGEST.includes(file)),
  ]
}

/** A tool of `node_modules`; its output is shown where it finds something. */
async function runCheck(tool: string, args: string[]): Promise<string[]> {
  const child = spawn(join(root, 'node_modules/.bin', tool), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const [code] = await once(child, 'close')
  return code === 0 ? [] : [`${tool} ${args.join(' ')}:\n${output}`]
}

function ledgerFindings(ledger: string): string[] {
  const findings = compareLedger(new Set(ledger.split('\n').filter(Boolean)))
  if (findings.length === 0) console.log('ledger: every declared status was seen, and no other')
  return findings.map((finding) => `ledger: ${finding}`)
}
