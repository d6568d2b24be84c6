import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits } from '../harness/console-page.ts'
import { casosOf, FACETAS } from './casos-data.ts'

const faceta = (campo: string, values: Record<string, number>) => ({
  campo,
  valores: Object.entries(values).map(([valor, total]) => ({ valor, nome: null, total })),
  ...{ distintos: Object.keys(values).length, outros: 0 },
})
const facetasOf = (...facetas: ReturnType<typeof faceta>[]) => ({ body: { facetas } })
const counted = (answer: Answers[string]): Answers => ({ ...casosOf(), [FACETAS]: answer })
const openMore = (page: Page) => page.getByRole('button', { name: 'Mais filtros' }).click()

describe('Numbers beside the values of a filter', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('has the cases of the same period by onset and by notification, of the chosen disease', async () => {
    const answers = counted([
      facetasOf(faceta('tipo_agravo', { dengue: 1_700, zika: 9 })),
      facetasOf(faceta('tipo_agravo', { dengue: 1_750, zika: 8 })),
    ])
    await using visited = await visit('/casos?agravo=dengue&uf=PE&periodo=2024', { answers })
    const { page, asked } = visited
    await page.getByText('4418822').waitFor()
    await page.getByRole('button', { name: /^Contar por/ }).click()
    const choice = (name: string) => page.locator('.popover label', { hasText: name })
    await choice('Início dos sintomas').getByText('1.700', { exact: true }).waitFor()
    await choice('Notificação').getByText('1.750', { exact: true }).waitFor()
    const queries = asked.filter(({ name }) => name === FACETAS).map(({ query }) => query)
    assert.deepEqual(
      queries.map((query) => [query.get('campos'), query.get('estado')]),
      [
        ['tipo_agravo', 'PE'],
        ['tipo_agravo', 'PE'],
      ],
    )
    const weeks = ['semana_epidemiologica_sintomas[gte]', 'semana_epidemiologica[gte]']
    assert.deepEqual(
      queries.map((query) => weeks.map((name) => query.get(name))),
      [
        ['202401', null],
        [null, '202401'],
      ],
    )
  })

  it('has those of age groups, which are ages of the filter, and no units beyond a municipality', async () => {
    const answers = counted(
      facetasOf(
        faceta('faixa_etaria', { '<1': 3, '20-39': 812, '80+': 40 }),
        faceta('gestante', { true: 12 }),
      ),
    )
    await using visited = await visit('/casos?uf=PE&periodo=sempre', { answers })
    const { page, asked } = visited
    await page.getByText('4418822').waitFor()
    await openMore(page)
    const ages = page.getByLabel('Faixa etária')
    await ages.locator('option', { hasText: '20 a 39 anos (812)' }).waitFor({ state: 'attached' })
    assert.deepEqual((await ages.locator('option').allInnerTexts()).slice(0, 3), [
      'Qualquer',
      'menos de 1 ano (3)',
      '1 a 4 anos (0)',
    ])
    assert.equal(await page.getByLabel('Gestante').locator('option').nth(1).innerText(), 'Sim (12)')
    assert.doesNotMatch(asked.find(({ name }) => name === FACETAS)?.query.get('campos') ?? '', /cnes/)
    assert.equal(await page.locator('datalist').count(), 0)
    for (const [group, de, ate] of [
      ['20-39', '20', '39'],
      ['<1', null, '0'],
      ['80+', '80', null],
      ['', null, null],
    ] as const) {
      await ages.selectOption(group)
      await page.waitForURL((url) => url.searchParams.get('idade_ate') === ate)
      assert.equal(new URL(page.url()).searchParams.get('idade_de'), de, group)
      assert.equal(await page.getByRole('textbox', { name: 'Idade a partir de' }).inputValue(), de ?? '')
      assert.equal(await ages.inputValue(), group)
    }
    await page.getByRole('textbox', { name: 'Idade a partir de' }).fill('21')
    await page.keyboard.press('Enter')
    await page.waitForURL(/idade_de=21/)
    assert.equal(await ages.inputValue(), '', 'no group begins there')
  })

  it('has the units of a municipality to choose from, the most frequent first', async () => {
    const answers = counted(facetasOf(faceta('cnes', { 2000123: 41, 2000124: 7 })))
    await using visited = await visit('/casos?municipio=2604106&periodo=sempre', { answers })
    const { page, asked } = visited
    await page.getByText('4418822').waitFor()
    await openMore(page)
    await page.locator('datalist option').first().waitFor({ state: 'attached' })
    const units = await page
      .locator('datalist option')
      .evaluateAll((options) =>
        options.map((option) => [option.getAttribute('value'), option.getAttribute('label')]),
      )
    assert.deepEqual(units, [
      ['2000123', '41 casos'],
      ['2000124', '7 casos'],
    ])
    const unit = page.getByLabel('Unidade (CNES)')
    assert.equal(await unit.getAttribute('list'), await page.locator('datalist').getAttribute('id'))
    assert.match(asked.find(({ name }) => name === FACETAS)?.query.get('campos') ?? '', /,cnes$/)
  })
})
