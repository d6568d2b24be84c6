import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Permission } from '../../src/caller/permissions.ts'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'

const LIST = 'GET /api/v1/noticias'
const ONE = 'GET /api/v1/noticias/4'
const CREATE = 'POST /api/v1/noticias'
const CHANGE = 'PUT /api/v1/noticias/4'
const REMOVE = 'DELETE /api/v1/noticias/4'
const WRITING: Permission[] = ['noticias.listar', 'noticias.criar', 'noticias.editar', 'noticias.deletar']
const WRITER: Answers = { 'GET /api/v1/usuarios/me': perfil(WRITING) }
const JUST_READER: Answers = { 'GET /api/v1/usuarios/me': perfil(['noticias.listar']) }

const noticia = (more: object = {}) => ({
  id: 4,
  titulo: 'Casos de dengue caem no Recife',
  resumo: 'Queda de 30 % em relação ao mês anterior.',
  conteudo: 'A Secretaria divulgou o boletim da semana 45.\n\n<b>O texto</b> é simples.',
  fonte: 'Secretaria de Saúde do Recife',
  url: 'https://www.saude.example/noticias/dengue',
  publicado_em: '2026-11-13T12:00:00.000Z',
  criado_em: '2026-11-13T12:00:00.000Z',
  atualizado_em: '2026-11-13T14:00:00.000Z',
  ...more,
})
const listed = (items: object[]): Answers => ({
  [LIST]: { body: { items, total: items.length, page: 1, size: 12, pages: 1, links: {} } },
})
const NOTICIAS = [
  noticia({ id: 5, titulo: 'Curso de vigilância em dezembro', publicado_em: '2026-12-01T12:00:00.000Z' }),
  noticia(),
  noticia({ id: 3, titulo: 'Nova ficha de notificação', resumo: null, fonte: null, url: null }),
]
const ALL = { ...WRITER, ...listed(NOTICIAS), [ONE]: { body: noticia() } }
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const never = new Promise<void>(() => undefined)

const VIEWS: View[] = [
  { name: 'noticias', picture: true, path: '/noticias', answers: ALL, seen: 'Nova ficha de notificação' },
  {
    name: 'noticias-escrever',
    picture: true,
    path: '/noticias',
    answers: ALL,
    async act(page) {
      await press(page, 'Publicar notícia')
      await inDialog(page, 'Publicar')
    },
    seen: 'Preencha este campo.',
  },
  { name: 'noticia', picture: true, path: '/noticias/4', answers: ALL, seen: 'Ler o original' },
  {
    name: 'noticia-previa',
    path: '/noticias/4',
    answers: ALL,
    async act(page) {
      await press(page, 'Editar')
      await inDialog(page, 'Ver como fica')
    },
    seen: 'Continuar a escrever',
  },
  {
    name: 'noticia-excluir',
    path: '/noticias/4',
    answers: ALL,
    act: (page) => press(page, 'Excluir'),
    seen: 'Excluir esta notícia?',
  },
  {
    name: 'noticias-vazio',
    path: '/noticias',
    answers: { ...WRITER, ...listed([]) },
    seen: /^Nenhuma notícia ainda\. Publique/,
  },
  {
    name: 'noticias-carregando',
    path: '/noticias',
    answers: { ...WRITER, [LIST]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'noticia-ausente',
    path: '/noticias/4',
    answers: { ...WRITER, [ONE]: refusal(404, 'NOT_FOUND') },
    seen: 'pedido-0001',
  },
  { name: 'noticias-sem-acesso', path: '/noticias', answers: READER, seen: 'noticias.listar' },
]

describe('The news', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('are asked for from the newest on, and open where they are read', async () => {
    await using visited = await visit('/noticias?pagina=2', { answers: ALL })
    const { page, asked } = visited
    await page.getByRole('link', { name: 'Casos de dengue caem no Recife' }).click()
    await page.waitForURL('**/noticias/4')
    await page.getByText('Alterada em 13/11/2026 às 11:00').waitFor()
    const query = String(asked.find(({ name }) => name === LIST)?.query)
    assert.equal(query, 'page=2&size=12&sort=publicado_em&order=desc')
  })

  it('show their text as it was typed, and their source in a window that knows nothing of ours', async () => {
    await using visited = await visit('/noticias/4', { answers: ALL })
    const { page } = visited
    await page.getByText('<b>O texto</b> é simples.').waitFor()
    const link = page.getByRole('link', { name: 'Ler o original' })
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
    assert.equal(await link.getAttribute('target'), '_blank')
  })

  it('are written, looked at, and published at a moment', async () => {
    const answers = { ...ALL, [CREATE]: { status: 201, body: noticia() } }
    await using visited = await visit('/noticias', { answers })
    const { page, asked } = visited
    await press(page, 'Publicar notícia')
    await page.getByLabel('Título').fill(' Mutirão ')
    await page.getByLabel('Texto', { exact: true }).fill('Sábado.\n\nEm todos os bairros.')
    await page.getByLabel(/^Publicar em/).fill('2026-11-21T08:00')
    await inDialog(page, 'Ver como fica')
    await page.getByRole('dialog').getByText('Em todos os bairros.').waitFor()
    await inDialog(page, 'Publicar')
    await page.waitForURL('**/noticias/4')
    assert.deepEqual(asked.find(({ name }) => name === CREATE)?.body, {
      titulo: 'Mutirão',
      resumo: null,
      conteudo: 'Sábado.\n\nEm todos os bairros.',
      fonte: null,
      url: null,
      publicado_em: '2026-11-21T11:00:00.000Z',
    })
  })

  it('keep what was typed when a field is refused', async () => {
    const details = [{ field: 'url', message: 'endereço inválido', code: 'INVALID_FORMAT' }]
    const answers = { ...ALL, [CHANGE]: refusal(422, 'VALIDATION_ERROR', { details }) }
    await using visited = await visit('/noticias/4', { answers })
    const { page } = visited
    await press(page, 'Editar')
    assert.equal(await page.getByLabel(/^Publicar em/).inputValue(), '2026-11-13T09:00')
    await page.getByLabel(/^Endereço do original/).fill('ftp://x')
    await inDialog(page, 'Salvar')
    await page.getByText('endereço inválido').waitFor()
    assert.equal(await page.getByLabel(/^Endereço do original/).inputValue(), 'ftp://x')
  })

  it('are deleted after a word', async () => {
    await using visited = await visit('/noticias/4', { answers: { ...ALL, [REMOVE]: { status: 204 } } })
    const { page } = visited
    await press(page, 'Excluir')
    await inDialog(page, 'Excluir')
    await page.waitForURL('**/noticias')
  })

  it('are only read by those who may not write them', async () => {
    await using visited = await visit('/noticias/4', { answers: { ...ALL, ...JUST_READER } })
    const { page } = visited
    await page.getByText('Ler o original').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Editar' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Excluir' }).count(), 0)
  })
})
