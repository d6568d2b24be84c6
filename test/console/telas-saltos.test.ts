import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answer, type Answers, consoleVisits } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { TIPOS } from './agravos-answers.ts'
import { TELAS } from './telas-answers.ts'

/** Bar 4 of the console. */
const MOST = 0.02
/** Rows of a full page, more than any window has room for. */
const FULL = 25
/** Of a screen that is drawn: two frames, and a message behind them. */
const PAINTED = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 20))))`
/** Every shift of the page so far. Nothing was pressed: none is the answer to somebody. */
const SHIFTS = `new Promise((done) => {
  const shifts = []
  const place = ({ node, previousRect, currentRect }) => [node?.className || node?.nodeName, previousRect.y, currentRect.y].join(' ')
  new PerformanceObserver((list, observer) => {
    for (const { value, sources } of list.getEntries()) shifts.push({ value, moved: sources.map(place) })
    observer.disconnect()
    done(shifts)
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => done(shifts), 200)
})`

interface Shift {
  value: number
  /** What moved, from where to where. */
  moved: string[]
}

/** Lists of an answer, as long as lists are; rows keep their names, so that all of them are drawn anew. */
const ROWS = ['items', 'usuarios', 'contas', 'grupos', 'chaves'] as const
const KEYS = ['id', 'codigo', 'job_id'] as const
function filled({ body, ...answer }: Answer): Answer {
  const rows = ROWS.find((name) => Array.isArray((body as Record<string, unknown> | undefined)?.[name]))
  if (rows === undefined) return { ...answer, body }
  const some = (body as Record<string, object[]>)[rows] as object[]
  const copies = Array.from({ length: some.length === 0 ? 0 : FULL }, (_, at) => copyOf(some, at))
  return { ...answer, body: { ...(body as object), [rows]: copies, total: copies.length } }
}

function copyOf(rows: object[], at: number): object {
  const row = rows[at % rows.length] as Record<string, unknown>
  if (at < rows.length) return row
  const key = KEYS.find((name) => name in row)
  return key === undefined
    ? row
    : { ...row, [key]: typeof row[key] === 'number' ? 1_000 + at : `${row[key]}_${at}` }
}

/** Answers that come one after the other, each once the page before it is painted. */
function inTurn(answers: Answers, requests: readonly string[]) {
  const gates = requests.map((request) => ({ request, ...Promise.withResolvers<void>() }))
  const held = gates.map(({ request, promise }) => {
    const all = [answers[request] ?? []].flat().map((one) => ({ ...one, after: promise }))
    // The frame asks for the diseases before any screen is drawn.
    return [request, request === TIPOS ? [answers[request] as Answer, ...all] : all]
  })
  return { gates, answers: { ...answers, ...Object.fromEntries(held) } as Answers }
}

const painted = (page: Page) => page.evaluate(PAINTED)

describe('A screen that loads', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  for (const { path, answers, parts } of TELAS)
    for (const isFull of parts.length > 1 ? [true, false] : [true])
      for (const width of [1440, 360])
        it(`moves nothing as its parts come: ${path}, ${isFull ? 'full' : 'short'} lists, ${width} px`, async () => {
          const requests = parts.map(([request]) => request)
          const given = Object.fromEntries(
            requests.map((name) => [name, [answers[name] ?? []].flat().map(isFull ? filled : (one) => one)]),
          )
          const turns = inTurn({ ...answers, ...given }, requests)
          await using visited = await visit(path, { answers: turns.answers, width })
          const { page, asked } = visited
          await page.locator('main .head h1').waitFor()
          await page.locator('main .bone').first().waitFor()
          for (const { request, resolve } of turns.gates) {
            await eventually(() => assert.ok(asked.some(({ name }) => name === request)))
            await painted(page)
            resolve()
          }
          await eventually(async () => assert.equal(await page.locator('main .bone').count(), 0))
          await painted(page)
          const shifts = await page.evaluate<Shift[]>(SHIFTS)
          const sum = shifts.reduce((total, { value }) => total + value, 0)
          assert.ok(sum <= MOST, `${sum}: ${JSON.stringify(shifts)}`)
        })
})
