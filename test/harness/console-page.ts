import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { before } from 'node:test'
import type { Page, Request } from 'playwright-core'
import type { Permission } from '../../src/caller/permissions.ts'
import { envelopeError } from '../../src/contracts/error-envelope.ts'
import { loadConsole, type ProvedorNaPagina } from '../../src/http/console.ts'
import type { RateLimit } from '../../src/http/rate-limit.ts'
import { createServer } from '../../src/http/server.ts'
import { createTabs, workerBrowser } from './browser.ts'
import { eventually, HANG_MS } from './eventually.ts'
import { inspectPage } from './inspection.ts'
import { closeWithWorker } from './kept.ts'

/** Serves the console, and nothing behind it. */
export async function consoleServer({
  provedores = [],
  ...options
}: {
  rateLimit?: RateLimit
  provedores?: ProvedorNaPagina[]
} = {}) {
  const built = await loadConsole({ provedores })
  assert.ok(built !== null, 'the console is built before the tests')
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
    answerUnknown: built.answerUnknown,
    onFault: (error) => {
      throw error
    },
    ...options,
  })
  built.serve(server)
  return server
}

export interface Answer {
  status?: number
  body?: unknown
  /** Instead of a body: as it is. */
  text?: string
  headers?: Record<string, string>
  /** Never answered: the connection is cut. */
  cut?: boolean
  /** Waits for this before it answers. */
  after?: Promise<void>
}

/** By `GET /api/v1/…`, with `{uuid}` for ids that the page makes; of a list each answer is given once, the last one for ever. */
export type Answers = Record<string, Answer | Answer[]>

export const perfil = (permissoes: Permission[] = [], admin = false) => ({
  body: {
    id: 7,
    nome: 'Ana Souza Lima',
    email: 'ana@saude.example',
    cargo: 'Epidemiologista',
    admin,
    permissoes_efetivas: permissoes,
    grupos: [],
    territorios: [] as object[],
  },
})

export const refusal = (status: number, code: string, extras: object = {}, headers = {}): Answer => ({
  status,
  headers: { 'x-request-id': 'pedido-0001', ...headers },
  body: { error: { code, message: `mensagem ${code}`, request_id: 'pedido-0001', ...extras } },
})

export const NOBODY: Answers = { 'GET /api/v1/usuarios/me': refusal(401, 'UNAUTHORIZED') }
export const ADMIN: Answers = { 'GET /api/v1/usuarios/me': perfil(['admin'], true) }
export const READER: Answers = { 'GET /api/v1/usuarios/me': perfil(['agravos.listar']) }

const check = (status: string, latency_ms: number) => ({ status, latency_ms })
export const HEALTH = {
  status: 'ok',
  version: '0.1.0',
  environment: 'sandbox',
  timestamp: '2026-11-14T15:00:00.000Z',
  checks: {
    database: check('ok', 0.8),
    migrations: check('ok', 1.2),
    jobs: check('ok', 2),
    webhooks: check('ok', 1.5),
    disk: check('ok', 0.1),
  },
}
export const SISTEMA = {
  medido_em: '2026-11-14T15:00:00.000Z',
  filas: {
    jobs: { esperando: 2, mais_antigo_segundos: 41, em_andamento: 1, falhas: 0 },
    entregas: { esperando: 1_204, mais_antigo_segundos: 9_000, em_andamento: 0, falhas: 3 },
    emails: { esperando: 0, mais_antigo_segundos: 0, em_andamento: 0, falhas: 0 },
    contagens: { esperando: 18, mais_antigo_segundos: 0, em_andamento: 0, falhas: 0 },
  },
  webhooks: { falhando: 1, desligados: 0 },
  banco_bytes: 3_450_000_000,
  disco: { livre_bytes: 58_000_000_000, total_bytes: 107_000_000_000 },
  ultima_copia: { concluida_em: '2026-11-10T03:00:00.000Z', bytes: 410_000_000 },
  limites: [
    {
      usuario: { id: 9, nome: 'Carlos Teixeira' },
      console: true,
      ...{ minuto: 12, minuto_limite: 600, hora: 310, hora_limite: 36_000 },
    },
    {
      usuario: { id: 11, nome: 'Laboratório Central' },
      console: false,
      ...{ minuto: 50, minuto_limite: 50, hora: 640, hora_limite: 1_000 },
    },
  ],
}
export const HEALTHY: Answers = {
  'GET /api/v1/health/detailed': { body: HEALTH },
  'GET /api/v1/sistema': { body: SISTEMA },
  'GET /api/v1/jobs': { body: { items: [], total: 0, page: 1, size: 10, pages: 0, links: {} } },
}

export interface Asked {
  name: string
  /** Its parameters, in their order. */
  query: URLSearchParams
  body: unknown
  headers: Record<string, string>
}

export interface VisitOptions {
  answers: Answers
  width?: number
  dark?: boolean
  locale?: string
  /** A context of its own, for a visit that changes the clock. */
  alone?: boolean
  /** Time that the page takes for the present one. */
  at?: string
  /** The test moves the time of the page (`page.clock.runFor`). */
  moves?: boolean
}

export interface Visit extends AsyncDisposable {
  page: Page
  asked: Asked[]
  answers: Answers
  origin: string
  /** Holds the page against axe-core, its width and, where asked for, a picture. */
  inspect(name: string): Promise<void>
}

/** Diseases that every installation has. */
const CONHECIDOS = ['Dengue', 'Zika', 'Chikungunya'].map((nome) => ({
  codigo: nome.toLowerCase(),
  nome,
  cid10_codes: ['A90'],
  descricao: '',
  notificacao_obrigatoria: true,
}))

/** Asked for by the frame of every screen when it is calm, and counted only where the test answers it. No content ends a stream for good. */
const FRAME: Record<string, { status?: number; json?: unknown }> = {
  'GET /api/v1/notificacoes': { json: { nao_lidas: 0, maximo: 100, notificacoes: [] } },
  'GET /api/v1/eventos/aovivo': { status: 204 },
  'GET /api/v1/agravos/tipos': { json: { total: 3, tipos: CONHECIDOS } },
  ...Object.fromEntries(
    CONHECIDOS.map(({ codigo, nome }) => [
      `GET /api/v1/agravos/tipos/${codigo}/formulario`,
      { json: { codigo, nome, grupos: [] } },
    ]),
  ),
}

/** Visits to the console in the browser of the worker, with the API answered by the test. */
async function openConsoleVisits(provedores: ProvedorNaPagina[]) {
  const server = await consoleServer({ provedores })
  await server.listen({ host: '127.0.0.1', port: 0 })
  closeWithWorker(() => server.close())
  const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const browser = await workerBrowser()
  /** A clock that stands still stays with its window, for visits at the same time. */
  const tabsAt = new Map<string, ReturnType<typeof createTabs>>()

  function tabsOf(at: string): ReturnType<typeof createTabs> {
    const tabs = tabsAt.get(at) ?? createTabs(browser)
    tabsAt.set(at, tabs)
    return tabs
  }

  const openAlone: ReturnType<typeof createTabs> = async (settings) => {
    const context = await browser.newContext(settings)
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_MS)
    return { page, leave: () => context.close() }
  }

  async function visit(path: string, options: VisitOptions): Promise<Visit> {
    const { width = 1440, dark = false, locale = 'pt-BR' } = options
    const open = options.alone || options.moves ? openAlone : tabsOf(options.at ?? '')
    const { page, leave } = await open({ locale, timezoneId: 'America/Sao_Paulo' })
    await page.setViewportSize({ width, height: width === 360 ? 640 : 900 })
    // A tab is of several visits, and the one before may have looked at paper.
    await page.emulateMedia({
      media: null,
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    })
    if (options.at) await page.clock.setFixedTime(options.at)
    if (options.moves) await page.clock.install()
    const answers = structuredCloneOf(options.answers)
    const asked: Asked[] = []
    const strangers: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(`${origin}/`))
        strangers.push(request.url())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      // The browser itself notes every answer that is not 2xx.
      const isOwn = !message.text().includes('Failed to load resource')
      if (['error', 'warning'].includes(message.type()) && isOwn) complaints.push(message.text())
    })
    await page.route('**/api/v1/**', async (route) => {
      const byFrame = FRAME[toAsked(route.request()).name]
      if (byFrame !== undefined && !(toAsked(route.request()).name in answers))
        return route.fulfill(byFrame).catch(() => undefined)
      asked.push(toAsked(route.request()))
      const answer = nextAnswer(answers, asked.at(-1)?.name ?? '')
      await answer.after
      if (answer.cut) return route.abort()
      const { status = 200, body, text, headers = {} } = answer
      const content = text === undefined ? {} : { body: text }
      await route
        .fulfill({ status, headers, ...(body === undefined ? content : { json: body }) })
        .catch(() => undefined)
    })
    await page.goto(`${origin}${path}`)
    return {
      page,
      asked,
      answers,
      origin,
      async inspect(name) {
        await inspectPage(page, name)
      },
      async [Symbol.asyncDispose]() {
        await leave()
        assert.deepEqual(complaints, [], 'nothing is complained about, violations of the policy included')
        assert.deepEqual(strangers, [], 'no other origin is asked')
      },
    }
  }

  return { visit, isOpen: () => browser.isConnected() }
}

/** By the providers that the page tells. Servers and tabs serve all files of a worker. */
const visitsOf = new Map<string, ReturnType<typeof openConsoleVisits>>()

/** For a suite: visits to the console. The page tells the providers of single sign-on. */
export function consoleVisits(
  provedores: ProvedorNaPagina[] = [],
): (path: string, options: VisitOptions) => Promise<Visit> {
  const key = JSON.stringify(provedores)
  let opened: Awaited<ReturnType<typeof openConsoleVisits>> | undefined
  before(async () => {
    opened = await visitsOf.get(key)
    if (opened?.isOpen()) return
    const opening = openConsoleVisits(provedores)
    visitsOf.set(key, opening)
    opened = await opening
  })
  return (path, options) => {
    assert.ok(opened !== undefined, 'visits are made by tests')
    return opened.visit(path, options)
  }
}

/** Promises of `after` are shared, everything else is the visit's own. */
const structuredCloneOf = (answers: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).map(([name, one]) => [name, Array.isArray(one) ? [...one] : one]),
  )

const toAsked = (request: Request): Asked => ({
  name: `${request.method()} ${new URL(request.url()).pathname}`,
  query: new URL(request.url()).searchParams,
  body: bodyOf(request),
  headers: request.headers(),
})

/** JSON as what it means; a form with files as its bytes. */
function bodyOf(request: Request): unknown {
  const isForm = request.headers()['content-type']?.startsWith('multipart/') ?? false
  return isForm || request.postData() === null ? request.postData() : request.postDataJSON()
}

function nextAnswer(answers: Answers, name: string): Answer {
  const given =
    answers[name] ?? answers[name.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '{uuid}')]
  // Asked while the connection is cut: it stays so until the test says otherwise.
  if (given === undefined && name === 'GET /api/v1/health') return { cut: true }
  if (given === undefined) return refusal(500, `NO_ANSWER_FOR ${name}`)
  if (!Array.isArray(given)) return given
  return (given.length > 1 ? given.shift() : given[0]) ?? { cut: true }
}

/** The service is there again: buttons that waited for it may be pressed. */
export async function reconnect({ page, answers }: Pick<Visit, 'page' | 'answers'>): Promise<void> {
  answers['GET /api/v1/health'] = { body: {} }
  await page.evaluate("dispatchEvent(new Event('online'))")
  await eventually(async () => assert.equal(await page.getByText(/Sem conexão desde/).count(), 0))
}

/** Waits until the element with the focus has this property. The policy of the pages allows no polling inside of them. */
export const untilFocused = (page: Page, property: 'id' | 'name' | 'role' | 'className', value: string) =>
  eventually(async () => assert.equal(await page.evaluate(`document.activeElement.${property}`), value))
