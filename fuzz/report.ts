import type { Answer } from './checks.ts'
import type { Operation } from './document.ts'
import type { FuzzRequest } from './requests.ts'

export interface Finding {
  what: string
  operation: string
  times: number
  /** Reproduction: the first request that showed it, with its world's seed and its number. */
  repeat: string
}

export interface Report {
  requests: number
  /** Requests truncated on purpose that got no answer. */
  unanswered: number
  /** By operation, then by status. */
  coverage: Map<string, Map<number, number>>
  findings: Map<string, Finding>
  slowestMs: number
  /** Coverage: names all operations, so that one that was never requested shows. */
  expect(operations: Operation[]): void
  note(seed: number, number: number, request: FuzzRequest, answer: Answer | null, findings: string[]): void
  summary(): string
  table(): string
}

export function createReport(seed: number, onFinding: (finding: Finding) => void = () => {}): Report {
  const started = performance.now()
  const coverage: Report['coverage'] = new Map()
  const findings: Report['findings'] = new Map()

  return {
    requests: 0,
    unanswered: 0,
    slowestMs: 0,
    coverage,
    findings,
    expect(operations) {
      for (const { name } of operations) if (!coverage.has(name)) coverage.set(name, new Map())
    },
    note(worldSeed, number, request, answer, found) {
      this.requests++
      const status = answer?.kind === 'answered' ? answer.status : 0
      if (answer?.kind === 'answered') this.slowestMs = Math.max(this.slowestMs, answer.ms)
      if (answer === null) this.unanswered++
      const statuses = coverage.get(request.operation.name)
      statuses?.set(status, (statuses.get(status) ?? 0) + 1)
      for (const what of found) {
        const key = `${request.operation.name}: ${what.replaceAll(/\d+/g, '#').slice(0, 120)}`
        const known = findings.get(key)
        const repeat = `request ${number} of seed ${worldSeed}: ${asCurl(request)}${answerText(answer)}`
        const finding = known ?? { what, operation: request.operation.name, times: 0, repeat }
        finding.times++
        findings.set(key, finding)
        if (known === undefined) onFinding(finding)
      }
    },
    summary() {
      const seconds = (performance.now() - started) / 1000
      const asked = [...coverage.values()].filter((statuses) => statuses.size > 0)
      const pairs = asked.reduce((sum, statuses) => sum + statuses.size, 0)
      const done = asked.filter((statuses) =>
        [...statuses.keys()].some((status) => status >= 200 && status < 400),
      )
      return [
        `fuzz: seed ${seed}, ${this.requests} requests in ${seconds.toFixed(0)} s`,
        `${asked.length} of ${coverage.size} operations asked, ${done.length} carried out, ${pairs} (operation, status) pairs`,
        `slowest ${Math.round(this.slowestMs)} ms`,
        `${this.unanswered} cut off on purpose`,
        `${findings.size} findings`,
      ].join(', ')
    },
    table() {
      const width = Math.max(...[...coverage.keys()].map((name) => name.length))
      return [...coverage]
        .map(
          ([name, statuses]) =>
            `${name.padEnd(width)}  ${[...statuses]
              .sort(([a], [b]) => a - b)
              .map(([status, times]) => `${status || 'none'}×${times}`)
              .join(' ')}`,
        )
        .join('\n')
    },
  }
}

const shortened = (text: string, length = 300) =>
  text.length > length ? `${text.slice(0, length)}…(${text.length})` : text
const quoted = (text: string) => `'${shortened(text).replaceAll("'", `'\\''`)}'`

function asCurl({ method, url, headers, payload, role }: FuzzRequest): string {
  const fields = Object.entries(headers).filter(([name]) => name !== 'authorization')
  const parts = fields.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  if (payload !== undefined) parts.push(`--data-binary ${quoted(payload.toString())}`)
  return [`(${role}) curl -X ${method} ${quoted(url)}`, ...parts].join(' ')
}

const answerText = (answer: Answer | null) =>
  answer?.kind === 'answered' ? `\n    → ${answer.status} ${shortened(answer.text)}` : ''
