import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setInterval as every } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createOutbound, type OutboundOptions, type Outcome } from '../../src/outbound/outbound.ts'
import { ALL_TARGETS } from '../../src/outbound/policy.ts'
import { keyPairFor, OK, receiver } from './receiver.ts'

/** Long enough never to be met by accident; what is meant to run into it gets its own. */
const PATIENT = 20_000
const SHORT = 300

function outbound(t: TestContext, options: Partial<OutboundOptions> = {}) {
  const made = createOutbound({
    targets: ALL_TARGETS,
    resolve: async () => ['127.0.0.1'],
    timeoutMs: PATIENT,
    ...options,
  })
  t.after(() => made.close())
  return made
}

/** The outcome of one post to a receiver that answers so, after the connection has ended on its side, too. */
async function outcomeOf(
  t: TestContext,
  answer: (socket: Socket) => void,
  options?: Partial<OutboundOptions>,
) {
  const server = await receiver(t, answer)
  const outcome = await outbound(t, options).post({
    url: `http://hooks.example.com:${server.port}/`,
    headers: {},
    body: '{}',
  })
  await server.ended()
  assert.equal(server.connections, 1)
  assert.ok(Number.isInteger(outcome.ms) && outcome.ms >= 0)
  const { ms: _ms, ...rest } = outcome
  return rest
}

const failed = (reason: string) => ({ kind: 'failed', reason })
const answered = (status: number, body = '', retryAfter: string | null = null) => ({
  kind: 'answered',
  status,
  retryAfter,
  body,
  internal: true,
})

const says = (text: string | Buffer) => (socket: Socket) => void socket.write(text)

/** Says one thing after another until the other side hangs up. */
const drips = (beginning: string, piece: string) => async (socket: Socket) => {
  socket.write(beginning)
  for await (const _ of every(5)) {
    if (socket.destroyed) return
    socket.write(piece)
  }
}

/** As fast as the other side takes it, until it hangs up. */
const floods = (beginning: string, piece: string) => (socket: Socket) => {
  const more = () => {
    while (!socket.destroyed && socket.write(piece.repeat(100))) {}
  }
  socket.write(beginning)
  socket.on('drain', more)
  more()
}

describe('An answer', () => {
  it('is its status, its Retry-After as it was written and its body', async (t) => {
    assert.deepEqual(await outcomeOf(t, says(OK)), answered(200, 'ok'))
    assert.deepEqual(await outcomeOf(t, says('HTTP/1.1 204 No Content\r\n\r\n')), answered(204))
    assert.deepEqual(
      await outcomeOf(t, says('HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n')),
      answered(410),
    )
    for (const retryAfter of ['120', 'Fri, 31 Dec 2027 23:59:59 GMT']) {
      const text = `HTTP/1.1 429 Slow down\r\nretry-after: ${retryAfter}\r\ncontent-length: 0\r\n\r\n`
      assert.deepEqual(await outcomeOf(t, says(text)), answered(429, '', retryAfter))
    }
  })

  it('that redirects is an answer like any other', async (t) => {
    const canary = await receiver(t, says(OK))
    for (const status of [301, 302, 303, 307, 308]) {
      const text = `HTTP/1.1 ${status} There\r\nlocation: http://127.0.0.1:${canary.port}/\r\ncontent-length: 0\r\n\r\n`
      assert.deepEqual(await outcomeOf(t, says(text)), answered(status))
    }
    assert.equal(canary.connections, 0)
  })

  it('without a length is complete when the receiver hangs up', async (t) => {
    const text = 'HTTP/1.1 200 OK\r\n\r\nto the end'
    assert.deepEqual(await outcomeOf(t, (socket) => socket.end(text)), answered(200, 'to the end'))
  })

  it('is read no further than 1,024 bytes, then the connection is closed', async (t) => {
    const endless = floods('HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n', 'x')
    assert.deepEqual(await outcomeOf(t, endless), answered(200, 'x'.repeat(1_024)))
    const chunked = floods('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\ny\r\n')
    assert.deepEqual(await outcomeOf(t, chunked), answered(500, 'y'.repeat(1_024)))
    // It says no more and does not hang up, and there is no deadline to speak of.
    const stalls = says(`HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${'w'.repeat(1_100)}`)
    assert.deepEqual(
      await outcomeOf(t, stalls, { timeoutMs: 2_000_000_000 }),
      answered(200, 'w'.repeat(1_024)),
    )
    const exact = says(`HTTP/1.1 200 OK\r\ncontent-length: 1024\r\n\r\n${'z'.repeat(1_024)}`)
    assert.deepEqual(await outcomeOf(t, exact), answered(200, 'z'.repeat(1_024)))
  })

  it('is text: no NUL, no half character at the end', async (t) => {
    const body = `a\0b${'é'.repeat(600)}`
    const text = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    assert.deepEqual(await outcomeOf(t, says(text)), answered(200, `ab${'é'.repeat(510)}`))
    const binary = Buffer.concat([
      Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n'),
      Buffer.from([255, 65, 0]),
    ])
    assert.deepEqual(await outcomeOf(t, says(binary)), answered(200, '\ufffdA'))
  })

  it('is never decompressed', async (t) => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`
    const outcome = await outcomeOf(t, says(Buffer.concat([Buffer.from(head), bomb])))
    assert.ok(outcome.kind === 'answered' && outcome.body.length <= 1_024)
  })

  it('stands once its head has arrived, whatever becomes of the body', async (t) => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'
    const reset = (socket: Socket) => void socket.write(`${head}begun`, () => socket.end())
    assert.deepEqual(await outcomeOf(t, reset), answered(200, 'begun'))
    assert.deepEqual(await outcomeOf(t, says(`${head}begun`), { timeoutMs: SHORT }), answered(200, 'begun'))
    const dripped = await outcomeOf(t, drips(`${head}.`, '.'), { timeoutMs: 5 * SHORT })
    assert.ok(dripped.kind === 'answered' && /^\.{1,1023}$/.test(dripped.body))
    const padding = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;'
    assert.deepEqual(await outcomeOf(t, floods(padding, 'x')), answered(200))
  })
})

describe('A receiver', () => {
  it('that never answers, or drips its head, is cut at the deadline', async (t) => {
    const options = { timeoutMs: SHORT }
    assert.deepEqual(await outcomeOf(t, () => {}, options), failed('timeout'))
    assert.deepEqual(await outcomeOf(t, drips('HTTP/1.1 200 OK\r\nx: ', 'x'), options), failed('timeout'))
    assert.deepEqual(
      await outcomeOf(t, drips('', 'HTTP/1.1 100 Continue\r\n\r\n'), options),
      failed('timeout'),
    )
  })

  it('that does not speak HTTP, or too much of it, fails', async (t) => {
    const wrong = [
      says('SSH-2.0-OpenSSH_9.6\r\n'),
      says('HTTP/1.1 abc\r\n\r\n'),
      says('HTTP/1.1 200 OK\r\nno colon\r\n\r\n'),
      says('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'),
      says('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n'),
      says(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`),
      floods('HTTP/1.1 200 OK\r\n', 'x: y\r\n'),
      floods('HTTP/1.1 200 ', 'x'),
      floods('', 'HTTP/1.1 100 Continue\r\n\r\n'),
      floods('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
      says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    ]
    for (const answer of wrong) assert.deepEqual(await outcomeOf(t, answer), failed('protocol'))
  })

  it('that hangs up or resets without an answer fails', async (t) => {
    assert.deepEqual(await outcomeOf(t, (socket) => socket.end()), failed('connection'))
    assert.deepEqual(await outcomeOf(t, (socket) => socket.resetAndDestroy()), failed('connection'))
    assert.deepEqual(await outcomeOf(t, (socket) => socket.end('HTTP/1.1 200')), failed('connection'))
  })

  it('that is not there, or has no name, fails', async (t) => {
    const request = { url: `http://hooks.example.com:${await closedPort()}/`, headers: {}, body: '' }
    assert.deepEqual(reasonOf(await outbound(t).post(request)), 'connection')
    const unknown = outbound(t, { resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    assert.deepEqual(reasonOf(await unknown.post(request)), 'dns')
    const empty = outbound(t, { resolve: async () => [] })
    assert.deepEqual(reasonOf(await empty.post(request)), 'dns')
    const silent = outbound(t, { resolve: () => new Promise(() => {}), timeoutMs: SHORT })
    assert.deepEqual(reasonOf(await silent.post(request)), 'timeout')
  })
})

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const reasonOf = (outcome: Outcome) => (outcome.kind === 'failed' ? outcome.reason : outcome.status)

describe('TLS', () => {
  const NAME = 'hooks.example.com'
  const request = (port: number) => ({ url: `https://${NAME}:${port}/`, headers: {}, body: '{}' })

  it('needs a certificate of a known issuer, for this name', async (t) => {
    const pair = await keyPairFor(NAME)
    const server = await receiver(t, says(OK), { pair })
    assert.equal(reasonOf(await outbound(t, { ca: pair.cert }).post(request(server.port))), 200)
    assert.match(server.received, /^POST \/ HTTP\/1\.1\r\n/)

    const stranger = await receiver(t, says(OK), { pair })
    assert.equal(reasonOf(await outbound(t).post(request(stranger.port))), 'tls')
    const otherName = await keyPairFor('other.example.com')
    const impostor = await receiver(t, says(OK), { pair: otherName })
    assert.equal(reasonOf(await outbound(t, { ca: otherName.cert }).post(request(impostor.port))), 'tls')
    assert.equal(stranger.received + impostor.received, '', 'nothing was sent')
  })

  it('fails where something else is spoken, or nothing', async (t) => {
    const plain = await receiver(t, says(OK))
    assert.equal(reasonOf(await outbound(t).post(request(plain.port))), 'tls')
    const mute = await receiver(t, () => {})
    assert.equal(reasonOf(await outbound(t, { timeoutMs: SHORT }).post(request(mute.port))), 'timeout')
  })
})

describe('A request', () => {
  it('to an address asks no name server', async (t) => {
    const server = await receiver(t, says(OK))
    const outgoing = outbound(t, { resolve: () => Promise.reject(new Error('asked')) })
    const url = `http://127.0.0.1:${server.port}/`
    assert.equal(reasonOf(await outgoing.post({ url, headers: {}, body: '' })), 200)
  })

  it("is what the caller gave and the connection's own headers, nothing else", async (t) => {
    const server = await receiver(t, says(OK))
    const headers = {
      'User-Agent': 'Vigia',
      'content-type': 'application/json',
      'X-Webhook-Signature': 'abc',
    }
    const url = `http://hooks.example.com:${server.port}/a/b?c=d#e`
    await outbound(t).post({ url, headers, body: '{"é":1}' })
    const [head, body] = Buffer.from(server.received, 'latin1').toString().split('\r\n\r\n') as [
      string,
      string,
    ]
    const [line, ...lines] = head.split('\r\n')
    assert.equal(line, 'POST /a/b?c=d HTTP/1.1')
    assert.deepEqual(lines.toSorted(), [
      'Connection: close',
      'User-Agent: Vigia',
      'X-Webhook-Signature: abc',
      'accept-encoding: identity',
      'content-length: 8',
      'content-type: application/json',
      `host: hooks.example.com:${server.port}`,
    ])
    assert.equal(body, '{"é":1}')
  })

  it("keeps its framing and its receiver, whatever the caller's headers say", async (t) => {
    const server = await receiver(t, says(OK))
    const headers = {
      Host: 'other.example.com',
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      Connection: 'keep-alive, upgrade',
      Upgrade: 'h2c',
      Expect: '100-continue',
      'Accept-Encoding': 'gzip',
    }
    await outbound(t).post({ url: `http://hooks.example.com:${server.port}/`, headers, body: 'abc' })
    assert.equal(
      server.received,
      `POST / HTTP/1.1\r\nhost: hooks.example.com:${server.port}\r\naccept-encoding: identity\r\ncontent-length: 3\r\nConnection: close\r\n\r\nabc`,
    )
  })

  it('with headers that cannot be sent fails, and sends nothing', async (t) => {
    const server = await receiver(t, says(OK))
    const url = `http://hooks.example.com:${server.port}/`
    for (const headers of [{ 'x-a': 'b\r\nx-c: d' }, { 'x a': 'b' }, { 'x-a': '☃' }, { '': 'b' }])
      assert.equal(reasonOf(await outbound(t).post({ url, headers, body: '' })), 'protocol')
    await server.ended()
    assert.equal(server.received, '')
  })

  it('ends when the service does, and none begins after', async (t) => {
    const outgoing = outbound(t)
    const server = await receiver(t, () => outgoing.close())
    const request = { url: `http://hooks.example.com:${server.port}/`, headers: {}, body: '' }
    assert.equal(reasonOf(await outgoing.post(request)), 'connection')
    await server.ended()
    assert.equal(reasonOf(await outgoing.post(request)), 'connection')
    assert.equal(server.connections, 1)
  })
})
