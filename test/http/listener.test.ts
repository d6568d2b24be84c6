import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../harness/eventually.ts'
import {
  assertCut,
  clientHello,
  connections,
  drip,
  listenerSandbox,
  MEGABYTE,
  plain,
  quick,
  talk,
} from './listener-sandbox.ts'

const { serve, secure, get, assertServed } = await listenerSandbox({ after })

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
