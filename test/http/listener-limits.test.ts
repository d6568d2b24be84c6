import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rename, writeFile } from 'node:fs/promises'
import type net from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'selfsigned'
import { type KeyPair, loadCertificate } from '../../src/http/listener/certificate.ts'
import type { ListenerLimits } from '../../src/http/listener/listener.ts'
import { eventually, HANG_MS } from '../harness/eventually.ts'
import {
  assertCut,
  clientHello,
  connections,
  drip,
  listenerSandbox,
  plain,
  quick,
  talk,
} from './listener-sandbox.ts'

const { dataDir, serve, secure, assertServed } = await listenerSandbox({ after })

const SLOW_POST =
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n'

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
      await eventually(() => assertServed(port))
      const { text, elapsed } = await slow
      assertCut(elapsed, 1000)
      assert.match(text, answer)
      await eventually(() => assertServed(port))
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
    await eventually(() => assertServed(port))
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
      limits: { linger: 600_000 },
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
    assert.ok(elapsed < HANG_MS, `closed after ${elapsed} ms`)
    await Promise.all(ended)
  })

  for (const proxied of [false, true]) {
    const side = proxied ? 'behind a proxy' : 'over TLS'
    test(`answers the request that comes on a kept connection ${side} while it closes, as the last one`, async (t) => {
      const { app, port } = await serve(t, { proxied, limits: { draining: HANG_MS } })
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
      const { app, port, entered, release } = await serve(t, { proxied, limits: { closing: HANG_MS } })
      const socket = proxied ? plain(port) : await secure(port)
      const answered = talk(socket, () => socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n'))
      await entered
      const started = performance.now()
      const closed = app.close()
      await sleep(100)
      release()
      await closed
      const elapsed = performance.now() - started
      assert.ok(elapsed > 90 && elapsed < HANG_MS, `closed after ${elapsed} ms`)
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
