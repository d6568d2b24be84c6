import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answer, type Answers, consoleVisits, perfil } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'

const LIST = 'GET /api/v1/notificacoes'
const READ = 'PUT /api/v1/notificacoes/lidas'
const STREAM = 'GET /api/v1/eventos/aovivo'
const CASOS = 'GET /api/v1/agravos/casos'

const job = (more: object) => ({
  job_id: 'job_1',
  tipo: 'exportacao_casos',
  status: 'completed',
  status_url: 'https://vigia.example/api/v1/jobs/job_1',
  trabalho: 'exportacao',
  message: 'Exportação concluída',
  codigo: 'COMPLETED',
  progress: 100,
  created_at: '2026-11-14T14:00:00.000Z',
  completed_at: '2026-11-14T14:10:00.000Z',
  ...more,
})
const notificacao = (id: number, tipo: string, more: object = {}) => ({
  id,
  tipo,
  criado_em: '2026-11-14T14:10:00.000Z',
  lida_em: null,
  ...more,
})
const READ_BEFORE = { lida_em: '2026-11-13T14:10:00.000Z', criado_em: '2026-11-13T12:00:00.000Z' }
const NOTIFICACOES = [
  notificacao(9, 'job', { job: job({ arquivo_url: 'https://vigia.example/api/v1/jobs/job_1/arquivo' }) }),
  notificacao(8, 'job', {
    job: job({
      ...{ tipo: 'importacao', trabalho: 'importacao', message: 'Importação concluída' },
      arquivo_nome: 'DENGBR26.dbc',
      resultado: { importacao_id: 3 },
    }),
  }),
  notificacao(7, 'job', {
    ...READ_BEFORE,
    job: job({ tipo: 'boletim', trabalho: 'boletim', message: 'Boletim pronto', result: { boletim_id: 4 } }),
  }),
  notificacao(6, 'webhook_desligado', { ...READ_BEFORE, webhook_id: 'wh_1' }),
  notificacao(5, 'sessoes_encerradas', READ_BEFORE),
  notificacao(4, 'alertas', {
    ...READ_BEFORE,
    alertas: {
      ...{ tipo_agravo: 'dengue', semana: '202645', nivel: 'vermelho', casos: 99, total: 12 },
      lugar: { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' },
    },
  }),
  notificacao(3, 'alertas', {
    ...READ_BEFORE,
    alertas: {
      ...{ tipo_agravo: 'zika', semana: '202645', nivel: 'amarelo', casos: 3, total: 1 },
      lugar: { nivel: 'estado', codigo: 'PE', nome: 'Pernambuco', estado: 'PE' },
    },
  }),
  notificacao(2, 'noticia', { ...READ_BEFORE, noticia: { id: 7, titulo: 'Nova ficha de chikungunya' } }),
  notificacao(1, 'alertas', READ_BEFORE),
]
const listed = (notificacoes: object[], nao_lidas: number): Answer => ({
  body: { nao_lidas, maximo: 100, notificacoes },
})

const EVENT_STREAM = { 'content-type': 'text/event-stream' }
const BEGIN = '2026-11-14T15:00:00.000Z'
const LATER = '2026-11-14T15:00:01.000Z'
const stream = (...messages: string[]): Answer[] => [
  {
    headers: EVENT_STREAM,
    text: `id: 1\nevent: inicio\ndata: {"timestamp":"${BEGIN}"}\n\n${messages.join('')}`,
  },
  { status: 204 },
]
const evento = (tipo: string, dados: object, timestamp = BEGIN, lugares: object[] = []) =>
  `id: 2\nevent: evento\ndata: ${JSON.stringify({ id: 'evt_1', tipo, timestamp, dados, lugares })}\n\n`
const lugar = (estado: string, municipio: string | null, nome: string | null) => ({ estado, municipio, nome })
const RECIFE = lugar('PE', '2611606', 'Recife')
const OLINDA = lugar('PE', '2609600', 'Olinda')
const SALVADOR = lugar('BA', '2927408', 'Salvador')
const created = (...lugares: object[]) =>
  evento('agravo.criado', { id: 1, tipo_agravo: 'dengue' }, LATER, lugares)

const imported = (alvo: string) => evento('importacao.concluida', { id: 1, alvo }, LATER)
const OF_ANIMALS = imported('epizootias')
const OF_CASES = imported('casos')
const OF_SERIES = evento('serie.atualizada', { codigo: 'chuva' }, LATER)
const OF_KEYS = evento('usuario.chaves_alteradas', { id: 45 }, LATER)
const NOTIFIED = 'event: notificacao\ndata: {}\n\n'
/** A list by its number of rows, none of which is on this page. */
const rowsOf = (total: number): Answer => ({
  body: { items: [], tipos: [], contas: [], total, page: 1, size: 50, pages: 1, links: {} },
})

const grupos = (...nomes: string[]): Answer => ({
  body: {
    pages: 1,
    grupos: nomes.map((nome, id) => ({
      ...{ id, nome, descricao: null, ativo: true, exige_mfa: false, total_usuarios: 0, permissoes: [] },
    })),
  },
})

const page = (items: object[]): Answer => ({
  body: { items, total: items.length, page: 1, size: 50, pages: 1, links: {} },
})
const BASE: Answers = {
  'GET /api/v1/usuarios/me': perfil(['agravos.listar']),
  'GET /api/v1/visoes': { body: { total: 0, maximo: 50, visoes: [] } },
  [CASOS]: page([]),
}
const SOME: Answers = { ...BASE, [LIST]: listed(NOTIFICACOES, 2), [READ]: { body: { nao_lidas: 0 } } }
const bell = (visited: Page) => visited.getByRole('button', { name: /^Notificações/ })
const open = (visited: Page) => bell(visited).click()
const NEWS = 'Há novos dados.'

const VIEWS: View[] = [
  { name: 'avisos', picture: true, path: '/ajuda', answers: SOME, act: open, seen: 'DENGBR26.dbc' },
  {
    name: 'avisos-vazio',
    path: '/ajuda',
    answers: { ...BASE, [LIST]: listed([], 0) },
    act: open,
    seen: /^Nada ainda/,
  },
  {
    name: 'avisos-desatualizado',
    picture: true,
    path: '/casos',
    answers: { ...BASE, [STREAM]: stream(evento('agravo.criado', { id: 1, tipo_agravo: 'dengue' }, LATER)) },
    seen: NEWS,
  },
]

describe('Notifications and changes in the frame', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  inspectViews(VIEWS, visit)

  it('counts what is new, leads to each thing, and marks it as read when it is looked at', async () => {
    await using visited = await visit('/ajuda', { answers: SOME })
    const { page: tab, asked } = visited
    await tab.getByRole('button', { name: 'Notificações, 2 não lidas' }).click()
    const panel = tab.getByRole('dialog', { name: 'Notificações' })
    const hrefs = await panel
      .getByRole('link')
      .evaluateAll((links) =>
        (links as { getAttribute(name: string): string | null }[]).map((link) => link.getAttribute('href')),
      )
    assert.deepEqual(hrefs, [
      '/api/v1/jobs/job_1/arquivo',
      '/importacoes/3',
      '/boletins/4',
      '/webhooks/wh_1',
      '/conta',
      '/alertas?agravo=dengue',
      '/alertas?agravo=zika&uf=PE',
      '/noticias/7',
    ])
    for (const text of [
      'Dengue: 12 alertas novos; o mais alto, vermelho, em Recife, PE',
      'Zika: o nível subiu para amarelo em Pernambuco',
      'Notícia: Nova ficha de chikungunya',
      // Of a place that the account may no longer know.
      'Níveis de alerta subiram',
    ])
      await panel.getByText(text, { exact: true }).waitFor()
    await tab.getByRole('button', { name: 'Notificações', exact: true }).waitFor()
    const sent = asked.filter(({ name }) => name === READ)
    assert.deepEqual(
      sent.map(({ body }) => body),
      [{ ate: 9 }],
    )
    assert.equal(await panel.locator('.unread').count(), 2, 'those read now stay marked')
  })

  it('asks again when the stream tells of a new one', async () => {
    const answers = {
      ...BASE,
      [LIST]: [listed([], 0), listed(NOTIFICACOES.slice(0, 1), 1)],
      [STREAM]: stream('event: notificacao\ndata: {}\n\n'),
    }
    await using visited = await visit('/ajuda', { answers })
    await visited.page.getByRole('button', { name: 'Notificações, 1 não lida' }).waitFor()
  })

  it('says that a list is out of date, and changes nothing until it is told to', async () => {
    const answers = { ...BASE, [STREAM]: stream(evento('agravo.criado', { id: 1, tipo_agravo: 'dengue' })) }
    await using visited = await visit('/casos', { answers })
    const { page: tab, asked } = visited
    const reads = () => asked.filter(({ name }) => name === CASOS).length
    await tab.getByText(NEWS).waitFor()
    const before = reads()
    await tab.getByRole('button', { name: 'Atualizar' }).click()
    await tab.getByText(NEWS).waitFor({ state: 'detached' })
    await eventually(() => assert.ok(reads() > before))
  })

  it('says nothing of another disease, nor of what the screen does not show', async () => {
    for (const [path, event] of [
      ['/casos?agravo=zika', created(RECIFE)],
      ['/casos?uf=BA', created(RECIFE)],
      ['/casos?uf=PE&municipio=2609600', created(RECIFE)],
      ['/casos', evento('serie.atualizada', { codigo: 'chuva' }, LATER)],
      ['/casos', evento('alerta.alterado', { id: 1, tipo_agravo: 'dengue' })],
      ['/ajuda', evento('importacao.concluida', { id: 1 })],
    ] as const) {
      const answers = { ...BASE, [LIST]: [listed([], 0), listed(NOTIFICACOES, 2)] }
      // The notification behind it shows that the event was heard.
      const told = stream(event, NOTIFIED)
      await using visited = await visit(path, { answers: { ...answers, [STREAM]: told } })
      await visited.page.getByRole('button', { name: 'Notificações, 2 não lidas' }).waitFor()
      assert.equal(await visited.page.getByText(NEWS).count(), 0, path)
    }
  })

  for (const [path, told, expected] of [
    ['/casos', [created(RECIFE)], 'Há novos dados: Recife, PE.'],
    [
      '/casos?uf=PE',
      [created(RECIFE), created(SALVADOR), created(OLINDA)],
      'Há novos dados: Olinda, PE; Recife, PE.',
    ],
    ['/casos', [created(RECIFE), created(SALVADOR), created(OLINDA)], 'Há novos dados de 3 lugares.'],
    [
      '/casos?uf=PE&municipio=2611606',
      [created(OLINDA), created(RECIFE, SALVADOR)],
      'Há novos dados: Recife, PE.',
    ],
    ['/casos?uf=PE&municipio=2611606', [created(lugar('PE', null, null))], 'Há novos dados: PE.'],
    ['/casos?uf=PE', [created(RECIFE), evento('importacao.concluida', { id: 1 }, LATER)], NEWS],
  ] as const)
    it(`names the places that changed: ${path}, ${expected}`, async () => {
      await using visited = await visit(path, { answers: { ...BASE, [STREAM]: stream(...told) } })
      await visited.page.getByText(expected).waitFor()
    })

  for (const [path, permissao, list, told, expected] of [
    [
      '/usuarios',
      'usuarios.listar',
      '/usuarios',
      evento('usuario.criado', { id: 45 }, LATER),
      '2 contas novas',
    ],
    ['/epizootias', 'epizootias.listar', '/epizootias', OF_ANIMALS, '2 epizootias novas'],
    [
      '/epizootias/importacoes',
      'epizootias.registrar',
      '/epizootias/importacoes',
      OF_ANIMALS,
      '2 importações novas',
    ],
    [
      '/series',
      'series.listar',
      '/series',
      evento('serie.atualizada', { codigo: 'chuva' }, LATER),
      '2 séries novas',
    ],
    ['/series/importacoes', 'series.importar', '/series/importacoes', OF_SERIES, '2 importações novas'],
    ['/contas-de-servico', 'chaves.gerenciar', '/contas-de-servico', OF_KEYS, '2 contas novas'],
    ['/importacoes', 'agravos.importar', '/agravos/importacoes', OF_CASES, '2 importações novas'],
  ] as const)
    it(`says how many rows a list gained, and shows them when they are asked for: ${path}`, async () => {
      const asks = `GET /api/v1${list}`
      const answers: Answers = {
        ...{ ...BASE, 'GET /api/v1/usuarios/me': perfil([permissao]), 'GET /api/v1/jobs': page([]) },
        ...{ 'GET /api/v1/epizootias/valores': page([]), [asks]: rowsOf(0) },
      }
      let tell: () => void = () => undefined
      const after = new Promise<void>((resolve) => {
        tell = resolve
      })
      const [first, ...rest] = stream(told) as [Answer, ...Answer[]]
      await using visited = await visit(path, {
        answers: { ...answers, [STREAM]: [{ ...first, after }, ...rest] },
      })
      const { page: tab, asked } = visited
      // Numbers beside a list ask for one row of it.
      const reads = () => asked.filter(({ name, query }) => name === asks && query.get('size') !== '1').length
      await eventually(() => assert.ok(asked.some(({ name }) => name === STREAM)))
      assert.equal(reads(), 1)
      visited.answers[asks] = rowsOf(2)
      tell()
      await tab.getByText(`${expected} neste recorte.`).waitFor()
      assert.equal(reads(), 2, 'it is looked at once')
      await tab.getByRole('button', { name: 'Atualizar' }).click()
      await tab.getByText('neste recorte').waitFor({ state: 'detached' })
      await eventually(() => assert.equal(reads(), 3))
    })

  it('does not take an import of events in animals for one of cases', async () => {
    for (const path of ['/casos', '/importacoes']) {
      const answers: Answers = {
        ...{ ...BASE, 'GET /api/v1/usuarios/me': perfil(['agravos.listar', 'agravos.importar']) },
        ...{ 'GET /api/v1/jobs': page([]), 'GET /api/v1/agravos/importacoes': page([]) },
        [LIST]: [listed([], 0), listed(NOTIFICACOES, 2)],
        [STREAM]: stream(OF_ANIMALS, NOTIFIED),
      }
      await using visited = await visit(path, { answers })
      await visited.page.getByRole('button', { name: 'Notificações, 2 não lidas' }).waitFor()
      assert.equal(await visited.page.getByText(NEWS).count(), 0, path)
    }
  })

  it('says that a list lost rows', async () => {
    const answers = { ...BASE, [CASOS]: [rowsOf(3), rowsOf(2)], [STREAM]: stream(created(RECIFE)) }
    await using visited = await visit('/casos', { answers })
    await visited.page.getByText('1 linha saiu deste recorte.').waitFor()
  })

  for (const [path, permissao, list, told, expected] of [
    ['/duplicidades', 'agravos.duplicidades', '/agravos/duplicidades', created(), '1 par novo'],
    ['/noticias', 'noticias.listar', '/noticias', NOTIFIED, '1 notícia nova'],
    ['/boletins', 'relatorios.gerar', '/agravos/boletins', NOTIFIED, '1 boletim novo'],
  ] as const)
    it(`tells of what may follow from a change only once it did: ${path}`, async () => {
      const asks = `GET /api/v1${list}`
      const answers: Answers = {
        ...{
          ...BASE,
          'GET /api/v1/usuarios/me': perfil([permissao]),
          [asks]: [rowsOf(0), rowsOf(0), rowsOf(1)],
        },
        [STREAM]: stream(told),
      }
      await using visited = await visit(path, { answers, moves: true })
      const { page: tab, asked } = visited
      const reads = () => asked.filter(({ name }) => name === asks).length
      const passes = async (seconds: number, count: number) => {
        await tab.clock.runFor(seconds * 1_000)
        await eventually(() => assert.equal(reads(), count))
      }
      await eventually(() => assert.ok(asked.some(({ name }) => name === STREAM)))
      await passes(15, 2)
      assert.equal(await tab.locator('.out-of-date p').count(), 0, 'nothing followed yet')
      // The stream has ended: lists are looked at every minute.
      await passes(65, 3)
      await tab.getByText(`${expected} neste recorte.`).waitFor()
    })

  for (const [path, permissao, list, changed, expected] of [
    ['/auditoria', 'auditoria.ver', '/auditoria', rowsOf(2), '2 registros novos neste recorte.'],
    ['/boletins/agendas', 'relatorios.gerar', '/agravos/agendas', rowsOf(1), '1 agenda nova neste recorte.'],
    ['/grupos', 'grupos.listar', '/grupos', grupos('gestor', 'analista'), '1 grupo novo neste recorte.'],
    ['/grupos', 'grupos.listar', '/grupos', grupos('analistas'), NEWS],
  ] as const)
    it(`looks once a minute at a list that no event tells of, and says what it found: ${path}, ${expected}`, async () => {
      const asks = `GET /api/v1${list}`
      const first = path === '/grupos' ? grupos('analista') : rowsOf(0)
      const answers: Answers = {
        ...{ ...BASE, 'GET /api/v1/usuarios/me': perfil([permissao]), [asks]: [first, first, changed] },
        ...{ 'GET /api/v1/permissoes': { body: { total: 0, categorias: {} } } },
        [STREAM]: stream(),
      }
      await using visited = await visit(path, { answers, moves: true })
      const { page: tab, asked } = visited
      const reads = () => asked.filter(({ name }) => name === asks).length
      const passes = async (seconds: number, count: number) => {
        await tab.clock.runFor(seconds * 1_000)
        await eventually(() => assert.equal(reads(), count))
      }
      await eventually(() => assert.ok(asked.some(({ name }) => name === STREAM)))
      await passes(65, 2)
      assert.equal(await tab.locator('.out-of-date p').count(), 0, 'it is as it was')
      await passes(65, 3)
      await tab.getByText(expected).waitFor()
      await tab.getByRole('button', { name: 'Atualizar' }).click()
      await tab.locator('.out-of-date p').waitFor({ state: 'detached' })
      assert.equal(reads(), 4, 'and shows it when it is asked for')
    })

  it('opens no stream for those who are not signed in, and one only when the screen stands', async () => {
    const answers = {
      ...BASE,
      [STREAM]: { status: 204 },
      [CASOS]: { ...page([]), after: new Promise<void>(() => {}) },
    }
    await using visited = await visit('/casos', { answers })
    await visited.page.getByText('Está demorando').first().waitFor()
    assert.ok(!visited.asked.some(({ name }) => name === STREAM))
    await eventually(() => assert.ok(visited.asked.some(({ name }) => name === CASOS)))
  })
})
