import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { consoleVisits, perfil, READER, reconnect, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import {
  ACKNOWLEDGE,
  ACKNOWLEDGED,
  ADMINISTRATOR,
  ALERTAS,
  alerta,
  LIST,
  listed,
  NOTA,
  ONE,
  REGRAS,
  regra,
  SAVE_REGRA,
  WATCHER,
} from './alertas-answers.ts'

const ALL = { ...WATCHER, ...listed(ALERTAS) }
const never = new Promise<void>(() => undefined)
const open = (page: Page) => page.getByRole('button', { name: 'Reconhecer: Laranja, Recife' }).click()
const write = async (page: Page, nota = NOTA) => {
  await open(page)
  await page.getByLabel('O que se fez ou se sabe').fill(nota)
  await page.getByRole('dialog').getByRole('button', { name: 'Reconhecer' }).click()
}
const THEIRS = {
  ...ALL,
  [ACKNOWLEDGE]: refusal(409, 'CONFLICT'),
  [ONE]: { body: { ...alerta(ACKNOWLEDGED), nota: 'Visita marcada.' } },
}

const RULED = { ...ALL, ...ADMINISTRATOR }
const openRule = async (page: Page) => {
  await page.getByRole('button', { name: 'Regras dos alertas' }).click()
  await page.getByRole('button', { name: 'Alterar a regra de Dengue' }).click()
}
const threshold = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true })
const saveRule = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()

const VIEWS: View[] = [
  {
    name: 'alertas-regras',
    picture: true,
    path: '/alertas',
    answers: RULED,
    act: (page) => page.getByRole('button', { name: 'Regras dos alertas' }).click(),
    seen: 'versão 3',
  },
  {
    name: 'alertas-regra',
    picture: true,
    path: '/alertas',
    answers: RULED,
    async act(page) {
      await openRule(page)
      await threshold(page, 'Casos para o vermelho').fill('20')
      await threshold(page, 'Casos na janela de crescimento').fill('muitos')
      await saveRule(page)
    },
    seen: 'Escreva um número.',
  },
  {
    name: 'alertas-regras-erro',
    path: '/alertas',
    answers: { ...RULED, [REGRAS]: refusal(403, 'PERMISSION_DENIED') },
    act: (page) => page.getByRole('button', { name: 'Regras dos alertas' }).click(),
    seen: 'mensagem PERMISSION_DENIED',
  },
  { name: 'alertas', picture: true, path: '/alertas', answers: ALL, seen: 'acima do limite' },
  {
    name: 'alertas-motivos',
    picture: true,
    path: '/alertas',
    answers: ALL,
    act: (page) => page.getByRole('button', { name: /^Laranja/ }).click(),
    seen: 'Incidência acima da média histórica da semana.',
  },
  {
    name: 'alertas-nota',
    path: '/alertas',
    answers: {
      ...ALL,
      'GET /api/v1/agravos/alertas/40': { body: { ...alerta(ACKNOWLEDGED), nota: NOTA } },
    },
    act: (page) => page.getByRole('button', { name: 'Reconhecido por Carlos Teixeira' }).click(),
    seen: NOTA,
  },
  {
    name: 'alertas-reconhecer',
    picture: true,
    path: '/alertas',
    answers: ALL,
    async act(page) {
      await open(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Reconhecer' }).click()
    },
    seen: 'Escreva uma nota.',
  },
  {
    name: 'alertas-conflito',
    picture: true,
    path: '/alertas',
    answers: THEIRS,
    act: (page) => write(page),
    seen: /^Carlos Teixeira já reconheceu este alerta em 15\/11\/2026 às 09:30/,
  },
  {
    name: 'alertas-vazio',
    path: '/alertas',
    answers: { ...WATCHER, ...listed([]) },
    seen: /^Nenhum alerta ainda/,
  },
  {
    name: 'alertas-nenhum-no-filtro',
    path: '/alertas?nivel=vermelho&nivel_lugar=x&agravo=gripe&situacao=talvez',
    answers: { ...WATCHER, ...listed([]) },
    seen: /ficaram de fora: agravo=gripe, situacao=talvez\./,
  },
  {
    name: 'alertas-carregando',
    path: '/alertas',
    answers: { ...WATCHER, [LIST]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'alertas-erro',
    path: '/alertas',
    answers: { ...WATCHER, [LIST]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  { name: 'alertas-sem-acesso', path: '/alertas', answers: READER, seen: 'agravos.estatisticas' },
]

describe('The alerts', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('lead to the painel of their place, and to the cases of their week', async () => {
    await using visited = await visit('/alertas', { answers: ALL })
    const { page } = visited
    const hrefOf = (name: string) => page.getByRole('link', { name, exact: true }).getAttribute('href')
    await page.getByRole('link', { name: 'Painel de Ceará' }).waitFor()
    assert.equal(await hrefOf('Painel de Ceará'), '/painel?agravo=chikungunya&uf=CE')
    assert.equal(
      await hrefOf('Casos de Ceará na SE 45/2026'),
      '/casos?agravo=chikungunya&uf=CE&periodo=202645..202645',
    )
    const recife = page.getByRole('row', { name: /município · PE/ })
    assert.equal(
      await recife.getByRole('link').first().getAttribute('href'),
      '/painel?uf=PE&municipio=2611606',
    )
    assert.equal(await hrefOf('Painel de Brasil'), '/painel?agravo=zika')
  })

  it('have no links to what the person may not open', async () => {
    const answers = { ...ALL, 'GET /api/v1/usuarios/me': perfil(['agravos.estatisticas']) }
    await using visited = await visit('/alertas', { answers })
    const { page } = visited
    await page.getByText('acima do limite').waitFor()
    assert.equal(await page.locator('.row-actions a').count(), 0)
  })

  it('are filtered by disease, place, level and notice; the address is the filter', async () => {
    await using visited = await visit('/alertas?pagina=2', { answers: ALL })
    const { page, asked } = visited
    const last = () => String(asked.filter(({ name }) => name === LIST).at(-1)?.query ?? '')
    await page.getByRole('button', { name: /^Nível/ }).click()
    await page.getByRole('dialog', { name: 'Nível' }).getByText('epidemia').click()
    await page.waitForURL('**/alertas?nivel=vermelho')
    await page.getByRole('button', { name: /^Reconhecimento/ }).click()
    await page.getByLabel('Sem reconhecimento').click()
    await page.waitForURL('**/alertas?nivel=vermelho&situacao=abertos')
    await page.getByRole('button', { name: /^Agravo/ }).click()
    await page.getByLabel('Zika').click()
    await page.waitForURL('**/alertas?agravo=zika&nivel=vermelho&situacao=abertos')
    await eventually(() =>
      assert.match(last(), /^tipo_agravo=zika&nivel=vermelho&reconhecido=false&page=1&size=25$/),
    )
    await page.getByRole('button', { name: 'Limpar filtros' }).click()
    await page.waitForURL('**/alertas')
    await page.goto(`${visited.origin}/alertas?municipio=2611606`)
    await eventually(() => assert.match(last(), /^municipio=2611606&page=1&size=25$/))
    await page.goto(`${visited.origin}/alertas?regiao=26010`)
    await eventually(() => assert.match(last(), /^regiao_saude=26010&page=1/))
    await page.goto(`${visited.origin}/alertas?uf=PE`)
    await eventually(() => assert.match(last(), /^estado=PE&page=1/))
  })

  it('are acknowledged by keyboard alone, with a note', async () => {
    await using visited = await visit('/alertas', {
      answers: {
        ...ALL,
        [LIST]: [
          listed(ALERTAS)[LIST] as object,
          listed([alerta(ACKNOWLEDGED), ...ALERTAS.slice(1)])[LIST] as object,
        ],
        [ACKNOWLEDGE]: { body: { ...alerta(ACKNOWLEDGED), nota: NOTA } },
      },
    })
    const { page, asked } = visited
    const button = page.getByRole('button', { name: 'Reconhecer: Laranja, Recife' })
    await button.waitFor()
    for (let tabs = 0; !(await button.evaluate((one) => one === one.ownerDocument.activeElement)); tabs++) {
      assert.ok(tabs < 40, 'the button is reached by Tab')
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.locator('dialog textarea').waitFor()
    await page.locator('dialog textarea').focus()
    await page.keyboard.type(NOTA)
    await page.getByText(`Restam ${500 - NOTA.length} caracteres`).waitFor()
    for (let tabs = 0; tabs < 2; tabs++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Alerta de Recife reconhecido.').waitFor()
    await page.getByRole('row', { name: /município · PE.*Reconhecido por Carlos Teixeira/ }).waitFor()
    const sent = asked.filter(({ name }) => name === ACKNOWLEDGE)
    assert.deepEqual(
      sent.map(({ body }) => body),
      [{ nota: NOTA }],
    )
  })

  it('keep the note that is typed when the connection is cut, and wait where they are told to', async () => {
    await using visited = await visit('/alertas', {
      alone: true,
      answers: {
        ...ALL,
        [ACKNOWLEDGE]: [
          { cut: true },
          refusal(429, 'RATE_LIMITED', {}, { 'retry-after': '2' }),
          { body: { ...alerta(ACKNOWLEDGED), nota: NOTA } },
        ],
      },
    })
    const { page } = visited
    await write(page)
    await page
      .getByText(/^Sem conexão desde/)
      .first()
      .waitFor()
    assert.equal(await page.locator('dialog textarea').inputValue(), NOTA)
    await reconnect(visited)
    await page.getByRole('dialog').getByRole('button', { name: 'Reconhecer' }).click()
    await page
      .getByText(/Muitas consultas; volto em \d s/)
      .first()
      .waitFor()
    await page.getByText('Alerta de Recife reconhecido.').waitFor()
  })

  it('tell who was faster, with their note, and keep the own', async () => {
    await using visited = await visit('/alertas', { answers: THEIRS })
    const { page } = visited
    await write(page, 'Minha nota')
    await page.getByText('Visita marcada.').waitFor()
    assert.equal(await page.locator('dialog textarea').inputValue(), 'Minha nota')
    assert.equal(await page.getByRole('dialog').getByRole('button', { name: 'Reconhecer' }).count(), 0)
    await page.getByRole('button', { name: 'Fechar' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
  })

  it('have rules that administrators alone see, and change after they were told what follows', async () => {
    {
      await using visited = await visit('/alertas', { answers: ALL })
      await visited.page.getByText('acima do limite').waitFor()
      assert.equal(await visited.page.getByRole('button', { name: 'Regras dos alertas' }).count(), 0)
    }
    await using visited = await visit('/alertas', { answers: { ...RULED, [SAVE_REGRA]: { body: regra() } } })
    const { page, asked } = visited
    await openRule(page)
    await threshold(page, 'Casos para o vermelho').fill('20')
    await threshold(page, 'Probabilidade de crescimento (%)').fill('99,9')
    await threshold(page, 'Casos para o amarelo').fill('4,5')
    const told = page.getByRole('status').getByRole('listitem')
    assert.deepEqual((await told.allInnerTexts()).slice(0, -1), [
      'Probabilidade de crescimento (%): de 95 para 99,9; menos lugares entram em alerta.',
      'Casos para o amarelo: de 5 para 4,5; mais lugares entram em alerta.',
      'Casos para o vermelho: de 10 para 20; menos lugares entram em alerta.',
    ])
    await page.getByText(/^É a versão 4, dos níveis calculados daqui em diante/).waitFor()
    await saveRule(page)
    await page.getByText('Regra de Dengue salva.').waitFor()
    assert.deepEqual(asked.find(({ name }) => name === SAVE_REGRA)?.body, {
      ...{ tipo_agravo: 'dengue', versao: 3 },
      ...{ p_crescimento: 0.999, casos_amarelo: 4.5, casos_vermelho: 20 },
    })
  })

  it('name the threshold that the service refuses, and keep what was typed', async () => {
    const details = [{ field: 'p_crescimento', message: 'De 0,5 a 0,9999', code: 'TOO_BIG' }]
    const answers = { ...RULED, [SAVE_REGRA]: refusal(422, 'VALIDATION_ERROR', { details }) }
    await using visited = await visit('/alertas', { answers })
    const { page } = visited
    await openRule(page)
    await threshold(page, 'Probabilidade de crescimento (%)').fill('100')
    await saveRule(page)
    await page.getByText('De 0,5 a 0,9999').waitFor()
    assert.equal(await threshold(page, 'Probabilidade de crescimento (%)').inputValue(), '100')
  })

  it('compare a rule that somebody else changed meanwhile, threshold by threshold', async () => {
    const theirs = regra({ versao: 4, casos_vermelho: 15, casos_laranja: 6 })
    const answers = {
      ...RULED,
      [REGRAS]: [RULED[REGRAS] as object, { body: { total: 1, regras: [theirs] } }],
      [SAVE_REGRA]: [refusal(409, 'CONFLICT'), { body: regra({ versao: 5 }) }],
    }
    await using visited = await visit('/alertas', { answers })
    const { page, asked } = visited
    await openRule(page)
    await threshold(page, 'Casos para o vermelho').fill('20')
    await saveRule(page)
    const conflict = page.locator('dialog.conflict')
    await conflict.getByText('Casos para o vermelho').waitFor()
    await conflict.locator('.conflict-others').getByText('Casos para o laranja').waitFor()
    await conflict.locator('.button.primary').click()
    await page.getByText('Regra de Dengue salva.').waitFor()
    assert.deepEqual(asked.filter(({ name }) => name === SAVE_REGRA).at(-1)?.body, {
      ...{ tipo_agravo: 'dengue', versao: 4, casos_vermelho: 20 },
    })
  })
})
