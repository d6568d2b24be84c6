import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { linha } from '../contracts/b/importacoes-app.ts'
import type { Person as Account } from '../harness/app.ts'
import { noBrowser, openBrowser, type TestBrowser } from '../harness/browser.ts'
import { browserOf } from '../harness/console.ts'
import { type ConsoleService, consoleService, signIn } from '../harness/console-service.ts'
import { administer } from '../harness/database.ts'
import { eventually, HANG_MS } from '../harness/eventually.ts'

const MINUTE = 60_000
const TABS = [
  '/painel',
  '/painel?uf=PE',
  '/painel?agravo=zika',
  '/casos',
  '/casos?uf=PE',
  '/casos?classificacao=notificado',
  '/casos/novo',
  '/importacoes',
  '/importacoes/nova',
  '/ajuda',
]

interface Seen {
  request: string
  status: number
}

/** A browser with one account signed in, whose clock, like the service's, is moved by the test. */
interface Person extends AsyncDisposable {
  context: BrowserContext
  page: Page
  /** Answers to all of its tabs. */
  seen: Seen[]
  open(path: string): Promise<Page>
  /** Virtual time: timers of all tabs, then their answers. */
  pass(ms: number): Promise<void>
}

/** The console against the real service, its limits included, in virtual time. */
describe('A session of the console over the real service', { skip: noBrowser }, () => {
  let service: ConsoleService
  let browser: TestBrowser
  let ana: Account
  let bia: Account
  let caso: number
  before(async () => {
    service = await consoleService({ RATE_LIMITS: 'on' })
    browser = await openBrowser()
    const gestor = () => service.t.person({ grupos: ['gestor'] })
    ana = await gestor()
    bia = await gestor()
    const admin = service.t.as(await service.t.administrador())
    const { status, body } = await admin.post('/agravos/casos', linha())
    assert.equal(status, 201)
    caso = body.id
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  async function enter(email: string, path: string): Promise<Person> {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      locale: 'pt-BR',
      timezoneId: 'America/Sao_Paulo',
    })
    context.setDefaultTimeout(HANG_MS)
    await context.clock.install({ time: service.t.clock.now() })
    const seen: Seen[] = []
    const open = new Set<Request>()
    context.on('request', (request) => {
      if (!/\/eventos(?:\/aovivo)?(?:\?|$)/.test(request.url())) open.add(request)
    })
    context.on('requestfailed', (request) => open.delete(request))
    context.on('requestfinished', (request) => open.delete(request))
    context.on('response', (response) => {
      const request = response.request()
      const { pathname } = new URL(response.url())
      if (pathname.startsWith('/api/'))
        seen.push({ request: `${request.method()} ${pathname}`, status: response.status() })
    })
    const openTab = async (to: string) => {
      const page = await context.newPage()
      await page.goto(`${service.origin}${to}`)
      return page
    }
    const page = await openTab(path)
    await signIn(page, email)
    await page.locator('.me').first().waitFor()
    return {
      context,
      page,
      seen,
      open: openTab,
      async pass(ms) {
        service.advance(ms)
        await context.clock.runFor(ms)
        await eventually(() =>
          assert.deepEqual(
            [...open].map((request) => request.url()),
            [],
            'answered',
          ),
        )
      },
      [Symbol.asyncDispose]: () => context.close(),
    }
  }

  const isIn = (page: Page) => page.locator('.me').first().isVisible()
  const isAsked = (page: Page) => page.getByText('Sua sessão terminou').isVisible()

  it('holds in ten tabs for an hour, over two restarts and the daily renewal of its cookie, and ends in all of them at once', async () => {
    const { t } = service
    const { pool, name } = t.database
    await using person = await enter(ana.email, TABS[0] as string)
    // The cookie is a day old in the middle of the hour.
    await pool.run(sql`
      update sessoes set cookie_desde = ${new Date(t.clock.now().getTime() - 23.5 * 60 * MINUTE)}
       where usuario_id = ${ana.id} and cookie_hash is not null`)
    const [first] = await person.context.cookies()
    const tabs = [person.page]
    for (const path of TABS.slice(1)) tabs.push(await person.open(path))
    for (const tab of tabs) await tab.locator('h1').waitFor()
    person.seen.length = 0

    const minutes = async (count: number) => {
      for (let i = 0; i < count; i++) await person.pass(MINUTE)
    }
    const allAreIn = async (when: string) => {
      for (const tab of tabs)
        assert.deepEqual([await isIn(tab), await isAsked(tab)], [true, false], `${when}: ${tab.url()}`)
    }
    const reached = () => person.seen.filter(({ status }) => status < 300 || status === 304).length

    await minutes(20)
    await service.stop()
    await minutes(3)
    await allAreIn('while the service is away')
    await tabs[3]?.getByText(/^Sem conexão desde/).waitFor()
    await service.start()
    const before = reached()
    await minutes(17)
    assert.ok(reached() > before, 'the tabs go on by themselves')
    await allAreIn('after the first restart')
    assert.equal(await tabs[3]?.getByText(/^Sem conexão desde/).count(), 0)

    await administer(`alter database ${name} allow_connections false`)
    await administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    await minutes(2)
    await allAreIn('while the database is away')
    await service.stop()
    await minutes(1)
    await administer(`alter database ${name} allow_connections true`)
    await service.start()
    await minutes(17)
    await allAreIn('after the hour')

    const count = (status: number) => person.seen.filter((one) => one.status === status).length
    assert.deepEqual([count(401), count(403), count(429)], [0, 0, 0])
    assert.ok(count(503) > 0, 'the database was away')
    const [last] = await person.context.cookies()
    assert.notEqual(last?.value, first?.value, 'renewed meanwhile')

    const [writer] = tabs as [Page]
    await writer.locator('.me').first().click()
    await writer.getByRole('button', { name: 'Sair' }).waitFor()
    // From here on time stands still but for the second that is granted.
    const now = (await writer.evaluate('Date.now()')) as number
    await person.context.clock.pauseAt(now + 1_000)
    const left = writer.waitForResponse((response) => response.request().method() === 'DELETE')
    await writer.getByRole('button', { name: 'Sair' }).click()
    assert.equal((await left).status(), 204)
    const isOut = (tab: Page) => tab.getByLabel('E-mail').isVisible()
    const allAreOut = async () => (await Promise.all(tabs.map(isOut))).every(Boolean)
    for (let passed = 0; passed < 1_000 && !(await allAreOut()); passed += 25) {
      await person.context.clock.runFor(25)
      await sleep(50)
    }
    assert.deepEqual(
      await Promise.all(tabs.map(isOut)),
      tabs.map(() => true),
    )
    assert.deepEqual(await person.context.cookies(), [])
  })

  it('makes no request too many in an hour of normal use by an account of the plan basico', async (test) => {
    const { t } = service
    await using person = await enter(bia.email, '/painel')
    const { page, pass, seen } = person
    /** As a click does, without a load of the page. */
    const go = async (path: string) => {
      await page.evaluate(`{
        const link = document.createElement('a')
        link.href = ${JSON.stringify(path)}
        document.querySelector('main').append(link)
        link.click()
        link.remove()
      }`)
      await page.locator('h1').waitFor()
    }
    const write = async (label: string, text: string, pause: number) => {
      await page.getByRole('textbox', { name: label }).fill(text)
      await pass(pause)
    }
    const filters = async (path: string) => {
      for (const filter of ['uf=PE', 'uf=SP&sexo=F', 'periodo=2024']) {
        await go(`${path}?${filter}`)
        await pass(10_000)
        await page
          .getByRole('button', { name: /^Classificação/ })
          .first()
          .click()
        await pass(9_000)
        await page.keyboard.press('Escape')
        await pass(1_000)
      }
    }
    /** A minute of each, done in the console itself. */
    const MINUTES: Record<string, () => Promise<void>> = {
      painel: () => filters('/painel'),
      casos: () => filters('/casos'),
      'cases opened one after the other': async () => {
        for (let i = 0; i < 6; i++) {
          await go(`/casos/${caso}`)
          await pass(8_000)
          await go('/casos')
          await pass(2_000)
        }
      },
      'a case typed in': async () => {
        await go('/casos/novo')
        await page.getByLabel('Agravo').selectOption('dengue')
        await pass(3_000)
        for (const number of ['4', '44', '4418', '441882', '4418823'])
          await write('Nº da notificação', number, 3_000)
        await write('Data da notificação', '01/03/2024', 3_000)
        for (let i = 0; i < 13; i++) await write('Nome do paciente', 'Maria Plantada'.slice(0, i + 1), 3_000)
      },
      'an import followed': async () => {
        await go('/importacoes/nova')
        const file = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a;b\r\n1;2\r\n') }
        await page.locator('input[type=file]').setInputFiles(file)
        await page.getByText('Na fila', { exact: true }).waitFor()
        for (let i = 0; i < 6; i++) await pass(5_000)
        await go('/importacoes')
        for (let i = 0; i < 6; i++) await pass(5_000)
      },
    }
    const asked: Record<string, number> = {}
    for (const [what, use] of Object.entries(MINUTES)) {
      const before = seen.length
      await use()
      asked[what] = seen.length - before
    }
    assert.ok(seen.some(({ request }) => request === 'POST /api/v1/agravos/casos/verificar'))
    assert.ok(seen.some(({ request }) => request.startsWith('PUT /api/v1/rascunhos/')))
    assert.ok(seen.some(({ request }) => request === 'GET /api/v1/agravos/casos/facetas'))
    assert.deepEqual(
      seen.filter(({ status }) => status === 429),
      [],
    )

    assert.ok(
      Object.values(asked).every((count) => count > 5),
      JSON.stringify(asked),
    )

    // The hour: these minutes by turns, request by request, against the limits and the clock of the service.
    const [cookie] = await person.context.cookies()
    const same = browserOf(t, cookie?.value ?? null)
    const counts = Object.values(asked)
    const refused: number[] = []
    let total = 0
    for (let minute = 0; minute < 60; minute++) {
      const answers = await Promise.all(
        Array.from({ length: counts[minute % counts.length] as number }, () =>
          same.send('GET', '/usuarios/me'),
        ),
      )
      total += answers.length
      refused.push(...answers.map(({ status }) => status).filter((status) => status !== 200))
      service.advance(MINUTE)
    }
    assert.deepEqual(refused, [])
    test.diagnostic(`requests of a minute: ${JSON.stringify(asked)}; of the hour: ${total}`)
  })
})
