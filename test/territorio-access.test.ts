import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { describedContracts } from '../src/contracts/service.routes.ts'
import type { Answer, Person } from './harness/app.ts'
import { NAMED, OTHERS, type Shown } from './territorio-operations.ts'
import { askFor, askOf, type Ids, operationThings } from './territorio-things.ts'
import { LUGARES, type Lugar, MARKS, NOBODY, territorioWorld } from './territorio-world.ts'

/**
 * Every operation of the document as five callers, who hold every permission but `admin` and are bound to different places.
 * Operations that name a case, an account, an import or a delivery are asked for one inside, for one of each place outside and
 * for one that does not exist: the last two are answered alike. All others are asked once. No answer holds a mark of a place
 * that its caller does not reach: a word of names, numbers, addresses and files, or the id of something there.
 */
const world = await territorioWorld()
const { t, callers, thingsOf, marksOf } = world
const { send, shared, fresh, ownIds, pathIds } = await operationThings(world)
after(() => t.close())

const info = { title: '', version: '', description: '', publicUrl: null }
const operations = new Set(
  describedContracts(info)
    .contracts.flatMap(({ rows }) => rows)
    .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`),
)

/** Kinds of things in a place that a text tells of. */
const marked = (text: string, lugar: Lugar) =>
  MARKS.filter((mark) => text.toLowerCase().includes(marksOf(lugar)[mark].toLowerCase()))
const isOpen = (lugar: Lugar, scope: string) => lugar.open.includes(scope)

const whole = ({ headers, text }: Answer) => `${JSON.stringify(headers)}\n${text}`

/** An answer without what differs from request to request. */
function comparable({ status, headers, body }: Answer) {
  const { etag, 'content-type': type, 'content-length': length } = headers
  return { status, etag, type, length, error: { ...body?.error, request_id: 0, timestamp: 0 } }
}

function assertNoMarks(answer: Answer, scope: string, operation: string): void {
  for (const lugar of LUGARES.filter((one) => !isOpen(one, scope)))
    assert.deepEqual(
      marked(whole(answer), lugar),
      [],
      `${operation} as ${scope} shows of ${lugar.palavra}: ${answer.text.slice(0, 400)}`,
    )
}

const missing = (ids: Ids): Ids =>
  Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [
      name,
      name in pathIds ? id : name === 'job_id' ? 'job_nenhum' : name === 'chave_id' ? randomUUID() : NOBODY,
    ]),
  )

/** Operations that end a session, or change the account, are asked by somebody with the same places. */
async function callerFor(operation: string, scope: string): Promise<Person> {
  const isOwn = /\/auth\/|logout/.test(operation)
  return isOwn ? world.newCaller(scope) : (callers.get(scope) as Person)
}

/** What a job that was asked for writes for its owner. */
async function filesOf({ status, body }: Answer, who: Person): Promise<Answer[]> {
  if (status !== 202 || body.job_id === undefined) return []
  await t.jobWorker.runAll()
  const job = await t.as(who).get(`/jobs/${body.job_id}`)
  // Within a small territory, no research extract of so few cases is safe.
  if (job.body.codigo === 'TOO_FEW_CASES') return [job]
  assert.equal(job.body.status, 'completed', job.text)
  return [job, await t.as(who).get(`/jobs/${body.job_id}/arquivo`)]
}

const SHOWN: Record<Shown, (lugar: Lugar) => unknown> = {
  casos: (lugar) => thingsOf(lugar).caso,
  contas: (lugar) => thingsOf(lugar).conta,
  importacoes: (lugar) => thingsOf(lugar).importacao,
  eventos: (lugar) => thingsOf(lugar).evento,
}

/** Sets of cases are by residence, so that nothing is inside for somebody who only notified. */
function assertShown(text: string, shown: Shown, scope: string): void {
  const byResidence = shown === 'casos'
  for (const lugar of LUGARES.filter((one) => isOpen(one, scope)))
    if (!byResidence || scope !== 'a municipality that only notified')
      assert.ok(text.includes(String(SHOWN[shown](lugar))), `${scope} sees ${shown} of ${lugar.palavra}`)
}

describe('Territories and operations', () => {
  it('have every operation in one of the tables, and nothing else', () => {
    const written = [...Object.keys(NAMED), ...Object.keys(OTHERS)]
    assert.deepEqual(written.toSorted(), [...operations].toSorted())
  })

  for (const [operation, [kind, expected, ask]] of Object.entries(NAMED))
    it(`${operation}: opens what lies inside, and knows nothing of the rest`, async () => {
      for (const [scope, who] of callers) {
        for (const lugar of LUGARES.filter((one) => isOpen(one, scope))) {
          const opened = await send(who, operation, await fresh(kind, lugar, who), askFor(ask, lugar))
          assert.equal(opened.status, expected, `${scope}: ${opened.text.slice(0, 300)}`)
          assertNoMarks(opened, scope, operation)
        }
        for (const lugar of LUGARES.filter((one) => kind.startsWith('job') || !isOpen(one, scope))) {
          const ids = shared(kind, lugar)
          const refused = await send(who, operation, ids, askFor(ask, lugar))
          assert.equal(refused.status, 404, `${scope}, ${lugar.palavra}: ${refused.text.slice(0, 300)}`)
          assertNoMarks(refused, scope, operation)
          const nothing = await send(who, operation, missing(ids), askFor(ask, lugar))
          assert.deepEqual(comparable(refused), comparable(nothing), scope)
        }
      }
    })

  for (const [operation, [expected, ask = {}, shows]] of Object.entries(OTHERS))
    it(`${operation}: tells nothing of what lies outside`, async () => {
      for (const scope of callers.keys()) {
        const who = await callerFor(operation, scope)
        const answer = await send(who, operation, await ownIds(operation, who), askOf(ask))
        const status = typeof expected === 'function' ? expected(scope) : expected
        assert.ok(
          [status].flat().includes(answer.status),
          `${scope}: ${answer.status} ${answer.text.slice(0, 300)}`,
        )
        const told = [answer, ...(await filesOf(answer, who))]
        for (const one of told) assertNoMarks(one, scope, operation)
        if (shows) assertShown(told.map(whole).join('\n'), shows, scope)
      }
    })
})
