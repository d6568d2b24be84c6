import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onSignal } from '../src/commands/signals.ts'
import { compareLedger } from './harness/ledger-check.ts'
import { startTestServer } from './harness/server.ts'

/** `npm test` runs everything; `npm test -- file …` only these files, without the check of declared statuses. */
const root = fileURLToPath(new URL('..', import.meta.url))
const files = process.argv.slice(2)
// Interrupted, it takes its database and the running files with it.
onSignal(() => process.exit(1))

process.exit(await runTests())

async function runTests(): Promise<number> {
  await using server = await startTestServer()
  const ledgerFile = join(server.dir, 'ledger.txt')
  const patterns = files.length > 0 ? files : ['test/**/*.test.ts']
  const runner = spawn(
    process.execPath,
    ['--test', '--test-concurrency=3', '--test-timeout=180000', ...patterns],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        VIGIA_TEST_SERVER: JSON.stringify(server.address),
        VIGIA_TEST_LEDGER: ledgerFile,
        // Every file is a process that reads the same modules; node keeps them compiled there.
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/vigia-test'),
      },
    },
  )
  process.once('exit', () => runner.kill())
  const [code] = await once(runner, 'exit')
  if (code !== 0 || files.length > 0) return code ?? 1
  return reportLedger(await readFile(ledgerFile, 'utf8'))
}

function reportLedger(ledger: string): number {
  const findings = compareLedger(new Set(ledger.split('\n').filter(Boolean)))
  for (const finding of findings) console.error(`ledger: ${finding}`)
  if (findings.length === 0) console.log('ledger: every declared status was seen, and no other')
  return findings.length === 0 ? 0 : 1
}
