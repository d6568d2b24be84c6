import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { Writable } from 'node:stream'
import type { InjectOptions } from 'fastify'
import { buildService, type Service } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Db } from '../../src/db/db.ts'
import { sql } from '../../src/db/sql.ts'
import type { Mail } from '../../src/domain/emails/mail.ts'
import { createPasswords } from '../../src/domain/sessoes/passwords.ts'
import { insertSessao } from '../../src/domain/sessoes/sessoes.sql.ts'
import { readAssets } from '../../src/http/console.ts'
import type { Listener } from '../../src/http/listener/listener.ts'
import type { Outbound } from '../../src/outbound/outbound.ts'
import { createLogger } from '../../src/system/logging.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { releaseAfterFile } from './kept.ts'
import { keepLedger, type Ledger } from './ledger.ts'

/** Every account of the tests has this password; its hash is in the template. */
export const PASSWORD = 'Senha#Boa1'
/** Thousands of logins would be nothing but hashing; `test/domain/sessoes/passwords.test.ts` has the real cost. */
export const CHEAP_HASHING = { memoryCost: 1024, timeCost: 1, parallelism: 1 }
export const MASTER_KEY = 'a chave mestra dos testes, bem comprida'
export const ADMIN_EMAIL = 'admin@teste.local'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape; the ledger has checked each against its schema
  body: any
}

/** The verbs of the API, as one caller. */
export interface Verbs {
  get(path: string, options?: RequestOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  delete(path: string, options?: RequestOptions): Promise<Answer>
  request(
    method: string,
    path: string,
    options?: RequestOptions & { payload?: string | Buffer },
  ): Promise<Answer>
}

export interface RequestOptions {
  headers?: Record<string, string>
}

export interface Person {
  id: number
  email: string
  token: string
}

export interface TestApp extends Omit<Service, 'document'> {
  readonly document: Record<string, unknown>
  dataKey: Buffer
  database: TestDatabase
  clock: { now(): Date; advance(ms: number): void }
  logs: string[]
  ledger: Ledger
  /** What was sent; `await t.mailWorker.runOnce()` sends what is waiting. */
  mails: Mail[]
  anonymous: Verbs
  as(person: Person): Verbs
  /** A new account in these groups, logged in. */
  person(options?: { grupos?: string[]; admin?: boolean; permissoes?: string[] }): Promise<Person>
  /** The template's administrator, logged in. */
  administrador(): Promise<Person>
  close(): Promise<void>
}

const PREFIX = '/api/v1'

export interface TestAppOptions {
  env?: Record<string, string>
  /** To run a second instance on the same database; it needs the first one's key, too. */
  database?: TestDatabase
  dataKey?: Buffer
  /** Database of counted requests, if not in the same pool. */
  limitesDb?: Db
  /** How it listens, for those who come over a connection. */
  listener?: Listener
  /** Transport of webhooks. */
  outbound?: Outbound
  /** False: answers are not checked against the OpenAPI document, for those who measure. */
  checked?: boolean
  /** People log in by the route, for tests that look at what a login leaves behind. */
  realLogins?: boolean
}

export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { env = {}, database: given, dataKey = randomBytes(32), limitesDb, realLogins = false } = options
  const { listener = {}, outbound } = options
  const database = given ?? (await createTestDatabase())
  const clock = testClock()
  const logs: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logs.push(String(chunk))
      done()
    },
  })
  const mails: Mail[] = []
  const service = await buildService({
    // Tests ask more than one address may; those of the limits switch them on.
    config: readConfig({ DATA_DIR: tmpdir(), RATE_LIMITS: 'off', PUBLICO: 'on', ...env }),
    dataKey,
    masterKey: MASTER_KEY,
    passwords: createPasswords({ cost: CHEAP_HASHING }),
    mailTransport: {
      async send(mail) {
        mails.push(mail)
      },
    },
    db: database.pool,
    ...(limitesDb && { limitesDb }),
    clock,
    log: createLogger('info', stream),
    listener,
    ...(outbound && { outbound }),
    assets: await assets(),
  })
  /** Emptied after the file. Closures hold the service by it alone: it is some 30 MB, and each collection would mark all of a worker's. */
  const held = { service }
  const document = () => sharedDocument(`${env.PUBLIC_URL ?? ''} ${env.PUBLICO ?? 'on'}`, held.service)
  const ledger = options.checked === false ? { violations: [] } : keepLedger(held.service.server, document)

  async function send(token: string | null, options: InjectOptions): Promise<Answer> {
    const headers = { ...(token !== null && { authorization: `Bearer ${token}` }), ...options.headers }
    const response = await held.service.server.inject({ ...options, headers })
    assert.deepEqual(ledger.violations.splice(0), [], 'the answer matches the OpenAPI document')
    const { headers: told, payload: text } = response
    const isJson = String(told['content-type']).startsWith('application/json') && text !== ''
    let parsed: { body: unknown } | undefined
    return {
      status: response.statusCode,
      headers: told,
      text,
      // Parsed by those who look at it: measurements are of the service alone.
      get body() {
        parsed ??= { body: isJson ? JSON.parse(text) : undefined }
        return parsed.body
      },
    }
  }

  function verbs(token: string | null): Verbs {
    const withBody =
      (method: 'POST' | 'PUT' | 'PATCH') => (path: string, body?: unknown, options?: RequestOptions) =>
        send(token, {
          method,
          url: urlOf(path),
          ...(body !== undefined && { payload: body as object }),
          ...options,
        })
    return {
      get: (path, options) => send(token, { method: 'GET', url: urlOf(path), ...options }),
      post: withBody('POST'),
      put: withBody('PUT'),
      patch: withBody('PATCH'),
      delete: (path, options) => send(token, { method: 'DELETE', url: urlOf(path), ...options }),
      request: (method, path, options) =>
        send(token, { method: method as 'GET', url: urlOf(path), ...options }),
    }
  }

  const anonymous = verbs(null)

  async function logIn(id: number, email: string): Promise<Person> {
    const { status, body } = await anonymous.post('/auth/login', { username: email, password: PASSWORD })
    assert.equal(status, 200)
    return { id, email, token: body.access_token }
  }

  /** A session as a login opens it, without the cost of hashing. */
  async function withSession(id: number, email: string): Promise<Person> {
    const sessao_id = randomUUID()
    const now = clock.now()
    await insertSessao(database.pool, {
      id: sessao_id,
      usuario_id: id,
      criado_em: now,
      expira_em: new Date(now.getTime() + 7 * 86_400_000),
      lembrar: false,
      endereco_ip: '127.0.0.1',
      agente: 'lightMyRequest',
    })
    const issue = { jti: sessao_id, issuedAt: now }
    const token = await held.service.app.accessTokens.sign({ usuario_id: id, sessao_id }, issue)
    return { id, email, token }
  }

  const enter = realLogins ? logIn : withSession

  /** Read once: a test may change the account it comes from. */
  const templateHash = lazily(async () => {
    const row = await database.pool.first<{ senha_hash: string }>(sql`
      select senha_hash from usuarios where email = ${ADMIN_EMAIL}`)
    return row?.senha_hash
  })

  let people = 0
  async function person(
    { grupos = [], admin = false, permissoes = [] } = {} as Parameters<TestApp['person']>[0] & object,
  ) {
    const email = `pessoa${++people}.${grupos.join('-') || 'ninguem'}@teste.local`
    const row = await database.pool.first<{ id: number }>(sql`
      insert into usuarios (nome, email, senha_hash, admin)
      values (${`Pessoa ${people}`}, ${email}, ${await templateHash()}, ${admin})
      returning id`)
    const { id } = row as { id: number }
    await database.pool.run(sql`
      insert into usuarios_grupos (usuario_id, grupo_id) select ${id}, g.id from grupos g where g.nome = any(${grupos})`)
    await database.pool.run(sql`
      insert into usuarios_permissoes (usuario_id, permissao_id)
      select ${id}, p.id from permissoes p where p.nome = any(${permissoes})`)
    return enter(id, email)
  }

  const t: TestApp = {
    ...held.service,
    get document() {
      return document()
    },
    dataKey,
    database,
    clock,
    logs,
    ledger,
    mails,
    anonymous,
    as: ({ token }) => verbs(token),
    person,
    administrador: () => enter(1, ADMIN_EMAIL),
    async close() {
      await held.service.server.close()
      if (given === undefined) await database.drop()
    },
  }
  releaseAfterFile(() => {
    for (const part of Object.keys(held.service)) Reflect.deleteProperty(t, part)
    Reflect.deleteProperty(held, 'service')
  })
  return t
}

/** Read once for all services of a process. */
const assets = lazily(readAssets)

/** Documents by the options and definitions that they depend on: the apps of one process share them, and what was compiled of them. */
const documents = new Map<string, Record<string, unknown>>()

/** Definitions as text. They are asked for twice an answer and change a few times a run. */
const definitions = new WeakMap<object, string>()

function sharedDocument(options: string, service: Service): Record<string, unknown> {
  const { lists } = service.app.agravos.live()
  const text = definitions.get(lists) ?? JSON.stringify(lists)
  definitions.set(lists, text)
  const key = `${options} ${text}`
  const document = documents.get(key) ?? service.document()
  documents.set(key, document)
  return document
}

/** Every test comes from the same few sources, which would soon be locked. */
export async function forgetFailures(db: Db): Promise<void> {
  await db.run(sql`delete from falhas_de_login`)
  await db.run(sql`delete from bloqueios_de_login`)
}

/** Paths are relative to the API, but for `/.well-known` and those that begin with two slashes (`//docs`). */
function urlOf(path: string): string {
  if (path.startsWith('/.well-known')) return path
  return path.startsWith('//') ? path.slice(1) : `${PREFIX}${path}`
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Real time that a test can push forward. */
function testClock() {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance(ms: number) {
      ahead += ms
    },
  }
}
