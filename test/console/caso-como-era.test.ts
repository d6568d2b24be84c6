import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits } from '../harness/console-page.ts'
import { BEFORE, CASO, casosOf, detalhe, identified, PLANTED } from './casos-data.ts'

describe('A case at another moment, and on paper', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  const all = casosOf()

  it('is not shown before it is there, then with marks at what changed since', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const then = { body: detalhe({ evolucao: 'obito_em_investigacao', versao: 2 }), after: promise }
    const answers: Answers = { ...all, [CASO]: [{ body: detalhe() }, then] }
    await using visited = await visit('/casos/7', { answers })
    const { page } = visited
    await page.getByRole('link', { name: 'Ver como era' }).first().click()
    await page.waitForURL(`**/casos/7?em=${encodeURIComponent(BEFORE)}`)
    await page.locator('.loading').waitFor()
    assert.equal(await page.getByText('Você vê o caso como era em').count(), 0)
    assert.equal(await page.locator('.case').count(), 0, 'nor the present one in its place')
    resolve()
    await page.getByText('Você vê o caso como era em').waitFor()
    const marked = page.locator('.pairs > div', { hasText: 'mudou depois' })
    await marked.first().waitFor()
    assert.deepEqual(await marked.locator('dt').allInnerTexts(), ['Evolução'])
  })

  it('has its details unfolded on paper, and the patient only where that was chosen', async () => {
    const answers: Answers = { ...all, [CASO]: [{ body: detalhe() }, { body: identified() }] }
    await using visited = await visit('/casos/7', { answers })
    const { page } = visited
    await page.getByRole('button', { name: 'Identificar paciente' }).click()
    await page.getByRole('button', { name: 'Mostrar' }).click()
    await page.getByText(PLANTED).first().waitFor()
    const folded = page.locator('main details')
    assert.ok((await folded.count()) > 0)
    await page.emulateMedia({ media: 'print' })
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert.equal(await page.locator('main details:not([open])').count(), 0)
    assert.equal(await page.getByText(PLANTED).first().isVisible(), false)
    assert.equal(await page.getByText('Rua Plantada').first().isVisible(), false)
    assert.equal(await page.locator('.print-only').first().isVisible(), true, 'initials stand for them')
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert.equal(await page.locator('main details[open]').count(), 0)
    await page.emulateMedia({ media: 'screen' })
    await page.getByLabel('Incluir na impressão').check()
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.getByText(PLANTED).first().isVisible(), true)
  })
})
