import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { createOutbound } from '../../src/outbound/outbound.ts'
import { PUBLIC_TARGETS } from '../../src/outbound/policy.ts'
import { resolveByDns, resolveBySystem } from '../../src/outbound/resolve.ts'

const A = 1
const AAAA = 28
type Records = { type: number; data: number[] }[]

/** A name server on this machine. It has these records for every name; null: it never answers. */
async function nameServer(t: TestContext, records: Records | null) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    if (records === null) return
    const questionEnd = query.indexOf(0, 12) + 5
    const type = query.readUInt16BE(questionEnd - 4)
    const answers = records.filter((record) => record.type === type)
    const header = Buffer.from(query.subarray(0, 12))
    // RFC 1035: a response, recursion available; one question, the answers, nothing else.
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(answers.length, 6)
    header.writeUInt32BE(0, 8)
    const rows = answers.map(({ data }) =>
      Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]),
    )
    socket.send(Buffer.concat([header, query.subarray(12, questionEnd), ...rows]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}` }
}

const LOOPBACK: Records = [
  { type: A, data: [8, 8, 8, 8] },
  { type: A, data: [127, 0, 0, 1] },
  { type: AAAA, data: [0x20, 0x01, 0x48, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
]
const never = () => new AbortController().signal

describe('Resolving by name servers', () => {
  it('finds every address of both families', async (t) => {
    const { address } = await nameServer(t, LOOPBACK)
    const found = await resolveByDns([address])('hooks.example.com', never())
    assert.deepEqual(found, ['8.8.8.8', '127.0.0.1', '2001:4860::1'])
  })

  it('is content with one family, and fails with none', async (t) => {
    const ipv6Only = await nameServer(t, LOOPBACK.slice(2))
    assert.deepEqual(await resolveByDns([ipv6Only.address])('hooks.example.com', never()), ['2001:4860::1'])
    const nothing = await nameServer(t, [])
    await assert.rejects(resolveByDns([nothing.address])('hooks.example.com', never()))
  })

  it('is how public targets are found: what they answer is judged', async (t) => {
    const { address } = await nameServer(t, LOOPBACK)
    const outbound = createOutbound({ targets: PUBLIC_TARGETS, resolve: resolveByDns([address]) })
    t.after(() => outbound.close())
    const outcome = await outbound.post({ url: 'https://hooks.example.com/', headers: {}, body: '' })
    assert.equal(outcome.kind === 'failed' && outcome.reason, 'refused_target')
  })

  it('is given up with the request, and keeps nobody else from resolving', async (t) => {
    const silent = await nameServer(t, null)
    const controller = new AbortController()
    const ends: string[] = []
    const waiting = Array.from({ length: 50 }, (_, index) =>
      resolveByDns([silent.address])(`hook${index}.example.com`, controller.signal).catch((error) =>
        ends.push(...error.errors.map(({ code }: NodeJS.ErrnoException) => code)),
      ),
    )
    // Through the system's small pool of threads this would have to wait for the fifty.
    await lookup('localhost')
    assert.deepEqual(ends, [])
    controller.abort()
    await Promise.all(waiting)
    assert.deepEqual(ends, Array(100).fill('ECANCELLED'))
  })
})

describe('Resolving as the system does', () => {
  it('knows the names of this machine', async () => {
    const found = await resolveBySystem('localhost')
    assert.ok(found.includes('127.0.0.1') || found.includes('::1'))
    await assert.rejects(resolveBySystem('does-not-exist.invalid'))
  })
})
