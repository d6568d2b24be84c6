import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { generatePassword } from '../../web/console/screens/usuarios/password.ts'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, perfil, READER, reconnect, refusal } from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'
import {
  ALL_USERS,
  conta,
  GRUPOS,
  LIST,
  listed,
  MANAGER,
  MANAGER_RIGHTS,
  ONE,
  ONE_USER,
  RIGHTS,
  SITUACAO,
  usuario,
} from './usuarios-answers.ts'

const never = new Promise<void>(() => undefined)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true })
const press = (name: string) => (page: Page) => button(page, name).click()
const LOCKED = {
  mfa_habilitado: true,
  situacao: {
    ...SITUACAO,
    bloqueado_ate: '2026-11-14T15:10:00.000Z',
    codigos_backup: 3,
    trocar_senha: true,
  },
}
const DEACTIVATION = { sessoes_encerradas: 1, grupos_removidos: 1, casos: 48 }
const leaving: Answers = { ...ONE_USER, [ONE]: { body: conta({ desativacao: DEACTIVATION }) } }

/** A password that is shown once stays until somebody says that it was kept. */
const isOnlyKept = async (page: Page) => {
  const shown = await page.getByRole('dialog').locator('code').textContent()
  await page.keyboard.press('Escape')
  await page.mouse.click(3, 3)
  assert.equal(await page.getByRole('dialog').locator('code').textContent(), shown)
}

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
  { name: 'usuario', picture: true, path: '/usuarios/31', answers: ONE_USER, seen: 'Grupo usuario' },
  {
    name: 'usuario-bloqueado',
    picture: true,
    path: '/usuarios/31',
    answers: { ...ONE_USER, [ONE]: { body: conta(LOCKED) } },
    seen: /^Entrada bloqueada até/,
  },
  {
    name: 'usuario-desativar',
    picture: true,
    path: '/usuarios/31',
    answers: leaving,
    act: press('Desativar'),
    seen: '48 casos continuam com a conta desativada.',
  },
  {
    name: 'usuario-territorio',
    picture: true,
    path: '/usuarios/31',
    answers: ONE_USER,
    act: press('Alterar território'),
    seen: 'Incluir um lugar',
  },
  {
    name: 'usuario-limite',
    picture: true,
    path: '/usuarios/31',
    answers: { ...ONE_USER, 'GET /api/v1/usuarios/me': perfil(['admin'], true) },
    async act(page) {
      await press('Alterar limite')(page)
      await page.getByRole('radio', { name: /^Premium/ }).check()
    },
    seen: 'Vale a partir do próximo pedido.',
  },
  {
    name: 'usuario-permissoes',
    path: '/usuarios/31',
    answers: ONE_USER,
    async act(page) {
      await press('Alterar permissões diretas')(page)
      await page.getByRole('group', { name: 'Casos', exact: true }).waitFor()
    },
    seen: 'Você não tem esta permissão, e por isso não pode dá-la.',
  },
  {
    name: 'usuario-grupos',
    path: '/usuarios/31',
    answers: ONE_USER,
    act: press('Alterar grupos'),
    seen: 'Gerencia usuários e recursos',
  },
  {
    name: 'usuario-editar',
    path: '/usuarios/31',
    answers: ONE_USER,
    act: press('Editar dados'),
    seen: 'O novo endereço vale na hora, e o antigo é avisado.',
  },
  {
    name: 'usuario-fator',
    path: '/usuarios/31',
    answers: { ...ONE_USER, [ONE]: { body: conta(LOCKED) } },
    act: press('Encerrar segundo fator'),
    seen: /^Para quem perdeu o aparelho/,
  },
  {
    name: 'usuario-ausente',
    path: '/usuarios/31',
    answers: { ...ONE_USER, [ONE]: refusal(404, 'NOT_FOUND') },
    seen: 'pedido-0001',
  },
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

  it('are deactivated with a reason, their cases handed over, the effect told before', async () => {
    await using visited = await visit('/usuarios/31', {
      answers: { ...leaving, ...listed([usuario({ id: 35, nome: 'Fábio Melo' })]) },
    })
    const { page, asked } = visited
    const dialog = page.getByRole('dialog')
    await press('Desativar')(page)
    await dialog.getByText('1 sessão é encerrada.').waitFor()
    await dialog.getByRole('button', { name: 'Desativar' }).click()
    await dialog.getByText('Diga o motivo.').waitFor()
    await dialog.getByLabel('Motivo').fill(' Mudou de secretaria ')
    await dialog.getByRole('combobox', { name: 'Passar os casos para' }).fill('fab')
    await dialog.getByRole('option', { name: /^Fábio Melo/ }).click()
    await dialog.getByText('48 casos passam para Fábio Melo.').waitFor()
    visited.answers['DELETE /api/v1/usuarios/31'] = { body: {} }
    await dialog.getByRole('button', { name: 'Desativar' }).click()
    await page.getByText('Conta desativada.').waitFor()
    const sent = asked.find(({ name }) => name === 'DELETE /api/v1/usuarios/31')
    assert.deepEqual(Object.fromEntries(sent?.query ?? []), {
      motivo: 'Mudou de secretaria',
      transferir_para: '35',
    })
  })

  it('are reactivated, unlocked, and their second factor and sessions ended', async () => {
    const off = {
      ...ONE_USER,
      [ONE]: { body: conta({ ativo: false }) },
      'PUT /api/v1/usuarios/31': { body: {} },
    }
    {
      await using visited = await visit('/usuarios/31', { answers: off })
      await press('Reativar')(visited.page)
      await visited.page.getByText(/^Conta reativada/).waitFor()
      const sent = visited.asked.find(({ name }) => name === 'PUT /api/v1/usuarios/31')
      assert.deepEqual(sent?.body, { ativo: true })
    }
    const ended = { body: { message: '', sessoes_encerradas: 1 } }
    await using visited = await visit('/usuarios/31', {
      answers: {
        ...ONE_USER,
        [ONE]: { body: conta(LOCKED) },
        'POST /api/v1/usuarios/31/desbloquear': { body: {} },
        'DELETE /api/v1/usuarios/31/mfa': ended,
        'DELETE /api/v1/usuarios/31/sessoes': ended,
      },
    })
    const { page } = visited
    await press('Desbloquear')(page)
    await page.getByText('A entrada foi desbloqueada.').waitFor()
    for (const what of ['Encerrar segundo fator', 'Encerrar sessões']) {
      await press(what)(page)
      await page.getByRole('dialog').getByRole('button', { name: what }).click()
      await page.getByText('Encerrado; 1 sessão terminou.').waitFor()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })

  it('are set a password, which is shown once, to be changed at sign-in', async () => {
    const path = 'POST /api/v1/usuarios/31/alterar-senha'
    const answers = { ...ONE_USER, [path]: { body: { sessoes_invalidadas: 2 } } }
    await using visited = await visit('/usuarios/31', { answers })
    const { page, asked } = visited
    const dialog = page.getByRole('dialog')
    await press('Definir senha')(page)
    await dialog.getByRole('button', { name: 'Definir senha' }).click()
    await dialog.getByText('Senha definida; 2 sessões encerradas.').waitFor()
    const shown = await dialog.locator('code').textContent()
    const sent = asked.find(({ name }) => name === path)
    assert.deepEqual(sent?.body, { nova_senha: shown, forcar_troca: true })
    await isOnlyKept(page)
    await press('Guardei a senha')(page)
    assert.equal(await page.getByText(shown as string).count(), 0)
  })

  it('are invited again while nobody has entered', async () => {
    const answers = {
      ...ONE_USER,
      [ONE]: { body: conta({ ultimo_login: null, ultimo_acesso: null, sessoes: [] }) },
      'POST /api/v1/usuarios/31/convite': { body: {} },
    }
    await using visited = await visit('/usuarios/31', { answers })
    await press('Enviar convite de novo')(visited.page)
    await visited.page.getByText('Um novo convite está a caminho.').waitFor()
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

  it('get another photo from those who may change them, and lead to all that they did', async () => {
    const SEND = 'POST /api/v1/usuarios/31/foto-perfil'
    const me = perfil([...MANAGER_RIGHTS, 'auditoria.ver'])
    const answers = { ...ONE_USER, 'GET /api/v1/usuarios/me': me, [SEND]: { body: {} } }
    await using visited = await visit('/usuarios/31', { answers })
    const { page, asked } = visited
    const acts = page.getByRole('link', { name: 'O que esta conta fez' })
    assert.equal(await acts.getAttribute('href'), '/auditoria?ator=31')
    const buffer = PNG.sync.write(new PNG({ width: 40, height: 30 }))
    await page.getByLabel('Escolher a foto').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    await page.getByRole('dialog').getByRole('button', { name: 'Usar esta foto' }).click()
    await page.getByText('Foto trocada.').waitFor()
    assert.match(String(asked.find(({ name }) => name === SEND)?.body), /filename="foto\.jpg"/)
  })

  it('send only what changed of their data', async () => {
    const answers = { ...ONE_USER, 'PUT /api/v1/usuarios/31': { body: {} } }
    await using visited = await visit('/usuarios/31', { answers })
    const { page, asked } = visited
    await press('Editar dados')(page)
    await field(page, 'Cargo').fill('Epidemiologista')
    await field(page, 'Departamento').fill('')
    await press('Salvar')(page)
    await page.getByText('Alterações salvas.').waitFor()
    const sent = asked.find(({ name }) => name === 'PUT /api/v1/usuarios/31')
    assert.deepEqual(sent?.body, { cargo: 'Epidemiologista', departamento: null })
  })

  it('have a limit of requests, which administrators change after they were told what it does', async () => {
    const answers = {
      ...ONE_USER,
      [ONE]: { body: conta({ plano: 'premium' }), headers: { etag: '"1"' } },
      'GET /api/v1/usuarios/me': perfil(['admin'], true),
      'PUT /api/v1/usuarios/31': { body: {} },
    }
    await using visited = await visit('/usuarios/31', { answers })
    const { page, asked } = visited
    const dialog = page.getByRole('dialog')
    await page.getByText('200 pedidos por minuto, 10.000 por hora').waitFor()
    await press('Alterar limite')(page)
    await dialog.getByRole('radio', { name: 'Enterprise' }).check()
    await dialog
      .getByText('De 200 para 1.000 pedidos por minuto, e de 10.000 para 50.000 por hora.')
      .waitFor()
    const refused = dialog.getByText(/^Programas que pedem mais do que isso são recusados/)
    assert.equal(await refused.count(), 0)
    await dialog.getByRole('radio', { name: 'Básico' }).check()
    await refused.waitFor()
    await press('Salvar')(page)
    await page.getByText('Alterações salvas.').waitFor()
    const sent = asked.find(({ name }) => name === 'PUT /api/v1/usuarios/31')
    assert.deepEqual(sent?.body, { plano: 'basico' })
    assert.equal(sent?.headers['if-match'], '"1"')
  })

  it('show their limit of requests alone to those who are no administrators', async () => {
    await using visited = await visit('/usuarios/31', { answers: ONE_USER })
    await visited.page.getByText('50 pedidos por minuto, 1.000 por hora').waitFor()
    assert.equal(await button(visited.page, 'Alterar limite').count(), 0)
  })

  it('show no action to those who may only look, and a refusal in the words of the service', async () => {
    {
      const answers = { ...ONE_USER, 'GET /api/v1/usuarios/me': perfil(['usuarios.listar']) }
      await using visited = await visit('/usuarios/31', { answers })
      await visited.page.getByText('Grupo usuario').waitFor()
      for (const name of ['Desativar', 'Definir senha', 'Editar dados', 'Alterar grupos', 'Encerrar sessões'])
        assert.equal(await button(visited.page, name).count(), 0, name)
    }
    const answers = {
      ...ONE_USER,
      [ONE]: { body: conta(LOCKED) },
      'POST /api/v1/usuarios/31/desbloquear': refusal(403, 'PERMISSION_DENIED'),
    }
    await using visited = await visit('/usuarios/31', { answers })
    await press('Desbloquear')(visited.page)
    await visited.page.getByText('mensagem PERMISSION_DENIED').waitFor()
  })

  it('go on with the rest of the account where its rights cannot be read', async () => {
    const answers = { ...ONE_USER, [RIGHTS]: refusal(422, 'VALIDATION_ERROR') }
    await using visited = await visit('/usuarios/31', { answers })
    await visited.page.getByText('pedido-0001').waitFor()
    await visited.page.getByText('Firefox em Windows').waitFor()
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
