import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import { consoleVisits, perfil, READER, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import {
  ALL_GROUPS,
  GRUPO,
  GRUPOS,
  grupo,
  gruposListed,
  LIST,
  listed,
  MANAGER,
  members,
  ONE_GROUP,
  TODOS_OS_GRUPOS,
  usuario,
} from './usuarios-answers.ts'

const never = new Promise<void>(() => undefined)
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()
const cell = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })

async function change(page: Page): Promise<void> {
  await cell(page, 'Listar e ver usuários, para usuario').check()
  await cell(page, 'Listar e ver casos, para gestor').uncheck()
}

const VIEWS: View[] = [
  { name: 'grupos', picture: true, path: '/grupos', answers: ALL_GROUPS, seen: 'Permissões por grupo' },
  {
    name: 'grupos-mudanca',
    picture: true,
    path: '/grupos',
    answers: ALL_GROUPS,
    act: change,
    seen: '2 diferenças não salvas',
  },
  {
    name: 'grupos-diferencas',
    picture: true,
    path: '/grupos',
    answers: ALL_GROUPS,
    act: async (page) => {
      await change(page)
      await press('Conferir e salvar')(page)
    },
    seen: 'ganha: Listar e ver usuários',
  },
  {
    name: 'grupos-sair',
    picture: true,
    path: '/grupos',
    answers: ALL_GROUPS,
    act: async (page) => {
      await change(page)
      await page.getByRole('link', { name: 'gestor' }).first().click()
    },
    seen: 'Sair sem salvar?',
  },
  {
    name: 'grupos-carregando',
    path: '/grupos',
    answers: { ...MANAGER, [GRUPOS]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'grupos-erro',
    path: '/grupos',
    answers: { ...ALL_GROUPS, [GRUPOS]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'grupos-vazio',
    path: '/grupos',
    answers: { ...ALL_GROUPS, ...gruposListed([]) },
    seen: 'Nenhum grupo ainda.',
  },
  { name: 'grupos-sem-acesso', path: '/grupos', answers: READER, seen: 'grupos.listar' },
  { name: 'grupo', picture: true, path: '/grupos/4', answers: ONE_GROUP, seen: 'Beatriz Nascimento' },
  {
    name: 'grupo-editar',
    path: '/grupos/4',
    answers: ONE_GROUP,
    act: press('Editar grupo'),
    seen: 'Exigir segundo fator',
  },
  {
    name: 'grupo-conflito',
    picture: true,
    path: '/grupos/4',
    answers: {
      ...ONE_GROUP,
      [GRUPO]: [
        { body: grupo(), headers: { etag: '"1"' } },
        {
          body: grupo({ descricao: 'Acesso de quem só consulta', exige_mfa: true }),
          headers: { etag: '"2"' },
        },
      ],
      'PUT /api/v1/grupos/4': refusal(409, 'CONFLICT'),
    },
    act: async (page) => {
      await press('Editar grupo')(page)
      await page.getByLabel('Descrição').fill('Acesso básico de leitura')
      await press('Salvar')(page)
    },
    seen: 'Acesso de quem só consulta',
  },
  {
    name: 'grupo-excluir',
    path: '/grupos/4',
    answers: ONE_GROUP,
    act: press('Excluir'),
    seen: '12 membros perdem o que o grupo dá.',
  },
  {
    name: 'grupo-sem-membros',
    path: '/grupos/4',
    answers: { ...ONE_GROUP, ...members([]) },
    seen: 'Ninguém está neste grupo, ou ninguém ao seu alcance.',
  },
  {
    name: 'grupo-ausente',
    path: '/grupos/4',
    answers: { ...ONE_GROUP, [GRUPO]: refusal(404, 'NOT_FOUND') },
    seen: 'pedido-0001',
  },
]

describe('The groups', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('are all there, page after page, where there are more than are answered at once', async () => {
    const of = (page: number, nome: string) => ({
      body: {
        total: 101,
        page,
        size: 100,
        pages: 2,
        grupos: [grupo({ id: 100 + page, nome })],
        links: {},
        meta: {},
      },
    })
    const answers = { ...ALL_GROUPS, [GRUPOS]: [of(1, 'primeiro'), of(2, 'ultimo')] }
    await using visited = await visit('/grupos', { answers })
    const { page, asked } = visited
    for (const name of ['ultimo', 'primeiro']) await page.getByRole('link', { name }).first().waitFor()
    assert.deepEqual(
      asked.filter(({ name }) => name === GRUPOS).map(({ query }) => query.get('page')),
      [null, '2'],
    )
  })

  it('collect changes, show them as a difference, and save each group with it on top of what it has now', async () => {
    const now = grupo({ permissoes: [...grupo().permissoes, { id: 20, nome: 'x.y', descricao: 'Nova' }] })
    await using visited = await visit('/grupos', {
      answers: {
        ...ALL_GROUPS,
        'GET /api/v1/grupos/4': { body: now },
        'GET /api/v1/grupos/2': { body: TODOS_OS_GRUPOS[1] },
        'PUT /api/v1/grupos/4/permissoes': { body: now },
        'PUT /api/v1/grupos/2/permissoes': { body: TODOS_OS_GRUPOS[1] },
      },
    })
    const { page, asked } = visited
    await change(page)
    await press('Conferir e salvar')(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('usuario (12 membros)').waitFor()
    await dialog.getByText('perde: Listar e ver casos').waitFor()
    assert.ok(!asked.some(({ name }) => name.startsWith('PUT')), 'nothing is sent before')
    await press('Salvar')(page)
    await page.getByText('Nova (incluído)').waitFor()
    assert.ok(!asked.some(({ name }) => name.startsWith('PUT')), 'nothing is sent over what was not shown')
    await press('Salvar com estas escolhas')(page)
    await page.getByText('Alterações salvas.').waitFor()
    const sent = asked.filter(({ name }) => name.startsWith('PUT')).map(({ name, body }) => [name, body])
    assert.deepEqual(Object.fromEntries(sent), {
      'PUT /api/v1/grupos/4/permissoes': { permissoes_ids: [12, 20, 1] },
      'PUT /api/v1/grupos/2/permissoes': { permissoes_ids: [1] },
    })
    assert.equal(await page.getByText(/diferenças? não salvas?/).count(), 0)
  })

  it('keep what a refusal left unsaved, and say whose it is', async () => {
    await using visited = await visit('/grupos', {
      answers: {
        ...ALL_GROUPS,
        'GET /api/v1/grupos/4': { body: grupo() },
        'GET /api/v1/grupos/2': { body: TODOS_OS_GRUPOS[1] },
        'PUT /api/v1/grupos/4/permissoes': { body: grupo() },
        'PUT /api/v1/grupos/2/permissoes': refusal(403, 'PERMISSION_DENIED'),
      },
    })
    const { page } = visited
    await change(page)
    await press('Conferir e salvar')(page)
    await press('Salvar')(page)
    await page.getByText('gestor: mensagem PERMISSION_DENIED').waitFor()
    await press('Cancelar')(page)
    await page.getByText('1 diferença não salva', { exact: true }).waitFor()
    await press('Desfazer tudo')(page)
    assert.equal(await cell(page, 'Listar e ver casos, para gestor').isChecked(), true)
  })

  it('take a change back where the tick is put back', async () => {
    await using visited = await visit('/grupos', { answers: ALL_GROUPS })
    const { page } = visited
    await cell(page, 'Listar e ver usuários, para usuario').check()
    await page.getByText('1 diferença não salva', { exact: true }).waitFor()
    await cell(page, 'Listar e ver usuários, para usuario').uncheck()
    await page.getByText('1 diferença não salva', { exact: true }).waitFor({ state: 'detached' })
  })

  it('ask before ticks that are not saved are lost, whatever leads away', async () => {
    await using visited = await visit('/ajuda', { answers: { ...ONE_GROUP, ...members([]) } })
    const { page } = visited
    const at = () => new URL(page.url()).pathname
    const question = page.getByRole('dialog', { name: 'Sair sem salvar?' })
    const tick = cell(page, 'Listar e ver usuários, para usuario')
    const closing = `(() => { const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented })()`
    await page.getByRole('link', { name: 'Grupos' }).first().click()
    assert.equal(await page.evaluate(closing), false, 'nothing would be lost yet')
    await tick.check()
    assert.equal(await page.evaluate(closing), true, 'the browser asks before the tab is closed')
    const ways: [string, () => Promise<unknown>][] = [
      ['/grupos/4', () => page.getByRole('link', { name: 'usuario' }).first().click()],
      [
        '/usuarios',
        () =>
          page
            .locator('h1')
            .press('g')
            .then(() => page.keyboard.press('u')),
      ],
      ['/ajuda', () => page.goBack()],
    ]
    for (const [path, go] of ways) {
      await go()
      await question.getByText('1 diferença ainda não salva se perde.').waitFor()
      assert.equal(at(), path)
      await question.getByRole('button', { name: 'Continuar aqui' }).click()
      await question.waitFor({ state: 'detached' })
      await page.waitForURL('**/grupos')
      assert.ok(await tick.isChecked(), path)
    }
    await page.goBack()
    await question.waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/grupos')
    await page.goBack()
    await question.getByRole('button', { name: 'Sair e descartar' }).click()
    await page.getByRole('heading', { name: 'Ajuda', level: 1 }).waitFor()
    assert.equal(at(), '/ajuda')
    assert.equal(await page.evaluate(closing), false, 'what is discarded is nothing to lose')
    await page.getByRole('link', { name: 'Grupos' }).first().click()
    await cell(page, 'Listar e ver usuários, para gestor').waitFor()
    assert.equal(await tick.isChecked(), false)
    await page.getByRole('link', { name: 'usuario' }).first().click()
    await page.getByText('Ninguém está neste grupo, ou ninguém ao seu alcance.').waitFor()
    assert.equal(await question.count(), 0, 'a screen without ticks is left without a question')
  })

  it('do not let one give what one does not hold, and say so', async () => {
    await using visited = await visit('/grupos', { answers: ALL_GROUPS })
    const { page } = visited
    for (const [name, why] of [
      ['Editar casos, para usuario', /^Você não tem esta permissão/],
      ['Listar e ver casos, para admin', /^Este grupo dá “Acesso total”, que você não tem/],
    ] as const) {
      const box = cell(page, name)
      // Told to be disabled, which the browser itself does not know.
      await box.click({ force: true })
      assert.equal(await box.isChecked(), false, name)
      assert.equal(await box.getAttribute('aria-disabled'), 'true', name)
      assert.match((await box.getAttribute('title')) ?? '', why)
    }
    assert.equal(await page.getByText(/diferenças? não salvas?/).count(), 0)
  })

  it('have a table that is one stop of Tab, gone through by arrows', async () => {
    await using visited = await visit('/grupos', { answers: ALL_GROUPS })
    const { page } = visited
    const { keyboard } = page
    await cell(page, 'Listar e ver usuários, para admin').focus()
    const at = async (name: string) =>
      assert.equal(await page.evaluate('document.activeElement.ariaLabel'), name)
    for (const [key, name] of [
      ['ArrowUp', 'Listar e ver usuários, para admin'],
      ['ArrowLeft', 'Listar e ver usuários, para admin'],
      ['ArrowRight', 'Listar e ver usuários, para gestor'],
      ['ArrowRight', 'Listar e ver usuários, para usuario'],
      ['ArrowDown', 'Listar e ver casos, para usuario'],
      ['ArrowRight', 'Listar e ver casos, para vigilancia_recife'],
      ['ArrowRight', 'Listar e ver casos, para vigilancia_recife'],
      ['ArrowUp', 'Listar e ver usuários, para vigilancia_recife'],
    ] as const) {
      await keyboard.press(key)
      await at(name)
    }
    await keyboard.press('Space')
    assert.ok(await cell(page, 'Listar e ver usuários, para vigilancia_recife').isChecked())
    await keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Desfazer tudo')
    await keyboard.press('Shift+Tab')
    await at('Listar e ver usuários, para vigilancia_recife')
  })

  it('are only read by those who may not edit them', async () => {
    const answers = { ...ALL_GROUPS, 'GET /api/v1/usuarios/me': perfil(['grupos.listar', 'agravos.listar']) }
    await using visited = await visit('/grupos', { answers })
    const { page } = visited
    await page.getByText(/^Você pode ver, mas não alterar/).waitFor()
    assert.equal(await cell(page, 'Listar e ver casos, para usuario').getAttribute('aria-disabled'), 'true')
    assert.equal(await page.getByRole('button', { name: 'Novo grupo' }).count(), 0)
  })

  it('are made with name, description and whether a second factor is required', async () => {
    const answers = {
      ...ONE_GROUP,
      'POST /api/v1/grupos': { status: 201, body: { ...grupo(), mensagem: '' } },
    }
    await using visited = await visit('/grupos', { answers })
    const { page, asked } = visited
    await press('Novo grupo')(page)
    await press('Criar grupo')(page)
    await page.getByText('Preencha este campo.').waitFor()
    await page.getByRole('dialog').getByLabel('Nome', { exact: true }).fill('vigilancia_olinda')
    await page.getByLabel('Exigir segundo fator').check()
    await press('Criar grupo')(page)
    await page.getByText('Beatriz Nascimento').waitFor()
    const sent = asked.find(({ name }) => name === 'POST /api/v1/grupos')
    assert.deepEqual(sent?.body, {
      nome: 'vigilancia_olinda',
      descricao: null,
      ativo: true,
      exige_mfa: true,
    })
  })

  it('tell what a rule does to their members before it is saved', async () => {
    const answers = { ...ONE_GROUP, ...listed([usuario()], 5) }
    await using visited = await visit('/grupos/4', { answers })
    const { page, asked } = visited
    await press('Editar grupo')(page)
    const effect = page.getByRole('dialog').getByRole('status')
    assert.equal(await effect.textContent(), '')
    await page.getByLabel('Exigir segundo fator').check()
    await effect.getByText(/^5 membros ao seu alcance ainda não têm segundo fator/).waitFor()
    const counted = asked.findLast(({ name }) => name === LIST)
    assert.deepEqual(
      ['grupo_id', 'mfa_habilitado', 'ativo'].map((name) => counted?.query.get(name)),
      ['4', 'false', 'true'],
    )
    await page.getByLabel('Ativo', { exact: true }).uncheck()
    await effect.getByText('12 membros perdem o que o grupo dá.').waitFor()
    assert.equal(await effect.getByText(/segundo fator/).count(), 0, 'an inactive group requires nothing')
  })

  it('are deleted with their members moved, the effect told before', async () => {
    const answers = { ...ONE_GROUP, 'DELETE /api/v1/grupos/4': { status: 204 } }
    await using visited = await visit('/grupos/4', { answers })
    const { page, asked } = visited
    await press('Excluir')(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Passar os membros para').selectOption('gestor')
    await dialog.getByText('12 membros passam para gestor.').waitFor()
    await dialog.getByRole('button', { name: 'Excluir' }).click()
    await page.getByRole('heading', { name: 'Grupos', exact: true }).waitFor()
    const sent = asked.find(({ name }) => name === 'DELETE /api/v1/grupos/4')
    assert.deepEqual(Object.fromEntries(sent?.query ?? []), { transferir_usuarios: '2' })
  })
})
