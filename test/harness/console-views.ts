import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { type Answers, consoleVisits } from './console-page.ts'
import { comparePicture } from './pictures.ts'

/** A screen in one of its states: how it is reached, and what is seen then. */
export interface View {
  name: string
  path: string
  answers: Answers
  act?(page: Page): Promise<unknown>
  seen: string | RegExp
  /** Compared with stored pictures, at a fixed time. */
  picture?: true
}

/** The time of the pictures, on a Saturday in Brazil. */
export const PICTURED_AT = '2026-11-14T15:00:00Z'

const LOOKS = [
  { width: 1440, dark: false },
  { width: 1440, dark: true },
  { width: 360, dark: true },
  { width: 360, dark: false },
] as const

/** Inspects each view in both themes and widths; a view is reached once and then looked at four times. `visit`: of a suite with visits of its own. */
export function inspectViews(views: View[], visit = consoleVisits()): void {
  for (const { name, path, answers, act, seen, picture } of views)
    it(`${name}: accessible in both themes and widths, nothing cut`, async () => {
      await using visited = await visit(path, { answers, ...(picture && { at: PICTURED_AT }) })
      const { page } = visited
      await page.locator('main').first().waitFor()
      await act?.(page)
      await page.getByText(seen).first().waitFor()
      for (const { width, dark } of LOOKS) {
        await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: width === 360 ? 640 : 900 })
        const look = `${name}-${width}-${dark ? 'escuro' : 'claro'}`
        await visited.inspect(look)
        if (picture) await comparePicture(page, look)
      }
    })
}
