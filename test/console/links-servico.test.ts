import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { MASTER_KEY, PASSWORD, testApp } from '../harness/app.ts'
import { createTabs, noBrowser, openBrowser, type TestBrowser } from '../harness/browser.ts'

const PUBLIC_URL = 'https://vigia.example'
const NEW = 'Coração#Novo1'
/** Set to a folder to look at the pages. */
const SCREENSHOTS = process.env.VIGIA_SCREENSHOTS

const t = await testApp({ env: { PUBLIC_URL } })
after(() => t.close())

const logIn = (email: string, senha: string) => t.anonymous.post('/auth/login', { email, senha })

/** The link of the newest mail to the address, as it would be clicked. */
async function linkTo(email: string): Promise<string> {
  await t.mailWorker.runOnce()
  const mail = t.mails.findLast(({ to }) => to === email)
  const href = /<a href="([^"]+)"/.exec(mail?.html ?? '')?.[1] as string
  assert.ok(href.startsWith(`${PUBLIC_URL}/`))
  assert.ok(mail?.text.includes(href), 'plain text and HTML have the same link')
  return href
}

describe('from the mail to the account, in a browser', { skip: noBrowser }, () => {
  let browser: TestBrowser
  let openTab: ReturnType<typeof createTabs>
  let origin: string
  before(async () => {
    await t.server.listen({ host: '127.0.0.1', port: 0 })
    origin = `http://127.0.0.1:${(t.server.server.address() as AddressInfo).port}`
    browser = await openBrowser()
    openTab = createTabs(browser)
  })
  after(() => browser?.close())

  /** Opens the link on the server under test; only the origin differs from the mail. */
  async function open(link: string, locale = 'pt-BR'): Promise<Page & AsyncDisposable> {
    const { page, leave } = await openTab({ locale, viewport: { width: 390, height: 760 } })
    const strangers: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
        strangers.push(request.url())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      // The browser itself notes every answer that is not 2xx.
      if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
        complaints.push(message.text())
    })
    await page.goto(link.replace(PUBLIC_URL, origin))
    return Object.assign(page, {
      async [Symbol.asyncDispose]() {
        await leave()
        assert.deepEqual([strangers, complaints], [[], []])
      },
    })
  }

  const look = async (page: Page, name: string) => {
    if (SCREENSHOTS !== undefined)
      await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
  }

  async function choose(page: Page, senha: string) {
    await page
      .getByLabel('Nova senha', { exact: true })
      .or(page.getByLabel('New password', { exact: true }))
      .fill(senha)
    await page.getByLabel(/^(Repita a nova senha|Repeat the new password)$/).fill(senha)
    await page.locator('button[type=submit]').click()
  }

  it('a forgotten password is replaced by way of the link, once', async () => {
    const ana = await t.person()
    assert.equal((await t.anonymous.post('/auth/forgot-password', { email: ana.email })).status, 200)
    const link = await linkTo(ana.email)
    {
      await using page = await open(link)
      await look(page, 'fluxo-redefinir')
      await choose(page, 'semmaiuscula#1')
      await page.locator('.notice.error', { hasText: 'Ao menos uma letra maiúscula' }).waitFor()
      await look(page, 'fluxo-redefinir-fraca')
      assert.equal((await logIn(ana.email, PASSWORD)).status, 200, 'nothing changed yet')
      await choose(page, NEW)
      await page.locator('.notice.done', { hasText: 'Sua senha foi alterada' }).waitFor()
      await look(page, 'fluxo-redefinir-sucesso')
    }
    assert.equal((await logIn(ana.email, NEW)).status, 200)
    assert.equal((await logIn(ana.email, PASSWORD)).status, 401)
    assert.equal((await t.as(ana).get('/usuarios/logado')).status, 401)
    {
      await using page = await open(link)
      await choose(page, 'Mais#Uma123')
      await page.locator('.notice.error', { hasText: 'já foi usado' }).waitFor()
      await look(page, 'fluxo-redefinir-usado')
    }
    assert.equal((await logIn(ana.email, NEW)).status, 200)
  })

  it('the refusals of the page are in the language of the visitor', async () => {
    const ana = await t.person()
    await t.anonymous.post('/auth/forgot-password', { email: ana.email })
    await using page = await open(await linkTo(ana.email), 'en-GB')
    await choose(page, 'short')
    await page.locator('.notice.error', { hasText: 'At least one uppercase letter' }).waitFor()
    await look(page, 'fluxo-redefinir-en')
  })

  it('an owner whose address was moved takes the account back by the link at the old one, and chooses a new password', async () => {
    const ana = await t.person()
    const thief = 'ladrao@teste.local'
    assert.equal((await t.as(ana).put(`/usuarios/${ana.id}`, { email: thief })).status, 200)
    const link = await linkTo(ana.email)
    const token = new URL(await linkTo(thief)).hash.replace('#token=', '')
    assert.equal((await t.anonymous.post('/auth/verificar-email', { token })).status, 200)
    assert.equal((await logIn(ana.email, PASSWORD)).status, 401, 'the account has moved')
    {
      await using page = await open(link)
      await look(page, 'fluxo-nao-fui-eu')
      assert.equal((await t.as(ana).get('/usuarios/logado')).status, 200, 'opening it changes nothing')
      await page.locator('button[type=submit]').click()
      await page.locator('.notice.done', { hasText: 'todas as sessões da conta foram encerradas' }).waitFor()
      await look(page, 'fluxo-nao-fui-eu-sucesso')
    }
    assert.equal((await t.as(ana).get('/usuarios/logado')).status, 401)
    await using page = await open(await linkTo(ana.email))
    await choose(page, NEW)
    await page.locator('.notice.done', { hasText: 'Sua senha foi alterada' }).waitFor()
    assert.equal((await logIn(ana.email, NEW)).status, 200)
    assert.equal((await logIn(thief, PASSWORD)).status, 401)
  })

  it('the address of a new account is verified by the button of the page, not by opening it, once', async () => {
    const email = 'nova@teste.local'
    const usuario = { nome: 'Nova', email, senha: PASSWORD, estado: 'PE', master_key: MASTER_KEY }
    assert.equal((await t.anonymous.post('/usuarios/signup', { usuario })).status, 201)
    const verified = async () =>
      (
        await t.database.pool.first<{ email_verificado: boolean }>(
          sql`select email_verificado from usuarios where email = ${email}`,
        )
      )?.email_verificado
    const link = await linkTo(email)
    {
      await using page = await open(link)
      await page.locator('button[type=submit]').waitFor()
      await page.waitForLoadState('networkidle')
      assert.equal(await verified(), false)
      await look(page, 'fluxo-verificar')
      await page.locator('button[type=submit]').click()
      await page.locator('.notice.done', { hasText: 'Seu e-mail foi confirmado' }).waitFor()
      await look(page, 'fluxo-verificar-sucesso')
    }
    assert.equal(await verified(), true)
    await using page = await open(link)
    await page.locator('button[type=submit]').click()
    await page.locator('.notice.error', { hasText: 'já foi usado' }).waitFor()
  })
})
