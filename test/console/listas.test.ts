import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { ADMIN, type Answer, type Answers, consoleVisits, HEALTHY, perfil } from '../harness/console-page.ts'
import { eventually } from '../harness/eventually.ts'
import { DEFINIDOR } from './agravos-answers.ts'
import { ALERTAS, LIST as ALERTAS_LIST, listed as alertasListed, WATCHER } from './alertas-answers.ts'
import { LIST as CASOS, lista as casosListed, casosOf } from './casos-data.ts'
import { decider, PARES, LIST as PARES_LIST, listed as paresListed } from './duplicidades-answers.ts'
import { LIST as EPIZOOTIAS, LISTED as EPIZOOTIAS_LISTED, REGISTERS, SEES } from './epizootias-answers.ts'
import { IMPORTER, importacao, lista, NO_JOBS } from './importacoes-answers.ts'
import {
  CATALOGO,
  DEFINES,
  page as listOf,
  PUT as PUT_SERIE,
  LIST as SERIES,
  serie,
} from './series-answers.ts'
import {
  ALL_GROUPS,
  ALL_USERS,
  conta,
  grupo,
  MANAGER_RIGHTS,
  ONE as ONE_USER,
  LIST as USUARIOS,
  listed as usuariosListed,
} from './usuarios-answers.ts'
import {
  CHANGE as CHANGE_WEBHOOK,
  ENTREGAS,
  OPENED as OPEN_WEBHOOK,
  ALL as WEBHOOKS,
  LIST as WEBHOOKS_LIST,
  webhook,
} from './webhooks-answers.ts'

const NOTICIAS = 'GET /api/v1/noticias'
const AUDITORIA = 'GET /api/v1/auditoria'
const noticia = (id: number, titulo: string) => ({
  ...{ id, titulo, resumo: null, conteudo: 'Texto', fonte: null, url: null },
  ...{ publicado_em: '2026-11-13T12:00:00.000Z', criado_em: '2026-11-13T12:00:00.000Z' },
  atualizado_em: '2026-11-13T14:00:00.000Z',
})
const NEWS: Answers = {
  'GET /api/v1/usuarios/me': perfil(['noticias.listar', 'noticias.editar']),
  [NOTICIAS]: listOf([noticia(5, 'Curso em dezembro'), noticia(4, 'Casos caem no Recife')], 12),
  'GET /api/v1/noticias/4': { body: noticia(4, 'Casos caem no Recife') },
  'PUT /api/v1/noticias/4': { body: noticia(4, 'Casos sobem no Recife') },
}
const registro = (id: number) => ({
  ...{ id, data: '2026-11-14T14:30:05.000Z', ator: { id: 9, nome: 'Carlos Teixeira' }, acao: 'login.feito' },
  ...{ recurso: null, recurso_id: null, detalhes: {}, endereco_ip: null, request_id: null, hash: 'ab12' },
})
const AUDIT: Answers = {
  'GET /api/v1/usuarios/me': perfil(['auditoria.ver']),
  [AUDITORIA]: listOf([registro(90), registro(89)]),
}
const DUPLICATES: Answers = { ...decider(), [PARES_LIST]: paresListed(PARES) }
const ANIMALS: Answers = { ...REGISTERS, [EPIZOOTIAS]: EPIZOOTIAS_LISTED }
const CATALOGUE: Answers = { ...DEFINES, [SERIES]: listOf(CATALOGO) }
const BULLETINS: Answers = { 'GET /api/v1/usuarios/me': perfil(['relatorios.gerar']) }
const SERVICE: Answers = { 'GET /api/v1/usuarios/me': perfil(['chaves.gerenciar']) }
const ALERTS: Answers = { ...WATCHER, ...alertasListed(ALERTAS) }

const none = (body: object): Answer => ({ body: { ...body, total: 0, pages: 0, items: [] } })
const counted = (total: number): Answer => ({
  body: { items: [], total, page: 1, size: 1, pages: total, links: {} },
})
const EMPTY = none(listOf([]).body)

/** Filters without rows: what each asks for instead, in its order, and what it offers by the answers. */
const FILTERED: {
  path: string
  list: string
  answers: Answers
  words: string
  totals: number[]
  offered: [text: string, href: string][]
}[] = [
  {
    path: '/usuarios?situacao=bloqueadas&fator=sem&busca=ana&ordem=-nome',
    ...{ list: USUARIOS, answers: ALL_USERS },
    words: 'Situação: Com entrada bloqueada · Segundo fator: Sem segundo fator · Busca: ana',
    totals: [12, 0, 3, 1_048],
    offered: [
      ['Sem o filtro Busca: 3', '/usuarios?situacao=bloqueadas&fator=sem'],
      ['Sem o filtro Situação: 12', '/usuarios?busca=ana&fator=sem'],
      ['Sem filtro algum: 1.048', '/usuarios'],
    ],
  },
  {
    path: '/series?dominio=animal',
    ...{ list: SERIES, answers: CATALOGUE, words: 'Domínio: Animal', totals: [4] },
    offered: [['Sem o filtro Domínio: 4', '/series']],
  },
  {
    path: '/epizootias?uf=PE&de=2026-01-01',
    ...{ list: EPIZOOTIAS, answers: ANIMALS },
    words: 'Território: Pernambuco · Ocorrência: desde 01/01/2026',
    // Asked for by the numbers above the list too: below.
    ...{ totals: [], offered: [] },
  },
  {
    path: '/duplicidades?faixa=possivel&agravo=zika',
    ...{ list: PARES_LIST, answers: DUPLICATES, words: 'Faixa: Possível · Agravo: Zika', totals: [0, 0, 60] },
    offered: [['Sem filtro algum: 60', '/duplicidades']],
  },
  {
    path: '/alertas?nivel=vermelho&situacao=abertos',
    ...{ list: ALERTAS_LIST, answers: ALERTS },
    words: 'Nível: Vermelho · Reconhecimento: Sem reconhecimento',
    totals: [5, 1, 6],
    offered: [
      ['Sem o filtro Reconhecimento: 1', '/alertas?nivel=vermelho'],
      ['Sem o filtro Nível: 5', '/alertas?situacao=abertos'],
      ['Sem filtro algum: 6', '/alertas'],
    ],
  },
  {
    path: '/auditoria?recurso=caso&id=123&ator=9',
    ...{ list: AUDITORIA, answers: AUDIT, words: 'Registro: Caso 123 · Quem: Conta 9', totals: [31, 0, 90] },
    offered: [
      ['Sem o filtro Registro: 31', '/auditoria?ator=9'],
      ['Sem filtro algum: 90', '/auditoria'],
    ],
  },
  {
    path: '/webhooks/wh_a1?estado=falhou',
    ...{ list: ENTREGAS, answers: OPEN_WEBHOOK, words: 'Estado: Desistiu', totals: [40] },
    offered: [['Sem o filtro Estado: 40', '/webhooks/wh_a1']],
  },
]

/** Row that keys act on, whatever a list is made of. */
const current = (page: Page) => page.locator('main :is(tr, li)[aria-current]')
const rows = (page: Page) => page.locator('main :is(tbody tr, .news-list li, .records > li)')

async function press(page: Page, ...keys: string[]): Promise<void> {
  await rows(page).first().waitFor()
  for (const key of keys) await page.keyboard.press(key)
}

/** Lists, keys that lead to a row, and the address that Enter opens. */
const OPENING: [path: string, answers: Answers, keys: string[], opened: string][] = [
  ['/usuarios', ALL_USERS, ['j', 'j'], '/usuarios/32'],
  ['/grupos', ALL_GROUPS, ['j', 'j', 'k'], '/grupos/1'],
  ['/webhooks', WEBHOOKS, ['k'], '/webhooks/wh_a1'],
  ['/importacoes', { ...IMPORTER, ...NO_JOBS, ...lista(importacao()) }, ['j', 'j'], '/importacoes/9'],
  ['/duplicidades', DUPLICATES, ['j'], '/duplicidades/31'],
  ['/epizootias', ANIMALS, ['j', 'j', 'j'], '/epizootias/14'],
  ['/series', CATALOGUE, ['j', 'j'], '/series/chuva'],
  ['/agravos', DEFINIDOR, ['j', 'j'], '/agravos/zika'],
  ['/alertas', ALERTS, ['j'], '/painel?'],
  ['/noticias', NEWS, ['j', 'j'], '/noticias/4'],
  ['/casos', { ...casosOf(), [CASOS]: casosListed(6) }, ['j', 'j'], '/casos/2'],
]

/** Lists, and what each is asked for. */
const BEHIND: [path: string, list: string, answers: Answers][] = [
  ['/auditoria', AUDITORIA, AUDIT],
  ['/webhooks', WEBHOOKS_LIST, WEBHOOKS],
  ['/webhooks/wh_a1', ENTREGAS, OPEN_WEBHOOK],
  ['/noticias', NOTICIAS, NEWS],
  ['/boletins', 'GET /api/v1/agravos/boletins', BULLETINS],
  ['/boletins/agendas', 'GET /api/v1/agravos/agendas', BULLETINS],
  ['/alertas', ALERTAS_LIST, ALERTS],
  ['/contas-de-servico', 'GET /api/v1/contas-de-servico', SERVICE],
  ['/sistema', 'GET /api/v1/jobs', { ...ADMIN, ...HEALTHY }],
  ['/series/importacoes', 'GET /api/v1/series/importacoes', { ...ADMIN, ...NO_JOBS }],
  ['/epizootias/importacoes', 'GET /api/v1/epizootias/importacoes', { ...ADMIN, ...NO_JOBS }],
  ['/importacoes', 'GET /api/v1/agravos/importacoes', { ...ADMIN, ...NO_JOBS }],
  ['/casos/excluidos', 'GET /api/v1/agravos/casos/excluidos', ADMIN],
]

const PUT_USER = 'PUT /api/v1/usuarios/31'
const PUT_GROUP = 'PUT /api/v1/grupos/4'
const PUT_NEWS = 'PUT /api/v1/noticias/4'
/** Lists whose rows are edited in a dialogue: the field that is changed, what is sent, what is said of it. */
const EDITING = [
  {
    ...{ path: '/usuarios', keys: ['j'], field: 'Nome', save: 'Salvar', told: 'Alterações salvas.' },
    answers: { ...ALL_USERS, [ONE_USER]: { body: conta() }, [PUT_USER]: { body: {} } },
    sent: PUT_USER,
  },
  {
    ...{ path: '/grupos', keys: ['j', 'j', 'j'], field: 'Nome', save: 'Salvar', told: 'Alterações salvas.' },
    answers: { ...ALL_GROUPS, 'GET /api/v1/grupos/4': { body: grupo() }, [PUT_GROUP]: { body: {} } },
    sent: PUT_GROUP,
  },
  {
    ...{ path: '/webhooks', keys: ['j'], field: 'Endereço', save: 'Salvar', told: 'Webhook alterado.' },
    answers: { ...OPEN_WEBHOOK, ...WEBHOOKS, [CHANGE_WEBHOOK]: { body: webhook() } },
    sent: CHANGE_WEBHOOK,
  },
  {
    ...{ path: '/series', keys: ['j'], field: 'Nome', save: 'Gravar', told: 'Definição gravada.' },
    answers: { ...CATALOGUE, [PUT_SERIE]: { body: serie() } },
    sent: PUT_SERIE,
  },
  {
    ...{ path: '/noticias', keys: ['j', 'j'], field: 'Título', save: 'Salvar', told: 'Notícia salva.' },
    answers: NEWS,
    sent: PUT_NEWS,
  },
]

describe('Lists of the console', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  for (const [path, answers, keys, opened] of OPENING)
    it(`go through their rows by keys, and open one: ${path}`, async () => {
      await using visited = await visit(path, { answers })
      const { page, origin } = visited
      await press(page, ...keys)
      assert.equal(await current(page).count(), 1)
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.href.startsWith(`${origin}${opened}`))
    })

  it('open what has no address of its own where it is: a record of the audit, a delivery', async () => {
    await using audit = await visit('/auditoria', { answers: AUDIT })
    await press(audit.page, 'j', 'j', 'Enter')
    await audit.page.getByRole('button', { name: 'Ocultar registro 89' }).waitFor()
    await audit.page.keyboard.press('Enter')
    await audit.page.getByRole('button', { name: 'Ver registro 89' }).waitFor()
    await using webhookPage = await visit('/webhooks/wh_a1', { answers: OPEN_WEBHOOK })
    await press(webhookPage.page, 'j', 'Enter')
    await webhookPage.page.getByRole('dialog', { name: /^Entrega/ }).waitFor()
  })

  it('keep the row under rows that come anew', async () => {
    const answers = { ...ALL_USERS, ...usuariosListed([conta(), conta({ id: 32, nome: 'Carlos Teixeira' })]) }
    await using visited = await visit('/usuarios', { answers })
    const { page } = visited
    await press(page, 'j', 'j')
    assert.match(await current(page).innerText(), /Carlos Teixeira/)
    const more = [conta({ id: 30, nome: 'Alice Braga' }), conta(), conta({ id: 32, nome: 'Carlos Teixeira' })]
    Object.assign(visited.answers, usuariosListed(more), {
      [ONE_USER.replace('31', '32')]: { body: conta({ id: 32, nome: 'Carlos Teixeira' }) },
      'PUT /api/v1/usuarios/32': { body: {} },
    })
    await page.keyboard.press('e')
    await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Alice Braga').waitFor()
    assert.match(await current(page).innerText(), /Carlos Teixeira/)
  })

  it('take no letter where single letters are switched off', async () => {
    await using visited = await visit('/ajuda', { answers: ALL_USERS, alone: true })
    const { page, origin } = visited
    await page.getByRole('cell', { name: 'Próxima linha da lista' }).waitFor()
    await page.getByLabel('Usar teclas de uma letra').uncheck()
    await page.goto(`${origin}/usuarios`)
    await press(page, 'j', 'j')
    assert.equal(await current(page).count(), 0)
  })

  for (const { path, answers, keys, field, save, sent, told } of EDITING)
    it(`edit a row by a key: ${path}`, async () => {
      await using visited = await visit(path, { answers })
      const { page, asked } = visited
      await press(page, ...keys, 'e')
      const dialog = page.getByRole('dialog')
      const input = dialog.getByLabel(field, { exact: true }).first()
      await input.fill('https://127.0.0.1/outro')
      await dialog.getByRole('button', { name: save, exact: true }).click()
      await page.getByText(told).waitFor()
      assert.equal(asked.filter(({ name }) => name === sent).length, 1)
    })

  it('edit nothing for those who may not', async () => {
    const reader = perfil(MANAGER_RIGHTS.filter((one) => !one.endsWith('.editar')))
    const answers = { ...ALL_USERS, 'GET /api/v1/usuarios/me': reader, [ONE_USER]: { body: conta() } }
    await using visited = await visit('/usuarios', { answers })
    await press(visited.page, 'j', 'e', 'j')
    assert.match(await current(visited.page).innerText(), /Carlos Teixeira/)
    assert.ok(!visited.asked.some(({ name }) => name === ONE_USER))
    await using animals = await visit('/epizootias', {
      answers: { ...SEES, [EPIZOOTIAS]: EPIZOOTIAS_LISTED },
    })
    await press(animals.page, 'j', 'e', 'Enter')
    await animals.page.waitForURL(`${animals.origin}/epizootias/12`)
  })

  it('offer the nearest filters beside numbers of the same list', async () => {
    await using visited = await visit('/ajuda', { answers: ANIMALS })
    const { page, origin } = visited
    await page.route('**/api/v1/epizootias?*', (route) => {
      const { searchParams } = new URL(route.request().url())
      const total = searchParams.has('data_ocorrencia[gte]') ? 0 : searchParams.has('estado') ? 7 : 9
      return route.fulfill({ json: counted(total).body })
    })
    await page.goto(`${origin}/epizootias?uf=PE&de=2026-01-01`)
    const offers = page.locator('.wider li')
    await eventually(async () =>
      assert.deepEqual(await offers.allInnerTexts(), ['Sem o filtro Ocorrência: 7', 'Sem filtro algum: 9']),
    )
    await page.unroute('**/api/v1/epizootias?*')
  })

  for (const { path, list, answers, words, totals, offered } of FILTERED) {
    const offering = async () => {
      const found = { ...answers, [list]: [EMPTY, ...totals.map(counted)] }
      await using visited = await visit(path, { answers: found })
      const { page, asked } = visited
      const offers = page.locator('.wider li')
      await eventually(async () =>
        assert.deepEqual(
          await offers.allInnerTexts(),
          offered.map(([text]) => text),
        ),
      )
      assert.deepEqual(
        await Promise.all((await offers.all()).map((one) => one.getByRole('link').getAttribute('href'))),
        offered.map(([, href]) => href),
      )
      assert.ok((await page.locator('.empty .filter-words').innerText()).includes(words))
      const counts = asked.filter(({ name, query }) => name === list && query.get('size') === '1')
      assert.equal(counts.length, totals.length)
      assert.equal(new Set(counts.map(({ query }) => String(query))).size, totals.length)
      await visited.inspect('lista-vazia-por-filtro')
    }
    if (totals.length > 0) it(`offer the nearest filters where theirs has no rows: ${path}`, offering)

    it(`say their filter on paper: ${path}`, async () => {
      await using visited = await visit(path, { answers })
      const { page } = visited
      const paper = page.locator('.paper')
      await rows(page).first().waitFor()
      assert.equal(await paper.getAttribute('data-filter'), words.replace('Conta 9', 'Carlos Teixeira'))
      assert.ok(!(await paper.isVisible()), 'on the screen its bar says it')
      await page.emulateMedia({ media: 'print' })
      assert.ok(await paper.isVisible())
      assert.ok(!(await page.locator('.filter-area').first().isVisible()), 'nor the bar on paper')
      await page.emulateMedia({ media: 'screen' })
    })
  }

  for (const [path, list, answers] of BEHIND)
    it(`lead back from a page behind the last one: ${path}`, async () => {
      const body = { ...listOf([]).body, total: 30, page: 99, pages: 2, contas: [], alertas: [] }
      await using visited = await visit(`${path}?pagina=99`, { answers: { ...answers, [list]: { body } } })
      const { page } = visited
      await page.getByText('A página 99 não existe.').waitFor()
      const back = page.getByRole('link', { name: 'Ir para a primeira página' })
      assert.equal(await back.getAttribute('href'), path)
      assert.equal(await page.getByText(/^Linhas/).count(), 0)
    })

  it('say nothing on paper where nothing is filtered, and lead back from a page that is none', async () => {
    await using visited = await visit('/usuarios?pagina=9', {
      answers: { ...ALL_USERS, ...usuariosListed([], 60) },
    })
    const { page } = visited
    await page.getByText('A página 9 não existe.').waitFor()
    assert.equal(await page.locator('.paper').count(), 0)
    assert.equal(
      await page.getByRole('link', { name: 'Ir para a primeira página' }).getAttribute('href'),
      '/usuarios',
    )
  })
})
