import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'

const LIST = 'GET /api/v1/agravos/agendas'
const CREATE = 'POST /api/v1/agravos/agendas'
const CHANGE = 'PUT /api/v1/agravos/agendas/2'
const REMOVE = 'DELETE /api/v1/agravos/agendas/2'
const GRUPO = { id: 3, nome: 'analista' }
const me = perfil(['relatorios.gerar'])
const TEXTO = { titulo: null, destaques: [], nota: null }

const agenda = (id: number, nome: string, more: object = {}) => ({
  id,
  nome,
  dia_semana: 'terca',
  hora: '08:00',
  pedidos: [
    { tipo_agravo: 'dengue', estado: 'PE', publico: true, texto: { ...TEXTO, titulo: 'Semanal' } },
    { tipo_agravo: 'todos', publico: false, texto: TEXTO },
  ],
  grupos: [GRUPO],
  ativo: true,
  usuario: { id: 7, nome: 'Ana Souza Lima' },
  proxima_em: '2026-11-17T11:00:00.000Z',
  ultima_em: null,
  ultimo_job: null,
  criado_em: '2026-11-01T11:00:00.000Z',
  atualizado_em: '2026-11-01T11:00:00.000Z',
  ...more,
})
const AGENDAS = [
  agenda(2, 'Semanal do estado'),
  agenda(4, 'Zika', {
    ativo: false,
    proxima_em: null,
    grupos: [],
    pedidos: [{ tipo_agravo: 'zika', publico: false, texto: TEXTO }],
  }),
]
const listed = (items: object[]): Answers => ({
  'GET /api/v1/usuarios/me': { body: { ...me.body, grupos: [{ ...GRUPO, descricao: null }] } },
  [LIST]: { body: { items, total: items.length, page: 1, size: 25, pages: 1, links: {} } },
})
const ALL: Answers = {
  ...listed(AGENDAS),
  'GET /api/v1/agravos/agendas/2': { body: AGENDAS[0], headers: { etag: '"a2"' } },
  'GET /api/v1/agravos/agendas/4': { body: AGENDAS[1], headers: { etag: '"a4"' } },
}
const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click()

const VIEWS: View[] = [
  { name: 'agendas', picture: true, path: '/boletins/agendas', answers: ALL, seen: 'Semanal do estado' },
  { name: 'agendas-vazio', path: '/boletins/agendas', answers: listed([]), seen: /^Nenhuma agenda ainda/ },
  {
    name: 'agendas-nova',
    picture: true,
    path: '/boletins/agendas',
    answers: ALL,
    act: press('Nova agenda'),
    seen: 'Incluir este boletim',
  },
  {
    name: 'agendas-excluir',
    path: '/boletins/agendas',
    answers: ALL,
    act: press('Excluir a agenda Zika'),
    seen: 'Os boletins que ela fez continuam.',
  },
  {
    name: 'agendas-erro',
    path: '/boletins/agendas',
    answers: { ...ALL, [LIST]: refusal(500, 'INTERNAL_ERROR') },
    seen: 'pedido-0001',
  },
  { name: 'agendas-sem-acesso', path: '/boletins/agendas', answers: READER, seen: /relatorios\.gerar/ },
]

describe('Schedules of bulletins', { skip: noBrowser }, () => {
  const visit = consoleVisits()
  inspectViews(VIEWS, visit)

  it('are gone through and edited by keys', async () => {
    for (const key of ['e', 'Enter']) {
      await using visited = await visit('/boletins/agendas', { answers: ALL })
      const { page } = visited
      await page.getByText('Semanal do estado').waitFor()
      for (const one of ['j', 'j', key]) await page.keyboard.press(one)
      const name = page.getByRole('dialog').getByLabel('Agenda', { exact: true })
      assert.equal(await name.inputValue(), 'Zika')
    }
  })

  it('are made with a name, a time and at least one bulletin', async () => {
    const answers = { ...listed([]), [CREATE]: { status: 201, body: AGENDAS[0] } }
    await using visited = await visit('/boletins/agendas', { answers })
    const { page, asked } = visited
    await press('Nova agenda')(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Salvar agenda' }).click()
    await dialog.getByText('Inclua ao menos um boletim.').waitFor()
    await dialog.getByText('Preencha este campo.').waitFor()
    assert.ok(!asked.some(({ name }) => name === CREATE))
    await dialog.getByLabel('Agenda', { exact: true }).fill(' Semanal ')
    await dialog.getByLabel('Dia da semana').selectOption('Quinta-feira')
    await dialog.getByLabel('Hora (de Brasília)').fill('09:30')
    await dialog.getByLabel('Estado').selectOption('Pernambuco')
    const add = dialog.getByRole('button', { name: 'Incluir este boletim' })
    await add.click()
    await add.click()
    await dialog.getByLabel('analista').check()
    await dialog.getByRole('button', { name: 'Salvar agenda' }).click()
    await page.getByText('Agenda salva.').waitFor()
    assert.deepEqual(asked.find(({ name }) => name === CREATE)?.body, {
      nome: 'Semanal',
      dia_semana: 'quinta',
      hora: '09:30',
      pedidos: [{ tipo_agravo: 'dengue', estado: 'PE', publico: false, texto: { destaques: [] } }],
      grupos: [3],
    })
  })

  it('are changed without losing what the form does not show', async () => {
    const answers = { ...ALL, [CHANGE]: { body: AGENDAS[0] } }
    await using visited = await visit('/boletins/agendas', { answers })
    const { page, asked } = visited
    await press('Alterar a agenda Semanal do estado')(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Retirar Todos os agravos/ }).click()
    await dialog.getByRole('button', { name: 'Salvar agenda' }).click()
    await page.getByText('Agenda salva.').waitFor()
    assert.deepEqual(asked.find(({ name }) => name === CHANGE)?.body, {
      pedidos: [
        { tipo_agravo: 'dengue', estado: 'PE', publico: true, texto: { titulo: 'Semanal', destaques: [] } },
      ],
    })
  })

  it('are paused and removed, and tell what the service refuses', async () => {
    const answers = {
      ...ALL,
      [CHANGE]: [refusal(404, 'NOT_FOUND'), { body: AGENDAS[0] }],
      [REMOVE]: { status: 204 },
    }
    await using visited = await visit('/boletins/agendas', { answers })
    const { page, asked } = visited
    await press('Pausar a agenda Semanal do estado')(page)
    await page.getByText('mensagem NOT_FOUND').waitFor()
    await press('Pausar a agenda Semanal do estado')(page)
    await page.getByText(/^Agenda pausada/).waitFor()
    assert.deepEqual(asked.findLast(({ name }) => name === CHANGE)?.body, { ativo: false })
    await press('Excluir a agenda Semanal do estado')(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
    await page.getByText('Agenda excluída.').waitFor()
    assert.ok(asked.some(({ name }) => name === REMOVE))
  })
})
