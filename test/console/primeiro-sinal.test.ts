import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, consoleVisits } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { casosOf, LIST, lista } from './casos-data.ts'
import { painelAnswer, painelAnswers } from './painel-answer.ts'

/** Text of an expression in the frame after a click, and then, once it is so, `later`. */
async function clickOn(page: Page, link: string, shown: string, later: string): Promise<string> {
  const first = (await page.evaluate(
    `new Promise((done) => {
      document.querySelector(${JSON.stringify(link)}).click();
      requestAnimationFrame(() => done(${shown}));
    })`,
  )) as string
  await eventually(async () => assert.equal(await page.evaluate(shown), later))
  return first
}

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
    const first = await clickOn(
      page,
      head,
      `document.querySelector('th[aria-sort]').ariaSort + ' ' + document.querySelector('.answer').className + ' ' + document.querySelector('tbody a').textContent`,
      'descending answer AAA',
    )
    assert.equal(first, 'descending answer stale BBB')
  })

  it('is shown before a long table: all places of the painel', async () => {
    await using visited = await visit('/painel', {
      answers: { ...ADMIN, ...painelAnswers(painelAnswer()) },
    })
    const { page } = visited
    await page.locator('.months-card').waitFor()
    const first = await clickOn(
      page,
      '.places-card .acts button',
      `document.querySelector('.places-card .acts button').textContent + ' ' + document.querySelectorAll('.places-card tbody tr').length`,
      'Ver menos 12',
    )
    assert.equal(first, 'Ver menos 8')
  })
})
