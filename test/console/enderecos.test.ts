import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unreadRows } from '../../web/console/screens/casos/address.ts'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, consoleVisits, HEALTHY, refusal } from '../harness/console-page.ts'
import { casosOf, LIST, lista } from './casos-data.ts'
import { painelAnswer, painelAnswers, ROUTE } from './painel-answer.ts'

const REFUSED = refusal(422, 'VALIDATION_ERROR')

describe('What an address says and the console does not know', () => {
  it('is named: columns, order, number of rows, page', () => {
    const unread = (search: string) =>
      unreadRows(search, ['idade']).map(({ name, value }) => `${name}=${value}`)
    assert.deepEqual(unread('colunas=numero,foo,bar&ordem=-segredo&linhas=7&pagina=0'), [
      'colunas=foo,bar',
      'ordem=-segredo',
      'linhas=7',
      'pagina=0',
    ])
    assert.deepEqual(unread('colunas=numero,uf&ordem=-idade&linhas=25&pagina=3'), [])
    assert.deepEqual(unread('ordem=data_notificacao&pagina=&uf=PE'), [])
  })
})

describe('A screen at such an address', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  it('names what it left out of the rows, and of the division of the country', async () => {
    for (const [path, answers, said] of [
      ['/casos?ordem=segredo', casosOf(), 'ordem=segredo'],
      ['/painel?mapa=bairros', { ...ADMIN, ...painelAnswers(painelAnswer()) }, 'mapa=bairros'],
    ] as const) {
      await using visited = await visit(path, { answers })
      await visited.page.locator('.left-out', { hasText: said }).waitFor()
    }
  })

  it('leaves a place out that does not exist, says so, and shows the rest', async () => {
    for (const place of ['municipio=2699999', 'regiao=26999']) {
      const answers = { ...casosOf(), [LIST]: [REFUSED, lista(3)] }
      await using visited = await visit(`/casos?sexo=F&${place}`, { answers })
      const { page, asked } = visited
      await page.locator('.left-out', { hasText: place }).waitFor()
      await page.getByText('4418821').first().waitFor()
      const last = asked.findLast(({ name }) => name === LIST)?.query
      assert.deepEqual(
        [last?.get('sexo'), last?.has('municipio'), last?.has('regiao_saude')],
        ['F', false, false],
      )
    }
  })

  it('does so in the painel, too, whose numbers were refused', async () => {
    const answers = { ...ADMIN, ...HEALTHY, ...painelAnswers(painelAnswer()) }
    await using visited = await visit('/sistema', { answers, alone: true })
    const { page, asked, origin } = visited
    const { status = 0, body } = REFUSED
    await page.route(/casos\/painel\?.*municipio=/, (route) => route.fulfill({ status, json: body }))
    await page.goto(`${origin}/painel?municipio=2699999`)
    await page.locator('.left-out', { hasText: 'municipio=2699999' }).waitFor()
    await page.locator('.figures').waitFor()
    assert.equal(asked.findLast(({ name }) => name === ROUTE)?.query.has('estado'), false)
  })
})
