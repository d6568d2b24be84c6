import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { EVENTOS, TEST_EVENTO } from '../../src/domain/eventos/catalogue.ts'
import { webhooks } from '../../web/console/texts/pt-BR/webhooks.ts'
import { noBrowser } from '../harness/browser.ts'
import { consoleVisits, perfil, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import {
  ALL,
  CATALOGUED,
  CHANGE,
  CREATE,
  detailed,
  ENTREGA,
  ENTREGAS,
  entrega,
  LIST,
  listed,
  MANAGER,
  ONE,
  OPENED,
  PAUSE,
  PERMISSOES,
  REMOVE,
  REPLAY,
  RESEND,
  RESUME,
  ROTATE,
  SECRET,
  TEST,
  webhook,
} from './webhooks-answers.ts'

const never = new Promise<void>(() => undefined)
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const fillNew = async (page: Page) => {
  await press(page, 'Novo webhook')
  await page.getByLabel('Endereço').fill(' https://novo.saude.example/vigia ')
  await page.getByLabel(/^Caso registrado/).check()
}
const create = async (page: Page) => {
  await fillNew(page)
  await inDialog(page, 'Cadastrar')
}
const countReplay = async (page: Page) => {
  await press(page, 'Repetir desde…')
  await page.getByLabel(/^Desde/).fill('2026-11-14T00:00')
  await inDialog(page, 'Contar')
}
const seeDelivery = (page: Page) => press(page, /^Ver a entrega de Caso registrado, 14\/11\/2026 às 09:10/)
const COUNTED = { body: { message: '4 evento(s)', total: 4 } }
const NONE = { body: { items: [], total: 0, page: 1, size: 25, pages: 0, links: {} } }

const VIEWS: View[] = [
  { name: 'webhooks', picture: true, path: '/webhooks', answers: ALL, seen: 'Desligado pelo Vigia' },
  {
    name: 'webhooks-novo',
    picture: true,
    path: '/webhooks',
    answers: ALL,
    async act(page) {
      await press(page, 'Novo webhook')
      await page.getByLabel(/^Caso registrado/).waitFor()
      await inDialog(page, 'Cadastrar')
    },
    seen: 'Escolha ao menos um evento.',
  },
  {
    name: 'webhooks-segredo',
    picture: true,
    path: '/webhooks',
    answers: { ...ALL, [CREATE]: { status: 201, body: { ...webhook(), secret: SECRET } } },
    act: create,
    seen: SECRET,
  },
  {
    name: 'webhooks-vazio',
    path: '/webhooks',
    answers: { ...MANAGER, ...listed([]) },
    seen: /^Nenhum webhook ainda/,
  },
  {
    name: 'webhooks-carregando',
    path: '/webhooks',
    answers: { ...MANAGER, [LIST]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'webhooks-erro',
    path: '/webhooks',
    answers: { ...MANAGER, [LIST]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'webhooks-sem-acesso',
    path: '/webhooks',
    answers: { 'GET /api/v1/usuarios/me': perfil(['noticias.listar']) },
    seen: 'agravos.listar',
  },
  { name: 'webhook', picture: true, path: '/webhooks/wh_a1', answers: OPENED, seen: 'certificado recusado' },
  {
    name: 'webhook-desligado',
    path: '/webhooks/wh_a1',
    answers: {
      ...OPENED,
      [ONE]: {
        body: webhook({ ativo: false, desligado_em: '2026-11-10T10:00:00.000Z', desligado_por: 'falhas' }),
      },
      [ENTREGAS]: NONE,
    },
    seen: /^Cinco dias sem aceitar nada\./,
  },
  {
    name: 'webhook-testado',
    picture: true,
    path: '/webhooks/wh_a1',
    answers: {
      ...OPENED,
      [TEST]: {
        body: detailed({ tipo: 'webhook.teste', motivo: 'teste', estado: 'falhou', status_http: 500 }),
      },
    },
    act: (page) => press(page, 'Testar'),
    seen: 'Resposta ao teste',
  },
  {
    name: 'webhook-entrega',
    picture: true,
    path: '/webhooks/wh_a1',
    answers: { ...OPENED, [ENTREGA]: { body: detailed() } },
    act: seeDelivery,
    seen: '{"recebido":true}',
  },
  {
    name: 'webhook-repetir',
    picture: true,
    path: '/webhooks/wh_a1',
    answers: { ...OPENED, [REPLAY]: COUNTED },
    act: countReplay,
    seen: '4 eventos serão entregues de novo.',
  },
  {
    name: 'webhook-editar',
    path: '/webhooks/wh_a1',
    answers: OPENED,
    async act(page) {
      await press(page, 'Editar')
      await page.getByLabel(/^Caso registrado/).waitFor()
    },
    seen: 'Editar webhook',
  },
  {
    name: 'webhook-excluir',
    path: '/webhooks/wh_a1',
    answers: OPENED,
    act: (page) => press(page, 'Excluir'),
    seen: /^3 entregas que esperam não serão feitas/,
  },
  {
    name: 'webhook-ausente',
    path: '/webhooks/wh_a1',
    answers: { ...MANAGER, [ONE]: refusal(404, 'NOT_FOUND') },
    seen: 'pedido-0001',
  },
]

describe('The words of webhooks', () => {
  it('are there for every event', () => {
    const events = [...Object.keys(EVENTOS), TEST_EVENTO]
    assert.deepEqual(
      events.filter((tipo) => webhooks.eventNames[tipo] === undefined),
      [],
    )
  })
})

describe('The webhooks', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('are registered with address, events, filters and headers, and show their secret once', async () => {
    const answers = {
      ...OPENED,
      [CREATE]: { status: 201, body: { ...webhook(), secret: SECRET } },
    }
    await using visited = await visit('/webhooks', { answers })
    const { page, asked } = visited
    await fillNew(page)
    await page.getByLabel('Dengue').check()
    await page.getByLabel('Vermelho').check()
    await page.getByText(/^Estados de residência: todos/).click()
    await page.getByLabel('Pernambuco').check()
    await press(page, 'Incluir cabeçalho')
    await page.getByLabel('Nome').fill('X-Chave')
    await page.getByLabel('Valor').fill('abc')
    await inDialog(page, 'Cadastrar')
    await page.getByText(SECRET).waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await page.getByText(SECRET).count(), 1, 'not closed by accident')
    await inDialog(page, 'Guardei o segredo')
    await page.waitForURL('**/webhooks/wh_a1')
    assert.equal(await page.getByText(SECRET).count(), 0)
    const sent = asked.find(({ name }) => name === CREATE)
    assert.deepEqual(sent?.body, {
      url: 'https://novo.saude.example/vigia',
      eventos: ['agravo.criado'],
      headers: { 'X-Chave': 'abc' },
      filtros: { tipo_agravo: ['dengue'], estado: ['PE'], municipio: [], nivel: ['vermelho'], suspeita: [] },
    })
    assert.match(sent?.headers['idempotency-key'] ?? '', /^[0-9a-f-]{36}$/)
  })

  it('say that a secret is lost when only a repeated request was answered', async () => {
    const answers = { ...OPENED, [CREATE]: [{ cut: true }, { status: 201, body: webhook() }] }
    await using visited = await visit('/webhooks', { answers })
    const { page, asked } = visited
    await create(page)
    await page.getByText(/^O webhook foi cadastrado, mas o segredo já não pode ser mostrado/).waitFor()
    const keys = asked.filter(({ name }) => name === CREATE).map(({ headers }) => headers['idempotency-key'])
    assert.equal(new Set(keys).size, 1)
  })

  it('show a refused address at its field, and keep what was typed', async () => {
    const details = [{ field: 'url', message: 'endereço privado', code: 'FORBIDDEN_TARGET' }]
    const answers = { ...ALL, [CREATE]: refusal(422, 'VALIDATION_ERROR', { details }) }
    await using visited = await visit('/webhooks', { answers })
    const { page } = visited
    await create(page)
    await page.getByText('endereço privado').waitFor()
    const field = page.getByLabel('Endereço')
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    assert.equal(await field.inputValue(), ' https://novo.saude.example/vigia ')
  })

  it('offer no event about records that the person may not read, and say why', async () => {
    await using visited = await visit('/webhooks', { answers: ALL })
    const { page } = visited
    await press(page, 'Novo webhook')
    const event = page.getByLabel(/^Conta criada/)
    await event.waitFor()
    assert.equal(await event.isDisabled(), true)
    await page.getByText(/^Pede a permissão usuarios\.listar/).waitFor()
  })

  it('are not registered by those who may only manage the ones of others', async () => {
    const answers = { ...ALL, 'GET /api/v1/usuarios/me': perfil(['webhooks.gerenciar']) }
    await using visited = await visit('/webhooks', { answers })
    await visited.page.getByText('Desligado pelo Vigia').waitFor()
    assert.equal(await visited.page.getByRole('button', { name: 'Novo webhook' }).count(), 0)
  })

  it('are changed with what the form has; masked values go back as they came', async () => {
    const answers = { ...OPENED, [CHANGE]: { body: webhook({ eventos: ['agravo.criado'] }) } }
    await using visited = await visit('/webhooks/wh_a1', { answers })
    const { page, asked } = visited
    await press(page, 'Editar')
    await page.getByLabel(/^Caso alterado/).uncheck()
    await inDialog(page, 'Salvar')
    await page.getByText('Webhook alterado.').waitFor()
    assert.deepEqual(asked.find(({ name }) => name === CHANGE)?.body, {
      url: 'https://lab.saude.example/vigia',
      eventos: ['agravo.criado'],
      headers: { 'X-Origem': '********' },
      filtros: { tipo_agravo: ['dengue'], estado: ['PE'], municipio: [], nivel: [], suspeita: [] },
    })
  })

  it('show and change the suspicions that narrow them, those that nobody registers any more included', async () => {
    const narrowed = webhook({
      filtros: {
        tipo_agravo: [],
        estado: [],
        municipio: [],
        nivel: [],
        suspeita: ['febre_amarela', 'mormo'],
      },
    })
    const items = [{ campo: 'suspeita', codigo: 'raiva', rotulo: 'Raiva' }]
    const answers = {
      ...OPENED,
      'GET /api/v1/usuarios/me': perfil([...PERMISSOES, 'epizootias.listar']),
      'GET /api/v1/epizootias/valores': { body: { items } },
      [ONE]: { body: narrowed },
      [CHANGE]: { body: narrowed },
    }
    await using visited = await visit('/webhooks/wh_a1', { answers })
    const { page, asked } = visited
    await page.getByText('Febre amarela, mormo').waitFor()
    await press(page, 'Editar')
    const among = page.getByRole('group', { name: 'Suspeitas das epizootias' })
    await among.getByLabel('Raiva').check()
    await among.getByLabel('mormo').click()
    await inDialog(page, 'Salvar')
    await page.getByText('Webhook alterado.').waitFor()
    const sent = asked.find(({ name }) => name === CHANGE)?.body as { filtros: object }
    assert.deepEqual(sent.filtros, { ...narrowed.filtros, suspeita: ['febre_amarela', 'raiva'] })
  })

  it('are paused and resumed', async () => {
    const off = webhook({ ativo: false })
    const answers = {
      ...OPENED,
      [ONE]: [{ body: webhook() }, { body: off }, { body: webhook() }],
      [PAUSE]: { body: off },
      [RESUME]: { body: webhook() },
    }
    await using visited = await visit('/webhooks/wh_a1', { answers })
    const { page } = visited
    await press(page, 'Pausar')
    await page.getByText('Webhook pausado. Os eventos esperam.').waitFor()
    await press(page, 'Retomar')
    await page.getByText('Webhook retomado. O que esperava é entregue agora.').waitFor()
  })

  it('get another secret, shown once, with the time that the former one has', async () => {
    const rotated = { id: 'wh_a1', secret: SECRET, segredo_anterior_ate: '2026-11-15T15:00:00.000Z' }
    const answers = { ...OPENED, [ROTATE]: { body: rotated } }
    await using visited = await visit('/webhooks/wh_a1', { answers })
    const { page } = visited
    await press(page, 'Trocar o segredo')
    await inDialog(page, 'Trocar o segredo')
    await page.getByText(SECRET).waitFor()
    await page.getByText('O segredo anterior ainda vale até 15/11/2026 às 12:00.').waitFor()
    await inDialog(page, 'Guardei o segredo')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('are removed after a word, and lead back to the list', async () => {
    const answers = { ...OPENED, [REMOVE]: { status: 204 } }
    await using visited = await visit('/webhooks/wh_a1', { answers })
    const { page } = visited
    await press(page, 'Excluir')
    await inDialog(page, 'Excluir')
    await page.waitForURL('**/webhooks')
    await page.getByText('Desligado pelo Vigia').waitFor()
  })

  it('resend a delivery', async () => {
    const answers = {
      ...OPENED,
      [ENTREGA]: { body: detailed({ corpo: null, resposta: null }) },
      [RESEND]: { status: 202, body: detailed() },
    }
    await using visited = await visit('/webhooks/wh_a1', { answers })
    const { page, asked } = visited
    await seeDelivery(page)
    await page.getByText('Só quem pode ler o registro vê o que foi enviado.').waitFor()
    await inDialog(page, 'Enviar de novo')
    await page.getByText(/^Na fila/).waitFor()
    await eventually(() => assert.equal(asked.filter(({ name }) => name === ENTREGAS).length, 2))
  })

  it('count a replay before they make it, and count again for another moment', async () => {
    const answers = { ...OPENED, [REPLAY]: [COUNTED, COUNTED, { status: 202, ...COUNTED }] }
    await using visited = await visit('/webhooks/wh_a1', { answers })
    const { page, asked } = visited
    await countReplay(page)
    await page.getByText('4 eventos serão entregues de novo.').waitFor()
    await page.getByLabel(/^Desde/).fill('2026-11-13T00:00')
    await inDialog(page, 'Contar')
    await inDialog(page, 'Entregar de novo')
    await page.getByText('4 eventos na fila.').waitFor()
    const bodies = asked.filter(({ name }) => name === REPLAY).map(({ body }) => body)
    assert.deepEqual(bodies, [
      { desde: '2026-11-14T03:00:00.000Z', simular: true },
      { desde: '2026-11-13T03:00:00.000Z', simular: true },
      { desde: '2026-11-13T03:00:00.000Z', simular: false },
    ])
  })

  it('show deliveries of one state, which is in the address', async () => {
    await using visited = await visit('/webhooks/wh_a1', { answers: OPENED })
    const { page, asked } = visited
    await page.getByRole('link', { name: 'Desistiu' }).click()
    await page.waitForURL('**/webhooks/wh_a1?estado=falhou')
    await eventually(() => {
      const last = asked.filter(({ name }) => name === ENTREGAS).at(-1)
      assert.equal(String(last?.query), 'page=1&size=25&estado=falhou')
    })
    assert.equal(await page.getByRole('link', { name: 'Desistiu' }).getAttribute('aria-current'), 'true')
  })

  it('have their texts in the language of the page', async () => {
    await using visited = await visit('/webhooks', { answers: ALL, locale: 'es-ES' })
    await visited.page.getByText('Apagado por Vigia').waitFor()
  })

  it('are registered by keyboard alone', async () => {
    const answers = {
      'GET /api/v1/usuarios/me': perfil(PERMISSOES),
      ...listed([]),
      ...CATALOGUED,
      [ONE]: { body: webhook() },
      [ENTREGAS]: { body: { ...NONE.body, items: [entrega()], total: 1, pages: 1 } },
      [CREATE]: { status: 201, body: { ...webhook(), secret: SECRET } },
    }
    await using visited = await visit('/webhooks', { answers })
    const { page } = visited
    const button = page.getByRole('button', { name: 'Novo webhook' })
    await button.waitFor()
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByLabel(/^Caso registrado/).waitFor()
    await page.keyboard.type('https://novo.saude.example/')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByText(SECRET).waitFor()
    await page.getByRole('button', { name: 'Guardei o segredo' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/webhooks/wh_a1')
  })
})
