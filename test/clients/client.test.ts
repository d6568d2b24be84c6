import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { httpsFetch } from '../../clients/ts/src/https.ts'
import { createVigia, type Fetch, VigiaError, type VigiaOptions } from '../../clients/ts/src/index.ts'
import { urlOf } from '../../clients/ts/src/request.ts'
import { memoryStore } from '../../clients/ts/src/session.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { consoleService } from '../harness/console-service.ts'

const service = await consoleService()
after(() => service[Symbol.asyncDispose]())
const { origin: url, ca } = service
const HOUR = 3_600_000

const open = (options: Partial<VigiaOptions> = {}) =>
  createVigia({ url, ca, email: ADMIN_EMAIL, senha: PASSWORD, ...options })

/** Transport of a client, with the requests it was asked for; `meddle` may answer in the service's place. */
function watched(
  meddle: (path: string, pass: () => Promise<Response>) => Promise<Response> | undefined = () => undefined,
) {
  const pass = httpsFetch({ ca })
  const asked: { path: string; method: string; key: string | null }[] = []
  const fetch: Fetch = async (address, init) => {
    const path = new URL(address).pathname.replace('/api/v1', '')
    asked.push({ path, method: String(init.method), key: new Headers(init.headers).get('idempotency-key') })
    return (await meddle(path, () => pass(address, init))) ?? pass(address, init)
  }
  return { fetch, asked, times: (path: string) => asked.filter((one) => one.path === path).length }
}

const CASO = {
  tipo_agravo: 'dengue',
  data_notificacao: '2026-03-12',
  paciente_nome: 'Maria de Palmas',
  municipio_residencia: 'Palmas',
  estado_residencia: 'TO',
} as const
let made = 0
const newCaso = (vigia = open()) =>
  vigia.post('/agravos/casos', { body: { ...CASO, numero_notificacao: `cliente-${++made}` } })

/** Lost on the way back, once: the service has done it. */
function losing(lost: string) {
  let isLost = false
  return watched(async (path, pass) => {
    const response = await pass()
    if (path !== lost || isLost) return response
    isLost = true
    await response.text()
    throw new TypeError('fetch failed', { cause: new Error('connection reset') })
  })
}

describe('The client', () => {
  it('logs in, creates, lists with operators, and reads what it created', async () => {
    const vigia = open()
    const { id } = await newCaso(vigia)
    const { tipos, total } = await vigia.get('/agravos/casos', {
      query: { id: { in: [id, id + 1] }, estado: 'TO' },
    })
    assert.equal(total, 1)
    assert.equal(tipos[0]?.id, id)
    const caso = await vigia.get('/agravos/casos/{id}', { params: { id } })
    assert.equal(caso.paciente.nome, 'M. P.')
    await vigia.delete('/agravos/casos/{id}', { params: { id }, query: { motivo: 'engano' } })
    await assert.rejects(vigia.get('/agravos/casos/{id}', { params: { id } }), {
      status: 404,
      code: 'NOT_FOUND',
    })
  })

  it('writes filters, lists and params as the service reads them', () => {
    const base = 'https://vigia.example'
    for (const [call, expected] of [
      [
        { path: '/agravos/casos', query: { idade: { gte: 60, lt: 80 }, page: 2 } },
        '/api/v1/agravos/casos?idade%5Bgte%5D=60&idade%5Blt%5D=80&page=2',
      ],
      [
        { path: '/agravos/casos', query: { estado: { in: ['PE', 'PB'] }, search: undefined } },
        '/api/v1/agravos/casos?estado%5Bin%5D=PE%2CPB',
      ],
      [{ path: '/jobs/{job_id}', params: { job_id: 'a/b?c' } }, '/api/v1/jobs/a%2Fb%3Fc'],
      [{ path: '/.well-known/jwks.json' }, '/.well-known/jwks.json'],
    ] as const)
      assert.equal(urlOf(base, call), `${base}${expected}`)
    assert.throws(() => urlOf(base, { path: '/jobs/{job_id}' }), /job_id is missing/)
  })

  it('knows filters, bodies and routes when it is compiled', () => {
    const never = (vigia: ReturnType<typeof open>) => [
      // @ts-expect-error: ages have no such operator
      vigia.get('/agravos/casos', { query: { idade: { like: 60 } } }),
      // @ts-expect-error: no such filter
      vigia.get('/agravos/casos', { query: { idad: 60 } }),
      // @ts-expect-error: a body is asked for
      vigia.post('/grupos'),
      // @ts-expect-error: no such route
      vigia.get('/nada'),
      // @ts-expect-error: no list in pages
      vigia.paginas('/health'),
    ]
    assert.equal(typeof never, 'function')
  })

  it('tells refusals by code and field, in the language asked for, of either contract', async () => {
    const vigia = open({ language: 'en-US' })
    const refused = await vigia.post('/grupos', { body: { nome: '' } }).catch((error) => error)
    assert.ok(refused instanceof VigiaError)
    assert.deepEqual(
      [refused.status, refused.code, refused.fields[0]?.field],
      [422, 'VALIDATION_ERROR', 'nome'],
    )
    assert.match(refused.message, /valid/i)
    assert.ok(refused.requestId)
    const formal = await vigia.get('/usuarios/', { query: { limit: -1 } }).catch((error) => error)
    assert.deepEqual([formal.code, formal.fields[0]?.field], ['VALIDATION_ERROR', 'limit'])
    await assert.rejects(open({ senha: 'Errada#123' }).get('/usuarios/me'), {
      status: 401,
      code: 'INVALID_CREDENTIALS',
    })
    await assert.rejects(createVigia({ url, ca }).get('/usuarios/me'), { status: 401, code: 'UNAUTHORIZED' })
    await assert.rejects(createVigia({ url: 'https://127.0.0.1:1', ca, attempts: 1 }).get('/health'), {
      status: 0,
      code: 'UNREACHABLE',
    })
    await assert.rejects(createVigia({ url, attempts: 1 }).get('/health'), /self-signed|certificate/)
  })

  it('renews an expired token once for all the requests that meet it', async () => {
    const { fetch, times } = watched()
    const vigia = open({ fetch })
    await vigia.get('/usuarios/me')
    service.advance(HOUR + 60_000)
    const answers = await Promise.all(Array.from({ length: 5 }, () => vigia.get('/usuarios/me')))
    assert.equal(new Set(answers.map(({ email }) => email)).size, 1)
    assert.deepEqual([times('/auth/login'), times('/auth/refresh')], [1, 1])
  })

  it('survives a renewal whose answer was lost, and shares one between clients with the same tokens', async () => {
    const store = memoryStore()
    const { fetch, times } = losing('/auth/refresh')
    const vigia = open({ fetch, store })
    await vigia.get('/usuarios/me')
    service.advance(HOUR + 60_000)
    await vigia.get('/usuarios/me')
    assert.deepEqual([times('/auth/login'), times('/auth/refresh')], [1, 2])
    const other = createVigia({ url, ca, store })
    assert.equal((await other.get('/usuarios/me')).email, ADMIN_EMAIL)
  })

  it('logs in again where the session has ended, if it may; else says so', async () => {
    const { fetch, times } = watched()
    const vigia = open({ fetch })
    await vigia.get('/usuarios/me')
    const { items } = await vigia.get('/auth/sessions')
    const current = items.find((one) => one.current)?.id as string
    await vigia.delete('/auth/sessions/{session_id}', { params: { session_id: current } })
    await vigia.get('/usuarios/me')
    assert.equal(times('/auth/login'), 2)
    const store = memoryStore()
    await open({ store }).login({ username: ADMIN_EMAIL, password: PASSWORD })
    const without = createVigia({ url, ca, store })
    await without.logout()
    assert.equal(await store.read(), null)
    await assert.rejects(without.get('/usuarios/me'), { code: 'UNAUTHORIZED' })
  })

  it('repeats GET after 503 and 429, as Retry-After says, and no more often than it may', async () => {
    const refusals = [503, 429]
    const { fetch, times } = watched((path) => {
      const status = path === '/usuarios/me' ? refusals.shift() : undefined
      return status === undefined ? undefined : Promise.resolve(refusal(status, '0'))
    })
    await open({ fetch }).get('/usuarios/me')
    assert.equal(times('/usuarios/me'), 3)
    const never = watched(async () => refusal(503, '0'))
    await assert.rejects(createVigia({ url, token: 'x', fetch: never.fetch, attempts: 3 }).get('/grupos'), {
      status: 503,
    })
    assert.equal(never.times('/grupos'), 3)
    const long = watched(async () => refusal(429, '3600'))
    await assert.rejects(createVigia({ url, token: 'x', fetch: long.fetch }).get('/grupos'), {
      retryAfter: 3_600,
    })
    assert.equal(long.times('/grupos'), 1)
  })

  it('repeats a POST with its key, so that it is done once; without a key it is not repeated', async () => {
    const { fetch, asked } = losing('/agravos/casos')
    const { id } = await newCaso(open({ fetch }))
    const sent = asked.filter((one) => one.path === '/agravos/casos')
    assert.equal(sent.length, 2)
    assert.ok(sent[0]?.key)
    assert.equal(sent[0]?.key, sent[1]?.key)
    const { total } = await open().get('/agravos/casos', { query: { numero_notificacao: `cliente-${made}` } })
    assert.equal(total, 1, `${id}`)
    const unkeyed = losing('/noticias')
    const body = { titulo: 'Nota', conteudo: 'Texto' }
    await assert.rejects(open({ fetch: unkeyed.fetch }).post('/noticias', { body }), { code: 'UNREACHABLE' })
    assert.equal(unkeyed.times('/noticias'), 1)
  })

  it('reads every member of a list once, over a restart of the service and changes in between', async () => {
    const vigia = open()
    const ids: number[] = []
    for (let i = 0; i < 7; i++) ids.push((await newCaso(vigia)).id)
    const seen: number[] = []
    for await (const casos of vigia.paginas('/agravos/casos', { query: { size: 2, estado: 'TO' } })) {
      seen.push(...casos.map(({ id }) => id))
      if (seen.length === 2) {
        await vigia.delete('/agravos/casos/{id}', {
          params: { id: seen[0] as number },
          query: { motivo: 'engano' },
        })
        await service.stop()
        // The next page is asked for while nobody listens.
        setImmediate(() => service.start())
      }
    }
    assert.equal(new Set(seen).size, seen.length, 'none twice')
    for (const id of ids) assert.ok(seen.includes(id), `${id}`)
    const pages: number[][] = []
    for await (const jobs of vigia.paginas('/jobs')) pages.push(jobs.map(() => 1))
    for await (const casos of vigia.paginas('/agravos/casos', { query: { size: 3, sort: 'criado_em' } }))
      pages.push(casos.map(({ id }) => id))
    assert.equal(new Set(pages.flat()).size, pages.flat().length)
  })

  it('sends a file, follows its job by the stream, or by asking where there is none', async () => {
    const header =
      'tipo_agravo;numero_notificacao;data_notificacao;paciente_nome;municipio_residencia;estado_residencia'
    for (const streams of [true, false]) {
      const { fetch, times } = watched((path) =>
        path.endsWith('/eventos') && !streams ? Promise.resolve(refusal(429, '0')) : undefined,
      )
      const vigia = open({ fetch, attempts: 2 })
      const file = new File(
        [`${header}\ndengue;arq-${streams};2026-03-12;Rui Costa;Olinda;PE\n`],
        'casos.csv',
      )
      const { job_id } = await vigia.post('/agravos/casos/bulk', {
        body: { file, formato: 'csv', modo: 'importar' },
      })
      const statuses: string[] = []
      for await (const { status } of vigia.job(job_id).acompanhar()) {
        statuses.push(status)
        if (statuses.length === 1) await service.t.jobWorker.runAll()
      }
      assert.deepEqual([statuses[0], statuses.at(-1)], ['processing', 'completed'])
      assert.equal(times(`/jobs/${job_id}`) > 0, !streams)
      const { resultado } = await vigia.job(job_id).fim()
      assert.equal(resultado?.importados, 1)
    }
    await assert.rejects(open().job('job_nenhum').fim(), { code: 'NOT_FOUND' })
  })

  it('reads the feed from a cursor on, and follows it until it is told to stop', async () => {
    const vigia = open()
    await newCaso(vigia)
    await service.t.webhookWorker.runOnce()
    let cursor = ''
    let total = 0
    for await (const batch of vigia.eventos(undefined, { query: { size: 2 } })) {
      cursor = batch.cursor
      total += batch.eventos.length
    }
    assert.ok(total > 2)
    const { id } = await newCaso(vigia)
    await service.t.webhookWorker.runOnce()
    const stop = new AbortController()
    const following = async () => {
      for await (const { eventos } of vigia.eventos(cursor, { follow: true, signal: stop.signal })) {
        assert.deepEqual(
          eventos.map(({ tipo, dados }) => [tipo, dados.id]),
          [['agravo.criado', id]],
        )
        setImmediate(() => stop.abort())
      }
    }
    await assert.rejects(following(), { name: 'AbortError' })
  })

  it('needs no package when it runs', async () => {
    const folder = new URL('../../clients/ts/', import.meta.url)
    const own = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'))
    assert.deepEqual(
      [own.dependencies, own.peerDependencies, own.optionalDependencies],
      [undefined, undefined, undefined],
    )
    for (const name of await readdir(new URL('src/', folder))) {
      const text = await readFile(new URL(`src/${name}`, folder), 'utf8')
      for (const [, from = ''] of text.matchAll(/(?:from|import\() ?'([^']+)'/g))
        assert.match(from, /^(?:\.\/|node:)/, `${name}: ${from}`)
    }
  })

  it('bundles for a browser in less than 30 kB, without anything of Node', async () => {
    const entry = `import { createVigia } from './index.ts'
      const vigia = createVigia({ url: location.origin })
      await vigia.login({ username: 'a', password: 'b' })
      console.log(await vigia.get('/agravos/casos'))`
    const { outputFiles } = await build({
      stdin: {
        contents: entry,
        resolveDir: fileURLToPath(new URL('../../clients/ts/src', import.meta.url)),
        loader: 'ts',
      },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
    })
    const code = outputFiles[0]?.contents as Uint8Array
    assert.doesNotMatch(Buffer.from(code).toString(), /node:/)
    assert.ok(gzipSync(code).length <= 30_000, `${gzipSync(code).length} bytes`)
  })
})

function refusal(status: number, retryAfter: string): Response {
  const error = { code: status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE', message: 'Agora não' }
  return Response.json({ error }, { status, headers: { 'retry-after': retryAfter } })
}
