import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net, { type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import tls from 'node:tls'
import { createListener } from '../../src/commands/listen.ts'
import { readConfig } from '../../src/config/config.ts'
import { sql } from '../../src/db/sql.ts'
import { createLogger } from '../../src/system/logging.ts'
import { testApp } from '../harness/app.ts'

/**
 * What no client that means well sends, to the whole service over TLS. Whatever is answered, a request that is hidden in
 * another is not carried out, and who comes next is served.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'vigia-protocol-'))
// Far above what a busy machine needs to open a thousand connections: none of these tests is about slowness.
const patient = { firstByte: 120_000, handshake: 120_000, headers: 120_000 }
const listener = await createListener(readConfig({ DATA_DIR: dataDir }), createLogger('silent'), patient)
const t = await testApp({ listener })
after(async () => {
  await t.close()
  await rm(dataDir, { recursive: true })
})
await t.server.listen({ port: 0, host: '127.0.0.1' })
const { port } = t.server.server.address() as AddressInfo
const admin = await t.administrador()
const AUTH = `Authorization: Bearer ${admin.token}\r\n`

async function secure(): Promise<tls.TLSSocket> {
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  return socket
}

/** Everything that comes back; our side stays open until the service has closed its own, unless it has answered all. */
async function say(bytes: string | Buffer, answers = Number.POSITIVE_INFINITY): Promise<string> {
  const socket = await secure()
  let text = ''
  socket.setEncoding('latin1')
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    text += chunk
    if (statusesIn(text).length >= answers) socket.end()
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(bytes)
  await closed
  return text
}

const statusesIn = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

async function assertServed(): Promise<void> {
  const text = await say('GET /api/v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  assert.deepEqual(statusesIn(text), [200])
}

const groups = async () =>
  (await t.database.pool.rows<{ nome: string }>(sql`select nome from grupos order by id`)).map(
    ({ nome }) => nome,
  )

const post = (headers: string, body: string) =>
  `POST /api/v1/grupos HTTP/1.1\r\nHost: x\r\n${AUTH}Content-Type: application/json\r\n${headers}\r\n${body}`
const get = (headers: string, target = '/api/v1/health', end = '\r\n') =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}${end}`
const body = '{"nome":"contrabando"}'
const hidden = post(`Content-Length: ${body.length}\r\n`, body)
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

describe('A request that two readers would end at different places', () => {
  const SHAPES: [what: string, bytes: string][] = [
    [
      'a length and chunks',
      post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${hidden}`),
    ],
    ['chunks and a length', post(`Transfer-Encoding: chunked\r\nContent-Length: ${body.length}\r\n`, body)],
    ['two lengths', post(`Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n`, hidden)],
    [
      'the same length twice',
      post(`Content-Length: ${body.length}\r\nContent-Length: ${body.length}\r\n`, body),
    ],
    ['a list of lengths', post(`Content-Length: 0, ${hidden.length}\r\n`, hidden)],
    ['a length with a sign', post(`Content-Length: +${body.length}\r\n`, body)],
    ['a length below zero', post('Content-Length: -1\r\n', body)],
    ['a length with a blank in it', post('Content-Length: 2 2\r\n', body)],
    ['a length in hexadecimal', post('Content-Length: 0x16\r\n', body)],
    ['a length without end', post(`Content-Length: ${'9'.repeat(30)}\r\n`, body)],
    ['a blank before the colon', post(`Content-Length : ${body.length}\r\n`, body)],
    ['another coding', post('Transfer-Encoding: xchunked\r\n', chunked(body))],
    ['chunks that are not the last coding', post('Transfer-Encoding: chunked, identity\r\n', chunked(body))],
    ['chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', chunked(body))],
    ['a tab before the coding', post('Transfer-Encoding:\u000bchunked\r\n', chunked(body))],
    [
      'a chunk size without end',
      post('Transfer-Encoding: chunked\r\n', `${'f'.repeat(20)}\r\n${body}\r\n0\r\n\r\n`),
    ],
    ['a chunk size with a sign', post('Transfer-Encoding: chunked\r\n', `+16\r\n${body}\r\n0\r\n\r\n`)],
    ['a chunk size in other digits', post('Transfer-Encoding: chunked\r\n', `0x16\r\n${body}\r\n0\r\n\r\n`)],
    [
      'a chunk that is longer than its size',
      post('Transfer-Encoding: chunked\r\n', `5\r\n${body}\r\n0\r\n\r\n`),
    ],
    ['chunks with bare LF', post('Transfer-Encoding: chunked\r\n', `16\n${body}\n0\n\n`)],
    ['headers with bare LF', get(`X: y\nContent-Length: ${hidden.length}\r\n`).replaceAll('\r\n', '\n')],
    ['a bare CR', get('X: y\rContent-Length: 5\r\n')],
    ['a folded header', get('X: y\r\n Transfer-Encoding: chunked\r\n')],
    ['a first header that begins with a blank', `GET / HTTP/1.1\r\n Host: x\r\n\r\n`],
    ['NUL in a header', get('X: a\0b\r\n')],
    ['NUL in a name', get('X\0: a\r\n')],
    ['a header without colon', get('Nada\r\n')],
    ['a header without name', get(': x\r\n')],
  ]
  for (const [what, bytes] of SHAPES)
    it(`${what}: is refused once and cut`, async () => {
      const text = await say(bytes)
      assert.deepEqual(statusesIn(text), [400])
      assert.ok(!(await groups()).includes('contrabando'))
    })
})

describe('A request of another kind', () => {
  const ODD: [what: string, bytes: string, statuses: number[]][] = [
    ['HTTP/0.9', 'GET /api/v1/health\r\n\r\n', [400]],
    ['HTTP/1.1 without a host', 'GET /api/v1/health HTTP/1.1\r\n\r\n', [400]],
    ['HTTP/2 without having agreed on it', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0', [400]],
    ['HTTP/3', 'GET / HTTP/3.0\r\nHost: x\r\n\r\n', [400]],
    ['another protocol', 'EHLO vigia\r\nMAIL FROM:<a@b>\r\n', [400]],
    ['a method in small letters', 'get /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
    ['a blank in the target', 'GET /api/v1/health /x HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
    ['TRACE', 'TRACE /api/v1/health HTTP/1.1\r\nHost: x\r\nX: segredo\r\nConnection: close\r\n\r\n', [405]],
    ['a large header', get(`X: ${'x'.repeat(17_000)}\r\n`), [431]],
    ['a large target', get('', `/${'x'.repeat(17_000)}`), [431]],
    ['many headers', get(Array.from({ length: 2_000 }, (_, i) => `X-${i}: ${i}\r\n`).join('')), [431]],
    ['2,000 headers without content', get('a:\r\n'.repeat(2_000)), [431]],
    [
      'many chunk extensions',
      post('Transfer-Encoding: chunked\r\n', `1;${'a=b;'.repeat(9_000)}\r\n{\r\n0\r\n\r\n`),
      [400],
    ],
  ]
  for (const [what, bytes, statuses] of ODD)
    it(`${what}: is refused and cut`, async () => {
      const text = await say(bytes)
      assert.deepEqual(statusesIn(text), statuses, text)
      assert.ok(!text.includes('segredo'))
      await assertServed()
    })

  it('CONNECT is cut: this is no proxy', async () => {
    const text = await say('CONNECT exemplo.test:443 HTTP/1.1\r\nHost: exemplo.test:443\r\n\r\n')
    assert.deepEqual(statusesIn(text), [])
    await assertServed()
  })

  const LIKE_ANY: [what: string, headers: string, target?: string][] = [
    ['an upgrade to WebSocket', 'Connection: upgrade, close\r\nUpgrade: websocket\r\n'],
    [
      'an upgrade to HTTP/2',
      'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
    ],
    ['an expectation that nobody knows', 'Expect: tudo\r\nConnection: close\r\n'],
    ['another method in a header', 'X-HTTP-Method-Override: DELETE\r\nConnection: close\r\n'],
  ]
  for (const [what, headers] of LIKE_ANY)
    it(`${what}: is answered as if it were not there`, async () => {
      assert.deepEqual(statusesIn(await say(get(headers))), [200])
    })

  it('a target with a host names no other place', async () => {
    for (const target of [
      'http://169.254.169.254/latest/meta-data',
      'https://x/api/v1/grupos',
      'x:443',
      '*',
    ]) {
      const text = await say(get('Connection: close\r\n', target))
      assert.match(text, /^HTTP\/1\.1 (400|401|404) /, target)
    }
  })

  it('chunks with extensions and trailers are a body like any other', async () => {
    const headers = 'Transfer-Encoding: chunked\r\nConnection: close\r\n'
    const wrong = '{"nome":"Com Espaço"}'
    const bytes = `${Buffer.byteLength(wrong).toString(16)};a=b\r\n${wrong}\r\n0\r\nX-Fim: sim\r\n\r\n`
    assert.deepEqual(statusesIn(await say(post(headers, bytes))), [422])
  })
})

describe('Many at once', () => {
  it('a hundred pipelined requests get a hundred answers, in their order', async () => {
    const paths = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? '/api/v1/health' : '/api/v1/nada'))
    const text = await say(paths.map((path) => get('', path)).join(''), 100)
    assert.deepEqual(
      statusesIn(text),
      paths.map((path) => (path.endsWith('health') ? 200 : 404)),
    )
  })

  it('a thousand idle and half-open connections keep nobody from being served', async (test) => {
    const opened: Socket[] = []
    test.after(() => {
      for (const socket of opened) socket.destroy()
    })
    const idle = async (first: string | Buffer) => {
      const socket = net.connect({ port, host: '127.0.0.1' })
      socket.on('error', () => {})
      opened.push(socket)
      await once(socket, 'connect')
      socket.write(first)
    }
    const half = Buffer.from('1603010200010001fc0303', 'hex')
    const FIRST = ['', half, half.subarray(0, 1), 'GET / HTTP/1.1\r\nHost:']
    for (let i = 0; i < 900; i++) await idle(FIRST[i % FIRST.length] as string)
    for (let i = 0; i < 100; i++) {
      const socket = await secure()
      socket.on('error', () => {})
      opened.push(socket)
      // Half a request, or none.
      if (i % 2 === 0) socket.write(post('Content-Length: 999\r\n', '{"nome":'))
    }
    for (let i = 0; i < 20; i++) await assertServed()
    assert.equal(opened.filter(({ destroyed }) => !destroyed).length, 1_000)
  })
})
