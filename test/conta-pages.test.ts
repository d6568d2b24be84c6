import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator, Page, Route } from 'playwright-core'
import { envelopeError } from '../src/contracts/error-envelope.ts'
import { servePages } from '../src/http/pages.ts'
import { createServer } from '../src/http/server.ts'
import { createTabs, launchBrowser, noBrowser } from './harness/browser.ts'

const TOKEN = 'A-b_'.repeat(11)
/** Set to a folder to look at the pages. */
const SCREENSHOTS = process.env.VIGIA_SCREENSHOTS

const server = createServer({
  app: {},
  contracts: [],
  renderError: envelopeError,
  authenticate: async () => null,
  answerOnce: async () => assert.fail('no route takes a key'),
  slashMatters: () => false,
  collisions: [],
  clock: { now: () => new Date() },
  fastify: {},
  onFault: (error) => {
    throw error
  },
})
await servePages(server)
await server.listen({ host: '127.0.0.1', port: 0 })
after(() => server.close())
const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`

const PAGES = ['/redefinir-senha', '/verificar-email', '/nao-fui-eu']
const FILES = [
  '/conta/conta.css',
  '/conta/conta.js',
  '/conta/redefinir-senha.js',
  '/conta/verificar-email.js',
  '/conta/nao-fui-eu.js',
]

describe('the pages of the account', () => {
  it('have a policy that lets nothing in from elsewhere and nothing run inside the page', async () => {
    for (const path of [...PAGES, ...FILES]) {
      const { statusCode, headers } = await server.inject(path)
      assert.equal(statusCode, 200, path)
      const policy = String(headers['content-security-policy'])
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ])
        assert.ok(policy.split('; ').includes(rule), `${path}: ${rule}`)
      assert.doesNotMatch(policy, /unsafe|\*|https?:/)
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['x-frame-options'], 'DENY')
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.equal(headers['cache-control'], 'no-cache')
    }
  })

  it('are what their type says, and answer 304 to who has them', async () => {
    const types: Record<string, string> = { css: 'text/css', js: 'text/javascript' }
    for (const path of [...PAGES, ...FILES]) {
      const { headers } = await server.inject(path)
      const expected = types[path.split('.')[1] ?? ''] ?? 'text/html'
      assert.equal(headers['content-type'], `${expected}; charset=utf-8`)
      const again = await server.inject({ url: path, headers: { 'if-none-match': String(headers.etag) } })
      assert.equal(again.statusCode, 304)
      assert.equal(again.payload, '')
    }
  })

  it('name no outside address and hold no script or style of their own', async () => {
    const folder = new URL('../web/conta/', import.meta.url)
    const names = await readdir(folder)
    assert.equal(names.length, PAGES.length + FILES.length, 'every file is served')
    for (const name of names) {
      const content = await readFile(new URL(name, folder), 'utf8')
      assert.doesNotMatch(content, /https?:|["'(]\/\/|@import|url\(/, name)
      assert.doesNotMatch(content, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/, name)
      if (!name.endsWith('.html')) continue
      assert.doesNotMatch(content, /<style|\sstyle=|\son\w+=|<script(?![^>]* src="\/conta\/)/, name)
      for (const [, address] of content.matchAll(/(?:src|href)="([^"]*)"/g))
        assert.match(address ?? '', /^(?:\/conta\/[\w-]+\.(?:js|css)|data:,)$/)
    }
  })

  it('are only read: no other method is answered', async () => {
    for (const path of PAGES)
      for (const method of ['POST', 'PUT', 'DELETE'] as const)
        assert.equal((await server.inject({ method, url: path })).statusCode, 405)
  })

  it('stand beside the documentation, which is as it was', async () => {
    const { statusCode, payload, headers } = await server.inject('/docs')
    assert.equal(statusCode, 200)
    assert.ok(payload.includes('/docs/docs.js'))
    assert.match(String(headers['content-security-policy']), /^default-src 'none'/)
    for (const file of ['docs.js', 'swagger-ui.css', 'swagger-ui-bundle.js'])
      assert.equal((await server.inject(`/docs/${file}`)).statusCode, 200)
  })
})

describe('in a browser', { skip: noBrowser }, () => {
  let browser: Browser
  let openTab: ReturnType<typeof createTabs>
  before(async () => {
    browser = await launchBrowser()
    openTab = createTabs(browser)
  })
  after(() => browser?.close())

  interface Visit {
    page: Page
    /** Bodies and languages of what the page asked of the API. */
    asked: { path: string; body: unknown; language: string | undefined }[]
    /** Every address that was asked for, and whatever the console complained about. */
    requests: string[]
    complaints: string[]
  }

  interface VisitOptions {
    locale?: string
    answers?: { status: number; body: unknown }[]
    phone?: boolean
    dark?: boolean
  }

  async function visit(path: string, options: VisitOptions = {}): Promise<Visit & AsyncDisposable> {
    const { locale = 'pt-BR', answers = [], phone = true, dark = false } = options
    const { page, leave } = await openTab({
      locale,
      viewport: phone ? { width: 360, height: 740 } : { width: 1200, height: 800 },
      colorScheme: dark ? 'dark' : 'light',
    })
    const asked: Visit['asked'] = []
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      // The browser itself notes every answer that is not 2xx.
      if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
        complaints.push(message.text())
    })
    await page.route('**/api/v1/**', async (route: Route) => {
      const request = route.request()
      asked.push({
        path: new URL(request.url()).pathname,
        body: request.postDataJSON(),
        language: request.headers()['accept-language'],
      })
      const answer = answers.shift()
      if (answer === undefined) return route.abort()
      await route.fulfill({ status: answer.status, json: answer.body })
    })
    await page.goto(`${origin}${path}`)
    const close = async () => {
      await leave()
      assert.deepEqual(complaints, [])
      assert.deepEqual(
        requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:')),
        [],
      )
    }
    return { page, asked, requests, complaints, [Symbol.asyncDispose]: close }
  }

  const look = async (page: Page, name: string) => {
    if (SCREENSHOTS !== undefined)
      await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
  }

  async function submit(page: Page, senha: string, confirmation = senha) {
    await page.locator('#senha_nova').fill(senha)
    await page.locator('#confirmar_senha').fill(confirmation)
    await page.locator('#submit').click()
  }

  const notice = (page: Page) => page.locator('#notice:not([hidden])')
  const error = (code: string, extras: object = {}) => ({
    error: { code, message: `mensagem ${code}`, ...extras },
  })
  const textOf = async (locator: Locator) => (await locator.textContent()) ?? ''
  const focused = (page: Page) => page.evaluate('document.activeElement.id')

  it('the reset page takes the token out of the address and sends it with the new password', async () => {
    const answers = [{ status: 200, body: { message: 'ok' } }]
    await using visited = await visit(`/redefinir-senha#token=${TOKEN}`, { answers })
    const { page, asked } = visited
    assert.equal(page.url(), `${origin}/redefinir-senha`)
    assert.equal(await focused(page), 'senha_nova')
    await look(page, 'redefinir-vazia')
    await submit(page, 'Nova#Senha1')
    await notice(page).waitFor()
    assert.match(await textOf(notice(page)), /Sua senha foi alterada/)
    assert.deepEqual(asked, [
      {
        path: '/api/v1/auth/reset-password',
        body: { token: TOKEN, senha_nova: 'Nova#Senha1', confirmar_senha: 'Nova#Senha1' },
        language: 'pt-BR',
      },
    ])
    assert.equal(await page.locator('#form').isVisible(), false)
    assert.equal(await page.locator('#senha_nova').inputValue(), '', 'the password is not left in the page')
    assert.equal(await focused(page), 'notice')
    assert.equal(await page.title(), 'Vigia: Senha alterada')
    await look(page, 'redefinir-sucesso')
  })

  it('the token reaches neither the server nor the history', async () => {
    await using visited = await visit(`/redefinir-senha#token=${TOKEN}`)
    const { page } = visited
    assert.ok(
      !visited.requests.some((url) => url.includes(TOKEN) && !url.startsWith(`${origin}/redefinir-senha#`)),
    )
    await page.reload()
    assert.match(await textOf(notice(page)), /não é válido/)
  })

  it('the rules are shown and ticked off while typing', async () => {
    await using visited = await visit(`/redefinir-senha#token=${TOKEN}`)
    const { page } = visited
    const met = () => page.locator('#rules li.met').count()
    assert.equal(await page.locator('#rules li').count(), 5)
    for (const [senha, expected] of [
      ['', 0],
      ['a', 1],
      ['aB', 2],
      ['aB3', 3],
      ['aB3 é', 3],
      ['aB3#', 4],
      ['aB3#aB3#', 5],
      ['aB3#'.repeat(33), 4],
    ] as const) {
      await page.locator('#senha_nova').fill(senha)
      assert.equal(await met(), expected, senha)
    }
    await page.locator('#senha_nova').fill('Abc#')
    assert.match(await textOf(page.locator('#rules li.met').first()), /cumprida/)
    await page.locator('#show').check()
    assert.equal(await page.locator('#senha_nova').getAttribute('type'), 'text')
    await look(page, 'redefinir-regras')
  })

  it('two different passwords are not even sent', async () => {
    await using visited = await visit(`/redefinir-senha#token=${TOKEN}`)
    const { page, asked } = visited
    await page.locator('#submit').click()
    assert.equal(await textOf(page.locator('#senha_nova-error')), 'Digite a nova senha.')
    await submit(page, 'Nova#Senha1', 'Nova#Senha2')
    assert.equal(await textOf(page.locator('#confirmar_senha-error')), 'As duas senhas são diferentes.')
    assert.equal(await page.locator('#confirmar_senha').getAttribute('aria-invalid'), 'true')
    assert.equal(await page.locator('#senha_nova').getAttribute('aria-invalid'), null)
    assert.equal(await focused(page), 'confirmar_senha')
    assert.deepEqual(asked, [])
    await look(page, 'redefinir-diferentes')
  })

  it('a refused password can be mended and sent again with the same token', async () => {
    const weak = error('WEAK_PASSWORD', { details: ['Não pode ser comum', 'Ao menos um algarismo'] })
    const invalid = error('VALIDATION_ERROR', {
      details: [{ field: 'confirmar_senha', message: 'Não confere', code: 'MISMATCH' }],
    })
    const answers = [
      { status: 400, body: weak },
      { status: 422, body: invalid },
      { status: 503, body: error('UNAVAILABLE') },
      { status: 502, body: 'not ours' },
      { status: 200, body: { message: 'ok' } },
    ]
    await using visited = await visit(`/redefinir-senha#token=${TOKEN}`, { answers })
    const { page, asked } = visited
    await submit(page, 'Senha#123')
    await page.locator('#senha_nova-error', { hasText: 'comum; Ao menos um algarismo' }).waitFor()
    assert.equal(await focused(page), 'senha_nova')
    await look(page, 'redefinir-fraca')
    await page.locator('#submit').click()
    await page.locator('#confirmar_senha-error', { hasText: 'Não confere' }).waitFor()
    assert.equal(await textOf(page.locator('#senha_nova-error')), '')
    await page.locator('#submit').click()
    await page.locator('#notice', { hasText: 'mensagem UNAVAILABLE' }).waitFor()
    await page.locator('#submit').click()
    await page.locator('#notice', { hasText: 'Tente novamente em instantes' }).waitFor()
    await page.locator('#submit').click()
    await page.locator('#notice.success').waitFor()
    assert.equal(asked.length, 5)
  })

  it('a link that is used, expired or incomplete says so and offers no form', async () => {
    const answers = [{ status: 400, body: error('INVALID_RESET_TOKEN') }]
    await using visited = await visit(`/redefinir-senha#token=${TOKEN}`, { answers })
    await submit(visited.page, 'Nova#Senha1')
    await notice(visited.page).waitFor()
    assert.match(await textOf(notice(visited.page)), /já foi usado, expirou/)
    assert.equal(await visited.page.locator('#form').isVisible(), false)
    await look(visited.page, 'redefinir-invalida')
    for (const path of PAGES) {
      await using bare = await visit(path)
      assert.match(await textOf(notice(bare.page)), /não é válido/)
      assert.equal(await bare.page.locator('#form').isVisible(), false)
      assert.deepEqual(bare.asked, [])
    }
  })

  it('another link opened in the same tab starts anew', async () => {
    const answers = [
      { status: 400, body: error('INVALID_RESET_TOKEN') },
      { status: 200, body: {} },
    ]
    await using visited = await visit(`/redefinir-senha#token=${TOKEN}`, { answers })
    const { page, asked } = visited
    await submit(page, 'Nova#Senha1')
    await notice(page).waitFor()
    await page.goto(`${origin}/redefinir-senha#token=outro`)
    assert.equal(await page.title(), 'Vigia: Escolha uma nova senha')
    await submit(page, 'Nova#Senha1')
    await page.locator('#notice.success').waitFor()
    assert.deepEqual(
      asked.map(({ body }) => (body as { token: string }).token),
      [TOKEN, 'outro'],
    )
    assert.equal(page.url(), `${origin}/redefinir-senha`)
  })

  it('no answer at all is told and leaves what was typed', async () => {
    await using visited = await visit(`/redefinir-senha#token=${TOKEN}`)
    const { page } = visited
    await submit(page, 'Nova#Senha1')
    await page.locator('#notice.error', { hasText: 'Verifique sua conexão' }).waitFor()
    assert.equal(await page.locator('#senha_nova').inputValue(), 'Nova#Senha1')
    assert.equal(await page.locator('#submit').isEnabled(), true)
  })

  it('the verification page changes nothing until its button is used', async () => {
    const answers = [{ status: 200, body: { message: 'ok' } }]
    await using visited = await visit(`/verificar-email#token=${TOKEN}`, { answers })
    const { page, asked } = visited
    assert.equal(page.url(), `${origin}/verificar-email`)
    assert.equal(await focused(page), 'submit')
    await look(page, 'verificar')
    assert.deepEqual(asked, [])
    await page.keyboard.press('Enter')
    await page.locator('#notice.success', { hasText: 'Seu e-mail foi confirmado' }).waitFor()
    assert.deepEqual(asked, [
      { path: '/api/v1/auth/verificar-email', body: { token: TOKEN }, language: 'pt-BR' },
    ])
    await look(page, 'verificar-sucesso')
  })

  it('the page of who did not do it changes nothing until its button is used', async () => {
    const answers = [{ status: 200, body: { message: 'ok' } }]
    await using visited = await visit(`/nao-fui-eu#token=${TOKEN}`, { answers })
    const { page, asked } = visited
    assert.equal(page.url(), `${origin}/nao-fui-eu`)
    await look(page, 'nao-fui-eu')
    assert.deepEqual(asked, [])
    await page.keyboard.press('Enter')
    await page.locator('#notice.success', { hasText: 'Escolha agora uma nova senha' }).waitFor()
    assert.deepEqual(asked, [{ path: '/api/v1/auth/nao-fui-eu', body: { token: TOKEN }, language: 'pt-BR' }])
    await look(page, 'nao-fui-eu-sucesso')
  })

  it('an address that is another account’s by now is told, and the link can be used again', async () => {
    const taken = error('VALIDATION_ERROR', {
      details: [{ field: 'email', message: 'x', code: 'DUPLICATE' }],
    })
    const answers = [
      { status: 422, body: taken },
      { status: 400, body: error('INVALID_UNDO_TOKEN') },
    ]
    await using visited = await visit(`/nao-fui-eu#token=${TOKEN}`, { answers, dark: true })
    const { page } = visited
    await page.locator('#submit').click()
    await page.locator('#notice.error', { hasText: 'já é o de outra conta' }).waitFor()
    await look(page, 'nao-fui-eu-ocupado')
    await page.locator('#submit').click()
    await page.locator('#notice.error', { hasText: 'já foi usado' }).waitFor()
    assert.equal(await page.locator('#form').isVisible(), false)
    await look(page, 'nao-fui-eu-invalido')
  })

  it('the verification page tells a bad link from a server that cannot be reached', async () => {
    const answers = [{ status: 400, body: error('INVALID_VERIFICATION_TOKEN') }]
    await using bad = await visit(`/verificar-email#token=${TOKEN}`, { answers })
    await bad.page.locator('#submit').click()
    await bad.page.locator('#notice.error', { hasText: 'já foi usado' }).waitFor()
    assert.equal(await bad.page.locator('#form').isVisible(), false)
    await using away = await visit(`/verificar-email#token=${TOKEN}`)
    await away.page.locator('#submit').click()
    await away.page.locator('#notice.error', { hasText: 'Verifique sua conexão' }).waitFor()
    assert.equal(await away.page.locator('#form').isVisible(), true)
  })

  it('all speak the language of the visitor, and Portuguese to all others', async () => {
    const titles: Record<string, [string, ...string[]]> = {
      'en-GB': ['en-US', 'Choose a new password', 'Confirm your email', 'Was it not you?'],
      'es-MX': ['es-ES', 'Elija una nueva contraseña', 'Confirme su correo', '¿No fue usted?'],
      'fr-FR': ['pt-BR', 'Escolha uma nova senha', 'Confirme seu e-mail', 'Não foi você?'],
    }
    for (const [locale, [language, ...inOrder]] of Object.entries(titles))
      for (const [i, path] of PAGES.entries()) {
        const title = inOrder[i]
        await using visited = await visit(`${path}#token=${TOKEN}`, {
          locale,
          phone: false,
          dark: locale === 'es-MX',
        })
        const { page } = visited
        assert.equal(await textOf(page.locator('h1')), title)
        assert.equal(await page.title(), `Vigia: ${title}`)
        assert.equal(await page.locator('html').getAttribute('lang'), language)
        assert.doesNotMatch(await textOf(page.locator('main')), /undefined/)
        await look(page, `${path.slice(1)}-${locale}`)
      }
  })

  it('every field has its label, and nothing is wider than a small phone', async () => {
    for (const path of PAGES) {
      await using visited = await visit(`${path}#token=${TOKEN}`)
      const { page } = visited
      assert.equal(
        await page.evaluate(
          '[...document.querySelectorAll("input")].every((input) => input.labels.length === 1)',
        ),
        true,
      )
      assert.equal(await page.locator('#notice').getAttribute('aria-live'), 'polite')
      await page.setViewportSize({ width: 320, height: 568 })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
    }
  })
})
