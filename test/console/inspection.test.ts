import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, openBrowser, type TestBrowser } from '../harness/browser.ts'
import { inspectPage } from '../harness/inspection.ts'

/** A page without faults, in both themes and widths, but for what a test adds. */
const pageWith = (
  style: string,
  content = '',
) => `<!doctype html><html lang="pt-BR"><head><title>Casos</title><style>
  :root { color-scheme: light dark; color: #111; background: #fff }
  @media (prefers-color-scheme: dark) { :root { color: #eee; background: #111 } }
  ${style}
</style></head><body><main><h1>Casos</h1><p class="note">Doze casos</p>${content}</main></body></html>`

type Look = `${1440 | 360} ${'light' | 'dark'}`
/** In the order of views: what a theme alone changes is looked at by fewer rules. */
const LOOKS: Look[] = ['1440 light', '1440 dark', '360 dark', '360 light']

describe('A page that is inspected in both themes and widths', { skip: noBrowser }, () => {
  let browser: TestBrowser
  let page: Page
  before(async () => {
    browser = await openBrowser()
    page = await browser.newPage()
  })
  after(() => browser.close())

  /** Faults by the look in which they were found; `act` changes the page before a look. */
  async function faultsOf(
    html: string,
    act: Partial<Record<Look, () => Promise<unknown>>> = {},
  ): Promise<Partial<Record<Look, string>>> {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setContent(html)
    const faults: Partial<Record<Look, string>> = {}
    for (const look of LOOKS) {
      const [width, colorScheme] = look.split(' ') as [string, 'light' | 'dark']
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: Number(width), height: 900 })
      await act[look]?.()
      await inspectPage(page, look).catch((error: assert.AssertionError) => {
        faults[look] = [error.actual].flat().map(String).join().split(':')[0] as string
      })
    }
    return faults
  }

  it('has none where none was planted', async () => {
    assert.deepEqual(await faultsOf(pageWith('')), {})
  })

  it('is found to have too little contrast in the dark theme alone', async () => {
    const html = pageWith('@media (prefers-color-scheme: dark) { .note { color: #333 } }')
    assert.deepEqual(await faultsOf(html), { '1440 dark': 'color-contrast', '360 dark': 'color-contrast' })
  })

  it('is found to have too little contrast on phones in the light theme alone', async () => {
    const html = pageWith(
      '@media (prefers-color-scheme: light) and (max-width: 400px) { .note { color: #ddd } }',
    )
    assert.deepEqual(await faultsOf(html), { '360 light': 'color-contrast' })
  })

  it('is found to tell a link by its colour alone, in the dark theme alone', async () => {
    const style = `a { color: inherit; text-decoration: underline }
      @media (prefers-color-scheme: dark) { a { color: #ccd; text-decoration: none } }`
    const html = pageWith(style, '<p>Notificados até ontem, de <a href="#x">todos os agravos</a> do ano.</p>')
    assert.deepEqual(await faultsOf(html), {
      '1440 dark': 'link-in-text-block',
      '360 dark': 'link-in-text-block',
    })
  })

  it('is found to have small targets on phones, once for both themes', async () => {
    const buttons = '<div><button type="button">a</button><button type="button">b</button></div>'
    const style = `button { width: 40px; height: 40px }
      @media (max-width: 400px) { button { width: 12px; height: 12px; padding: 0; border: 0 } }`
    const [first, ...others] = Object.entries(await faultsOf(pageWith(style, buttons)))
    assert.deepEqual([first, others], [['360 dark', 'target-size'], []])
  })

  it('is found to be wider than a phone', async () => {
    const html = pageWith('.note { width: 500px }')
    assert.deepEqual(Object.keys(await faultsOf(html)), ['360 dark', '360 light'])
  })

  it('is found to have a field without a label, seen on phones alone', async () => {
    const html = pageWith('@media (min-width: 400px) { input { display: none } }', '<p><input></p>')
    const faults = await faultsOf(html)
    assert.deepEqual(Object.keys(faults), ['360 dark'])
    assert.equal(faults['360 dark'], 'label')
  })

  it('is held against all rules again where its document changes with the theme', async () => {
    const addField = () =>
      page.locator('.note').evaluate((note) => note.insertAdjacentHTML('beforeend', '<input>'))
    const faults = await faultsOf(pageWith(''), { '1440 dark': addField })
    assert.equal(faults['1440 dark'], 'label')
  })
})
