import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../harness/browser.ts'
import {
  ADMIN,
  type Answers,
  consoleVisits,
  HEALTHY,
  NOBODY,
  perfil,
  READER,
  refusal,
  untilFocused,
  type Visit,
} from '../harness/console-page.ts'

const SESSAO = 'POST /api/v1/auth/sessao'
const ME = 'GET /api/v1/usuarios/me'
const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED')

describe('Signing in to the console', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
  /** The first screen of the menu. */
  const start = (page: Page) => page.getByRole('heading', { name: /^Dengue no Brasil/ }).waitFor()
  const submit = (page: Page) => page.getByRole('button', { name: 'Entrar', exact: true }).click()
  async function fill(page: Page, senha = 'Segredo#2026') {
    await page.getByLabel('E-mail').fill('ana@saude.example')
    await page.getByLabel('Senha', { exact: true }).fill(senha)
  }
  const entering = (answer: Answers[string], me = perfil(['admin'], true)): Answers => ({
    ...HEALTHY,
    [ME]: [UNAUTHORIZED, me],
    [SESSAO]: answer,
  })

  it('leads from any address to the sign-in and back to the address that was asked for', async () => {
    await using visited: Visit = await visit('/sistema', { answers: entering({ body: {} }) })
    const { page, asked, origin } = visited
    await heading(page, 'Entrar')
    assert.equal(page.url(), `${origin}/entrar?voltar=%2Fsistema`)
    await fill(page)
    await submit(page)
    await heading(page, 'Sistema')
    assert.equal(page.url(), `${origin}/sistema`)
    const sent = asked.find(({ name }) => name === SESSAO)
    assert.deepEqual(sent?.body, {
      username: 'ana@saude.example',
      password: 'Segredo#2026',
      remember_me: false,
    })
    assert.equal(sent?.headers['x-vigia-console'], '1')
    assert.equal(sent?.headers['accept-language'], 'pt-BR')
    assert.equal(sent?.headers.authorization, undefined)
  })

  it('leads nobody to another origin', async () => {
    for (const wanted of ['//outro.example/', 'https://outro.example/', '/\\outro.example', '/nada']) {
      await using visited = await visit(`/entrar?voltar=${encodeURIComponent(wanted)}`, {
        answers: { ...ADMIN, ...HEALTHY },
      })
      await start(visited.page)
      assert.equal(visited.page.url(), `${visited.origin}/painel`)
    }
  })

  it('works by keyboard alone, second factor included', async () => {
    const answers = entering([refusal(428, 'MFA_REQUIRED'), { body: {} }])
    await using visited = await visit('/', { answers })
    const { page, asked } = visited
    await heading(page, 'Entrar')
    const type = async (text: string) => {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.getByLabel('E-mail').focus()
    await type('ana@saude.example')
    await page.keyboard.type('Segredo#2026')
    await page.keyboard.press('Enter')
    await heading(page, 'Segundo fator')
    await untilFocused(page, 'name', 'mfa_code')
    assert.equal(await page.getByLabel('Código').getAttribute('autocomplete'), 'one-time-code')
    await page.keyboard.type('123456')
    await page.keyboard.press('Enter')
    await start(page)
    assert.deepEqual(asked.filter(({ name }) => name === SESSAO).at(-1)?.body, {
      username: 'ana@saude.example',
      password: 'Segredo#2026',
      remember_me: false,
      mfa_code: '123456',
    })
  })

  it('takes a backup code, and goes back to the password', async () => {
    await using visited = await visit('/entrar', { answers: entering(refusal(428, 'MFA_REQUIRED')) })
    const { page } = visited
    await fill(page)
    await submit(page)
    await page.getByRole('button', { name: 'Usar um código de reserva' }).click()
    await page.getByLabel('Código de reserva').fill('ABCD-1234')
    await page.getByRole('button', { name: 'Confirmar' }).click()
    await page.getByLabel('Código', { exact: true }).waitFor()
    const codes = visited.asked.map(({ body }) => (body as { mfa_code?: string } | null)?.mfa_code)
    assert.ok(codes.includes('ABCD-1234'))
    await page.getByRole('button', { name: 'Voltar' }).click()
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'ana@saude.example')
  })

  it('says what is missing or wrong, focused, and keeps what was typed', async () => {
    const answers = { ...NOBODY, [SESSAO]: refusal(401, 'INVALID_CREDENTIALS') }
    await using visited = await visit('/entrar', { answers })
    const { page, asked } = visited
    await submit(page)
    await page.getByText('Preencha este campo.').first().waitFor()
    await untilFocused(page, 'name', 'username')
    assert.equal(asked.filter(({ name }) => name === SESSAO).length, 0)
    await fill(page, 'errada')
    await submit(page)
    const alert = page.getByRole('alert')
    await alert.getByText('mensagem INVALID_CREDENTIALS').waitFor()
    await untilFocused(page, 'role', 'alert')
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'ana@saude.example')
  })

  it('counts down a lock in minutes, then in seconds', async () => {
    const locked_until = new Date(Date.now() + 15 * 60_000).toISOString()
    const answers = { ...NOBODY, [SESSAO]: refusal(423, 'ACCOUNT_LOCKED', { locked_until }) }
    await using visited = await visit('/entrar', { answers, alone: true })
    const { page } = visited
    await page.clock.install()
    await fill(page)
    await submit(page)
    await page.getByText('Tente de novo em 15 minutos.').waitFor()
    await page.clock.fastForward(14 * 60_000 + 30_000)
    await page.getByText(/Tente de novo em \d+ segundos\./).waitFor()
    await page.clock.fastForward(60_000)
    await page.getByText('O bloqueio terminou').waitFor()
  })

  it('waits where it is asked to, says so, and goes on by itself', async () => {
    const answers = entering([refusal(429, 'RATE_LIMITED', {}, { 'retry-after': '1' }), { body: {} }])
    await using visited = await visit('/entrar', { answers })
    await fill(visited.page)
    await submit(visited.page)
    await visited.page.getByText('Muitas consultas; volto em 1 s').waitFor()
    await start(visited.page)
  })

  it('opens nothing but the new password while it must be changed', async () => {
    const answers: Answers = {
      ...HEALTHY,
      [ME]: [refusal(403, 'PASSWORD_CHANGE_REQUIRED'), perfil(['admin'], true)],
      'POST /api/v1/auth/change-password': [
        refusal(400, 'WEAK_PASSWORD', { details: ['Não pode ser comum'] }),
        { body: { message: 'ok', sessions_invalidated: 0 } },
      ],
    }
    await using visited = await visit('/sistema', { answers })
    const { page, asked } = visited
    await heading(page, 'Escolha uma nova senha')
    assert.equal(page.url(), `${visited.origin}/trocar-senha`)
    await page.getByLabel('Senha atual').fill('Provisoria#1')
    await page.getByLabel('Nova senha', { exact: true }).fill('Nova#Sen')
    assert.equal(await page.locator('.rules li.met').count(), 4)
    await page.getByLabel('Repita a nova senha').fill('Nova#Senha2')
    await page.getByRole('button', { name: 'Salvar nova senha' }).click()
    await page.getByText('As duas senhas são diferentes.').waitFor()
    assert.ok(!asked.some(({ name }) => name.includes('change-password')))
    await page.getByLabel('Nova senha', { exact: true }).fill('Nova#Senha2')
    assert.equal(await page.locator('.rules li.met').count(), 5)
    await page.getByRole('button', { name: 'Salvar nova senha' }).click()
    await page.getByText('Não pode ser comum').waitFor()
    await page.getByRole('button', { name: 'Salvar nova senha' }).click()
    await start(page)
  })

  it('always gives the same answer to a forgotten password', async () => {
    const answers = {
      ...NOBODY,
      'POST /api/v1/auth/forgot-password': { body: { message: 'x', expires_in: 1 } },
    }
    await using visited = await visit('/entrar', { answers })
    const { page, asked } = visited
    await page.getByRole('link', { name: 'Esqueci a senha' }).click()
    await heading(page, 'Esqueci a senha')
    await page.getByLabel('E-mail').fill('quem@saude.example')
    await page.getByRole('button', { name: 'Enviar link' }).click()
    await page.getByText('Se o e-mail estiver cadastrado, você receberá').waitFor()
    assert.deepEqual(asked.at(-1)?.body, { email: 'quem@saude.example' })
  })

  it('stands over the screen whose session ended, which then goes on', async () => {
    const answers: Answers = {
      ...ADMIN,
      [SESSAO]: { body: {} },
      'GET /api/v1/health/detailed': [UNAUTHORIZED, ...[HEALTHY['GET /api/v1/health/detailed'] ?? []].flat()],
    }
    await using visited = await visit('/sistema', { answers })
    const { page } = visited
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Sua sessão terminou').waitFor()
    assert.equal(await dialog.getByLabel('E-mail').inputValue(), 'ana@saude.example')
    await dialog.getByLabel('Senha', { exact: true }).fill('Segredo#2026')
    await page.keyboard.press('Enter')
    await page.getByText('Banco de dados').waitFor()
    assert.equal(await dialog.count(), 0)
    assert.equal(page.url(), `${visited.origin}/sistema`)
  })

  it('ends in every tab at once, and leaves nothing but preferences in the browser', async () => {
    const answers = { ...ADMIN, ...HEALTHY, 'DELETE /api/v1/auth/sessao': { status: 204 } }
    await using visited = await visit('/sistema', { answers })
    const { page, asked, origin } = visited
    await page.getByText('Banco de dados').waitFor()
    const other = await page.context().newPage()
    await other.route('**/api/v1/usuarios/me**', (route) =>
      route.fulfill({ json: perfil(['agravos.listar']).body }),
    )
    await other.goto(`${origin}/ajuda`)
    await heading(other, 'Ajuda')
    await page.getByRole('button', { name: /Ana Souza/ }).click()
    await page.getByLabel('Tema').selectOption('escuro')
    await page.getByRole('button', { name: 'Sair' }).click()
    await heading(page, 'Entrar')
    await heading(other, 'Entrar')
    await other.close()
    const sent = asked.find(({ name }) => name === 'DELETE /api/v1/auth/sessao')
    assert.equal(sent?.headers['x-vigia-console'], '1')
    const kept = await page.evaluate(`(async () => ({
      local: { ...localStorage },
      session: sessionStorage.length,
      databases: (await indexedDB.databases()).length,
      caches: (await caches.keys()).length,
    }))()`)
    const preferences = JSON.stringify({
      tema: 'escuro',
      idioma: null,
      teclas: true,
      densidade: 'confortavel',
      territorio: null,
    })
    assert.deepEqual(kept, {
      local: { 'vigia.preferencias': preferences },
      session: 0,
      databases: 0,
      caches: 0,
    })
  })

  it('begins where the person may be', async () => {
    await using visited = await visit('/', { answers: READER })
    await heading(visited.page, 'Casos')
  })
})
