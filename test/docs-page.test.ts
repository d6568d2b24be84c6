import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { ADMIN_EMAIL, PASSWORD, testApp } from './harness/app.ts'
import { noBrowser, openBrowser, type TestBrowser } from './harness/browser.ts'
import { HANG_MS } from './harness/eventually.ts'

const t = await testApp()
after(() => t.close())

const FILES: [path: string, type: string][] = [
  ['//docs', 'text/html; charset=utf-8'],
  ['//docs/docs.js', 'text/javascript; charset=utf-8'],
  ['//docs/login.js', 'text/javascript; charset=utf-8'],
  ['//docs/docs.css', 'text/css; charset=utf-8'],
  ['//docs/swagger-ui.css', 'text/css; charset=utf-8'],
  ['//docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
]
const OWN = FILES.slice(0, 4)

describe('The documentation page', () => {
  for (const [path, type] of FILES) {
    it(`${path.slice(1)} is served to anyone, with a policy that allows this origin only`, async () => {
      const { status, headers, text } = await t.anonymous.get(path)
      assert.equal(status, 200)
      assert.equal(headers['content-type'], type)
      assert.ok(text.length > 100)
      const policy = new Map(
        String(headers['content-security-policy'])
          .split('; ')
          .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
      )
      assert.deepEqual(policy.get('default-src'), ["'none'"])
      assert.deepEqual(policy.get('script-src'), ["'self'"])
      assert.deepEqual(policy.get('connect-src'), ["'self'"])
      assert.deepEqual(policy.get('frame-ancestors'), ["'none'"])
      assert.deepEqual(policy.get('base-uri'), ["'none'"])
      assert.ok(![...policy.values()].flat().some((source) => /:\/\/|\*|^https?:|unsafe-eval/.test(source)))
      assert.equal(headers['x-content-type-options'], 'nosniff')
    })

    it(`${path.slice(1)} is not sent again to those who have it`, async () => {
      const { headers } = await t.anonymous.get(path)
      assert.equal(headers['cache-control'], 'no-cache')
      const again = await t.anonymous.get(path, { headers: { 'if-none-match': String(headers.etag) } })
      assert.equal(again.status, 304)
      assert.equal(again.text, '')
      assert.equal(again.headers.etag, headers.etag)
      const changed = await t.anonymous.get(path, { headers: { 'if-none-match': '"another"' } })
      assert.equal(changed.status, 200)
    })

    it(`${path.slice(1)} can only be read`, async () => {
      const { status, headers } = await t.anonymous.request('POST', path)
      assert.equal(status, 405)
      assert.equal(headers.allow, 'GET, HEAD, OPTIONS')
    })
  }

  for (const [path] of OWN)
    it(`${path.slice(1)} names no outside address and has nothing inline to run`, async () => {
      const { text } = await t.anonymous.get(path)
      assert.doesNotMatch(text, /https?:|\/\/[a-z]+\.|@import/i)
      assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|\bon[a-z]+=|javascript:/i)
    })

  it('is sent compressed: its largest file is less than a third of what it was', async () => {
    const url = '/docs/swagger-ui-bundle.js'
    const plain = await t.server.inject({ url })
    const answer = await t.server.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
    assert.equal(answer.headers['content-encoding'], 'br')
    assert.equal(answer.headers.vary, 'Accept-Encoding')
    assert.ok(answer.rawPayload.length * 3 < plain.rawPayload.length)
    assert.ok(brotliDecompressSync(answer.rawPayload).equals(plain.rawPayload))
  })

  it('finds everything that it asks for', async () => {
    const { text } = await t.anonymous.get('//docs')
    const wanted = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path as string)
    assert.ok(wanted.length >= 5)
    for (const path of wanted) assert.equal((await t.anonymous.get(`/${path}`)).status, 200, path)
  })
})

describe('The documentation page in a browser', { skip: noBrowser }, async () => {
  let browser: TestBrowser
  let page: Page
  const strangers: string[] = []
  const complaints: string[] = []

  // One page for all tests: to show a hundred operations takes seconds of computing.
  before(async () => {
    await t.server.listen({ host: '127.0.0.1', port: 0 })
    const origin = `http://127.0.0.1:${(t.server.server.address() as AddressInfo).port}`
    browser = await openBrowser()
    page = await browser.newPage({ locale: 'pt-BR', viewport: { width: 1280, height: 1000 } })
    page.setDefaultTimeout(HANG_MS)
    page.on('request', (request) => {
      if (!/^data:|^blob:/.test(request.url()) && new URL(request.url()).origin !== origin)
        strangers.push(request.url())
    })
    page.on('console', (message) => {
      // The browser itself tells of every answer from 400 on.
      if (['error', 'warning'].includes(message.type()) && !/status of 4\d\d/.test(message.text()))
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(`${origin}/docs`)
    await page.getByRole('heading', { name: 'Vigia' }).waitFor()
  })
  after(() => browser?.close())
  afterEach(() => {
    assert.deepEqual(strangers, [])
    assert.deepEqual(complaints, [])
  })

  const dialog = () => page.getByRole('dialog')
  const isClosed = () => dialog().waitFor({ state: 'hidden' })
  const openDialog = () => page.getByRole('button', { name: 'Authorize', exact: true }).first().click()
  const submit = () => dialog().getByRole('button', { name: 'Entrar' }).click()

  async function logIn(email: string, senha: string): Promise<void> {
    await openDialog()
    // Where the cursor is already.
    await page.keyboard.type(email)
    await dialog().getByLabel('Senha').fill(senha)
    await submit()
  }

  async function logOut(): Promise<void> {
    await openDialog()
    await dialog().getByRole('button', { name: 'Sair' }).click()
    await dialog().getByLabel('Senha').waitFor()
    await dialog().getByRole('button', { name: 'Fechar' }).click()
    await isClosed()
  }

  async function call(path: string): Promise<string> {
    // A long list has in the document only what is in view.
    await page.getByPlaceholder('Filter by tag or path').fill(path)
    await page.locator(`[data-path]:not([data-path*="${path}"])`).first().waitFor({ state: 'detached' })
    const operation = page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) }).first()
    await operation.locator('.opblock-summary').click()
    await operation.getByRole('button', { name: 'Execute' }).click()
    const answer = operation.locator('.live-responses-table .response').first()
    await answer.waitFor()
    return (await answer.textContent()) ?? ''
  }

  it('logs in with the cursor on the e-mail, shows why it is refused, calls a route, logs out', async () => {
    await logIn(ADMIN_EMAIL, 'errada')
    const notice = dialog().getByRole('alert')
    await notice.waitFor()
    assert.equal(await notice.textContent(), 'E-mail ou senha incorretos')
    await dialog().getByLabel('Senha').fill(PASSWORD)
    await submit()
    await isClosed()
    const text = await call('/api/v1/usuarios/logado')
    assert.match(text, /^200/)
    assert.ok(text.includes(ADMIN_EMAIL))
    await logOut()
  })

  it('asks for the second factor of those who have one, and for lists in the order of their own', async () => {
    const ana = await t.person({ admin: true })
    const { body } = await t.as(ana).post('/auth/mfa/enable')
    const totp = new TOTP({ secret: Secret.fromBase32(body.secret) })
    const code = totp.generate({ timestamp: t.clock.now().getTime() })
    assert.equal((await t.as(ana).post('/auth/mfa/verify', { code })).status, 200)
    await logIn(ana.email, PASSWORD)
    const field = dialog().getByLabel('Código do segundo fator')
    await field.waitFor()
    assert.equal(await dialog().getByRole('alert').textContent(), 'Informe o código do segundo fator')
    await field.fill('wrong-code')
    await submit()
    await dialog().getByText('Código de verificação incorreto').waitFor()
    assert.equal(await field.evaluate((input) => input === input.ownerDocument.activeElement), true)
    await field.fill(body.backup_codes[0])
    await submit()
    await isClosed()
    const asked = page.waitForRequest((request) => request.url().includes('/api/v1/grupos'))
    assert.match(await call('/api/v1/grupos'), /^200/)
    const { searchParams } = new URL((await asked).url())
    assert.deepEqual([searchParams.has('sort'), searchParams.has('order')], [false, false])
  })
})
