import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'

const PANORAMA = 'GET /api/v1/agravos/panorama'
const AT = '2026-11-14T15:00:00Z'
const never = new Promise<void>(() => undefined)

const counts = (total: number | null, obitos: number | null) => ({
  ...{ total, confirmado: 600, descartado: 300, inconclusivo: 0, em_investigacao: 100 },
  ...{ hospitalizados: 60, obitos, suprimido: total === null || obitos === null },
})
const lugar = (codigo: string | null, nome: string | null, total: number | null, obitos: number | null) => ({
  ...{ codigo, nome },
  ...counts(total, obitos),
})
const answered = (lugares: object[], nivel = 'estado') => ({
  body: {
    ...{ tipo_agravo: 'dengue', ano: 2026, nivel, estado: nivel === 'estado' ? null : 'PE', minimo: 5 },
    ...{ total: counts(2_000, 11), lugares },
  },
})
const ESTADOS = answered([
  lugar('BA', 'Bahia', 1_000, 8),
  lugar('PE', 'Pernambuco', 998, null),
  lugar(null, null, null, null),
])
const ALL: Answers = { 'GET /api/v1/usuarios/me': perfil(['agravos.panorama']), [PANORAMA]: ESTADOS }

const VIEWS: View[] = [
  { name: 'panorama', picture: true, path: '/panorama', answers: ALL, seen: 'Pernambuco' },
  {
    name: 'panorama-municipios',
    path: '/panorama?uf=PE',
    answers: { ...ALL, [PANORAMA]: answered([lugar('2604106', 'Caruaru', 12, null)], 'municipio') },
    seen: 'Caruaru',
  },
  {
    name: 'panorama-vazio',
    path: '/panorama?uf=PE',
    answers: { ...ALL, [PANORAMA]: answered([], 'municipio') },
    seen: 'Nenhuma ficha neste ano.',
  },
  {
    name: 'panorama-carregando',
    path: '/panorama',
    answers: { ...ALL, [PANORAMA]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'panorama-erro',
    path: '/panorama',
    answers: { ...ALL, [PANORAMA]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  { name: 'panorama-sem-acesso', path: '/panorama', answers: READER, seen: 'agravos.panorama' },
]

describe('The panorama', { skip: noBrowser }, () => {
  inspectViews(VIEWS)
  const visit = consoleVisits()

  it('is asked for disease, year and state of its address, and names the rest', async () => {
    for (const [path, expected] of [
      ['/panorama', { tipo_agravo: 'dengue', ano: '2026' }],
      ['/panorama?agravo=zika&uf=PE&ano=2024', { tipo_agravo: 'zika', ano: '2024', estado: 'PE' }],
    ] as const) {
      await using visited = await visit(path, { answers: ALL, at: AT })
      await visited.page.getByText('Bahia').first().waitFor()
      const asked = visited.asked.filter(({ name }) => name === PANORAMA)
      assert.deepEqual(
        asked.map(({ query }) => Object.fromEntries(query)),
        [expected],
      )
    }
    await using visited = await visit('/panorama?ano=1800&uf=XX', { answers: ALL, at: AT })
    await visited.page.getByText(/ficaram de fora: uf=XX, ano=1800\./).waitFor()
  })

  it('says what is hidden, and leads from a state to its municipalities', async () => {
    await using visited = await visit('/panorama?ano=2025', { answers: ALL, at: AT })
    const { page } = visited
    await page.getByText(/^Números de 1 a 4 estão ocultos/).waitFor()
    assert.deepEqual(
      (await page.locator('tbody tr').allInnerTexts()).map((row) => row.split(/\s*\t\s*/)),
      [
        ['Total', '2.000', '600', '100', '0', '300', '60', '11'],
        ['Bahia', '1.000', '600', '100', '0', '300', '60', '8'],
        ['Pernambuco', '998', '600', '100', '0', '300', '60', 'oculto'],
        ['Lugar desconhecido', 'oculto', '600', '100', '0', '300', '60', 'oculto'],
      ],
    )
    const links = page.locator('tbody a')
    assert.equal(await links.count(), 2)
    await links.nth(1).click()
    await page.waitForURL('**/panorama?uf=PE&ano=2025')
  })

  it('changes its address by the bar', async () => {
    await using visited = await visit('/panorama', { answers: ALL, at: AT })
    const { page } = visited
    await page.getByRole('button', { name: 'Ano' }).click()
    await page.getByRole('radio', { name: '2024' }).click()
    await page.waitForURL('**/panorama?ano=2024')
    await page.getByRole('button', { name: 'Estado' }).click()
    await page.getByRole('radio', { name: 'Bahia' }).click()
    await page.waitForURL('**/panorama?uf=BA&ano=2024')
    await page.getByRole('button', { name: 'Estado' }).click()
    await page.getByRole('radio', { name: 'Todos os estados' }).click()
    await page.waitForURL('**/panorama?ano=2024')
  })
})
