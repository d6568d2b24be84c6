import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { ADMIN_EMAIL, PASSWORD, testApp } from './harness/app.ts'
import { launchBrowser, noBrowser } from './harness/browser.ts'

const t = await testApp()
after(() => t.close())

const FILES: [path: string, type: string][] = [
  ['//docs', 'text/html; charset=utf-8'],
  ['//docs/docs.js', 'text/javascript; charset=utf-8'],
  ['//docs/docs.css', 'text/css; charset=utf-8'],
  ['//docs/swagger-ui.css', 'text/css; charset=utf-8'],
  ['//docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
]
const OWN = FILES.slice(0, 3)

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

  it('is where / leads people; programs come to the document', async () => {
    for (const [accept, location] of [
      ['text/html,application/xhtml+xml,*/*;q=0.8', '/docs'],
      ['application/json', '/api/v1/openapi.json'],
      ['*/*', '/api/v1/openapi.json'],
    ] as const) {
      const { status, headers } = await t.anonymous.get('//', { headers: { accept } })
      assert.deepEqual([status, headers.location, headers.vary], [302, location, 'Accept'])
    }
    const { status, headers } = await t.anonymous.post('//', {})
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS'])
  })

  it('finds everything that it asks for', async () => {
    const { text } = await t.anonymous.get('//docs')
    const wanted = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path as string)
    assert.ok(wanted.length >= 5)
    for (const path of wanted) assert.equal((await t.anonymous.get(`/${path}`)).status, 200, path)
  })
})

describe('The documentation page in a browser', { skip: noBrowser }, () => {
  it('logs in by the OAuth 2.0 form and calls a route, without leaving its origin', async () => {
    await t.server.listen({ host: '127.0.0.1', port: 0 })
    const origin = `http://127.0.0.1:${(t.server.server.address() as AddressInfo).port}`
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 1000 } })
      const strangers: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => {
        if (!/^data:|^blob:/.test(request.url()) && new URL(request.url()).origin !== origin)
          strangers.push(request.url())
      })
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))

      await page.goto(`${origin}/docs`)
      await page.getByRole('heading', { name: 'Vigia' }).waitFor()

      await page.getByRole('button', { name: 'Authorize', exact: true }).first().click()
      const form = page.locator('.auth-container', { hasText: 'OAuth2, password' })
      await form.getByLabel('username').fill(ADMIN_EMAIL)
      await form.getByLabel('password').fill(PASSWORD)
      await form.locator('button.authorize').click()
      await form.getByText('Logout').waitFor()
      await page.locator('.btn-done, .close-modal').first().click()

      const operation = page.locator('.opblock', { hasText: '/api/v1/usuarios/logado' })
      await operation.locator('.opblock-summary').click()
      await operation.getByRole('button', { name: 'Execute' }).click()
      const answer = operation.locator('.live-responses-table .response').first()
      await answer.waitFor()
      const text = (await answer.textContent()) ?? ''
      assert.match(text, /^200/)
      assert.ok(text.includes(ADMIN_EMAIL))

      assert.deepEqual(strangers, [])
      assert.deepEqual(complaints, [])
    } finally {
      await browser.close()
    }
  })
})
