import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { loadCertificate } from '../src/http/listener/certificate.ts'
import { tlsListener } from '../src/http/listener/listener.ts'
import { PASSWORD, testApp } from './harness/app.ts'
import { noBrowser, openBrowser, type TestBrowser } from './harness/browser.ts'
import { eventually } from './harness/eventually.ts'

/**
 * The console in a real browser, over HTTPS, and hostile pages: on another port, which is another origin of the same site and
 * gets the cookie sent, and on another site. Without a browser, `test/http/console-origin.test.ts` asks the same by headers.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'vigia-csrf-'))
after(() => rm(dataDir, { recursive: true, force: true }))
const certificate = await loadCertificate({ dataDir, hosts: [] })
const t = await testApp({
  listener: tlsListener({
    certificate,
    renderClientError: () => '{}',
    refusePlain: () => ({ status: 403, headers: {}, body: '{}' }),
  }),
})
after(() => t.close())

interface Seen {
  request: string
  site: string | undefined
  withCookie: boolean
  status: number
}
const seen: Seen[] = []
t.server.addHook('onResponse', async ({ method, url, headers }, reply) => {
  seen.push({
    request: `${method} ${url}`,
    site: headers['sec-fetch-site'] as string | undefined,
    withCookie: headers.cookie?.includes('__Host-vigia=') ?? false,
    status: reply.statusCode,
  })
})
await t.server.listen({ host: '127.0.0.1', port: 0 })
const { port } = t.server.server.address() as AddressInfo
const own = `https://127.0.0.1:${port}`

const hostile = https.createServer({ cert: certificate.cert, key: certificate.key }, (_request, response) =>
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>outra</title>'),
)
await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
after(() => hostile.close())
const { port: hostilePort } = hostile.address() as AddressInfo

const ana = await t.person({ grupos: ['gestor'] })

interface Asked {
  method?: string
  path: string
  body?: unknown
}

/** As the console's own client asks. */
const ask = (page: Page, asked: Asked) =>
  page.evaluate(async ({ method = 'GET', path, body }: Asked) => {
    const headers: Record<string, string> = { 'X-Vigia-Console': '1' }
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    const answer = await fetch(`/api/v1${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }, asked)

/** Attacks of a page on the session of the console; each resolves when the browser is done with it. */
const ATTACKS: Record<string, (page: Page) => Promise<unknown>> = {
  form: (page) => submit(page, 'application/x-www-form-urlencoded'),
  'form with files': (page) => submit(page, 'multipart/form-data'),
  'form of plain text': (page) => submit(page, 'text/plain'),
  image: (page) =>
    page.evaluate(`new Promise((resolve) => {
      const image = new Image()
      image.onload = image.onerror = () => resolve(null)
      image.src = '${own}/api/v1/usuarios/${ana.id}/foto'
    })`),
  'fetch without CORS': (page) =>
    page.evaluate(
      (url) =>
        fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }).catch(() => null),
      `${own}/api/v1/auth/logout`,
    ),
  'link to a reading': async (page) => {
    await follow(page, `${own}/api/v1/usuarios/me`)
    await page.waitForURL(`${own}/**`)
  },
}

const follow = (page: Page, url: string) =>
  page.evaluate(`{
    const link = document.createElement('a')
    link.href = '${url}'
    document.body.append(link)
    link.click()
  }`)

async function submit(page: Page, type: string): Promise<void> {
  await page.evaluate(`{
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action: '${own}/api/v1/auth/logout', enctype: '${type}' })
    const field = document.createElement('input')
    Object.assign(field, { name: 'everywhere', value: 'true' })
    form.append(field)
    document.body.append(form)
    form.submit()
  }`)
  await page.waitForURL(`${own}/**`)
}

describe('the console in a browser', { skip: noBrowser }, () => {
  let browser: TestBrowser
  let page: Page

  before(async () => {
    browser = await openBrowser()
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    page = await context.newPage()
    await page.goto(`${own}/verificar-email`)
  })
  after(() => browser?.close())

  const isIn = async () => {
    const tab = await page.context().newPage()
    await tab.goto(`${own}/verificar-email`)
    const { status } = await ask(tab, { path: '/usuarios/me' })
    await tab.close()
    return status === 200
  }

  it('logs in, with a cookie that no script sees', async () => {
    const body = { email: ana.email, senha: PASSWORD }
    const { status, text } = await ask(page, { method: 'POST', path: '/auth/sessao', body })
    assert.equal(status, 200, text)
    assert.equal(await page.evaluate('document.cookie'), '')
    const [kept, ...others] = await page.context().cookies()
    assert.deepEqual(others, [])
    assert.deepEqual(
      [kept?.name, kept?.httpOnly, kept?.secure, kept?.sameSite, kept?.path, kept?.expires],
      ['__Host-vigia', true, true, 'Strict', '/', -1],
    )
    assert.ok(!text.includes(kept?.value ?? ''))
    assert.equal((await ask(page, { path: '/usuarios/me' })).status, 200)
  })

  it('follows a job by EventSource and downloads its file by a plain link', async () => {
    const exported = await ask(page, {
      method: 'POST',
      path: '/agravos/casos/exportar',
      body: { formato: 'csv' },
    })
    assert.equal(exported.status, 202, exported.text)
    const { job_id } = JSON.parse(exported.text)
    const firstEvent = await page.evaluate(
      (url) =>
        new Promise((resolve) => {
          const source = new EventSource(url)
          const done = (told: string) => {
            source.close()
            resolve(told)
          }
          source.addEventListener('progresso', () => done('progresso'))
          source.onerror = () => done('error')
        }),
      `/api/v1/jobs/${job_id}/eventos`,
    )
    assert.equal(firstEvent, 'progresso')
    await t.jobWorker.runAll()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      follow(page, `/api/v1/jobs/${job_id}/arquivo`),
    ])
    assert.match(download.suggestedFilename(), /\.csv$/)
    assert.equal(await download.failure(), null)
  })

  for (const [host, site, withCookie] of [
    ['127.0.0.1', 'same-site', true],
    ['localhost', 'cross-site', false],
  ] as const)
    for (const [what, attack] of Object.entries(ATTACKS))
      it(`stays what it was after a ${what} of a ${site} page`, async () => {
        const tab = await page.context().newPage()
        await tab.goto(`https://${host}:${hostilePort}/`)
        seen.length = 0
        await attack(tab)
        const arrived = await eventually(() => {
          const one = seen.find(({ request }) => request.includes('/api/v1/'))
          assert.ok(one, 'it arrived')
          return one
        })
        // The same site gets the cookie sent: there it is the origin that refuses it.
        assert.deepEqual([arrived.site, arrived.withCookie, arrived.status], [site, withCookie, 401])
        await tab.close()
        assert.ok(await isIn())
      })

  for (const host of ['127.0.0.1', 'localhost'])
    it(`can be neither read nor given its header by a script of another origin (${host})`, async () => {
      const tab = await page.context().newPage()
      await tab.goto(`https://${host}:${hostilePort}/`)
      seen.length = 0
      const outcomes = await tab.evaluate(async (url) => {
        const outcome = (sent: Promise<Response>) => sent.then(({ status }) => status, String)
        return [
          await outcome(fetch(`${url}/usuarios/me`, { credentials: 'include' })),
          await outcome(fetch(`${url}/usuarios/me`, { headers: { 'X-Vigia-Console': '1' } })),
          await outcome(
            fetch(`${url}/auth/logout`, {
              method: 'POST',
              credentials: 'include',
              headers: { 'X-Vigia-Console': '1' },
            }),
          ),
          await outcome(fetch(`${url}/usuarios/me`)),
        ]
      }, `${own}/api/v1`)
      for (const outcome of outcomes.slice(0, 3)) assert.match(String(outcome), /TypeError/)
      assert.equal(outcomes[3], 401, 'any origin may ask, without credentials')
      assert.ok(seen.every(({ status }) => status === 401 || status === 204))
      assert.ok(
        !seen.some(({ request }) => request === 'POST /api/v1/auth/logout'),
        'only its preflight came',
      )
      await tab.close()
      assert.ok(await isIn())
    })

  it('is 401 from the address bar: a saved link is nobody’s', async () => {
    const tab = await page.context().newPage()
    const answer = await tab.goto(`${own}/api/v1/usuarios/me`)
    assert.equal(answer?.status(), 401)
    await tab.close()
  })

  it('logs out: the cookie is gone and so is what its pages stored', async () => {
    await page.goto(`${own}/verificar-email`)
    await page.evaluate("localStorage.setItem('tema', 'escuro')")
    assert.equal((await ask(page, { method: 'DELETE', path: '/auth/sessao' })).status, 204)
    assert.deepEqual(await page.context().cookies(), [])
    await eventually(async () => assert.equal(await page.evaluate("localStorage.getItem('tema')"), null))
    assert.equal((await ask(page, { path: '/usuarios/me' })).status, 401)
    assert.equal((await ask(page, { method: 'DELETE', path: '/auth/sessao' })).status, 401)
  })
})
