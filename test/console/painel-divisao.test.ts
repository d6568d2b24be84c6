import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, consoleVisits } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import { painelAnswer, painelAnswers, ROUTE } from './painel-answer.ts'

/** The country by municipalities: 5,571 of them on one map. */

const DIVIDED = { ...ADMIN, ...painelAnswers(painelAnswer('divisao')) }

/** Share of the canvas that is painted. */
const painted = (page: Page) =>
  page.evaluate<number>(`{
    const canvas = document.querySelector('.map canvas[role="img"]')
    const { width, height } = canvas
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    if (width * height > 0) copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, width || 1, height || 1)
    data.filter((value, at) => at % 4 === 3 && value !== 0).length / (width * height)
  }`)

const drawnToTheEnd = (page: Page) =>
  eventually(async () => {
    await page.locator('.map canvas[role="img"]').waitFor()
    assert.ok((await painted(page)) > 0.15)
  })

const VIEWS: View[] = [
  {
    name: 'painel-municipios',
    path: '/painel?mapa=municipios',
    answers: DIVIDED,
    act: drawnToTheEnd,
    seen: 'Porto Alegre · RS',
  },
]

describe('The painel of the country by municipalities', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  inspectViews(VIEWS, visit)

  it('is asked for at once by its address, led to and from by a link, and left by going down', async () => {
    await using visited = await visit('/painel?mapa=municipios', { answers: DIVIDED })
    const { page, asked, answers } = visited
    await drawnToTheEnd(page)
    const numbers = () => asked.filter(({ name }) => name === ROUTE).map(({ query }) => query.get('nivel'))
    assert.deepEqual(numbers(), ['municipio'])
    answers[ROUTE] = { body: painelAnswer() }
    await page.getByRole('link', { name: 'por estado', exact: true }).click()
    await page.locator('.places-card').getByRole('link', { name: 'Pernambuco', exact: true }).waitFor()
    assert.equal(new URL(page.url()).search, '')
    answers[ROUTE] = { body: painelAnswer('divisao') }
    await page.getByRole('link', { name: 'por município', exact: true }).click()
    await page.locator('.places-card').getByRole('link', { name: 'Porto Alegre · RS', exact: true }).waitFor()
    answers[ROUTE] = { body: painelAnswer('municipio') }
    await page.locator('.places-card').getByRole('link', { name: 'Recife · PE', exact: true }).click()
    await page.getByRole('heading', { name: /^Dengue em Recife/ }).waitFor()
    // Back in the division of a moment ago, its numbers are still fresh.
    assert.deepEqual(numbers(), ['municipio', null, null])
  })

  it('tells a municipality under the arrows with its state, in no order of levels, and no silent ones', async () => {
    await using visited = await visit('/painel?mapa=municipios', { answers: DIVIDED })
    const { page } = visited
    await drawnToTheEnd(page)
    await page.locator('.map').focus()
    await page.keyboard.press('ArrowDown')
    await page.locator('.map-tip').getByText('São Paulo · SP').waitFor()
    const measures = page.locator('.map-card').getByRole('group', { name: 'Medida' }).getByRole('button')
    assert.deepEqual(await measures.allTextContents(), ['Por 100 mil', 'Casos', 'Mudança'])
    await page.locator('.work-card').waitFor()
    assert.equal(await page.getByRole('button', { name: /Municípios sem casos das SE/ }).count(), 0)
    await page.keyboard.press('Enter')
    await eventually(() => assert.equal(new URL(page.url()).searchParams.get('municipio'), '3550308'))
  })

  it('is drawn anew over the old one when a measure changes, and whole', async () => {
    await using visited = await visit('/painel?mapa=municipios', { answers: DIVIDED })
    const { page } = visited
    await drawnToTheEnd(page)
    const before = await painted(page)
    await page.locator('.map-card').getByRole('button', { name: 'Casos', exact: true }).click()
    await page.getByRole('heading', { name: 'Casos no mapa' }).waitFor()
    // Never emptied in between, which would be a flash.
    assert.ok((await painted(page)) > 0.9 * before)
  })

  it('draws no line from a place to its islands', async () => {
    await using visited = await visit('/painel', { answers: { ...ADMIN, ...painelAnswers(painelAnswer()) } })
    const { page, answers } = visited
    await drawnToTheEnd(page)
    await page.evaluate(`{
      const { lineTo, closePath } = Path2D.prototype
      const closed = new WeakSet()
      window.drawn = { places: new Set(), rings: 0, between: 0 }
      Path2D.prototype.closePath = function () {
        closed.add(this)
        drawn.places.add(this)
        drawn.rings++
        closePath.call(this)
      }
      Path2D.prototype.lineTo = function (x, y) {
        if (closed.delete(this) && !this.moved) drawn.between++
        this.moved = false
        lineTo.call(this, x, y)
      }
      const { moveTo } = Path2D.prototype
      Path2D.prototype.moveTo = function (x, y) {
        this.moved = true
        moveTo.call(this, x, y)
      }
    }`)
    answers[ROUTE] = { body: painelAnswer('divisao') }
    await page.getByRole('link', { name: 'por município', exact: true }).click()
    await page.locator('.places-card').getByRole('link', { name: 'Porto Alegre · RS', exact: true }).waitFor()
    await eventually(async () => {
      const [places, rings, between] = await page.evaluate<number[]>(
        '[drawn.places.size, drawn.rings, drawn.between]',
      )
      assert.ok((places ?? 0) > 5_500 && (rings ?? 0) > (places ?? 0), `${places} places, ${rings} rings`)
      assert.equal(between, 0)
    })
  })
})
