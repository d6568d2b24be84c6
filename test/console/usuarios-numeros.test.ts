import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import { ALL_USERS, NUMBERS, numeros } from './usuarios-answers.ts'

const unfold = (page: Page) => page.getByText('Números das contas').click()
const COUNTED: Answers = { ...ALL_USERS, [NUMBERS]: { body: numeros } }

const VIEWS: View[] = [
  {
    name: 'usuarios-numeros',
    picture: true,
    path: '/usuarios',
    answers: COUNTED,
    act: unfold,
    seen: '9.412',
  },
]

describe('The accounts', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('have their numbers once these are unfolded, each with the list of exactly those accounts where it has a filter', async () => {
    await using visited = await visit('/usuarios?fator=sem', {
      answers: { ...COUNTED, [NUMBERS]: [refusal(422, 'VALIDATION_ERROR'), { body: numeros }] },
    })
    const { page, asked } = visited
    await page.getByText('Denise Alves').waitFor()
    assert.equal(asked.filter(({ name }) => name === NUMBERS).length, 0)
    await unfold(page)
    await page.getByText('mensagem VALIDATION_ERROR').waitFor()
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    const links = page.locator('.figure-groups').getByRole('link')
    await links.first().waitFor()
    await eventually(async () => assert.equal(await links.count(), 8))
    assert.deepEqual(
      await links.evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('href')])),
      [
        ['1.048', '/usuarios'],
        ['960', '/usuarios?situacao=ativas'],
        ['88', '/usuarios?situacao=desativadas'],
        ['402', '/usuarios?fator=com'],
        ['1', '/usuarios?grupo=1'],
        ['3', '/usuarios?grupo=2'],
        ['1.040', '/usuarios?grupo=4'],
        ['0', '/usuarios?grupo=9'],
      ],
    )
    await page.getByText('Não informado').waitFor()
  })
})
