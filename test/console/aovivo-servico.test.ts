import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { linha } from '../contracts/b/importacoes-app.ts'
import type { Person } from '../harness/app.ts'
import { noBrowser, openBrowser, type TestBrowser } from '../harness/browser.ts'
import { type ConsoleService, consoleService, signIn } from '../harness/console-service.ts'
import { eventually, HANG_MS } from '../harness/eventually.ts'

const NEWS = 'Há novos dados: Recife, PE.'

/** The console's tabs against the real service. */
describe('Changes as they happen, over the real service', { skip: noBrowser }, () => {
  let service: ConsoleService
  let browser: TestBrowser
  let admin: Person
  const emails: string[] = []
  before(async () => {
    service = await consoleService()
    browser = await openBrowser()
    // Before the restart: the next service counts its people anew.
    for (let i = 0; i < 3; i++) emails.push((await service.t.person({ grupos: ['gestor'] })).email)
    admin = await service.t.administrador()
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  let made = 0
  async function newCaso(): Promise<void> {
    const { status, text } = await service.t
      .as(admin)
      .post('/agravos/casos', linha({ numero_notificacao: `V${++made}` }))
    assert.equal(status, 201, text)
    await service.t.webhookWorker.runOnce()
  }

  /** Streams of a browser: how many were opened, and how many are. */
  function streamsOf(context: BrowserContext) {
    const counts = { opened: 0, open: 0 }
    const isStream = (url: string) => url.includes('/eventos/aovivo')
    context.on('request', (request) => {
      if (!isStream(request.url())) return
      counts.opened++
      counts.open++
    })
    const end = (request: { url(): string }) => {
      if (isStream(request.url())) counts.open--
    }
    context.on('requestfailed', end)
    context.on('requestfinished', end)
    return counts
  }

  async function enter() {
    const email = emails.pop() ?? assert.fail()
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    context.setDefaultTimeout(HANG_MS)
    const streams = streamsOf(context)
    const first = await context.newPage()
    await first.goto(`${service.origin}/casos`)
    await signIn(first, email)
    await bellOf(first).waitFor()
    await eventually(() => assert.equal(streams.open, 1))
    return { context, first, streams }
  }
  const bellOf = (page: Page) => page.getByRole('button', { name: /^Notificações/ })

  it('reach all tabs by one stream, and go on when the tab that has it is closed', async () => {
    const { context, first, streams } = await enter()
    const second = await context.newPage()
    await second.goto(`${service.origin}/painel`)
    await bellOf(second).waitFor()
    await newCaso()
    const third = await context.newPage()
    await third.goto(`${service.origin}/casos`)
    await bellOf(third).waitFor()
    // Figures are read again by themselves, lists only when they are told to.
    const updated = second.waitForResponse(/casos\/painel/)
    await newCaso()
    for (const tab of [first, third]) await tab.getByText(NEWS).waitFor()
    await updated
    assert.equal(await second.getByText(NEWS).count(), 0)
    assert.equal(streams.opened, 1)
    await third.getByRole('button', { name: 'Atualizar' }).click()
    await third.getByText(NEWS).waitFor({ state: 'detached' })
    await first.close()
    await eventually(() => assert.equal(streams.opened, 2))
    await newCaso()
    await third.getByText(NEWS).waitFor()
    await context.close()
  })

  it('survive a restart of the service without a gap', async () => {
    const { context, first } = await enter()
    await service.stop()
    await service.start()
    await newCaso()
    await first.getByText(NEWS).waitFor()
    await context.close()
  })

  it('end with the session, in every tab', async () => {
    const { context, first, streams } = await enter()
    await first.evaluate(
      "fetch('/api/v1/auth/sessao', { method: 'DELETE', headers: { 'x-vigia-console': '1' } })",
    )
    await eventually(() => assert.equal(streams.open, 0))
    await context.close()
  })
})
