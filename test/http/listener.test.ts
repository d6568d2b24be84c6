import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import Fastify from 'fastify'
import { generate } from 'selfsigned'
import { type Certificate, type KeyPair, loadCertificate } from '../../src/http/listener/certificate.ts'
import { type ListenerLimits, proxiedListener, tlsListener } from '../../src/http/listener/listener.ts'

// The other limits keep their long defaults: a test shortens only what it is about, for the sake of busy machines.
const quick = { check: 50, linger: 200, draining: 100, closing: 500 }
const SLOW_POST =
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n'
const renderClientError = (status: number) => JSON.stringify({ error: status })
const MEGABYTE = 1024 * 1024

let dataDir: string
let certificate: Certificate

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'vigia-listener-'))
  certificate = await loadCertificate({ dataDir, hosts: [] })
})
after(() => rm(dataDir, { recursive: true, force: true }))

async function serve(
  t: TestContext,
  options: { limits?: Partial<ListenerLimits>; proxied?: boolean; certificate?: Certificate } = {},
) {
  const limits = { ...quick, ...options.limits }
  const events: string[] = []
  const listener = options.proxied
    ? proxiedListener({ renderClientError, limits })
    : tlsListener({
        certificate: options.certificate ?? certificate,
        renderClientError,
        limits,
        refusePlain: ({ method, url = '' }) => ({
          status: 403,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ refused: `${method} ${decodeURI(url)}`, porque: 'não' }),
        }),
        onCertificateChange: () => events.push('changed'),
        onCertificateError: (error) => events.push(error.message),
      })
  const closing = { return503OnClosing: false, forceCloseConnections: false }
  const app = Fastify({ ...listener, ...closing, bodyLimit: 4 * MEGABYTE })
  const released = Promise.withResolvers<void>()
  app.get('/', () => ({ ok: true }))
  const entered = Promise.withResolvers<void>()
  app.get('/held', async () => {
    entered.resolve()
    await released.promise
    return { ok: true }
  })
  app.get('/large', () => Buffer.alloc(24 * MEGABYTE))
  app.get('/begun', (_request, reply) => {
    reply.hijack()
    reply.raw.write('begun')
  })
  app.post('/', () => ({ ok: true }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  const { port } = app.server.address() as net.AddressInfo
  return { app, port, events, entered: entered.promise, release: released.resolve }
}

/** Everything the server sends until it closes, and how long that took. */
async function talk(socket: net.Socket, say: (socket: net.Socket) => void = () => {}) {
  const started = performance.now()
  const chunks: Buffer[] = []
  let error: NodeJS.ErrnoException | undefined
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', (problem) => {
    error = problem
  })
  await new Promise((resolve) => {
    socket.once('close', resolve)
    say(socket)
  })
  const text = Buffer.concat(chunks).toString()
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { text, head, body, error, elapsed: performance.now() - started }
}

const plain = (port: number, options: Partial<net.TcpNetConnectOpts> = {}) =>
  net.connect({ port, host: '127.0.0.1', ...options })

async function secure(port: number, options: tls.ConnectionOptions = {}) {
  const socket = tls.connect({ port, host: '127.0.0.1', ca: certificate.cert, ...options })
  await once(socket, 'secureConnect')
  return socket
}

function get(port: number, options: https.RequestOptions = {}) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const request = https.get(
      { port, host: '127.0.0.1', ca: certificate.cert, agent: false, ...options },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode, body }))
        response.on('error', reject)
      },
    )
    request.on('error', reject)
  })
}

async function assertServed(port: number) {
  assert.deepEqual(await get(port), { status: 200, body: '{"ok":true}' })
}

/** Waits until it holds, so that a busy machine only makes the test slower. */
async function eventually(check: () => void | Promise<void>) {
  for (const deadline = performance.now() + 5000; ; await sleep(20)) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
  }
}

function assertCut(elapsed: number, limit: number) {
  assert.ok(
    elapsed > limit * 0.8 && elapsed < limit + 3000,
    `cut after ${elapsed} ms, the limit being ${limit}`,
  )
}

/** Drips without end until the server has had enough. */
function drip(text: string | Buffer, pause = 40) {
  return (socket: net.Socket) => {
    let sent = 0
    const timer = setInterval(() => {
      socket.write(text.slice(sent % text.length, (sent % text.length) + 1))
      sent += 1
    }, pause)
    socket.once('close', () => clearInterval(timer))
  }
}

/** What a TLS client sends first. */
async function clientHello(): Promise<Buffer> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = tls.connect({ port: (server.address() as net.AddressInfo).port, host: '127.0.0.1' })
  client.on('error', () => {})
  const [socket] = (await once(server, 'connection')) as [net.Socket]
  const [hello] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  server.close()
  return hello
}

describe('TLS', () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    test(`${version} is served`, async (t) => {
      const { port } = await serve(t)
      const socket = await secure(port, { minVersion: version, maxVersion: version })
      assert.equal(socket.getProtocol(), version)
      const { head, body } = await talk(socket, () =>
        socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
      )
      assert.match(head, /^HTTP\/1\.1 200 OK/)
      assert.equal(body, '{"ok":true}')
    })
  }

  test('TLS 1.1 is refused by the server', async (t) => {
    const { port } = await serve(t)
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    await assert.rejects(secure(port, old), { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' })
    await assertServed(port)
  })

  test('TLS 1.2 is served with authenticated encryption and forward secrecy, or not at all', async (t) => {
    const { port } = await serve(t)
    const suite = (ciphers: string) => secure(port, { maxVersion: 'TLSv1.2', ciphers })
    for (const name of ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305']) {
      const socket = await suite(`ECDHE-ECDSA-${name}:ECDHE-RSA-${name}`)
      assert.match(socket.getCipher().name, new RegExp(`^ECDHE-.*${name}$`))
      socket.destroy()
    }
    for (const names of [
      'ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256',
      'ECDHE+SHA1',
      'kRSA+AES',
      'DHE',
    ])
      await assert.rejects(
        suite(`${names}@SECLEVEL=0`),
        { code: 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE' },
        names,
      )
    await assertServed(port)
  })

  test('a ClientHello that arrives byte by byte is understood', async (t) => {
    const { port } = await serve(t)
    const slowed = net.createServer((client) => {
      const upstream = plain(port).setNoDelay(true)
      upstream.pipe(client)
      client.once('data', async (hello: Buffer) => {
        client.pause()
        for (const byte of hello) {
          upstream.write(Buffer.of(byte))
          await new Promise(setImmediate)
        }
        client.pipe(upstream)
      })
      for (const socket of [client, upstream]) socket.on('error', () => {})
    })
    slowed.listen(0, '127.0.0.1')
    t.after(() => slowed.close())
    await once(slowed, 'listening')
    await assertServed((slowed.address() as net.AddressInfo).port)
  })

  test('two hundred requests at once are all answered, on new and on kept connections', async (t) => {
    const { port } = await serve(t)
    const agent = new https.Agent({ keepAlive: true, maxSockets: 20 })
    t.after(() => agent.destroy())
    for (const options of [{}, { agent }]) {
      const answers = await Promise.all(Array.from({ length: 200 }, () => get(port, options)))
      assert.deepEqual(
        new Set(answers.map(({ status, body }) => `${status} ${body}`)),
        new Set(['200 {"ok":true}']),
      )
    }
  })
})

describe('plain HTTP on the same port', () => {
  const refusal = (text: string) => ({ refused: text, porque: 'não' })

  test('gets 403 with a JSON body, whatever the method or version', async (t) => {
    const { port } = await serve(t)
    const requests: [string, string][] = [
      ['GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /a?b=c'],
      ['GET / HTTP/1.0\r\n\r\n', 'GET /'],
      ['DELETE /x HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n', 'DELETE /x'],
      ['CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 'CONNECT x:443'],
      ['GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', 'GET /'],
      ['POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n', 'POST /'],
      ['POST / HTTP/1.1\r\nHost: x\r\nExpect: other\r\nContent-Length: 9\r\n\r\n', 'POST /'],
      ['POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnot a chunk', 'POST /'],
    ]
    for (const [request, expected] of requests) {
      const { head, body, error } = await talk(plain(port), (socket) => socket.write(request))
      assert.match(head, /^HTTP\/1\.1 403 Forbidden\r\n/, request)
      assert.match(head, /connection: close/)
      assert.match(head, /content-type: application\/json/)
      assert.match(head, new RegExp(`content-length: ${Buffer.byteLength(body)}$`, 'm'))
      assert.deepEqual(JSON.parse(body), refusal(expected))
      assert.equal(error, undefined)
    }
  })

  test('gets no body for HEAD', async (t) => {
    const { port } = await serve(t)
    const { head, body } = await talk(plain(port), (socket) =>
      socket.write('HEAD / HTTP/1.1\r\nHost: x\r\n\r\n'),
    )
    assert.match(head, /^HTTP\/1\.1 403 /)
    assert.equal(body, '')
  })

  test('gets a bare 403 when the answer cannot be rendered', async (t) => {
    const { port } = await serve(t)
    const { head } = await talk(plain(port), (socket) =>
      socket.write('GET /%E0%A4%A HTTP/1.1\r\nHost: x\r\n\r\n'),
    )
    assert.match(head, /^HTTP\/1\.1 403 /)
    await assertServed(port)
  })

  test('is answered when the client closes its side right after the request', async (t) => {
    const { port } = await serve(t)
    const { body } = await talk(plain(port), (socket) => socket.end('GET / HTTP/1.0\r\n\r\n'))
    assert.deepEqual(JSON.parse(body), refusal('GET /'))
  })

  test('is answered when it arrives byte by byte', async (t) => {
    const { port } = await serve(t)
    const { body } = await talk(plain(port).setNoDelay(true), drip('GET / HTTP/1.0\r\n\r\n', 5))
    assert.deepEqual(JSON.parse(body), refusal('GET /'))
  })

  test('is answered before a big body has been sent, and its sender still reads the answer', async (t) => {
    const { port } = await serve(t)
    const answer = await new Promise<string>((resolve, reject) => {
      const request = http.request({ port, host: '127.0.0.1', method: 'POST' }, (response) => {
        response.setEncoding('utf8')
        response.once('data', (body) => resolve(`${response.statusCode} ${body}`))
      })
      request.on('error', reject)
      request.end(Buffer.alloc(16 * MEGABYTE))
    })
    assert.equal(answer, `403 ${JSON.stringify(refusal('POST /'))}`)
  })

  test('is answered also to a client that reads nothing before its big body is sent', async (t) => {
    const { port } = await serve(t, { limits: { linger: 2000 } })
    const socket = plain(port)
    await once(socket, 'connect')
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${16 * MEGABYTE}\r\n\r\n`)
    await new Promise((resolve) => socket.write(Buffer.alloc(16 * MEGABYTE), resolve))
    const { body } = await talk(socket, () => socket.end())
    assert.deepEqual(JSON.parse(body), refusal('POST /'))
  })

  test('that never stops sending its body, or sends garbage after it, is answered once and cut', async (t) => {
    const { port } = await serve(t)
    for (const flood of ['x'.repeat(65536), '\0garbage\r\n\r\n', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n']) {
      const { text, elapsed } = await talk(plain(port, { allowHalfOpen: true }), (socket) => {
        socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12345')
        const timer = setInterval(() => socket.write(flood), 5)
        socket.once('close', () => clearInterval(timer))
      })
      assert.equal(text.match(/HTTP\/1\.1/g)?.length, 1)
      assert.match(text, /^HTTP\/1\.1 403 /)
      assertCut(elapsed, quick.linger)
    }
  })

  test('is cut also when it does not close its side', async (t) => {
    const { port, app } = await serve(t)
    const socket = plain(port, { allowHalfOpen: true })
    t.after(() => socket.destroy())
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket.resume(), 'end')
    assert.equal(await connections(app.server), 1)
    await eventually(async () => assert.equal(await connections(app.server), 0))
  })

  test('that is no HTTP gets 400, and too large headers 431', async (t) => {
    const { port } = await serve(t)
    const large = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`
    for (const [say, status] of [
      ['SSH-2.0-OpenSSH_9.6\r\n', 400],
      ['\0\0\0', 400],
      [large, 431],
    ] as const) {
      const { head, body } = await talk(plain(port), (socket) => socket.write(say))
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.deepEqual(JSON.parse(body), { error: status })
    }
  })
})

describe('malformed requests over TLS', () => {
  test('get 400 or 431 with a JSON body and are cut', async (t) => {
    const { port } = await serve(t)
    const large = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`
    const chunks =
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n'
    for (const [say, status] of [
      ['GARBAGE\r\n\r\n', 400],
      [chunks, 400],
      [large, 431],
    ] as const) {
      const { head, body } = await talk(await secure(port), (socket) => socket.write(say))
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(head, /content-type: application\/json/)
      assert.deepEqual(JSON.parse(body), { error: status })
    }
  })

  test('pipelined after a request under way never pass for its answer', async (t) => {
    const { port, release } = await serve(t)
    for (const path of ['/held', '/begun']) {
      const socket = await secure(port)
      const { text } = await talk(socket, async () => {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
        await sleep(50)
        socket.write('GARBAGE\r\n\r\n')
      })
      assert.doesNotMatch(text, /400/)
    }
    release()
  })

  test('and connections that are reset in any state do not hurt the service', async (t) => {
    const { port, release } = await serve(t)
    const hello = await clientHello()
    const starts = ['', 'G', 'GET / HTTP/1.1\r\n', hello.subarray(0, 1), hello.subarray(0, 100), hello]
    for (const start of starts) {
      const socket = plain(port)
      await once(socket, 'connect')
      socket.write(start)
      await sleep(20)
      socket.resetAndDestroy()
    }
    for (const say of [
      '',
      'GET /held HTTP/1.1\r\nHost: x\r\n\r\n',
      'POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n1',
    ]) {
      const raw = plain(port)
      const socket = await secure(port, { socket: raw })
      socket.on('error', () => {})
      socket.write(say)
      await sleep(20)
      raw.resetAndDestroy()
    }
    release()
    await sleep(50)
    await assertServed(port)
  })
})

describe('slow clients are cut while an honest one is served', { concurrency: true }, () => {
  const slowHeaders = drip('GET / HTTP/1.1\r\nX: yyyyyyyyyy')
  const slowBody = (socket: net.Socket) => {
    socket.write(SLOW_POST)
    drip('1')(socket)
  }
  const timeout = /^HTTP\/1.1 408 [\s\S]*\{"error":408\}$/
  const nothing = /^$/
  const cases: {
    name: string
    limits: Partial<ListenerLimits>
    open: (port: number) => net.Socket | Promise<net.Socket>
    say?: (socket: net.Socket) => void
    answer: RegExp
  }[] = [
    { name: 'silence', limits: { firstByte: 1000 }, open: plain, answer: nothing },
    { name: 'silence after the handshake', limits: { headers: 1000 }, open: secure, answer: timeout },
    { name: 'slow plain headers', limits: { headers: 1000 }, open: plain, say: slowHeaders, answer: nothing },
    { name: 'slow headers', limits: { headers: 1000 }, open: secure, say: slowHeaders, answer: timeout },
    {
      name: 'slow body',
      limits: { headers: 999, request: 1000 },
      open: secure,
      say: slowBody,
      answer: timeout,
    },
  ]
  for (const { name, limits, open, say, answer } of cases) {
    test(name, async (t) => {
      const { port } = await serve(t, { limits })
      const slow = talk(await open(port), say)
      await assertServed(port)
      const { text, elapsed } = await slow
      assertCut(elapsed, 1000)
      assert.match(text, answer)
      await assertServed(port)
    })
  }

  test('half a TLS handshake, at once or byte by byte', async (t) => {
    const { port } = await serve(t, { limits: { handshake: 1000 } })
    const hello = await clientHello()
    const part = hello.subarray(0, 100)
    const slow = [
      talk(plain(port), (socket) => socket.write(part)),
      talk(plain(port), (socket) => socket.write(hello)),
      talk(plain(port), drip(hello)),
    ]
    await assertServed(port)
    for (const { elapsed } of await Promise.all(slow)) assertCut(elapsed, 1000)
  })

  test('behind a proxy the same limits hold', async (t) => {
    const { port } = await serve(t, { proxied: true, limits: { headers: 1000, request: 1200 } })
    const [silent, slow, garbage, served] = await Promise.all([
      talk(plain(port)),
      talk(plain(port), slowBody),
      talk(plain(port), (socket) => socket.write('GARBAGE\r\n\r\n')),
      fetch(`http://127.0.0.1:${port}/`),
    ])
    assertCut(silent.elapsed, 1000)
    assert.match(silent.text, timeout)
    assertCut(slow.elapsed, 1200)
    assert.match(slow.text, timeout)
    assert.match(garbage.text, /^HTTP\/1.1 400 [\s\S]*\{"error":400\}$/)
    assert.equal(served.status, 200)
  })
})

test('a client that never reads its answer is cut', async (t) => {
  const { port, app } = await serve(t, { limits: { idle: 300 } })
  const socket = await secure(port)
  socket.pause()
  socket.on('error', () => {})
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
  await eventually(async () => assert.equal(await connections(app.server), 0))
})

const connections = (server: net.Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))

describe('a certificate replaced on disk', () => {
  async function makePair(): Promise<KeyPair> {
    const made = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      algorithm: 'sha256',
    })
    return { cert: made.cert, key: made.private }
  }

  async function fingerprint(port: number) {
    const socket = await secure(port, { rejectUnauthorized: false })
    const { fingerprint256 } = socket.getPeerCertificate()
    socket.destroy()
    return fingerprint256
  }

  const fingerprintOf = ({ cert }: KeyPair) => new X509Certificate(cert).fingerprint256

  test('is shown to new connections; old ones go on; a broken one changes nothing', async (t) => {
    const folder = await mkdtemp(join(dataDir, 'replaced-'))
    const own = await loadCertificate({ dataDir: folder, hosts: [] })
    const { port, events } = await serve(t, {
      certificate: own,
      limits: { certificateCheck: 50 },
    })
    assert.equal(await fingerprint(port), fingerprintOf(own))
    const old = await secure(port, { rejectUnauthorized: false })

    const inPlace = await makePair()
    await writeFile(own.certFile, inPlace.cert)
    await writeFile(own.keyFile, inPlace.key)
    await eventually(() => assert.deepEqual(events, ['changed']))
    assert.equal(await fingerprint(port), fingerprintOf(inPlace))

    const renamed = await makePair()
    await writeFile(`${own.certFile}.new`, renamed.cert)
    await writeFile(`${own.keyFile}.new`, renamed.key)
    await rename(`${own.certFile}.new`, own.certFile)
    await rename(`${own.keyFile}.new`, own.keyFile)
    await eventually(() => assert.deepEqual(events, ['changed', 'changed']))
    assert.equal(await fingerprint(port), fingerprintOf(renamed))

    await writeFile(own.certFile, inPlace.cert)
    await eventually(() => assert.match(events[2] ?? '', /does not belong/))
    assert.equal(await fingerprint(port), fingerprintOf(renamed))

    const old11 = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    await assert.rejects(secure(port, old11), { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' })
    const cbc = {
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256',
    } as const
    await assert.rejects(secure(port, cbc), { code: /HANDSHAKE_FAILURE/ })

    const { body } = await talk(old, () =>
      old.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    )
    assert.equal(body, '{"ok":true}')
  })
})

describe('close()', () => {
  test('ends soon every connection that has no request under way', async (t) => {
    const { app, port } = await serve(t, {
      limits: { firstByte: 9000, handshake: 9000, headers: 9000, request: 9500, linger: 9000 },
    })
    const hello = await clientHello()
    const sniffed = plain(port)
    const shaking = plain(port)
    const refused = plain(port)
    const halfPlain = plain(port)
    for (const socket of [sniffed, shaking, refused, halfPlain]) await once(socket, 'connect')
    shaking.write(hello)
    refused.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n')
    halfPlain.write('GET / HT')
    const unused = await secure(port)
    const halfway = await secure(port)
    halfway.write('GET / HTTP/1.1\r\n')
    const kept = await secure(port)
    kept.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(kept, 'data')
    const ended = [sniffed, shaking, refused, halfPlain, unused, halfway, kept].map((socket) => talk(socket))

    const started = performance.now()
    await app.close()
    const elapsed = performance.now() - started
    assert.ok(elapsed < 3000, `closed after ${elapsed} ms`)
    await Promise.all(ended)
  })

  for (const proxied of [false, true]) {
    const side = proxied ? 'behind a proxy' : 'over TLS'
    test(`answers the request that comes on a kept connection ${side} while it closes, as the last one`, async (t) => {
      const { app, port } = await serve(t, { proxied, limits: { draining: 2000 } })
      const socket = proxied ? plain(port) : await secure(port)
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(socket, 'data')
      const closed = app.close()
      await sleep(50)
      const answered = await talk(socket, () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
      assert.match(answered.text, /^HTTP\/1.1 200/)
      assert.match(answered.text, /connection: close/i)
      await closed
    })

    test(`waits for a request being answered ${side}, then ends its kept-alive connection`, async (t) => {
      const { app, port, entered, release } = await serve(t, { proxied, limits: { closing: 5000 } })
      const socket = proxied ? plain(port) : await secure(port)
      const answered = talk(socket, () => socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n'))
      await entered
      const started = performance.now()
      const closed = app.close()
      await sleep(100)
      release()
      await closed
      const elapsed = performance.now() - started
      assert.ok(elapsed > 90 && elapsed < 3000, `closed after ${elapsed} ms`)
      assert.equal((await answered).body, '{"ok":true}')
    })

    test(`does not wait for ever for an answer ${side}`, async (t) => {
      const { app, port, entered, release } = await serve(t, { proxied })
      const socket = proxied ? plain(port) : await secure(port)
      const cut = talk(socket, () => socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n'))
      await entered
      const started = performance.now()
      await app.close()
      assertCut(performance.now() - started, quick.closing)
      assert.equal((await cut).text, '')
      release()
    })
  }
})
