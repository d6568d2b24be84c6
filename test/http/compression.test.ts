import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sql } from '../../src/db/sql.ts'
import { PASSWORD, testApp } from '../harness/app.ts'
import { OWN_PAGE } from '../harness/console.ts'

const t = await testApp()
after(() => t.close())

const admin = await t.administrador()
const gestor = await t.person({ grupos: ['gestor'] })
/** A list of more than a kilobyte. */
await t.database.pool.run(sql`
  insert into grupos (nome, descricao) select 'grupo_' || n, repeat('descrição ', 20) from generate_series(1, 20) n`)
const CASO = {
  tipo_agravo: 'dengue',
  numero_notificacao: '1',
  data_notificacao: '2026-03-12',
  paciente_nome: 'Maria da Silva',
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
}
const { body: caso } = await t.as(gestor).post('/agravos/casos', CASO)

const UNPACK: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }

interface Asked {
  method?: 'GET' | 'HEAD' | 'POST'
  accept?: string
  headers?: Record<string, string>
  payload?: object
}

async function ask(path: string, { method = 'GET', accept, headers, payload }: Asked = {}) {
  const answer = await t.server.inject({
    method,
    url: `/api/v1${path}`,
    headers: {
      authorization: `Bearer ${path.startsWith('/grupos') ? admin.token : gestor.token}`,
      ...(accept !== undefined && { 'accept-encoding': accept }),
      ...headers,
    },
    ...(payload && { payload }),
  })
  const encoding = answer.headers['content-encoding'] as string | undefined
  const unpack = encoding === undefined ? (bytes: Buffer) => bytes : UNPACK[encoding]
  const text = method === 'HEAD' ? '' : String(unpack?.(answer.rawPayload))
  return {
    status: answer.statusCode,
    headers: answer.headers,
    encoding,
    size: answer.rawPayload.length,
    text,
  }
}

const LIST = '/grupos?size=100'
const DETAIL = `/agravos/casos/${caso.id}`
const PAINEL = '/agravos/casos/painel?tipo_agravo=dengue&ano=2026'
const CSV = '/agravos/casos/estatisticas/curva?tipo_agravo=dengue&formato=csv'

/** Without what differs from request to request. */
const lasting = (text: string) => text.replaceAll(/"(calculado_em|timestamp)":"[^"]*"/g, '')

describe('an answer above a kilobyte', () => {
  for (const path of [LIST, DETAIL, PAINEL, CSV])
    it(`is compressed as the client asks, to the same content: ${path}`, async () => {
      const plain = await ask(path)
      assert.equal(plain.status, 200, plain.text)
      assert.equal(plain.encoding, undefined)
      assert.equal(plain.headers.vary, 'Accept-Encoding')
      assert.ok(plain.size > 1024, String(plain.size))
      for (const [accept, expected] of [
        ['gzip', 'gzip'],
        ['br', 'br'],
        ['gzip, deflate, br, zstd', 'br'],
        ['br;q=0, gzip', 'gzip'],
        ['*', 'br'],
      ] as const) {
        const answer = await ask(path, { accept })
        assert.equal(answer.encoding, expected, accept)
        assert.equal(answer.headers.vary, 'Accept-Encoding')
        assert.equal(answer.headers['content-type'], plain.headers['content-type'])
        assert.equal(Number(answer.headers['content-length']), answer.size)
        assert.ok(answer.size < plain.size)
        assert.equal(lasting(answer.text), lasting(plain.text))
      }
    })

  it('is not for clients that do not ask, or for nothing that we have', async () => {
    for (const accept of [
      undefined,
      '',
      'identity',
      'deflate',
      'zstd',
      'gzip;q=0',
      '*;q=0',
      'gzip;q=0.0, br;q=0',
    ])
      assert.equal((await ask(LIST, accept === undefined ? {} : { accept })).encoding, undefined, accept)
  })

  it('has the same headers for HEAD', async () => {
    const { headers } = await ask(LIST, { accept: 'gzip' })
    const head = await ask(LIST, { method: 'HEAD', accept: 'gzip' })
    assert.equal(head.headers['content-encoding'], 'gzip')
    // The answer tells its time, some digits of which are shorter packed than others.
    const difference = Number(head.headers['content-length']) - Number(headers['content-length'])
    assert.ok(Math.abs(difference) < 10, String(difference))
  })

  it('keeps its other headers', async () => {
    const { headers } = await ask(CSV, { accept: 'br' })
    assert.match(String(headers['content-disposition']), /^attachment; filename="[^"]+\.csv"$/)
    assert.equal(headers['cache-control'], 'no-store')
  })
})

describe('an answer that is not compressed, whatever the client asks:', () => {
  const accept = 'br, gzip'

  it('a small one', async () => {
    const small = await ask('/grupos?size=1', { accept })
    assert.ok(small.size < 1024)
    assert.equal(small.encoding, undefined)
    assert.equal((await ask('/grupos?size=0', { accept })).encoding, undefined)
  })

  it('one that identifies a patient, at every place that can', async () => {
    for (const path of [DETAIL, `${DETAIL}/historico`, `${DETAIL}/anexos`, '/agravos/casos/mapa-calor']) {
      const answer = await ask(`${path}?identificado=true`, { accept })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.encoding, undefined, path)
    }
    assert.match((await ask(`${DETAIL}?identificado=true`, { accept })).text, /Maria da Silva/)
    assert.equal((await ask(`${DETAIL}?identificado=false`, { accept })).encoding, 'br')
  })

  it('one with secrets: tokens, the console’s profile, the second factor, a webhook’s secret', async () => {
    const login = { email: gestor.email, senha: PASSWORD }
    const hook = { url: 'https://receptor.example/', eventos: ['agravo.criado'] }
    for (const [path, payload, headers] of [
      ['/auth/login', login],
      ['/auth/sessao', login, { ...OWN_PAGE }],
      ['/auth/mfa/enable', {}],
      ['/webhooks', hook],
    ] as [string, object, Record<string, string>?][]) {
      const answer = await ask(path, { method: 'POST', accept, payload, ...(headers && { headers }) })
      assert.ok([200, 201].includes(answer.status), answer.text)
      assert.equal(answer.encoding, undefined, path)
      assert.equal(answer.headers.vary, undefined, path)
    }
    assert.ok((await ask('/auth/mfa/enable', { method: 'POST', accept, payload: {} })).size > 1024)
  })

  it('events of a job, and its file', async () => {
    const { text } = await ask('/agravos/casos/exportar', { method: 'POST', payload: { formato: 'csv' } })
    const { job_id } = JSON.parse(text)
    await t.jobWorker.runAll()
    for (const path of [`/jobs/${job_id}/eventos`, `/jobs/${job_id}/arquivo`]) {
      const answer = await ask(path, { accept })
      assert.equal(answer.status, 200)
      assert.equal(answer.encoding, undefined, path)
    }
  })
})

describe('entity tags', () => {
  const change = (etag: string, bairro: string) =>
    t.as(gestor).put(DETAIL, { bairro_residencia: bairro }, { headers: { 'if-match': etag } })

  it('of a version differ by encoding, and each is good for If-Match', async () => {
    const tags = new Map<string, string>()
    for (const accept of ['identity', 'gzip', 'br'])
      tags.set(accept, String((await ask(DETAIL, { accept })).headers.etag))
    assert.deepEqual([...tags.values()], ['"1"', '"1-gzip"', '"1-br"'])
    let version = 1
    for (const accept of tags.keys()) {
      const etag = String((await ask(DETAIL, { accept })).headers.etag)
      const { status, text, headers } = await change(etag, `Bairro ${++version}`)
      assert.equal(status, 200, text)
      assert.equal(headers.etag, `"${version}"`)
      assert.equal((await change(etag, 'Outro')).status, 409, 'stale')
    }
    for (const etag of [`"${version}-zstd"`, `"${version}-"`, `W/"${version}"`, `"${version}-gzip-br"`])
      assert.equal((await change(etag, 'Outro')).status, 409, etag)
  })

  it('of the painel are weak: the same in every encoding, and answered 304 in each', async () => {
    const tags = new Set<string>()
    for (const accept of ['identity', 'gzip', 'br'])
      tags.add(String((await ask(PAINEL, { accept })).headers.etag))
    assert.equal(tags.size, 1)
    const [etag = ''] = tags
    assert.match(etag, /^W\/"/)
    for (const accept of ['identity', 'gzip', 'br']) {
      const again = await ask(PAINEL, { accept, headers: { 'if-none-match': etag } })
      assert.deepEqual([again.status, again.size, again.headers.etag], [304, 0, etag])
    }
  })
})
