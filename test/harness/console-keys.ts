import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { PASSWORD } from './app.ts'

/** What has the focus: the name of its group, of its label, or its own; and whether it is seen to have it. */
const FOCUSED = `(() => {
  const at = document.activeElement
  const group = at.closest('[role=radiogroup]')?.getAttribute('aria-labelledby')
  const name = (group && document.getElementById(group).textContent) ||
    at.labels?.[0]?.textContent || at.getAttribute('aria-label') || at.textContent
  // Of a field inside of a frame, the frame shows it.
  const isSeen = at.type === 'file' || [at, at.closest(':focus-within:not(:focus)')].some(
    (one) => one && getComputedStyle(one).outlineStyle !== 'none')
  return { name: name.trim(), isSeen, isPage: at === document.body }
})()`

/** Tab until something of this name has the focus; whatever is on the way must be seen to have it. */
export async function tabTo(page: Page, name: string, limit = 80): Promise<void> {
  const passed: string[] = []
  for (let steps = 0; steps < limit; steps++) {
    await page.keyboard.press('Tab')
    const at = (await page.evaluate(FOCUSED)) as { name: string; isSeen: boolean; isPage: boolean }
    assert.ok(at.isSeen || at.isPage, `the focus is not seen on ${at.name}`)
    if (at.name.startsWith(name)) return
    passed.push(at.name.slice(0, 30))
  }
  assert.fail(`no way by Tab to ${name}: ${passed.join(' | ')}`)
}

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor()

/** Goes to a screen by two letters. */
export async function goTo(page: Page, key: string, name: string | RegExp): Promise<void> {
  await page.keyboard.press('g')
  await page.keyboard.press(key)
  await heading(page, name)
  // The heading of a new screen takes the focus: Tab begins behind it.
  await page.locator('h1:focus').waitFor()
}

/** Opens the page and sends e-mail and password. */
export async function typeSignIn(page: Page, origin: string, email: string): Promise<void> {
  await page.goto(origin)
  await page.getByLabel('E-mail').waitFor()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
}

/** Signs out by the palette. */
export async function leaveByPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Tela/ }).waitFor()
  await page.keyboard.type('Sair')
  await page.getByRole('option', { name: 'Sair' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('E-mail').waitFor()
}
