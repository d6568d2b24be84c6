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
  reconnect,
  refusal,
  untilFocused,
} from '../harness/console-page.ts'
import { inspectViews, type View } from '../harness/console-views.ts'
import { eventually } from '../harness/eventually.ts'

const TOKEN = 'A-b_'.repeat(11)
const ME = 'GET /api/v1/usuarios/me'
const RESET = 'POST /api/v1/auth/reset-password'
const VERIFY = 'POST /api/v1/auth/verificar-email'
const UNDO = 'POST /api/v1/auth/nao-fui-eu'
const PATHS = ['/redefinir-senha', '/verificar-email', '/nao-fui-eu']
const SENT = { body: { message: 'ok' } }
const CUT = { cut: true }

const withLink = (path: string, token = TOKEN) => `${path}#token=${token}`
const opened = (path: string): Answers => ({ ...NOBODY, [path]: SENT })
const press = (page: Page) => page.locator('button[type=submit]').click()
const senha = (page: Page) => page.getByLabel('Nova senha', { exact: true })
const repeated = (page: Page) => page.getByLabel('Repita a nova senha')
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
const notice = (page: Page, kind: 'done' | 'error', text: string | RegExp) =>
  page.locator(`.notice.${kind}`, { hasText: text }).waitFor()

async function choose(page: Page, text: string, again = text) {
  await senha(page).fill(text)
  await repeated(page).fill(again)
  await press(page)
}

const VIEWS: View[] = [
  {
    name: 'link-redefinir',
    picture: true,
    path: withLink('/redefinir-senha'),
    answers: NOBODY,
    act: (page) => senha(page).fill('Nova#S'),
    seen: 'Salvar nova senha',
  },
  {
    name: 'link-redefinir-fraca',
    path: withLink('/redefinir-senha'),
    answers: { ...NOBODY, [RESET]: refusal(400, 'WEAK_PASSWORD', { details: ['Não pode ser comum'] }) },
    act: (page) => choose(page, 'Senha#123'),
    seen: /Não pode ser comum/,
  },
  {
    name: 'link-redefinida',
    picture: true,
    path: withLink('/redefinir-senha'),
    answers: opened(RESET),
    act: (page) => choose(page, 'Nova#Senha1'),
    seen: 'Senha alterada',
  },
  { name: 'link-invalido', picture: true, path: '/redefinir-senha', answers: NOBODY, seen: 'Link inválido' },
  {
    name: 'link-verificar',
    picture: true,
    path: withLink('/verificar-email'),
    answers: NOBODY,
    seen: 'Confirmar e-mail',
  },
  {
    name: 'link-verificado',
    path: withLink('/verificar-email'),
    answers: opened(VERIFY),
    act: press,
    seen: 'E-mail confirmado',
  },
  {
    name: 'link-nao-fui-eu',
    picture: true,
    path: withLink('/nao-fui-eu'),
    answers: NOBODY,
    seen: 'Não fui eu: desfazer',
  },
  {
    name: 'link-desfeito',
    path: withLink('/nao-fui-eu'),
    answers: opened(UNDO),
    act: press,
    seen: 'Desfeito',
  },
]

describe('The screens that links in mails lead to', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  inspectViews(VIEWS, visit)

  it('take the token out of the address, and send it with what was asked for, in the language of the visitor', async () => {
    await using visited = await visit(withLink('/redefinir-senha'), { answers: opened(RESET) })
    const { page, asked, origin } = visited
    await senha(page).waitFor()
    assert.equal(page.url(), `${origin}/redefinir-senha`)
    await untilFocused(page, 'id', (await senha(page).getAttribute('id')) as string)
    await choose(page, 'Nova#Senha1')
    await notice(page, 'done', 'Sua senha foi alterada')
    const sent = asked.filter(({ name }) => name === RESET)
    assert.deepEqual(
      sent.map(({ body, headers }) => [body, headers['accept-language']]),
      [[{ token: TOKEN, senha_nova: 'Nova#Senha1', confirmar_senha: 'Nova#Senha1' }, 'pt-BR']],
    )
    assert.equal(await page.locator('input').count(), 0, 'the password is not left in the page')
    await untilFocused(page, 'className', 'notice done')
    await eventually(async () => assert.equal(await page.title(), 'Senha alterada · Vigia'))
    await page.getByRole('link', { name: 'Ir para o Vigia' }).click()
    await heading(page, 'Entrar')
  })

  it('let the token reach neither another request nor the history', async () => {
    for (const path of PATHS) {
      await using visited = await visit(withLink(path), { answers: NOBODY })
      const { page, asked, origin } = visited
      await page.locator('button[type=submit]').waitFor()
      assert.equal(page.url(), `${origin}${path}`)
      assert.doesNotMatch(
        JSON.stringify(asked.map(({ query, body, headers }) => [String(query), body, headers])),
        new RegExp(TOKEN),
      )
      await page.reload()
      await notice(page, 'error', 'não é válido')
    }
  })

  it('tick the rules of a password off as it is typed', async () => {
    await using visited = await visit(withLink('/redefinir-senha'), { answers: NOBODY })
    const { page } = visited
    const met = page.locator('.rules li.met')
    await page.locator('.rules li').first().waitFor()
    assert.equal(await page.locator('.rules li').count(), 5)
    for (const [text, expected] of [
      ['a', 1],
      ['aB3', 3],
      ['aB3 é', 3],
      ['aB3#aB3#', 5],
      ['aB3#'.repeat(33), 4],
    ] as const) {
      await senha(page).fill(text)
      await eventually(async () => assert.equal(await met.count(), expected, text))
    }
    await page.getByLabel('Mostrar a senha').first().check()
    assert.equal(await senha(page).getAttribute('type'), 'text')
  })

  it('do not even send two different passwords', async () => {
    await using visited = await visit(withLink('/redefinir-senha'), { answers: NOBODY })
    const { page, asked } = visited
    await press(page)
    await page.getByText('Preencha este campo.').waitFor()
    await choose(page, 'Nova#Senha1', 'Nova#Senha2')
    await page.getByText('As duas senhas são diferentes.').waitFor()
    assert.equal(await repeated(page).getAttribute('aria-invalid'), 'true')
    assert.equal(await senha(page).getAttribute('aria-invalid'), 'false')
    assert.ok(!asked.some(({ name }) => name === RESET))
  })

  it('let a refused password be mended and sent again with the same token', async () => {
    const answers = {
      ...NOBODY,
      [RESET]: [
        refusal(400, 'WEAK_PASSWORD', { details: ['Não pode ser comum', 'Ao menos um algarismo'] }),
        refusal(422, 'VALIDATION_ERROR', {
          details: [{ field: 'confirmar_senha', message: 'Não confere', code: 'MISMATCH' }],
        }),
        refusal(503, 'UNAVAILABLE'),
        CUT,
        SENT,
      ],
    }
    await using visited = await visit(withLink('/redefinir-senha'), { answers })
    const { page, asked } = visited
    await choose(page, 'Senha#123')
    await notice(page, 'error', 'Não pode ser comum. Ao menos um algarismo')
    await press(page)
    await page.getByText('Não confere').waitFor()
    await press(page)
    await notice(page, 'error', 'mensagem UNAVAILABLE')
    await press(page)
    await notice(page, 'error', 'O serviço não respondeu')
    assert.equal(await senha(page).inputValue(), 'Senha#123', 'what was typed stays')
    await reconnect(visited)
    await press(page)
    await notice(page, 'done', 'Sua senha foi alterada')
    const tokens = asked
      .filter(({ name }) => name === RESET)
      .map(({ body }) => (body as { token: string }).token)
    assert.deepEqual(tokens, Array(5).fill(TOKEN))
  })

  it('say so of a link that is used, expired or incomplete, offer no form, and lead to another link', async () => {
    const badField = refusal(422, 'VALIDATION_ERROR', {
      details: [{ field: 'token', message: 'x', code: 'TOO_LONG' }],
    })
    const answers = {
      ...NOBODY,
      [RESET]: badField,
      [VERIFY]: refusal(400, 'INVALID_VERIFICATION_TOKEN'),
      [UNDO]: refusal(400, 'INVALID_UNDO_TOKEN'),
    }
    for (const path of PATHS)
      for (const address of [path, `${path}#token=`, withLink(path)]) {
        await using visited = await visit(address, { answers })
        const { page, asked } = visited
        if (address === withLink(path)) {
          await page.locator('button[type=submit]').waitFor()
          if (path === '/redefinir-senha') await choose(page, 'Nova#Senha1')
          else await press(page)
        }
        await notice(page, 'error', 'já foi usado, expirou')
        await eventually(async () => assert.equal(await page.title(), 'Link inválido · Vigia'))
        assert.equal(await page.locator('form').count(), 0)
        assert.equal(asked.filter(({ name }) => name !== ME).length, address === withLink(path) ? 1 : 0)
      }
    await using visited = await visit('/redefinir-senha', { answers })
    await visited.page.getByRole('link', { name: 'Pedir outro link' }).click()
    await heading(visited.page, 'Esqueci a senha')
  })

  it('start anew with another link that is opened in the same tab', async () => {
    const answers = { ...NOBODY, [RESET]: [refusal(400, 'INVALID_RESET_TOKEN'), SENT] }
    await using visited = await visit(withLink('/redefinir-senha'), { answers })
    const { page, asked, origin } = visited
    await choose(page, 'Nova#Senha1')
    await notice(page, 'error', 'não é válido')
    await page.goto(`${origin}${withLink('/redefinir-senha', 'outro')}`)
    await heading(page, 'Escolha uma nova senha')
    assert.equal(await senha(page).inputValue(), '')
    await choose(page, 'Nova#Senha1')
    await notice(page, 'done', 'Sua senha foi alterada')
    const sent = asked.filter(({ name }) => name === RESET)
    assert.deepEqual(
      sent.map(({ body }) => (body as { token: string }).token),
      [TOKEN, 'outro'],
    )
    assert.equal(page.url(), `${origin}/redefinir-senha`)
  })

  it('change nothing until their button is used, by mouse or by keyboard', async () => {
    for (const [path, route, done] of [
      ['/verificar-email', VERIFY, 'Seu e-mail foi confirmado'],
      ['/nao-fui-eu', UNDO, 'Escolha agora uma nova senha'],
    ] as const) {
      await using visited = await visit(withLink(path), { answers: opened(route) })
      const { page, asked } = visited
      await page.locator('button[type=submit]').waitFor()
      await page.waitForLoadState('networkidle')
      assert.deepEqual([...new Set(asked.map(({ name }) => name))], [ME])
      await untilFocused(page, 'className', 'button primary')
      await page.keyboard.press('Enter')
      await notice(page, 'done', done)
      const sent = asked.filter(({ name }) => name === route)
      assert.deepEqual(
        sent.map(({ body }) => body),
        [{ token: TOKEN }],
      )
    }
  })

  it('tell that an address is another account’s by now, and let the link be used again', async () => {
    const details = [{ field: 'email', message: 'x', code: 'DUPLICATE' }]
    const answers = {
      ...NOBODY,
      [UNDO]: [refusal(422, 'VALIDATION_ERROR', { details }), CUT, refusal(400, 'INVALID_UNDO_TOKEN')],
    }
    await using visited = await visit(withLink('/nao-fui-eu'), { answers })
    const { page } = visited
    await press(page)
    await notice(page, 'error', 'já é o de outra conta')
    await press(page)
    await notice(page, 'error', 'O serviço não respondeu')
    await reconnect(visited)
    await press(page)
    await notice(page, 'error', 'já foi usado')
  })

  it('work whatever session there is: none, a whole one, one that must do something first, or a service that does not tell', async () => {
    const sessions: Answers[] = [
      NOBODY,
      { ...ADMIN, ...HEALTHY },
      { [ME]: refusal(403, 'PASSWORD_CHANGE_REQUIRED') },
      { [ME]: refusal(403, 'MFA_ENROLMENT_REQUIRED') },
      { [ME]: refusal(500, 'INTERNAL_ERROR') },
    ]
    for (const session of sessions) {
      await using visited = await visit(withLink('/verificar-email'), {
        answers: { ...session, [VERIFY]: SENT },
      })
      await heading(visited.page, 'Confirme seu e-mail')
      await press(visited.page)
      await notice(visited.page, 'done', 'Seu e-mail foi confirmado')
    }
  })

  it('speak the language of the visitor, and Portuguese to all others', async () => {
    const titles: Record<string, [string, ...string[]]> = {
      'en-GB': ['en-US', 'Choose a new password', 'Confirm your email', 'Was it not you?'],
      'es-MX': ['es-ES', 'Elija una nueva contraseña', 'Confirme su correo', '¿No fue usted?'],
      'fr-FR': ['pt-BR', 'Escolha uma nova senha', 'Confirme seu e-mail', 'Não foi você?'],
    }
    for (const [locale, [language, ...inOrder]] of Object.entries(titles))
      for (const [i, path] of PATHS.entries()) {
        await using visited = await visit(withLink(path), { answers: NOBODY, locale })
        const { page } = visited
        await heading(page, inOrder[i] as string)
        await eventually(async () => assert.equal(await page.title(), `${inOrder[i]} · Vigia`))
        assert.equal(await page.locator('html').getAttribute('lang'), language)
        assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /undefined/)
      }
  })
})
