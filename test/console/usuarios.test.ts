import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { generatePassword } from '../../web/console/screens/usuarios/password.ts'
import { noBrowser } from '../harness/browser.ts'
import { consoleVisits, perfil, READER, reconnect, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import { isOnlyKept } from './shown-password.ts'
import { ALL_USERS, GRUPOS, LIST, listed, MANAGER, ONE_USER, usuario } from './usuarios-answers.ts'

const never = new Promise<void>(() => undefined)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true })
const press = (name: string) => (page: Page) => button(page, name).click()

const VIEWS: View[] = [
  { name: 'usuarios', picture: true, path: '/usuarios', answers: ALL_USERS, seen: 'Denise Alves' },
  {
    name: 'usuarios-novo',
    picture: true,
    path: '/usuarios',
    answers: ALL_USERS,
    act: press('Novo usuário'),
    seen: 'Dá “Acesso total”, que você não tem.',
  },
  {
    name: 'usuarios-vazio-no-filtro',
    path: '/usuarios?situacao=bloqueadas',
    answers: { ...ALL_USERS, ...listed([]) },
    seen: 'Nenhuma conta neste filtro.',
  },
  {
    name: 'usuarios-carregando',
    path: '/usuarios',
    answers: { ...MANAGER, [LIST]: { after: never }, [GRUPOS]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'usuarios-erro',
    path: '/usuarios',
    answers: { ...ALL_USERS, [LIST]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  { name: 'usuarios-sem-acesso', path: '/usuarios', answers: READER, seen: 'usuarios.listar' },
]

describe('The users', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('are narrowed by group, state, second factor, access and text, all of it in the address', async () => {
    await using visited = await visit('/usuarios', { answers: ALL_USERS })
    const { page, asked } = visited
    const choose = async (pill: string, value: string) => {
      await page.getByRole('button', { name: new RegExp(`^${pill}`) }).click()
      await page.getByRole('radio', { name: value, exact: true }).click()
    }
    await choose('Grupo', 'gestor')
    await choose('Situação', 'Com entrada bloqueada')
    await choose('Segundo fator', 'Sem segundo fator')
    await choose('Acesso', 'Nunca entrou')
    await page.getByRole('searchbox', { name: 'Buscar por nome ou e-mail' }).fill('bea')
    await eventually(() => {
      const { search } = new URL(page.url())
      assert.equal(search, '?busca=bea&grupo=2&situacao=bloqueadas&fator=sem&acesso=nunca')
    })
    await eventually(() => {
      const { query } = asked.filter(({ name }) => name === LIST).at(-1) as { query: URLSearchParams }
      assert.deepEqual(Object.fromEntries(query), {
        ...{ search: 'bea', grupo_id: '2', bloqueado: 'true', mfa_habilitado: 'false' },
        ...{ nunca_entrou: 'true', sort: 'nome', order: 'asc', page: '1', size: '25' },
      })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Limpar filtros' }).click()
    await eventually(() => assert.equal(new URL(page.url()).search, ''))
  })

  it('are ordered by their columns, and lead to their account', async () => {
    await using visited = await visit('/usuarios', { answers: { ...ALL_USERS, ...ONE_USER } })
    const { page, asked } = visited
    await page.getByRole('link', { name: 'Último acesso' }).click()
    await eventually(() => {
      const { query } = asked.filter(({ name }) => name === LIST).at(-1) as { query: URLSearchParams }
      assert.equal(query.get('sort'), 'ultimo_acesso')
    })
    await page.getByRole('link', { name: 'Beatriz Nascimento' }).click()
    await page.getByRole('heading', { name: 'Beatriz Nascimento' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/usuarios/31')
  })

  it('are marked where their sign-in is locked; an ended account is told without alarm', async () => {
    await using visited = await visit('/usuarios', { answers: ALL_USERS })
    const { page } = visited
    const tags = (nome: string) => page.getByRole('row', { name: nome }).locator('.tag')
    await tags('Denise Alves').first().waitFor()
    const seen = async (nome: string) =>
      tags(nome).evaluateAll((all) => all.map((one) => `${one.className}: ${one.textContent}`))
    assert.deepEqual(await seen('Denise Alves'), ['tag plain: Desativada'])
    assert.deepEqual(await seen('Carlos Teixeira'), ['tag green: Ativa', 'tag amber: Entrada bloqueada'])
    assert.deepEqual(await seen('Beatriz Nascimento'), ['tag green: Ativa'])
  })

  it('open beside the list where there is room, and on their own screen where there is none', async () => {
    await using wide = await visit('/usuarios', { answers: { ...ALL_USERS, ...ONE_USER }, width: 1440 })
    const row = (page: Page) => page.getByRole('row', { name: /Beatriz Nascimento/ })
    await row(wide.page).getByText('usuario', { exact: true }).click()
    const panel = wide.page.getByRole('complementary', { name: 'Ao lado da lista' })
    await panel.getByText('Último uso').waitFor()
    assert.equal(new URL(wide.page.url()).pathname, '/usuarios')
    assert.equal(
      await panel.getByRole('link', { name: 'Abrir a conta' }).getAttribute('href'),
      '/usuarios/31',
    )
    const beside = button(wide.page, 'Ver Beatriz Nascimento ao lado da lista')
    assert.equal(await beside.getAttribute('aria-expanded'), 'true')
    await panel.getByRole('button', { name: 'Fechar' }).click()
    assert.equal(await panel.count(), 0)
    await beside.press('Enter')
    await panel.waitFor()

    await using narrow = await visit('/usuarios', { answers: { ...ALL_USERS, ...ONE_USER }, width: 360 })
    await row(narrow.page).getByText('usuario', { exact: true }).click()
    await narrow.page.waitForURL('**/usuarios/31')
  })

  it('are invited by mail, without a password', async () => {
    const answers = { ...ALL_USERS, 'POST /api/v1/usuarios': { status: 201, body: { ...usuario(), id: 40 } } }
    await using visited = await visit('/usuarios', { answers })
    const { page, asked } = visited
    await press('Novo usuário')(page)
    await press('Criar conta')(page)
    await page.getByText('Preencha este campo.').first().waitFor()
    await field(page, 'Nome').fill(' Elisa Rocha ')
    await field(page, 'E-mail').fill('elisa@saude.example')
    await field(page, 'usuario').check()
    await press('Criar conta')(page)
    await page.getByText('A conta existe, e o convite vai para elisa@saude.example.').waitFor()
    const sent = asked.find(({ name }) => name === 'POST /api/v1/usuarios')
    assert.deepEqual(sent?.body, {
      nome: 'Elisa Rocha',
      email: 'elisa@saude.example',
      convidar: true,
      grupos_ids: [4],
    })
    assert.match(sent?.headers['idempotency-key'] ?? '', /^[\da-f-]{36}$/)
  })

  it('have a generated password instead, shown once', async () => {
    const answers = { ...ALL_USERS, 'POST /api/v1/usuarios': { status: 201, body: { ...usuario(), id: 40 } } }
    await using visited = await visit('/usuarios', { answers })
    const { page, asked } = visited
    await press('Novo usuário')(page)
    await field(page, 'Nome').fill('Elisa Rocha')
    await field(page, 'E-mail').fill('elisa@saude.example')
    await page.getByRole('radio', { name: 'Senha gerada' }).check()
    await press('Criar conta')(page)
    const shown = await page.locator('.secret-once code').textContent()
    assert.deepEqual(asked.find(({ name }) => name === 'POST /api/v1/usuarios')?.body, {
      nome: 'Elisa Rocha',
      email: 'elisa@saude.example',
      senha: shown,
      forcar_troca: true,
    })
    await isOnlyKept(page)
    await press('Guardei a senha')(page)
    assert.equal(await page.getByText(shown as string).count(), 0)
  })

  it('are made once where an answer was lost: another try has the same key and password', async () => {
    const post = 'POST /api/v1/usuarios'
    const made = { status: 201, body: { ...usuario(), id: 40 } }
    await using visited = await visit('/usuarios', { answers: { ...ALL_USERS, [post]: { cut: true } } })
    const { page, asked, answers } = visited
    await press('Novo usuário')(page)
    await field(page, 'Nome').fill('Elisa Rocha')
    await field(page, 'E-mail').fill('elisa@saude.example')
    await page.getByRole('radio', { name: 'Senha gerada' }).check()
    await press('Criar conta')(page)
    await page.getByText(/O serviço não respondeu/).waitFor()
    answers[post] = made
    await reconnect(visited)
    await press('Criar conta')(page)
    const shown = await page.locator('.secret-once code').textContent()
    const tries = asked.filter(({ name }) => name === post)
    assert.ok(tries.length > 1)
    assert.equal(new Set(tries.map(({ headers }) => headers['idempotency-key'])).size, 1)
    for (const { body } of tries) assert.equal((body as { senha: string }).senha, shown)
  })

  it('keep what was typed where the service refuses it, and name the field', async () => {
    const details = [{ field: 'email', message: 'Já está em uso', code: 'DUPLICATE' }]
    const answers = { ...ALL_USERS, 'POST /api/v1/usuarios': refusal(422, 'VALIDATION_ERROR', { details }) }
    await using visited = await visit('/usuarios', { answers })
    const { page } = visited
    await press('Novo usuário')(page)
    await field(page, 'Nome').fill('Elisa Rocha')
    await field(page, 'E-mail').fill('carlos@saude.example')
    await press('Criar conta')(page)
    await page.getByText('Já está em uso').waitFor()
    assert.equal(await field(page, 'Nome').inputValue(), 'Elisa Rocha')
  })

  it('are exported as they are filtered', async () => {
    const done = { status: 'completed', message: 'Exportação concluída', progress: 100 }
    const answers = {
      ...ALL_USERS,
      'GET /api/v1/usuarios/me': perfil(['usuarios.listar', 'usuarios.exportar']),
      'POST /api/v1/usuarios/exportar': { body: { job_id: 'job_1' } },
      'GET /api/v1/jobs/job_1': {
        body: { job_id: 'job_1', ...done, arquivo_url: 'https://vigia.example/api/v1/jobs/job_1/arquivo' },
      },
    }
    await using visited = await visit('/usuarios?fator=sem', { answers })
    const { page, asked } = visited
    await press('Exportar')(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Excel' }).check()
    await dialog.getByRole('button', { name: 'Exportar' }).click()
    const link = dialog.getByRole('link')
    await link.waitFor()
    assert.equal(await link.getAttribute('href'), '/api/v1/jobs/job_1/arquivo')
    const sent = asked.find(({ name }) => name === 'POST /api/v1/usuarios/exportar')
    assert.deepEqual(sent?.body, { formato: 'xlsx', filtros: { mfa_habilitado: false } })
  })

  it('are reached by keys: g u, and Tab to the first account', async () => {
    await using visited = await visit('/ajuda', { answers: ALL_USERS })
    const { page } = visited
    await page.getByRole('heading', { name: 'Ajuda' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('u')
    await page.getByRole('link', { name: 'Beatriz Nascimento' }).waitFor()
    for (let tabs = 0; tabs < 30; tabs++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.textContent')) === 'Beatriz Nascimento') return
    }
    assert.fail('the account takes the focus')
  })
})

describe('A generated password', () => {
  it('keeps every rule, is never the same, and has no letters that look alike', () => {
    const made = Array.from({ length: 500 }, generatePassword)
    assert.equal(new Set(made).size, made.length)
    for (const senha of made) {
      assert.equal(senha.length, 14)
      for (const rule of [/[A-Z]/, /[a-z]/, /\d/, /[#%+=?@]/]) assert.match(senha, rule)
      assert.doesNotMatch(senha, /[IOl01]/)
    }
  })
})
