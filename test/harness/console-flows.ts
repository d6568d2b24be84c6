import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type Answer, type Answers, type consoleVisits, reconnect, refusal } from './console-page.ts'
import { eventually } from './eventually.ts'

/** A flow that the network disturbs: what is typed, the request that is struck, and what is seen once it came through. */
export interface Flow {
  name: string
  path: string
  answers: Answers
  request: string
  ok: Answer
  /** A lost answer is asked for again by itself: reading, and what has a key. */
  repeats?: true
  begin(page: Page): Promise<unknown>
  send(page: Page): Promise<unknown>
  /** All that was typed or chosen. */
  kept(page: Page): Promise<unknown>
  done(page: Page): Promise<unknown>
}

type Simple = Pick<Flow, 'name' | 'path' | 'answers' | 'request'> & {
  ok?: Answer
  repeats?: true
  /** Names of the buttons: of the one that sends, or of the one that asks and of the one that sends. */
  by: string | readonly [opens: string, sends: string]
  seen: string | RegExp
}

const named = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })

/** A flow of one click, or of a click and an answer to what is asked then. */
export function simpleFlow({ by, seen, ok = { body: {} }, ...rest }: Simple): Flow {
  const [opens, sends] = typeof by === 'string' ? [null, by] : by
  const dialog = (page: Page) => page.getByRole('dialog')
  return {
    ...rest,
    ok,
    async begin(page) {
      if (opens === null) return named(page, sends).waitFor()
      await named(page, opens).click()
      await named(dialog(page), sends).waitFor()
    },
    send: (page) => named(opens === null ? page : dialog(page), sends).click(),
    kept: async (page) => [new URL(page.url()).pathname, await dialog(page).count()],
    done: (page) => page.getByText(seen).first().waitFor(),
  }
}

/** Notes every bar of the page, however short it is seen. */
const WATCH = `(() => {
  window.bars = []
  const look = () => { for (const bar of document.querySelectorAll('.bar')) window.bars.push(bar.textContent) }
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
})()`
const BUSY = '[aria-disabled=true], [aria-busy=true], progress'
const later = { 'retry-after': '1' }
export const TOO_MANY = refusal(429, 'RATE_LIMITED', {}, later)
export const UNAVAILABLE = refusal(503, 'UNAVAILABLE', {}, later)

/** Cuts each flow off, refuses it, and lets it wait: nothing that was typed may be lost, and it goes through once. */
export function strikeFlows(flows: Flow[], visit: ReturnType<typeof consoleVisits>): void {
  for (const { name, path, answers: given, request, ok, repeats, begin, send, kept, done } of flows)
    it(`loses nothing that was typed, says what happens, and goes through once: ${name}`, async () => {
      await using visited = await visit(path, { answers: given })
      const { page, answers, asked } = visited
      const requests = () => asked.filter((one) => one.name === request).length
      await begin(page)
      await page.evaluate(WATCH)
      const typed = await kept(page)
      const bars = async () => String(await page.evaluate('window.bars.join()'))
      const isKept = async (when: string) => assert.deepEqual(await kept(page), typed, when)

      answers[request] = { cut: true }
      await send(page)
      await page
        .getByText(/O serviço não respondeu/)
        .first()
        .waitFor()
      assert.match(await bars(), /Sem conexão desde/)
      await isKept('cut')
      if ((await page.getByText('Sem conexão; aguardando').count()) > 0) await reconnect(visited)

      if (!repeats) {
        answers[request] = UNAVAILABLE
        await send(page)
        await page.getByText('mensagem UNAVAILABLE').first().waitFor()
        await isKept('503')
      }
      let release = () => {}
      const slow = new Promise<void>((resolve) => {
        release = resolve
      })
      const before = requests()
      answers[request] = [...(repeats ? [UNAVAILABLE] : []), TOO_MANY, { ...ok, after: slow }]
      await send(page)
      await eventually(() => assert.equal(requests() - before, repeats ? 3 : 2))
      assert.match(await bars(), /Muitas consultas; volto em \d+ s/)
      await page.locator(BUSY).first().waitFor()
      await isKept('slow')
      const sent = requests()
      for (const busy of await page.locator('button[aria-disabled=true]').all())
        await busy.dispatchEvent('click')
      release()
      await done(page)
      assert.equal(requests() - sent, 0, 'another click while it is on its way sends nothing')
      assert.equal(await page.getByText(/Sem conexão desde/).count(), 0)
    })
}
