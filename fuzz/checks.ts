import { plantedIn } from '../test/planted.ts'
import { leaksIn, type Outsider } from './bounds.ts'
import type { FuzzRequest } from './requests.ts'
import { STRANGERS } from './roles.ts'
import type { Trace } from './traces.sql.ts'

/** The answer to a request, or its absence. */
export type Answer =
  | { kind: 'answered'; status: number; headers: string; text: string; ms: number }
  | { kind: 'failed'; why: string }

export interface Seen {
  request: FuzzRequest
  answer: Answer
  /** Violations of the answer's schema. */
  violations: string[]
  /** Faults that the service logged. */
  faults: string[]
  traces: Trace[]
  /** Permission to identify patients, by role or granted since. */
  mayIdentify: boolean
  /** Cases that the caller must learn nothing of; null: no place bounds the caller. */
  outside: Outsider[] | null
  /** Truncated: the request was not sent to its end. */
  cutOff: boolean
}

/** Time-out of an answer: only a hang takes longer, on a busy machine too. */
export const MAX_MS = 30_000

/** Tables that a refused request may change: attempts, their number and time. */
const MAY_CHANGE_ON_REFUSAL = new Set([
  'auditoria',
  'auditoria_fim',
  'sessoes',
  'falhas_de_login',
  'bloqueios_de_login',
  'limites',
  'recusas',
])
/** Operations with reuse detection: a refresh token that is used twice ends its whole family, though the request is refused. */
const REUSE = ['POST /api/v1/auth/refresh', 'POST /api/v1/usuarios/refresh-token']

/** Internals that must not leak: words of our own program and of PostgreSQL, none of which the fuzzer sends. */
const INSIDES =
  /node_modules|file:\/\/\/|\.[mc]?[jt]s:\d+:\d+|\n\s+at \S+ \(|violates [\w-]+ (?:constraint|key)|syntax error at or near|relation \\?"\w|column \\?"\w|invalid input syntax|invalid byte sequence|SQLSTATE|ECONNREFUSED|\bAppError\b|TypeError|RangeError|DatabaseError/

export const undeclared = (violations: string[]) =>
  violations.map((one) => `not as declared: ${one.slice(0, 300)}`)

/** Findings of one answer. */
export function findingsIn(seen: Seen): string[] {
  const { request, answer } = seen
  if (answer.kind === 'failed') return [answer.why]
  const { status, text, headers, ms } = answer
  const { operation, invalid, expected, role } = request
  const findings = [
    ...undeclared(seen.violations),
    ...seen.faults.map((one) => `fault: ${one.slice(0, 400)}`),
  ]
  const accepted = status < 400
  if (status >= 500) findings.push(`answered ${status}`)
  if (ms > MAX_MS) findings.push(`took ${Math.round(ms)} ms`)
  if (!operation.statuses.has(status) && !isBesideTheRoute(request, status))
    findings.push(`${status} is not declared`)
  if (invalid !== null && accepted) findings.push(`accepted what is invalid: ${invalid}`)
  if (operation.protected && STRANGERS.includes(role) && accepted) findings.push(`let in ${role}`)
  if (expected && !expected.includes(status)) findings.push(`${status} where only ${expected} is right`)
  if (INSIDES.test(text)) findings.push(`shows its insides: ${INSIDES.exec(text)?.[0]}`)
  const planted = isDocument(request) ? [] : plantedIn(`${headers}\n${text}`)
  const shown = planted.filter((what) => !mayShow(seen, what))
  if (shown.length > 0) findings.push(`shows of a patient: ${shown}`)
  if (seen.outside !== null && !isDocument(request)) findings.push(...leaksIn(request, answer, seen.outside))
  if (!accepted) findings.push(...tracesOfRefusal(seen))
  return findings
}

/** The OpenAPI document holds no patients; searching its 700 KB each time would be half of the work. */
const isDocument = ({ operation }: FuzzRequest) => operation.path === '/api/v1/openapi.json'

/** Path escape: an id with a slash or dots in it leads to another path, where 404 and 405 are right. */
const isBesideTheRoute = ({ invalid }: FuzzRequest, status: number) =>
  invalid !== null && (status === 404 || status === 405)

/** Tables of uploads: stored while they arrive, removed again where the request is refused. */
const isFile = (tabela: string) => tabela === 'arquivos' || tabela === 'arquivos_partes'

/** Changes by the mail worker, beside the requests: a sent mail leaves the queue and takes its token with it. */
const isMailers = ({ tabela, added, changed }: Trace) =>
  tabela === 'emails_pendentes' ? added <= 0 : tabela === 'tokens_de_email' && changed === 0

function tracesOfRefusal({ request, traces, cutOff }: Seen): string[] {
  return (
    traces
      .filter(({ tabela, added, changed }) => added !== 0 || (changed !== 0 && !isFile(tabela)))
      .filter(({ tabela }) => !MAY_CHANGE_ON_REFUSAL.has(tabela))
      .filter((trace) => !isMailers(trace))
      // A truncated upload is removed when the server notices the cut.
      .filter(({ tabela }) => !(cutOff && isFile(tabela)))
      .filter(({ tabela }) => !(tabela === 'refresh_tokens' && REUSE.includes(request.operation.name)))
      .map(
        ({ tabela, added, changed }) =>
          `refused, and left a trace in ${tabela}: ${added} added, ${changed} changed`,
      )
  )
}

/** Patients may appear for roles that identify them on request, in exports and imports of the caller, and in attachments. */
function mayShow({ request, mayIdentify }: Seen, what: string): boolean {
  const { operation, identified } = request
  const { path } = operation
  if (path.endsWith('/{anexo_id}')) return what === 'conteúdo'
  if (path.endsWith('/rejeitados')) return true
  if (!mayIdentify) return false
  if (path.endsWith('/arquivo')) return true
  return identified
}
