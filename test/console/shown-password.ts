import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** A password that is shown once stays until somebody says that it was kept. */
export async function isOnlyKept(page: Page) {
  const shown = await page.getByRole('dialog').locator('code').textContent()
  await page.keyboard.press('Escape')
  await page.mouse.click(3, 3)
  assert.equal(await page.getByRole('dialog').locator('code').textContent(), shown)
}
