import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, consoleVisits } from '../harness/console-page.ts'
import { casosOf, LIST, lista } from './casos-data.ts'
import { painelAnswer, painelAnswers } from './painel-answer.ts'

/** What the page shows of a click in the first frame after it, and a while later. */
const clickOn = async (page: Page, link: string, shown: string): Promise<string[]> =>
  page.evaluate(
    `(async () => {
      const look = () => ${shown};
      const clicked = document.querySelector(${JSON.stringify(link)});
      clicked.click();
      const first = await new Promise((done) => requestAnimationFrame(() => done(look())));
      await new Promise((done) => setTimeout(done, 1000));
      return [first, look()];
    })()`,
  )

/** Two lists of as many cases, told apart by the number of the first. */
const listOf = (first: string) => {
  const { body } = lista(3)
  return {
    body: {
      ...body,
      tipos: body.tipos.map((caso, i) => (i === 0 ? { ...caso, numero_notificacao: first } : caso)),
    },
  }
}

describe('What a click asks for', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('is shown before rows that are at hand: another order of a list that was seen', async () => {
    await using visited = await visit('/casos', {
      answers: { ...casosOf(), [LIST]: [listOf('AAA'), listOf('BBB')] },
    })
    const { page } = visited
    await page.getByText('AAA').waitFor()
    const head = 'th[aria-sort] a.order'
    await page.locator(head).click()
    await page.getByText('BBB').waitFor()
    const [first, later] = await clickOn(
      page,
      head,
      `document.querySelector('th[aria-sort]').ariaSort + ' ' + document.querySelector('.answer').className + ' ' + document.querySelector('tbody a').textContent`,
    )
    assert.equal(first, 'descending answer stale BBB')
    assert.equal(later, 'descending answer AAA')
  })

  it('is shown before a long table: all places of the painel', async () => {
    await using visited = await visit('/painel', {
      answers: { ...ADMIN, ...painelAnswers(painelAnswer()) },
    })
    const { page } = visited
    await page.locator('.months-card').waitFor()
    const [first, later] = await clickOn(
      page,
      '.places-card .acts button',
      `document.querySelector('.places-card .acts button').textContent + ' ' + document.querySelectorAll('.places-card tbody tr').length`,
    )
    assert.equal(first, 'Ver menos 8')
    assert.equal(later, 'Ver menos 12')
  })
})
