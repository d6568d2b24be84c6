import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Boletim } from '../../../src/domain/boletins/dados.ts'
import { renderHtml } from '../../../src/domain/boletins/documento/html.ts'
import { noBrowser, openBrowser, type TestBrowser } from '../../harness/browser.ts'
import { inspectPage } from '../../harness/inspection.ts'
import { BOLETIM_DE_TODOS, BOLETIM_PUBLICO_DO_MUNICIPIO } from './amostra.ts'
import { boletimOf } from './lugares.ts'

describe('The page of a bulletin', { skip: noBrowser }, () => {
  let browser: TestBrowser
  let samples: [string, Boletim][]
  before(async () => {
    browser = await openBrowser()
    samples = [
      ['state', await boletimOf('PE')],
      ['public', BOLETIM_PUBLICO_DO_MUNICIPIO],
    ]
  })
  after(() => browser.close())

  it('has nothing that axe-core finds and no horizontal scroll, on a wide screen and at 320 pixels', async () => {
    for (const width of [1_440, 320]) {
      const page = await browser.newPage({ viewport: { width, height: 900 } })
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      for (const [name, boletim] of samples) {
        await page.setContent(renderHtml(boletim, 'pt-BR'))
        const drawn = await page.locator('figure:has(svg.drawing)').count()
        assert.equal(await page.locator('svg.drawing:visible').count(), drawn, 'one size of each drawing')
        // Closed tables are looked at too.
        await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        await inspectPage(page, `${name}-${width}`)
      }
      assert.deepEqual(
        requests.filter((url) => !url.startsWith('data:')),
        [],
      )
      await page.close()
    }
  })

  it('prints its tables and the wide drawings', async () => {
    const page = await browser.newPage({ viewport: { width: 800, height: 900 } })
    await page.setContent(renderHtml(BOLETIM_DE_TODOS, 'pt-BR'))
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.locator('svg.wide:visible').count(), await page.locator('svg.wide').count())
    assert.equal(await page.locator('svg.narrow:visible').count(), 0)
    assert.equal(await page.locator('table:visible').count(), await page.locator('table').count())
    await page.close()
  })
})
