import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, consoleVisits, perfil, READER, refusal, type Visit } from '../harness/console-page.ts'
import { inspectViews, PICTURED_AT, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import { PARTES, painelAnswer, painelAnswers, ROUTE } from './painel-answer.ts'

const never = new Promise<void>(() => undefined)
const BRASIL = { ...ADMIN, ...painelAnswers(painelAnswer()) }
const PERNAMBUCO = { ...ADMIN, ...painelAnswers(painelAnswer('estado')) }
const RECIFE = { ...ADMIN, ...painelAnswers(painelAnswer('municipio')) }
const nothing = painelAnswer('pais', 0)

/** All parts are there: they come one after the other. */
const drawn = async (page: Page) => {
  await page.locator('.months-card').waitFor()
  await page.locator('.map canvas[role="img"]').waitFor()
}
const pressAll = async (page: Page) => {
  await drawn(page)
  const buttons = await page.getByRole('button', { name: 'Tabela' }).all()
  for (const button of buttons) await button.click()
  await page
    .getByText('Baixar CSV')
    .nth(buttons.length - 1)
    .waitFor()
  // Where the last click scrolled to depends on which tables had come by then.
  await page.getByText('Para resolver hoje').evaluate("(one) => one.scrollIntoView({ block: 'center' })")
}

const VIEWS: View[] = [
  { name: 'painel', picture: true, path: '/painel', answers: BRASIL, act: drawn, seen: 'ainda chegando' },
  {
    name: 'painel-estado',
    picture: true,
    path: '/painel?uf=PE',
    answers: PERNAMBUCO,
    async act(page) {
      await page.getByRole('link', { name: 'Recife' }).waitFor()
      await page.getByRole('button', { name: 'Ver todos' }).click()
      await page.getByRole('button', { name: /Municípios sem casos das SE/ }).click()
      await page.getByText('nenhum no período').first().waitFor()
      await page.locator('.map').focus()
      await page.keyboard.press('ArrowDown')
      await page.getByText('Clique ou Enter: entrar').waitFor()
      // Clicks scroll as far as the layout of the moment asks for.
      await page.locator('.map').evaluate((map) => map.scrollIntoView({ block: 'start' }))
    },
    seen: 'Sem população conhecida.',
  },
  {
    name: 'painel-mudanca',
    picture: true,
    path: '/painel',
    answers: BRASIL,
    async act(page) {
      await drawn(page)
      await page.getByRole('button', { name: 'Mudança' }).click()
      await page.locator('.map').focus()
      await page.keyboard.press('ArrowDown')
    },
    seen: /^Caiu \d+ %: \d+ em 4 semanas, \d+ nas 4 anteriores\.$|^Subiu/,
  },
  {
    name: 'painel-alerta',
    picture: true,
    path: '/painel',
    answers: BRASIL,
    async act(page) {
      await drawn(page)
      await page.getByRole('button', { name: 'Alerta', exact: true }).click()
      await page.getByText(/o nível da última semana encerrada/).waitFor()
      await page.locator('.map').focus()
      await page.keyboard.press('ArrowDown')
    },
    seen: 'acima do limite',
  },
  {
    name: 'painel-alerta-motivos',
    path: '/painel',
    answers: BRASIL,
    async act(page) {
      await drawn(page)
      await page.getByRole('button', { name: /^Laranja/ }).click()
    },
    seen: 'Ver os alertas deste lugar',
  },
  {
    name: 'painel-alerta-erro',
    picture: true,
    path: '/painel',
    answers: { ...BRASIL, [PARTES]: refusal(422, 'VALIDATION_ERROR') },
    async act(page) {
      await drawn(page)
      await page.getByRole('button', { name: 'Alerta', exact: true }).click()
    },
    seen: 'pedido-0001',
  },
  {
    name: 'painel-bairros',
    picture: true,
    path: '/painel?municipio=2611606',
    answers: RECIFE,
    async act(page) {
      await drawn(page)
      await page.getByText('57 casos em bairros com menos de 5').waitFor()
      await page.locator('.map').focus()
      for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown')
    },
    seen: 'Sem coordenadas próprias',
  },
  {
    name: 'painel-municipio',
    picture: true,
    path: '/painel?municipio=2611606&idade_de=10',
    answers: RECIFE,
    act: pressAll,
    seen: 'Baixar CSV',
  },
  {
    name: 'painel-vazio',
    path: '/painel',
    answers: { ...ADMIN, ...painelAnswers({ ...nothing, dados_ate: null, ultima_importacao: null }) },
    seen: 'Importar um arquivo',
  },
  {
    name: 'painel-nada',
    path: '/painel?uf=PE',
    answers: { ...ADMIN, ...painelAnswers({ ...nothing, anterior: { ...nothing.anterior, casos: 31 } }) },
    seen: '31 casos no mesmo período',
  },
  {
    name: 'painel-carregando',
    path: '/painel',
    answers: { ...BRASIL, [ROUTE]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'painel-erro',
    path: '/painel',
    answers: { ...BRASIL, [ROUTE]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  { name: 'painel-sem-acesso', path: '/painel', answers: READER, seen: 'agravos.estatisticas' },
]

describe('The painel', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  const asked = ({ asked }: Visit) =>
    asked.map(({ name }) => name).filter((name) => name.includes('/agravos/'))

  it('is where a person starts, asks twice for everything, and twice for another filter', async () => {
    await using visited = await visit('/', { answers: { ...BRASIL, ...PERFIL } })
    const { page } = visited
    await page.getByRole('heading', { name: /^Dengue no Brasil, \d{4}$/ }).waitFor()
    await page.getByText('412').waitFor()
    assert.equal(new URL(page.url()).pathname, '/painel')
    assert.equal(asked(visited).length, 2)
    await page.getByRole('link', { name: 'Pernambuco' }).click()
    await page.getByRole('heading', { name: /^Dengue em Pernambuco/ }).waitFor()
    await eventually(() => assert.equal(asked(visited).length, 4))
    await page.locator('.answer.stale').first().waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('heading', { name: /^Dengue no Brasil/ }).waitFor()
    assert.equal(asked(visited).length, 4, 'known answers are not asked for again')
  })

  it('asks for the levels of the map when they are looked at, once, and tells them as a table', async () => {
    await using visited = await visit('/painel', { answers: BRASIL, at: PICTURED_AT })
    const { page } = visited
    const asked = () =>
      visited.asked.filter(({ name }) => name === PARTES).map(({ query }) => query.get('partes'))
    await drawn(page)
    await eventually(() => assert.deepEqual(asked(), ['pendencias']))
    await page.getByRole('button', { name: 'Alerta', exact: true }).click()
    await page.getByText(/^SE 44\/2026: o nível/).waitFor()
    await eventually(() => assert.deepEqual(asked(), ['pendencias', 'pendencias,niveis']))
    await page.locator('.map-card').getByRole('button', { name: 'Tabela' }).click()
    assert.match(
      await page.locator('.map-card tbody tr').first().innerText(),
      /SP\s+Vermelho\s+acima do limite/,
    )
    await page.locator('.map-card').getByRole('button', { name: 'Casos', exact: true }).click()
    await page.locator('.map-card').getByRole('button', { name: 'Alerta', exact: true }).click()
    await page.locator('.map-card tbody').getByText('Vermelho').waitFor()
    assert.equal(asked().length, 2)
  })

  it('leads from the level to the alerts of the place', async () => {
    await using visited = await visit('/painel?uf=PE&agravo=zika', { answers: PERNAMBUCO })
    const { page } = visited
    await page.getByRole('button', { name: /^Laranja/ }).click()
    const link = page.getByRole('link', { name: 'Ver os alertas deste lugar' })
    assert.equal(await link.getAttribute('href'), '/alertas?agravo=zika&uf=PE')
  })

  it('offers the change where some place has one, and levels where the period reaches the present', async () => {
    const answer = painelAnswer()
    const { lugares, periodo } = answer
    const past = { ...periodo, semana_inicio: '202001', semana_fim: '202053' }
    const still = { ...lugares, recentes: lugares.recentes.map((blocks) => blocks && [0, 0, 3]) }
    const painel = { ...answer, lugares: still, periodo: past, alerta: null }
    await using visited = await visit('/painel', { answers: { ...ADMIN, ...painelAnswers(painel) } })
    const { page } = visited
    await drawn(page)
    assert.deepEqual(await page.locator('.map-card .choice button').allInnerTexts(), ['Por 100 mil', 'Casos'])
    assert.equal(await page.locator('.nivel-badge').count(), 0)
  })

  it('leads from each number to its cases', async () => {
    await using visited = await visit('/painel?uf=PE&periodo=2024', { answers: PERNAMBUCO })
    const { page } = visited
    const { numeros } = painelAnswer('estado')
    const hrefOf = (name: string, within = '.figures') =>
      page.locator(within).getByRole('link', { name, exact: true }).first().getAttribute('href')
    const number = (value: number) => value.toLocaleString('pt-BR')
    const all = '/casos?agravo=dengue&uf=PE&periodo=2024'
    await page.locator('.figures').waitFor()
    assert.equal(await hrefOf(number(numeros.casos)), all)
    assert.equal(await hrefOf(number(numeros.confirmados)), `${all}&classificacao=confirmado`)
    assert.equal(await hrefOf(number(numeros.hospitalizados)), `${all}&hospitalizacao=sim`)
    assert.equal(await hrefOf(number(numeros.obitos)), `${all}&evolucao=obito`)
    assert.equal(await hrefOf('9 em investigação'), `${all}&evolucao=obito_em_investigacao`)
    assert.equal(
      await page.getByRole('link', { name: /^Feminino, 20 a 39 anos: / }).getAttribute('href'),
      `${all}&sexo=F&idade_de=20&idade_ate=39`,
    )
    assert.equal(
      await page.getByRole('link', { name: /Óbito a investigar/ }).getAttribute('href'),
      `${all}&pendencia=obito_a_investigar`,
    )
    const recife = page.getByRole('row', { name: /^Recife/ })
    assert.equal(
      await recife.getByRole('link').nth(1).getAttribute('href'),
      '/casos?agravo=dengue&uf=PE&municipio=2611606&periodo=2024',
    )
  })

  it('has every place on demand, in any order, each number with its cases', async () => {
    await using visited = await visit('/painel?uf=PE&periodo=2024', { answers: PERNAMBUCO })
    const { page } = visited
    await page.getByRole('button', { name: 'Ver todos' }).click()
    const first = page.locator('.places-card tbody th').first()
    const recife = page.getByRole('row', { name: /^Recife/ })
    const all = '/casos?agravo=dengue&uf=PE&municipio=2611606&periodo=2024'
    assert.equal(await recife.getByRole('link').nth(2).getAttribute('href'), `${all}&hospitalizacao=sim`)
    assert.equal(await recife.getByRole('link').nth(3).getAttribute('href'), `${all}&evolucao=obito`)
    const sort = (name: string) => page.locator('.places-card').getByRole('button', { name }).click()
    await sort('Lugar')
    await first.getByText('Abreu e Lima').waitFor()
    await sort('Lugar')
    await first.getByText('Recife').waitFor()
    assert.equal(await page.locator('.places-card th').first().getAttribute('aria-sort'), 'descending')
    await sort('Casos')
    await sort('Casos')
    await first.getByText('Abreu e Lima').waitFor()
    // What is not known stays last, whichever way.
    for (let i = 0; i < 2; i++) {
      await sort('Por 100 mil')
      await page.locator('.places-card tbody tr').last().getByText('Fernando de Noronha').waitFor()
    }
  })

  it('keeps old numbers with their own filter until the new ones are there', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await using visited = await visit('/painel', { answers: BRASIL })
    const { page, answers } = visited
    const cases = page.locator('.figures strong a').first()
    assert.equal(await cases.getAttribute('href'), `/casos?agravo=dengue`)
    answers[ROUTE] = { body: painelAnswer('estado'), after: promise }
    await page.getByRole('link', { name: 'Pernambuco' }).click()
    await page.getByRole('heading', { name: /^Dengue em Pernambuco/ }).waitFor()
    await page.locator('.answer.stale').first().waitFor()
    assert.equal(await cases.getAttribute('href'), `/casos?agravo=dengue`)
    resolve()
    await page.locator('.figures a[href="/casos?agravo=dengue&uf=PE"]').first().waitFor()
  })

  it('holds on to nothing that was drawn for filters of before', async () => {
    await using visited = await visit('/painel', { answers: BRASIL })
    const { page, asked } = visited
    const cdp = await page.context().newCDPSession(page)
    const nodes = async () => {
      await cdp.send('HeapProfiler.collectGarbage')
      return (await cdp.send('Memory.getDOMCounters')).nodes
    }
    const choose = async (periodo: number) => {
      await page.evaluate(`(() => {
        const link = Object.assign(document.createElement('a'), { href: '/painel?periodo=${periodo}' })
        document.querySelector('main').append(link)
        link.click()
        link.remove()
      })()`)
      await eventually(() => assert.match(String(asked.at(-1)?.query), new RegExp(`${periodo}`)))
      await eventually(async () => assert.equal(await page.locator('.answer.stale').count(), 0))
      await drawn(page)
    }
    await drawn(page)
    for (const periodo of [2010, 2011]) await choose(periodo)
    const before = await nodes()
    for (let periodo = 2012; periodo < 2022; periodo++) await choose(periodo)
    // Of one drawing some hundred; all ten were kept once.
    const kept = (await nodes()) - before
    assert.ok(kept < 300, `${kept} nodes more`)
  })

  it('is walked through by keys: weeks and periods of the curve, places of the map', async () => {
    await using visited = await visit('/painel', { answers: BRASIL })
    const { page } = visited
    const { semanas } = painelAnswer()
    await drawn(page)
    await page.locator('.curve').focus()
    for (const key of ['Home', 'Shift+ArrowRight', 'Shift+ArrowRight']) await page.keyboard.press(key)
    await page.locator('.curve .chosen').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/painel?periodo=${semanas[0]?.semana}..${semanas[2]?.semana}`)
    await page.goBack()
    await page.locator('.map').focus()
    await page.keyboard.press('ArrowDown')
    await page.locator('.map .tip').getByText('São Paulo').waitFor()
    assert.equal(await page.locator('tr.chosen th').innerText(), 'São Paulo')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/painel?uf=MG')
    await page.locator('.map-card .crumbs').getByText('Minas Gerais').waitFor()
    await page.locator('.map').focus()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/painel')
  })

  it('opens the place under the pointer, and takes a dragged period', async () => {
    await using visited = await visit('/painel', { answers: BRASIL })
    const { page } = visited
    await drawn(page)
    const curve = await page.locator('.curve').boundingBox()
    assert.ok(curve !== null)
    const y = curve.y + 100
    await page.mouse.move(curve.x + 120, y)
    await page.locator('.curve .tip').waitFor()
    await page.mouse.down()
    await page.mouse.move(curve.x + 220, y, { steps: 4 })
    await page.mouse.up()
    await page.waitForURL(/periodo=\d{6}\.\.\d{6}/)
    await page.goBack()
    const map = await page.locator('.map canvas[role="img"]').boundingBox()
    assert.ok(map !== null)
    await page.mouse.click(map.x + map.width / 2, map.y + map.height / 2)
    await page.waitForURL(/\/painel\?uf=[A-Z]{2}$/)
  })

  it('fits two pages of A4', async () => {
    await using visited = await visit('/painel?uf=PE', { answers: PERNAMBUCO })
    const { page } = visited
    await page.getByRole('link', { name: 'Recife' }).waitFor()
    const pdf = await page.pdf({ preferCSSPageSize: true })
    assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length, 2)
  })

  it('is drawn with its numbers at once where they are there with the account', async () => {
    await using visited = await visit('/ajuda', { answers: BRASIL, alone: true })
    const { page, origin } = visited
    await page.addInitScript(`
      window.hadBars = false
      new MutationObserver((_, observer) => {
        if (document.querySelector('.figures') !== null) observer.disconnect()
        else window.hadBars ||= document.querySelector('#conteudo .bone') !== null
      }).observe(document, { childList: true, subtree: true })`)
    const numbers = page.waitForResponse(/casos\/painel/)
    await page.route(/usuarios\/me\?/, async (route) => {
      await (await numbers).finished()
      await route.fallback()
    })
    await page.goto(`${origin}/painel`)
    await page.locator('.figures').waitFor()
    assert.equal(await page.evaluate('window.hadBars'), false)
  })

  it('asks for its map before its own code is there, and once', async () => {
    await using visited = await visit('/ajuda', { answers: BRASIL, alone: true })
    const { page, origin } = visited
    let maps = 0
    page.on('request', (request) => {
      if (request.url().includes('/assets/mapa-pe-')) maps += 1
    })
    await page.route(/\/assets\/painel-/, async (route) => {
      await eventually(() => assert.equal(maps, 1))
      await route.fallback()
    })
    await page.goto(`${origin}/painel?uf=PE`)
    await page.locator('.map canvas').first().waitFor()
    assert.equal(maps, 1)
  })

  it('needs little before its numbers stand', async () => {
    await using visited = await visit('/ajuda', { answers: BRASIL, alone: true })
    const { page, origin } = visited
    // Notes the moment inside the page: a test on a busy machine looks later, when more has been asked for.
    await page.addInitScript(`
      new MutationObserver((_, observer) => {
        if (document.querySelector('.figures') === null) return
        observer.disconnect()
        window.loadedBefore = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
      }).observe(document, { childList: true, subtree: true })`)
    await page.goto(`${origin}/painel`)
    await page.locator('.figures').waitFor()
    const loaded = new Set((await page.evaluate('window.loadedBefore')) as string[])
    const size = (extension: string) =>
      [...loaded]
        .filter((path) => path.startsWith('/assets/') && path.endsWith(extension))
        .map((path) => readFileSync(new URL(`../../web/dist${path}`, import.meta.url)))
        .reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0) / 1_024
    assert.ok(size('.js') > 0 && size('.js') <= 78, `${size('.js')} KB of script`)
    assert.ok(size('.css') <= 12, `${size('.css')} KB of style`)
    const font = [...loaded].find((path) => path.endsWith('.woff2'))
    if (font !== undefined)
      assert.ok(readFileSync(new URL(`../../web/dist${font}`, import.meta.url)).length <= 28 * 1_024)
  })
})

const PERFIL = {
  'GET /api/v1/usuarios/me': perfil(['dashboard.visualizar', 'agravos.estatisticas', 'agravos.listar']),
}
