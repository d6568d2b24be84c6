import { onSignal } from '../src/commands/signals.ts'
import { startTestServer } from '../test/harness/server.ts'
import { fuzz } from './fuzz.ts'
import { createReport } from './report.ts'

/**
 * `npm run fuzz -- [requests [seed]]`: requests made from the OpenAPI document, good and bad, against a service on a
 * database of its own. Ends with 1 where something is wrong. One world of a long run is run again by its own seed.
 */
const [requests = 5_000, seed = Math.floor(Math.random() * 1e9)] = process.argv.slice(2).map(Number)
const report = createReport(seed, ({ what, operation, repeat }) =>
  console.log(`\n${operation}: ${what}\n  ${repeat}\n`),
)
// Interrupted, it reports its progress and removes its database.
onSignal(() => {
  console.log(`\n${report.table()}\n\n${report.summary()}, interrupted`)
  process.exit(1)
})
await using server = await startTestServer()
process.env.VIGIA_TEST_SERVER = JSON.stringify(server.address)
const onProgress = () =>
  process.stderr.write(`\r${report.requests} requests, ${report.findings.size} findings `)
await fuzz({ requests, seed, report, onProgress })
console.log(`\n${report.table()}\n`)
for (const { what, operation, times } of report.findings.values())
  console.log(`${times} × ${operation}: ${what}`)
console.log(report.summary())
process.exitCode = report.findings.size > 0 ? 1 : 0
