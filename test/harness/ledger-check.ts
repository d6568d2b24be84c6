import { describedContracts } from '../../src/contracts/service.routes.ts'
import { ERRORS, type ErrorCode } from '../../src/errors/catalogue.ts'
import { BODY_ERRORS, COMMON_ERRORS } from '../../src/http/openapi/openapi.ts'
import { errorsOf } from '../../src/http/route.ts'

/** Statuses that any route may answer: it is enough that some route was seen to. */
const COMMON = new Set([...COMMON_ERRORS, ...BODY_ERRORS].map((code) => ERRORS[code] as number))
/** Answered beside the routes: other methods, preflights, HEAD. */
const BESIDE = new Set([405])

const statusOf = (code: ErrorCode) => ERRORS[code] as number

/** Declared and never seen, or seen and not declared. */
export function compareLedger(seen: Set<string>): string[] {
  const info = { title: '', version: '', description: '', publicUrl: null }
  const rows = describedContracts(info).contracts.flatMap((contract) => contract.rows)
  // Where the two descriptions share a route, what either declares.
  const declared = new Map(
    [...Map.groupBy(rows, ({ method, path }) => `${method} ${path}`)].map(([route, those]) => [
      route,
      new Set(
        those.flatMap((row) => [
          ...Object.keys(row.replies).map(Number),
          ...errorsOf(row as never).map(statusOf),
        ]),
      ),
    ]),
  )
  const findings: string[] = []
  for (const [route, statuses] of declared) {
    // PATCH is an alias of PUT: what PUT shows holds for it.
    if (route.startsWith('PATCH ')) continue
    for (const status of statuses)
      if (!seen.has(`${route} ${status}`)) findings.push(`declared, never seen: ${route} ${status}`)
  }
  for (const status of COMMON)
    if (![...seen].some((note) => note.endsWith(` ${status}`)))
      findings.push(`never seen on any route: ${status}`)
  for (const note of seen) {
    const route = note.slice(0, note.lastIndexOf(' '))
    const status = Number(note.slice(note.lastIndexOf(' ') + 1))
    const allowed = declared.get(route)
    if (allowed && !allowed.has(status) && !COMMON.has(status) && !BESIDE.has(status))
      findings.push(`seen, not declared: ${note}`)
  }
  return findings
}
