import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, consoleVisits, perfil } from '../harness/console-page.ts'
import { PICTURED_AT } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import { casosOf, FACETAS } from './casos-data.ts'
import { painelAnswer, painelAnswers, ROUTE } from './painel-answer.ts'

const PAINEL = { ...ADMIN, ...painelAnswers(painelAnswer()) }

/** States and keys of part 5 of the console's specification that every screen has, whether it knows of them or not. */
describe('Every screen', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('has a load that takes long cancelled, and asked for again', async () => {
    const { promise: slow, resolve: release } = Promise.withResolvers<void>()
    await using visited = await visit('/painel', {
      answers: { ...PAINEL, [ROUTE]: { ...PAINEL[ROUTE], after: slow } },
    })
    const { page, answers } = visited
    await page.getByText('Está demorando…').first().waitFor()
    await page.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByText('Você cancelou a consulta.').waitFor()
    release()
    answers[ROUTE] = { body: painelAnswer() }
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await page.locator('.figures').waitFor()
  })

  it('leads to a new case with n, and with g n to the news', async () => {
    const me = perfil(['agravos.listar', 'agravos.criar', 'noticias.listar'])
    const answers = {
      ...casosOf(),
      'GET /api/v1/usuarios/me': me,
      'GET /api/v1/noticias': { body: { items: [], total: 0, page: 1, size: 12, pages: 0, links: {} } },
    }
    await using visited = await visit('/casos', { answers })
    const { page } = visited
    await page.getByText('4418822').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await page.waitForURL('**/noticias')
    await page.getByText('Nenhuma notícia').first().waitFor()
    assert.equal(new URL(page.url()).pathname, '/noticias', 'the second letter is no key of its own')
    await page.keyboard.press('n')
    await page.waitForURL('**/casos/novo')
  })

  it('counts the cases of each value when a filter of the painel is opened, as of that moment', async () => {
    const facetas = [
      {
        campo: 'classificacao',
        valores: [
          { valor: 'dengue_grave', total: 12 },
          { valor: 'descartado', total: 30 },
          { valor: null, total: 5 },
        ],
      },
    ]
    const answers = { ...PAINEL, [FACETAS]: { body: { facetas } } }
    await using visited = await visit('/painel?uf=PE', { answers })
    const { page, asked } = visited
    const counts = () => asked.filter(({ name }) => name === FACETAS)
    await page.locator('.figures').waitFor()
    assert.equal(counts().length, 0)
    await page.getByRole('button', { name: /^Classificação/ }).click()
    const choice = (name: string) => page.locator('.popover label', { hasText: name })
    await choice('Notificados').getByText('47', { exact: true }).waitFor()
    await choice('Prováveis').getByText('17', { exact: true }).waitFor()
    assert.equal(counts()[0]?.query.get('campos'), 'classificacao')
    assert.equal(counts()[0]?.query.get('estado'), 'PE')
    await page.getByLabel('Notificados').click()
    await page.waitForURL(/classificacao=notificado/)
    await eventually(() => assert.ok(asked.filter(({ name }) => name === ROUTE).length >= 2))
    assert.equal(counts().length, 1, 'a choice asks for its numbers alone')
  })

  it('counts the cases of each period that can be chosen, with one request when its panel is opened', async () => {
    const RESUMO = 'GET /api/v1/agravos/casos/estatisticas/resumo'
    const serie = [
      { periodo: '202452', total: 3 },
      { periodo: '202501', total: 40 },
      { periodo: '202535', total: 2 },
      { periodo: '202601', total: 500 },
      { periodo: '202645', total: 7_000 },
    ]
    await using visited = await visit('/painel?uf=PE', {
      answers: { ...PAINEL, [RESUMO]: { body: { serie } } },
      at: PICTURED_AT,
    })
    const { page, asked } = visited
    await page.locator('.figures').waitFor()
    await page
      .locator('.filters')
      .getByRole('button', { name: /^Período/ })
      .click()
    const choice = (name: string) => page.locator('.popover label', { hasText: name })
    await choice('Ano epidemiológico').getByText('7.500', { exact: true }).waitFor()
    // From week 47 of 2025 on, and from week 30 of 2025 to week 29 of 2026.
    await choice('Últimas 52 semanas').getByText('7.500', { exact: true }).waitFor()
    await choice('Temporada').getByText('502', { exact: true }).waitFor()
    assert.equal(await choice('Entre datas').locator('.count').count(), 0)
    const years = await page.locator('.popover option').allInnerTexts()
    assert.deepEqual(years.slice(0, 4), [
      '2026 · 7.500 casos',
      '2025 · 42 casos',
      '2024 · 3 casos',
      '2023 · 0 casos',
    ])
    await visited.inspect('periodo-contado')
    const [query, ...more] = asked.filter(({ name }) => name === RESUMO).map(({ query }) => query)
    assert.equal(more.length, 0)
    assert.equal(query?.get('estado'), 'PE')
    assert.equal(query?.get('semana_epidemiologica_sintomas[gte]'), '200101')
    assert.equal(query?.get('semana_epidemiologica_sintomas[lte]'), '202652')
  })
})
