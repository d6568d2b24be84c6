import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'

const LIST = 'GET /api/v1/visoes'
const SAVE = 'POST /api/v1/visoes'
const REMOVE = 'DELETE /api/v1/visoes/5'

const visao = (id: number, nome: string, more: object = {}) => ({
  id,
  nome,
  tela: 'casos',
  consulta: 'agravo=dengue&evolucao=obito',
  grupo: null,
  usuario: { id: 7, nome: 'Ana Souza Lima' },
  propria: true,
  criado_em: '2026-11-14T12:00:00.000Z',
  ...more,
})
const GRUPO = { id: 3, nome: 'analista' }
const VISOES = [
  visao(5, 'Óbitos por dengue', { grupo: GRUPO }),
  visao(6, 'Tudo', { consulta: '' }),
  visao(8, 'Zika no Ceará', {
    grupo: GRUPO,
    propria: false,
    consulta: 'agravo=zika&uf=CE&colunas=numero,uf',
    usuario: { id: 9, nome: 'Carlos Teixeira' },
  }),
]
const listed = (visoes: object[]) => ({ body: { total: visoes.length, maximo: 50, visoes } })
const me = perfil(['agravos.listar'])
const CASOS: Answers = {
  'GET /api/v1/usuarios/me': { body: { ...me.body, grupos: [{ ...GRUPO, descricao: null }] } },
  'GET /api/v1/agravos/casos': { body: { items: [], total: 0, page: 1, size: 50, pages: 0, links: {} } },
}
const ALL: Answers = { ...CASOS, [LIST]: listed(VISOES) }
const open = (page: Page) => page.getByRole('button', { name: 'Visões salvas' }).click()
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Visões salvas' })

const VIEWS: View[] = [
  {
    name: 'visoes',
    picture: true,
    path: '/casos?agravo=dengue&evolucao=obito',
    answers: ALL,
    act: open,
    seen: 'Zika no Ceará',
  },
  {
    name: 'visoes-vazio',
    path: '/casos',
    answers: { ...CASOS, [LIST]: listed([]) },
    async act(page) {
      await open(page)
      await panelOf(page).getByRole('button', { name: 'Salvar visão' }).click()
    },
    seen: 'Dê um nome à visão.',
  },
  {
    name: 'visoes-erro',
    path: '/casos',
    answers: { ...CASOS, [LIST]: refusal(422, 'VALIDATION_ERROR') },
    act: open,
    seen: 'pedido-0001',
  },
]

describe('Saved views', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('are addresses of the list, the present one marked; only own ones can be deleted', async () => {
    await using visited = await visit('/casos?agravo=dengue&evolucao=obito&pagina=2', { answers: ALL })
    const { page } = visited
    await open(page)
    const panel = panelOf(page)
    const link = (name: RegExp) => panel.getByRole('link', { name })
    assert.equal(await link(/^Óbitos por dengue/).getAttribute('aria-current'), 'true')
    assert.equal(await link(/^Tudo/).getAttribute('href'), '/casos')
    assert.equal(await panel.getByRole('button', { name: /^Excluir a visão/ }).count(), 2)
    await link(/^Zika no Ceará/).click()
    await page.waitForURL('**/casos?agravo=zika&uf=CE&colunas=numero,uf')
    await panel.waitFor({ state: 'hidden' })
  })

  it('keep the present list under a name, shared with a group, without its page', async () => {
    await using visited = await visit('/casos?agravo=zika&colunas=numero,uf&pagina=3', {
      answers: { ...ALL, [SAVE]: { status: 201, body: VISOES[0] } },
    })
    const { page, asked } = visited
    await open(page)
    await page.getByLabel('Nome').fill(' Zika ')
    await page.getByLabel('Compartilhar com').selectOption('analista')
    await page.getByRole('button', { name: 'Salvar visão' }).click()
    await page.getByText('Visão “Zika” salva.').waitFor()
    assert.deepEqual(asked.find(({ name }) => name === SAVE)?.body, {
      nome: 'Zika',
      tela: 'casos',
      consulta: 'agravo=zika&colunas=numero,uf',
      grupo_id: 3,
    })
    assert.equal(asked.filter(({ name }) => name === LIST).length, 2)
  })

  it('show a name that is taken at its field', async () => {
    const details = [{ field: 'nome', message: 'já existe', code: 'DUPLICATE' }]
    const answers = { ...ALL, [SAVE]: refusal(422, 'VALIDATION_ERROR', { details }) }
    await using visited = await visit('/casos', { answers })
    const { page } = visited
    await open(page)
    await page.getByLabel('Nome').fill('Tudo')
    await page.getByRole('button', { name: 'Salvar visão' }).click()
    await page.getByText('já existe').waitFor()
    assert.equal(await page.getByLabel('Nome').inputValue(), 'Tudo')
  })

  it('are deleted', async () => {
    await using visited = await visit('/casos', { answers: { ...ALL, [REMOVE]: { status: 204 } } })
    const { page } = visited
    await open(page)
    await page.getByRole('button', { name: 'Excluir a visão Óbitos por dengue' }).click()
    await page.getByText('Visão “Óbitos por dengue” excluída.').waitFor()
  })

  it('are of the painel, too, apart from those of the list', async () => {
    const me = perfil(['dashboard.visualizar', 'agravos.estatisticas'])
    const answers = {
      'GET /api/v1/usuarios/me': me,
      'GET /api/v1/agravos/casos/painel': refusal(500, 'INTERNAL_ERROR'),
      [LIST]: listed([...VISOES, visao(9, 'Recife', { tela: 'painel', consulta: 'municipio=2611606' })]),
      [SAVE]: { status: 201, body: VISOES[0] },
    }
    await using visited = await visit('/painel?agravo=zika&uf=CE', { answers })
    const { page, asked } = visited
    await open(page)
    const panel = panelOf(page)
    const links = panel.getByRole('link')
    await links.first().waitFor()
    assert.deepEqual(
      [await links.count(), await links.first().getAttribute('href')],
      [1, '/painel?municipio=2611606'],
    )
    await page.getByLabel('Nome').fill('Zika no Ceará')
    await page.getByRole('button', { name: 'Salvar visão' }).click()
    await page.getByText('Visão “Zika no Ceará” salva.').waitFor()
    assert.deepEqual(asked.find(({ name }) => name === SAVE)?.body, {
      nome: 'Zika no Ceará',
      tela: 'painel',
      consulta: 'agravo=zika&uf=CE',
    })
  })
})
