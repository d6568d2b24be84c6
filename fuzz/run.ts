import { startTestServer } from '../test/harness/server.ts'
import { fuzz } from './fuzz.ts'

/**
 * `npm run fuzz -- [requests [seed]]`: requests made from the OpenAPI document, good and bad, against a service on a
 * database of its own. Ends with 1 where something is wrong. One world of a long run is run again by its own seed.
 */
const [requests = 5_000, seed = Math.floor(Math.random() * 1e9)] = process.argv.slice(2).map(Number)
await using server = await startTestServer()
process.env.VIGIA_TEST_SERVER = JSON.stringify(server.address)
const report = await fuzz({
  requests,
  seed,
  onProgress: (soFar) =>
    process.stderr.write(`\r${soFar.requests} requests, ${soFar.findings.size} findings `),
})
console.log(`\n${report.table()}\n`)
for (const { what, operation, times, repeat } of report.findings.values())
  console.log(`${operation}: ${what} (${times} times)\n  ${repeat}\n`)
console.log(report.summary())
process.exitCode = report.findings.size > 0 ? 1 : 0
