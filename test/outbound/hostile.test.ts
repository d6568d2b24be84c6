import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, it, type TestContext } from 'node:test'
import { createOutbound, type OutboundOptions, type Outcome } from '../../src/outbound/outbound.ts'
import { ALL_TARGETS, PUBLIC_TARGETS } from '../../src/outbound/policy.ts'
import { embeddings, hostileTargets, ipv4Spellings } from './hostile-targets.ts'
import { type KeyPair, keyPairFor, OK, receiver } from './receiver.ts'

const HAS_IPV6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)
/** Counts as public, and nobody is there: the 6bone was given back in 2006. */
const NOBODY = '3ffe::1'

/** Listens on all addresses of this machine; no hostile target may ever come to its notice. */
async function canary(t: TestContext, pair?: KeyPair) {
  const options = pair ? { pair } : {}
  const answer = (socket: Socket) => socket.end(OK)
  const first = await receiver(t, answer, { host: '0.0.0.0', ...options })
  const { port } = first
  const receivers = [first]
  let ownConnections = 0
  if (HAS_IPV6) receivers.push(await receiver(t, answer, { host: '::', port, ...options }))
  return {
    port,
    receivers,
    /** Connections are accepted in turn: once one of our own was, every earlier one has been counted. */
    async opened() {
      for (const host of HAS_IPV6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']) {
        const own = connect({ host, port }).on('error', () => {})
        await once(own.end().resume(), 'close')
        ownConnections++
      }
      return receivers.reduce((sum, { connections }) => sum + connections, 0) - ownConnections
    },
  }
}

function outbound(t: TestContext, options: OutboundOptions) {
  const made = createOutbound({ timeoutMs: 2_000, ...options })
  t.after(() => made.close())
  return (url: string) => made.post({ url, headers: {}, body: '{}' })
}

/** A name server in the attacker's hands: every name leads to this machine. */
const allInside = async () => ['127.0.0.1']

const reasonOf = (outcome: Outcome) => (outcome.kind === 'failed' ? outcome.reason : outcome.status)

describe('A hostile target', () => {
  it('is refused in more than 300 spellings, and no connection is opened', async (t) => {
    const plain = await canary(t)
    const secure = await canary(t, await keyPairFor('localhost'))
    const post = outbound(t, { targets: PUBLIC_TARGETS, resolve: allInside })
    const targets = new Set([plain, secure].flatMap(({ port }) => hostileTargets(port)))
    assert.ok(new Set(hostileTargets(1)).size > 300)
    for (const url of targets) assert.equal(reasonOf(await post(url)), 'refused_target', url)
    assert.deepEqual([await plain.opened(), await secure.opened()], [0, 0])
  })

  it('would reach the canary if private targets were allowed', async (t) => {
    const trap = await canary(t)
    const hosts = [
      ...ipv4Spellings('127.0.0.1'),
      ...ipv4Spellings('0.0.0.0'),
      'hooks.example.com',
      'localhost',
    ]
    if (HAS_IPV6) hosts.push('[::1]', '[0:0:0:0:0:0:0:1]', ...embeddings('127.0.0.1').slice(0, 4))
    const post = outbound(t, { targets: ALL_TARGETS, resolve: allInside })
    for (const host of hosts) assert.equal(reasonOf(await post(`http://${host}:${trap.port}/`)), 200, host)
    assert.equal(await trap.opened(), hosts.length)
  })

  it('would reach the canary over TLS, too', async (t) => {
    const pair = await keyPairFor('hooks.example.com')
    const trap = await canary(t, pair)
    const post = outbound(t, { targets: ALL_TARGETS, resolve: allInside, ca: pair.cert })
    assert.equal(reasonOf(await post(`https://hooks.example.com:${trap.port}/`)), 200)
    assert.equal(await trap.opened(), 1)
  })

  it('is refused when any of its addresses is inside, in whatever order', async (t) => {
    const trap = await canary(t)
    const answers = [
      ['127.0.0.1'],
      ['::1'],
      ['10.0.0.1'],
      ['169.254.169.254'],
      ['100.64.0.1'],
      ['0.0.0.0'],
      ['::ffff:127.0.0.1'],
      ['64:ff9b::7f00:1'],
      ['fe80::1%lo'],
      ['not an address'],
      [NOBODY, '127.0.0.1'],
      ['127.0.0.1', NOBODY],
      ['8.8.8.8', '::1', NOBODY],
      [...Array(50).fill(NOBODY), '192.168.0.1'],
    ]
    for (const addresses of answers) {
      const post = outbound(t, { targets: PUBLIC_TARGETS, resolve: async () => addresses })
      const outcome = await post(`https://hooks.example.com:${trap.port}/`)
      assert.equal(reasonOf(outcome), 'refused_target', addresses.join(' '))
    }
    assert.equal(await trap.opened(), 0)
  })

  it('gains nothing by answering otherwise the second time: names are resolved once', async (t) => {
    const trap = await canary(t)
    let asked = 0
    const resolve = async () => (asked++ === 0 ? [NOBODY] : ['127.0.0.1', '::1'])
    const post = outbound(t, { targets: PUBLIC_TARGETS, resolve, timeoutMs: 300 })
    const outcome = await post(`https://hooks.example.com:${trap.port}/`)
    assert.ok(['connection', 'timeout'].includes(String(reasonOf(outcome))))
    assert.equal(asked, 1)
    assert.equal(await trap.opened(), 0)
    assert.equal(
      reasonOf(await post(`https://hooks.example.com:${trap.port}/`)),
      'refused_target',
      'the next request asks again',
    )
    assert.equal(await trap.opened(), 0)
  })

  it('is told not a byte where the connection went elsewhere than was checked', async (t) => {
    const trap = await canary(t)
    let read = 0
    const shifting = Object.defineProperty([NOBODY], 0, { get: () => (read++ === 0 ? NOBODY : '127.0.0.1') })
    const post = outbound(t, { targets: PUBLIC_TARGETS, resolve: async () => shifting })
    const outcome = await post(`https://hooks.example.com:${trap.port}/`)
    assert.equal(reasonOf(outcome), 'refused_target')
    assert.equal(await trap.opened(), 1)
    assert.deepEqual(
      trap.receivers.map(({ bytes }) => bytes),
      trap.receivers.map(() => 0),
    )
  })

  it('is not reached where credentials are handed out, even when private targets are allowed', async (t) => {
    const post = outbound(t, { targets: ALL_TARGETS, resolve: async () => ['10.0.0.1', '169.254.169.254'] })
    for (const url of [
      'http://169.254.169.254/latest',
      'http://0xa9fea9fe/',
      'http://metadata.google.internal/',
    ])
      assert.equal(reasonOf(await post(url)), 'refused_target', url)
  })
})

describe('A name with several addresses', () => {
  it('is connected to at the address that was resolved first, and asked for once', {
    skip: !HAS_IPV6,
  }, async (t) => {
    const pinned = await receiver(t, (socket) => socket.end(OK))
    const other = await receiver(t, (socket) => socket.end(OK), { host: '::1', port: pinned.port })
    let asked = 0
    const resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['::1'])
    const post = outbound(t, { targets: ALL_TARGETS, resolve })
    assert.equal(reasonOf(await post(`http://hooks.example.com:${pinned.port}/`)), 200)
    assert.deepEqual([asked, pinned.connections, other.connections], [1, 1, 0])
    assert.equal(reasonOf(await post(`http://hooks.example.com:${pinned.port}/`)), 200)
    assert.deepEqual([asked, pinned.connections, other.connections], [2, 1, 1], 'no connection is used again')
  })

  it('is reached when the first of them is down', { skip: !HAS_IPV6 }, async (t) => {
    const up = await receiver(t, (socket) => socket.end(OK))
    const post = outbound(t, { targets: ALL_TARGETS, resolve: async () => ['::1', '127.0.0.1'] })
    assert.equal(reasonOf(await post(`http://hooks.example.com:${up.port}/`)), 200)
  })
})
