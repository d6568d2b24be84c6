import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Permission } from '../../src/caller/permissions.ts'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'

const LIST = 'GET /api/v1/agravos/boletins'
const ONE = 'GET /api/v1/agravos/boletins/7'
const ASK = 'POST /api/v1/agravos/boletins'
const JOB = 'GET /api/v1/jobs/job_boletim'
const PERMISSOES: Permission[] = [
  'dashboard.visualizar',
  'agravos.estatisticas',
  'relatorios.gerar',
  'relatorios.exportar',
]
const AUTHOR: Answers = { 'GET /api/v1/usuarios/me': perfil(PERMISSOES) }

const boletim = (more: object = {}) => ({
  id: 7,
  tipo_agravo: 'dengue',
  lugar: { nivel: 'estado', codigo: 'PE', nome: 'Pernambuco', estado: 'PE' },
  semana: '202645',
  publico: true,
  titulo: 'Dengue em Pernambuco',
  hash: '3f1c9a0b7d2e4856'.repeat(4),
  versao: '0.1.0',
  agenda_id: null,
  criado_em: '2026-11-16T11:00:00.000Z',
  criado_por: { id: 1, nome: 'Ana Souza' },
  ...more,
})
const BOLETINS = [
  boletim(),
  boletim({
    id: 6,
    tipo_agravo: 'todos',
    lugar: { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' },
    publico: false,
    titulo: null,
    agenda_id: 2,
  }),
]
const listed = (items: object[]): Answers => ({
  [LIST]: { body: { items, total: items.length, page: 1, size: 25, pages: 1, links: {} } },
})
const ALL = { ...AUTHOR, ...listed(BOLETINS) }
const job = (more: object) => ({
  body: {
    job_id: 'job_boletim',
    tipo: 'boletim',
    status: 'processing',
    message: 'Fazendo o boletim',
    progress: 0,
    ...more,
  },
})
const open = (page: Page) => page.getByRole('button', { name: 'Novo boletim' }).click()
const ask = async (page: Page) => {
  await open(page)
  await page.getByRole('button', { name: 'Fazer o boletim' }).click()
}
const never = new Promise<void>(() => undefined)

const VIEWS: View[] = [
  { name: 'boletins', picture: true, path: '/boletins', answers: ALL, seen: 'Dengue em Pernambuco' },
  {
    name: 'boletins-novo',
    picture: true,
    path: '/boletins',
    answers: ALL,
    act: open,
    seen: /^Com os números da última semana/,
  },
  {
    name: 'boletins-fazendo',
    path: '/boletins',
    answers: { ...ALL, [ASK]: { body: { job_id: 'job_boletim' } }, [JOB]: job({}) },
    act: ask,
    seen: 'Fazendo o boletim',
  },
  {
    name: 'boletim',
    picture: true,
    path: '/boletins/7',
    answers: { ...AUTHOR, [ONE]: { body: { ...boletim(), cabecalho: {}, dados: {} } } },
    seen: 'Dengue, Pernambuco, SE 45/2026',
  },
  {
    name: 'boletim-carregando',
    path: '/boletins/7',
    answers: { ...AUTHOR, [ONE]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'boletins-erro',
    path: '/boletins',
    answers: { ...AUTHOR, [LIST]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'boletins-vazio',
    path: '/boletins',
    answers: { ...AUTHOR, ...listed([]) },
    seen: 'Nenhum boletim ainda.',
  },
  {
    name: 'boletins-carregando',
    path: '/boletins',
    answers: { ...AUTHOR, [LIST]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'boletim-ausente',
    path: '/boletins/7',
    answers: { ...AUTHOR, [ONE]: refusal(404, 'NOT_FOUND') },
    seen: 'pedido-0001',
  },
  { name: 'boletins-sem-acesso', path: '/boletins', answers: READER, seen: 'relatorios.gerar' },
]

describe('The bulletins', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('are gone through and opened by keys', async () => {
    await using visited = await visit('/boletins', { answers: ALL })
    const { page, origin } = visited
    await page.getByText('Dengue em Pernambuco').first().waitFor()
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key)
    await page.waitForURL(`${origin}/boletins/6`)
  })

  it('lead to their page, in a window of its own, and to their PDF', async () => {
    await using visited = await visit('/boletins', { answers: ALL })
    const link = (name: string) => visited.page.getByRole('link', { name })
    const page = link('Página do boletim de Dengue, Pernambuco, SE 45/2026')
    await page.waitFor()
    assert.equal(await page.getAttribute('href'), '/api/v1/agravos/boletins/7/arquivo?formato=html')
    assert.equal(await page.getAttribute('target'), '_blank')
    const pdf = link('PDF do boletim de Todos os agravos, Recife (PE), SE 45/2026')
    assert.equal(await pdf.getAttribute('href'), '/api/v1/agravos/boletins/6/arquivo?formato=pdf')
  })

  it('are shown without their documents to accounts that may not export them', async () => {
    const answers = { ...ALL, 'GET /api/v1/usuarios/me': perfil(PERMISSOES.slice(0, 3)) }
    await using visited = await visit('/boletins', { answers })
    await visited.page.getByText('Dengue em Pernambuco').waitFor()
    assert.equal(await visited.page.getByRole('link', { name: 'PDF' }).count(), 0)
  })

  it('are asked for with disease, state, title and whether to publish, and lead to what was made', async () => {
    const made = job({ status: 'completed', message: 'Boletim concluído', result: { boletim_id: 7 } })
    const answers = { ...ALL, [ASK]: { body: { job_id: 'job_boletim' } }, [JOB]: made }
    await using visited = await visit('/boletins', { answers })
    const { page, asked } = visited
    await open(page)
    await page.getByLabel('Agravo', { exact: true }).selectOption('chikungunya')
    await page.getByLabel('Estado', { exact: true }).selectOption('CE')
    await page.getByLabel('Título (opcional)').fill(' Semana 45 ')
    await page.getByLabel('Para publicar').check()
    await page.getByRole('button', { name: 'Fazer o boletim' }).click()
    assert.equal(await page.getByRole('link', { name: 'Abrir' }).getAttribute('href'), '/boletins/7')
    const lists = () => asked.filter(({ name }) => name === LIST).length
    await eventually(() => assert.equal(lists(), 2))
    await page.getByRole('button', { name: 'Fechar' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(lists(), 2, 'the list is asked for once more, not for ever')
    await eventually(() => {
      const sent = asked.find(({ name }) => name === ASK)
      assert.deepEqual(sent?.body, {
        tipo_agravo: 'chikungunya',
        estado: 'CE',
        publico: true,
        texto: { titulo: 'Semana 45' },
      })
    })
  })

  it('are offered for diseases that have one, by their definitions', async () => {
    const tipos = ['dengue', 'malaria', 'raiva', 'sarampo'].map((codigo) => ({
      ...{ codigo, nome: codigo, cid10_codes: [], descricao: '', notificacao_obrigatoria: true },
    }))
    const defined = (epidemiologia: object) => ({ body: { definicao: { epidemiologia } } })
    const TIPO = 'GET /api/v1/agravos/tipos'
    const answers = {
      ...ALL,
      [TIPO]: { body: { total: 4, tipos } },
      [`${TIPO}/malaria`]: defined({ curva: true, alertas: true, intervalo_geracao: { media: 20 } }),
      [`${TIPO}/raiva`]: defined({ curva: true, alertas: true, intervalo_geracao: null }),
      [`${TIPO}/sarampo`]: defined({ curva: true, alertas: false, intervalo_geracao: { media: 12 } }),
    }
    await using visited = await visit('/boletins', { answers })
    await open(visited.page)
    const options = visited.page.getByLabel('Agravo', { exact: true }).locator('option')
    await eventually(async () =>
      assert.deepEqual(
        await options.evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value)),
        ['dengue', 'malaria', 'todos'],
      ),
    )
  })

  it('are one link away from the alerts', async () => {
    const answers = {
      ...ALL,
      'GET /api/v1/agravos/alertas': {
        body: { items: [], total: 0, page: 1, size: 25, pages: 0, links: {} },
      },
    }
    await using visited = await visit('/alertas', { answers })
    const link = visited.page.locator('main').getByRole('link', { name: 'Boletins' })
    await link.waitFor()
    assert.equal(await link.getAttribute('href'), '/boletins')
  })

  it('are deleted after a word by their author, and by nobody else but administrators', async () => {
    const whole = (autor: number) => ({
      body: { ...boletim({ criado_por: { id: autor, nome: 'Ana Souza Lima' } }), cabecalho: {}, dados: {} },
    })
    const remove = 'DELETE /api/v1/agravos/boletins/7'
    const answers = { ...AUTHOR, ...listed([]), [ONE]: whole(7), [remove]: { status: 204 } }
    await using visited = await visit('/boletins/7', { answers })
    const { page, asked, origin } = visited
    await page.getByRole('button', { name: 'Excluir' }).click()
    await page.getByText(/deixam de existir/).waitFor()
    assert.ok(!asked.some(({ name }) => name === remove))
    await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
    await page.waitForURL(`${origin}/boletins`)
    assert.equal(asked.filter(({ name }) => name === remove).length, 1)
    await using other = await visit('/boletins/7', { answers: { ...AUTHOR, [ONE]: whole(9) } })
    await other.page
      .getByText(/SE 45\/2026/)
      .first()
      .waitFor()
    assert.equal(await other.page.getByRole('button', { name: 'Excluir' }).count(), 0)
  })
})
