import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { addDays } from '../../src/brasil/calendar.ts'
import { linha } from '../contracts/b/importacoes-app.ts'
import { noBrowser, openBrowser, type TestBrowser } from '../harness/browser.ts'
import { type ConsoleService, consoleService, signIn } from '../harness/console-service.ts'
import { HANG_MS, until } from '../harness/eventually.ts'

/** Random addresses; `PROPERTY_RUNS` asks for more than a test run should take (the bar of the console is 100), `PROPERTY_SEED` for others. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 4)
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_114)

const maybe = (...values: string[]) => fc.constantFrom('', '', ...values)
const filter = fc
  .tuple(
    maybe('agravo=zika'),
    maybe('uf=PE', 'uf=SP', 'municipio=2611606', 'regiao=26010', 'uf=PE&lugar=desconhecido'),
    fc.constantFrom(
      'periodo=2024',
      'periodo=2024',
      'periodo=temporada-2023',
      'periodo=2024-02-06..2024-07-18',
    ),
    maybe('base=notificacao'),
    maybe('classificacao=notificado', 'classificacao=confirmado', 'classificacao=descartado'),
    maybe('sexo=F', 'sexo=M'),
    maybe('evolucao=obito', 'hospitalizacao=sim'),
    maybe('idade_de=18', 'idade_de=20&idade_ate=39'),
  )
  .map((parts) => parts.filter((part) => part !== ''))
const rows = fc.tuple(
  maybe('ordem=-idade', 'ordem=numero'),
  maybe('colunas=numero,uf', 'colunas=numero,idade,municipio'),
  maybe('linhas=25'),
)
const addresses = fc
  .oneof(
    filter.map((parts) => ['/painel', parts] as const),
    fc.tuple(filter, rows).map(([parts, more]) => ['/casos', [...parts, ...more.filter(Boolean)]] as const),
  )
  .map(([screen, parts]) => (parts.length === 0 ? screen : `${screen}?${parts.join('&')}`))

/** Requests of a page that are under way, but for the stream of changes, which never ends. */
const underWay = new WeakMap<Page, Set<Request>>()

async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const requests = new Set<Request>()
  page.on('request', (request) => request.url().includes('/aovivo') || requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
  underWay.set(page, requests)
  return page
}

const IS_DRAWN = `(() => {
  const screen = document.querySelector('#conteudo')
  return screen?.querySelector('.bone, .stale, [aria-busy=true]') === null
    && screen.querySelector('.months-card, table.rows tbody tr, .empty .filter-words') !== null
})()`

const SEEN = `(() => {
  const linesOf = (selector) => (document.querySelector(selector)?.innerText ?? '').split(/\\s*\\n\\s*/)
  const nearest = linesOf('#conteudo .wider')
  return linesOf('#conteudo').filter((line) => !nearest.includes(line)).join('\\n')
})()`

/** What stands on the screen of a path once its numbers are there; nearest filters beside an empty list come after it. */
async function seenOn(page: Page, path: string): Promise<string> {
  await page.waitForURL((url) => url.pathname + url.search === path)
  await until(`drawn: ${path}`, async () => underWay.get(page)?.size === 0 && (await page.evaluate(IS_DRAWN)))
  return (await page.evaluate(SEEN)) as string
}

describe('The address of a screen, over the real service', { skip: noBrowser }, () => {
  let service: ConsoleService
  let browser: TestBrowser
  let context: BrowserContext
  let page: Page
  before(async () => {
    service = await consoleService()
    const admin = await service.t.administrador()
    for (let i = 0; i < 40; i++) {
      const onset = addDays('2024-01-05', (i * 37) % 330)
      const { status, text } = await service.t.as(admin).post('/agravos/casos', {
        ...linha({ numero_notificacao: `E${i}` }),
        tipo_agravo: i % 5 === 4 ? 'zika' : 'dengue',
        municipio_residencia: i % 3 === 0 ? 'São Paulo' : 'Recife',
        estado_residencia: i % 3 === 0 ? 'SP' : 'PE',
        data_inicio_sintomas: onset,
        data_notificacao: onset,
        paciente_idade: i * 2,
        paciente_sexo: ['F', 'M'][i % 2],
        hospitalizacao: i % 4 === 0,
      })
      assert.equal(status, 201, text)
    }
    browser = await openBrowser()
    ;({ context, page } = await enter(
      `${service.origin}/casos`,
      (await service.t.person({ grupos: ['gestor'] })).email,
    ))
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  async function enter(address: string, email: string) {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'pt-BR' })
    context.setDefaultTimeout(HANG_MS)
    const page = await newPage(context)
    await page.goto(address)
    await signIn(page, email)
    await page.locator('#conteudo h1').waitFor()
    return { context, page }
  }

  async function inAnotherBrowser(path: string): Promise<string> {
    const other = await browser.newContext({
      ignoreHTTPSErrors: true,
      locale: 'pt-BR',
      storageState: await context.storageState(),
    })
    other.setDefaultTimeout(HANG_MS)
    try {
      const copy = await newPage(other)
      await copy.goto(`${service.origin}${path}`)
      return await seenOn(copy, path)
    } finally {
      await other.close()
    }
  }

  it(`is its whole state: reloaded, gone back and forward to, opened in another browser, ${RUNS} random filters`, async () => {
    const differing = new Set<string>()
    for (const path of fc.sample(addresses, { numRuns: RUNS, seed: SEED })) {
      const see = () => seenOn(page, path)
      await page.goto(`${service.origin}${path}`)
      const seen = await see()
      differing.add(seen)
      await page.reload()
      assert.equal(await see(), seen, `reloaded: ${path}`)
      await page.locator('.rail').getByRole('link', { name: 'Importações' }).click()
      await page.waitForURL('**/importacoes')
      await page.goBack()
      assert.equal(await see(), seen, `gone back to: ${path}`)
      await page.goBack()
      await page.goForward()
      assert.equal(await see(), seen, `gone forward to: ${path}`)
      assert.equal(await inAnotherBrowser(path), seen, `in another browser: ${path}`)
    }
    assert.ok(differing.size > RUNS / 2, `${differing.size} different screens`)
  })
})
