import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Permission } from '../../src/caller/permissions.ts'
import { noBrowser } from '../harness/browser.ts'
import {
  ADMIN,
  type Answers,
  consoleVisits,
  HEALTH,
  HEALTHY,
  NOBODY,
  perfil,
  READER,
  refusal,
} from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { until } from '../harness/eventually.ts'

const SAIR = 'DELETE /api/v1/auth/sessao'
const SESSAO = 'POST /api/v1/auth/sessao'
const DETAILED = 'GET /api/v1/health/detailed'
const never = new Promise<void>(() => undefined)

const enter = async (page: Page) => {
  await page.getByLabel('E-mail').fill('ana@saude.example')
  await page.getByLabel('Senha', { exact: true }).fill('Segredo#2026')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
}
const locked = { locked_until: new Date(Date.now() + 15 * 60_000).toISOString() }

const VIEWS: View[] = [
  {
    name: 'entrar',
    picture: true,
    path: '/entrar',
    answers: NOBODY,
    seen: 'Manter conectado neste computador',
  },
  {
    name: 'entrar-vazio',
    path: '/entrar',
    answers: NOBODY,
    act: (page) => page.getByRole('button', { name: 'Entrar', exact: true }).click(),
    seen: 'Preencha este campo.',
  },
  {
    name: 'entrar-recusado',
    picture: true,
    path: '/entrar',
    answers: { ...NOBODY, [SESSAO]: refusal(401, 'INVALID_CREDENTIALS') },
    act: enter,
    seen: 'mensagem INVALID_CREDENTIALS',
  },
  {
    name: 'entrar-bloqueado',
    path: '/entrar',
    answers: { ...NOBODY, [SESSAO]: refusal(423, 'ACCOUNT_LOCKED', locked) },
    act: enter,
    seen: /Tente de novo em 1[45] minutos/,
  },
  {
    name: 'segundo-fator',
    picture: true,
    path: '/entrar',
    answers: { ...NOBODY, [SESSAO]: refusal(428, 'MFA_REQUIRED') },
    act: enter,
    seen: 'Usar um código de reserva',
  },
  { name: 'esqueci', picture: true, path: '/esqueci-a-senha', answers: NOBODY, seen: 'Enviar link' },
  {
    name: 'trocar-senha',
    picture: true,
    path: '/trocar-senha',
    answers: { 'GET /api/v1/usuarios/me': refusal(403, 'PASSWORD_CHANGE_REQUIRED') },
    act: (page) => page.getByLabel('Nova senha', { exact: true }).fill('Abc#'),
    seen: 'A nova senha precisa ter:',
  },
  { name: 'ajuda', picture: true, path: '/ajuda', answers: ADMIN, seen: 'Documentação da API' },
  {
    name: 'sistema',
    picture: true,
    path: '/sistema',
    answers: { ...ADMIN, ...HEALTHY },
    seen: 'Tudo funciona',
  },
  {
    name: 'sistema-falha',
    path: '/sistema',
    answers: {
      ...ADMIN,
      ...HEALTHY,
      [DETAILED]: {
        status: 503,
        headers: { 'retry-after': '5' },
        body: { ...HEALTH, status: 'error', checks: { ...HEALTH.checks, disk: { status: 'error' } } },
      },
    },
    seen: 'Há partes com falha',
  },
  {
    name: 'carregando',
    path: '/sistema',
    answers: { ...ADMIN, ...HEALTHY, [DETAILED]: { after: never } },
    seen: 'Está demorando…',
  },
  {
    name: 'erro',
    path: '/sistema',
    answers: { ...ADMIN, ...HEALTHY, [DETAILED]: refusal(422, 'VALIDATION_ERROR') },
    seen: 'pedido-0001',
  },
  {
    name: 'sem-conexao',
    path: '/sistema',
    answers: { ...ADMIN, ...HEALTHY, [DETAILED]: { cut: true } },
    seen: 'O serviço não respondeu',
  },
  {
    name: 'muitas-consultas',
    path: '/sistema',
    answers: { ...ADMIN, ...HEALTHY, [DETAILED]: refusal(429, 'RATE_LIMITED', {}, { 'retry-after': '60' }) },
    seen: /Muitas consultas; volto em \d+ s/,
  },
  { name: 'sem-acesso', picture: true, path: '/sistema', answers: READER, seen: 'Sem acesso' },
  {
    name: 'nao-encontrada',
    picture: true,
    path: '/nada/aqui',
    answers: READER,
    seen: 'Página não encontrada',
  },
  { name: 'nao-encontrada-sem-sessao', path: '/nada/aqui', answers: NOBODY, seen: 'Página não encontrada' },
  {
    name: 'busca',
    path: '/ajuda',
    answers: ADMIN,
    act: (page) => page.keyboard.press('Control+k'),
    seen: 'Telas',
  },
  {
    name: 'conta',
    path: '/ajuda',
    answers: ADMIN,
    act: (page) => page.getByRole('button', { name: /Ana Souza|Mais/ }).click(),
    seen: 'Fechar',
  },
  {
    name: 'servico-fora',
    path: '/ajuda',
    answers: { 'GET /api/v1/usuarios/me': refusal(500, 'INTERNAL_ERROR') },
    seen: 'Tentar de novo',
  },
]

describe('Every screen in every state', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('names the missing permission, in words and by its code', async () => {
    await using visited = await visit('/sistema', { answers: READER })
    const { page } = visited
    await page.getByRole('heading', { name: 'Sem acesso' }).waitFor()
    assert.match(await page.locator('main').innerText(), /Acesso total\s+Permissão admin/)
    assert.equal(page.url(), `${visited.origin}/sistema`, 'the address stays')
    assert.deepEqual(
      visited.asked.filter(({ name }) => name === DETAILED),
      [],
    )
    assert.equal(await page.getByRole('link', { name: 'Sistema' }).count(), 0, 'nor is it in the menu')
  })

  it('is a rail, icons or tabs by width', async () => {
    for (const [width, rail, tabs] of [
      [1440, 216, false],
      [1000, 64, false],
      [360, null, true],
    ] as const) {
      await using visited = await visit('/ajuda', { answers: ADMIN, width })
      const { page } = visited
      await page.getByRole('heading', { name: 'Ajuda' }).waitFor()
      assert.equal((await page.locator('.rail').boundingBox())?.width ?? null, rail)
      assert.equal(await page.locator('.tabs').isVisible(), tabs)
      if (width === 1000) await visited.inspect('ajuda-1000')
    }
  })

  it('is reached by keys: palette, sequences, help; letters can be switched off', async () => {
    await using visited = await visit('/ajuda', { answers: { ...ADMIN, ...HEALTHY } })
    const { page } = visited
    const title = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
    await title('Ajuda')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Tela, ação, município' }).waitFor()
    await page.keyboard.type('sís')
    assert.deepEqual(await page.getByRole('listbox').getByRole('option').allInnerTexts(), ['Sistema\nTelas'])
    await page.keyboard.press('Enter')
    await title('Sistema')
    // Both follow the drawing.
    await until('the page has its title', async () => (await page.title()) === 'Sistema · Vigia')
    await until(
      'the heading has the focus',
      async () => (await page.evaluate('document.activeElement.textContent')) === 'Sistema',
    )
    await page.keyboard.press('?')
    await title('Ajuda')
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await title('Sistema')
    await page.goBack()
    await title('Ajuda')
    await page.getByLabel('Usar teclas de uma letra').uncheck()
    await page.getByRole('heading', { name: 'Ajuda', level: 1 }).focus()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Tela, ação, município' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Tela, ação, município' }).waitFor({ state: 'detached' })
    assert.equal(page.url(), `${visited.origin}/ajuda`)
  })

  it('has screens without a place in the menu in the palette, for those who may open them', async () => {
    const found = async (answers: Answers) => {
      await using visited = await visit('/ajuda', { answers })
      const { page } = visited
      await page.getByRole('heading', { name: 'Ajuda', level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
      return page
        .getByRole('listbox')
        .getByRole('option', { name: /fichas|Tabular|Panorama|pessoa|excluídos/ })
        .allInnerTexts()
    }
    const of = (permissoes: Permission[]): Answers => ({ 'GET /api/v1/usuarios/me': perfil(permissoes) })
    assert.deepEqual(await found(of(['agravos.panorama'])), ['Panorama do país\nTelas'])
    assert.deepEqual(
      await found(of(['agravos.estatisticas', 'agravos.deletar', 'agravos.identificar', 'agravos.listar'])),
      ['Qualidade das fichas', 'Tabular casos', 'Casos excluídos', 'Procurar pessoa'].map(
        (title) => `${title}\nTelas`,
      ),
    )
  })

  it('speaks three languages, and asks the API in the chosen one', async () => {
    await using visited = await visit('/ajuda', { answers: { ...ADMIN, ...HEALTHY }, locale: 'es-AR' })
    const { page, asked } = visited
    await page.getByRole('heading', { name: 'Ayuda', level: 1 }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'es-ES')
    await page.getByLabel('Idioma').selectOption('en-US')
    await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'System' }).click()
    await page.getByText('Everything works').waitFor()
    assert.equal(asked.at(-1)?.headers['accept-language'], 'en-US')
  })

  it('repeats a failed reading twice, and shows what failed with its code', async () => {
    const failing = refusal(500, 'INTERNAL_ERROR')
    const answers = { ...ADMIN, ...HEALTHY, [DETAILED]: [failing, failing, failing, { body: HEALTH }] }
    await using visited = await visit('/sistema', { answers })
    const { page, asked } = visited
    await page.getByText('pedido-0001').waitFor()
    assert.equal(asked.filter(({ name }) => name === DETAILED).length, 3)
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await page.getByText('Tudo funciona').waitFor()
  })

  it('keeps what is on the screen when the connection is lost, and says since when', async () => {
    await using visited = await visit('/sistema', { answers: { ...ADMIN, ...HEALTHY } })
    const { page, answers } = visited
    await page.getByText('Tudo funciona').waitFor()
    answers[DETAILED] = { cut: true }
    await page.getByRole('button', { name: 'Verificar agora' }).click()
    await page.getByText(/Sem conexão desde \d\d:\d\d\. O que está na tela é de \d\d:\d\d\./).waitFor()
    assert.ok(await page.getByRole('cell', { name: 'Banco de dados' }).isVisible())
    answers[DETAILED] = { body: HEALTH }
    // Another request that goes through ends the interruption, too, and takes the button away.
    const again = page.getByRole('button', { name: 'Tentar de novo' })
    await again.click({ timeout: 2_000 }).catch(() => undefined)
    await page.getByText('Sem conexão').waitFor({ state: 'detached' })
  })

  it('loads the page again, once, where a file of it is gone', async () => {
    await using visited = await visit('/ajuda', { answers: { ...ADMIN, ...HEALTHY } })
    const { page } = visited
    await page.getByRole('heading', { name: 'Ajuda', level: 1 }).waitFor()
    let gone = 0
    await page.route('**/assets/sistema-*.js', (route) =>
      gone++ === 0 ? route.fulfill({ status: 404 }) : route.continue(),
    )
    await page.getByRole('link', { name: 'Sistema' }).click()
    await page.getByText('Tudo funciona').waitFor()
    assert.equal(gone, 2)
    assert.equal(page.url(), `${visited.origin}/sistema`)
  })

  it('warns before a session without use ends, and then empties itself', async () => {
    await using visited = await visit('/ajuda', { answers: ADMIN, alone: true })
    const { page, answers, asked } = visited
    await page.clock.install()
    await page.reload()
    await page.getByRole('heading', { name: 'Ajuda', level: 1 }).waitFor()
    await page.clock.fastForward('07:56:00')
    await page
      .getByRole('dialog')
      .getByText(/a sessão termina em \d minutos/)
      .waitFor()
    await page.getByRole('button', { name: 'Continuar' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.clock.fastForward('07:56:00')
    await page.getByRole('dialog').waitFor()
    answers['GET /api/v1/usuarios/me'] = refusal(401, 'UNAUTHORIZED')
    answers[SAIR] = { status: 204 }
    await page.clock.fastForward('00:05:00')
    await page.getByRole('heading', { name: 'Entrar' }).waitFor()
    // What the page asks for by itself is use to the service: the tab ends what nobody uses.
    const ended = asked.filter(({ name }) => name === SAIR)
    assert.deepEqual(
      ended.map(({ query }) => String(query)),
      ['inatividade=true'],
    )
  })

  for (const [how, answer] of [
    ['cut', { cut: true }],
    ['503', refusal(503, 'UNAVAILABLE')],
  ] as const)
    it(`empties itself at the way out that is ${how}, and says that the session stands`, async () => {
      await using visited = await visit('/sistema', { answers: { ...ADMIN, ...HEALTHY, [SAIR]: answer } })
      const { page } = visited
      await page.getByText('Banco de dados').waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('option', { name: 'Sair' }).click()
      await page.getByRole('heading', { name: 'Entrar' }).waitFor()
      await page.getByRole('alert').getByText('a sessão não foi encerrada').waitFor()
      assert.equal(await page.getByText('Banco de dados').count(), 0)
    })

  it('does not begin again where the end of an unused session was not answered', async () => {
    await using visited = await visit('/ajuda', { answers: { ...ADMIN, [SAIR]: { cut: true } }, alone: true })
    const { page } = visited
    await page.clock.install()
    await page.reload()
    await page.getByRole('heading', { name: 'Ajuda', level: 1 }).waitFor()
    await page.clock.fastForward('08:01:00')
    await page.getByRole('heading', { name: 'Entrar' }).waitFor()
  })
})
