import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, refusal } from '../harness/console-page.ts'
import { inspectViews, PICTURED_AT, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import { painelAnswer, painelAnswers } from './painel-answer.ts'
import { CATALOGO, LIST, PAINEL, page as pageOf } from './series-answers.ts'

const painel = painelAnswer('estado')
const SEES = perfil(['dashboard.visualizar', 'agravos.estatisticas', 'series.listar'])
const WITHOUT = perfil(['dashboard.visualizar', 'agravos.estatisticas'])
const CASES: Answers = { 'GET /api/v1/usuarios/me': SEES, ...painelAnswers(painel) }

/** Warm in the first half of the year; it rains in the second. */
const semanas = painel.semanas.map(({ semana, inicio, fim }, i) => {
  const valor = Number((22 + 3 * Math.cos((2 * Math.PI * (i - 10)) / 52)).toFixed(1))
  return {
    ...{ semana, inicio, fim, casos: null, incidencia: null, completude_esperada: null },
    temp_min_sem: { valor, cobertura: 1, repetido: false, limiares: { receptivo: valor >= 23 } },
    chuva: { valor: i % 9 === 4 ? null : (i * 37) % 90, cobertura: 1, repetido: false },
  }
})
const SERIES: Answers = {
  [LIST]: pageOf(CATALOGO, 100),
  [PAINEL]: {
    body: {
      lugar: painel.lugar,
      parcial: false,
      periodo: {},
      series: [],
      semanas,
      avisos: [],
    },
  },
}
const ALL = { ...CASES, ...SERIES }
const TWO = '/painel?uf=PE&series=temp_min_sem:8,chuva'

const drawn = async (page: Page) => {
  await page.locator('.curve path.serie.n1').waitFor()
  await page.locator('.months-card').waitFor()
  await page.locator('.map canvas[role="img"]').waitFor()
}

const VIEWS: View[] = [
  {
    name: 'painel-series',
    picture: true,
    path: TWO,
    answers: ALL,
    act: drawn,
    seen: 'escala própria, sem eixo',
  },
  {
    name: 'painel-series-tabela',
    path: TWO,
    answers: ALL,
    async act(page) {
      await drawn(page)
      await page.locator('.curve-card').getByRole('button', { name: 'Tabela' }).click()
    },
    seen: /^Temperatura mínima, semanal \(°C\), 8 semanas antes\. Fonte: InfoDengue\. Licença: Dados abertos/,
  },
  {
    name: 'painel-series-erro',
    path: TWO,
    answers: { ...ALL, [PAINEL]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'painel-series-desconhecida',
    path: '/painel?uf=PE&series=nada,raiva_animal',
    answers: { ...ALL, [LIST]: pageOf(CATALOGO.slice(0, 2), 100) },
    seen: 'Sem série com valores para: nada, raiva_animal.',
  },
]

describe('Series on the epidemic curve', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  const at = PICTURED_AT
  const asked = (visited: Awaited<ReturnType<typeof visit>>) =>
    String(visited.asked.filter(({ name }) => name === PAINEL).at(-1)?.query ?? '')

  it('are added up to three, shifted by keys and removed; the address holds them', async () => {
    await using visited = await visit('/painel?uf=PE', { answers: ALL, at })
    const { page } = visited
    await page.getByRole('button', { name: 'Séries' }).click()
    await page.getByLabel('Acrescentar série').selectOption('temp_min_sem')
    await page.waitForURL('**/painel?uf=PE&series=temp_min_sem')
    const first = painel.semanas[0]?.semana
    const last = painel.semanas.at(-1)?.semana
    const place = `estado=PE&semana_inicio=${first}&semana_fim=${last}`
    await eventually(() =>
      assert.equal(asked(visited), `series=temp_min_sem&${place}&defasagens=temp_min_sem%3A0`),
    )
    const slider = page.getByRole('slider', { name: 'Defasagem de Temperatura mínima, semanal, em semanas' })
    await slider.focus()
    for (let weeks = 0; weeks < 3; weeks++) await page.keyboard.press('ArrowRight')
    await page.waitForURL('**series=temp_min_sem:3')
    await page.keyboard.press('End')
    await page.waitForURL('**series=temp_min_sem:26')
    await eventually(() => assert.match(asked(visited), /defasagens=temp_min_sem%3A26$/))
    await page.getByLabel('Acrescentar série').selectOption('chuva')
    await page.getByLabel('Acrescentar série').selectOption('amplitude_termica')
    await page.waitForURL('**series=temp_min_sem:26,chuva,amplitude_termica')
    await page.getByText('No máximo três séries.').waitFor()
    await page.getByRole('button', { name: 'Tirar Temperatura mínima, semanal' }).click()
    await page.waitForURL('**series=chuva,amplitude_termica')
    await page.goBack()
    await page.waitForURL('**series=temp_min_sem:26,chuva,amplitude_termica')
    await page.getByRole('button', { name: 'Séries' }).click()
    await page.waitForURL('**/painel?uf=PE')
    await page.locator('.curve-series').waitFor({ state: 'detached' })
  })

  it('shade the weeks of their thresholds and say their values with the week', async () => {
    await using visited = await visit(TWO, { answers: ALL, at })
    const { page } = visited
    await drawn(page)
    const met = semanas.map(({ temp_min_sem }) => temp_min_sem.limiares.receptivo)
    assert.equal(
      await page.locator('.curve rect.threshold').count(),
      met.filter((isMet, i) => isMet && !met[i - 1]).length,
    )
    await page.locator('.curve').focus()
    await page.keyboard.press('Home')
    const valor = String(semanas[0]?.temp_min_sem.valor).replace('.', ',')
    await page.getByText(new RegExp(`; Temperatura mínima, semanal: ${valor} °C; Chuva: 0 mm$`)).waitFor()
  })

  it('go along to another place, and stay with another filter', async () => {
    await using visited = await visit(TWO, { answers: ALL, at })
    const { page } = visited
    await drawn(page)
    const href = await page.locator('.places-card tbody th a').first().getAttribute('href')
    assert.match(href ?? '', /[?&]municipio=2611606&series=temp_min_sem:8,chuva$/)
    const cases = await page.locator('.places-card tbody td a').all()
    for (const link of cases) assert.doesNotMatch((await link.getAttribute('href')) ?? '', /series=/)
  })

  it('are loaded on demand, and not offered to accounts that may not see them', async () => {
    const answers = { ...ALL, 'GET /api/v1/usuarios/me': WITHOUT }
    await using visited = await visit(TWO, { answers, at })
    await visited.page.locator('.curve svg').waitFor()
    assert.equal(await visited.page.getByRole('button', { name: 'Séries' }).count(), 0)
    assert.equal(visited.asked.filter(({ name }) => name === PAINEL || name === LIST).length, 0)
    await using plain = await visit('/painel?uf=PE', { answers: ALL, at })
    await plain.page.getByRole('button', { name: 'Séries' }).waitFor()
    const loaded = await plain.page.evaluate(
      'performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.includes("curve-series"))',
    )
    assert.deepEqual(loaded, [])
  })
})
