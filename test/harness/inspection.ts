import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Set to a folder to look at the screens. */
const SCREENSHOTS = process.env.VIGIA_SCREENSHOTS
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Rules that compare colours: all that a change of theme alone can break. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

interface Found {
  violations: string[]
  /** Pixels of horizontal scroll. */
  overflow: number
}

/**
 * Runs all rules, and on a page that only changed its theme since the last look only those that the theme can change; null where
 * axe-core is not there yet. A look itself leaves empty attributes of style, which are no change.
 */
const inspection = `(async () => {
  if (!('axe' in window)) return null
  const root = document.documentElement
  const look = innerWidth + root.outerHTML.replaceAll(' style=""', '')
  const runOnly = window.inspected === look
    ? { type: 'rule', values: ${JSON.stringify(COLOUR_RULES)} }
    : { type: 'tag', values: ${JSON.stringify(RULES)} }
  const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] })
  window.inspected = look
  return {
    violations: violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html + ' ' + any.map((one) => one.message).join('; '))),
    overflow: root.scrollWidth - root.clientWidth,
  }
})()`

/** Holds a page against axe-core and its width. One question for each look: each costs page, browser and worker some milliseconds. */
export async function inspectPage(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS !== undefined)
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
  const { violations, overflow } = (await look(page)) ?? (await firstLook(page))
  assert.deepEqual(violations, [], name)
  assert.equal(overflow, 0, `${name}: no horizontal scroll`)
}

const look = (page: Page) => page.evaluate<Found | null>(inspection)

async function firstLook(page: Page): Promise<Found> {
  await page.evaluate(AXE)
  const found = await look(page)
  assert.ok(found !== null, 'axe-core is in the page')
  return found
}
