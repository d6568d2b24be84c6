import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createHole, type Server, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { httpsFetch } from '../../clients/ts/src/https.ts'
import { createVigia, type Fetch, VigiaError } from '../../clients/ts/src/index.ts'

/** Longer than a busy machine pauses; for what is to be given up, shorter. */
const SILENCE = 1
const SHORT = 0.2
const BODY = JSON.stringify({ total: 0, page: 1, size: 50, pages: 0, items: [], grupos: [] })
const HALF = BODY.slice(0, 20)

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Answers one request after the other; the last answer stays. */
async function answering(...answers: ((response: ServerResponse, request: IncomingMessage) => unknown)[]) {
  const asked: string[] = []
  const port = await listening(
    createServer((request, response) => {
      asked.push(`${request.method} ${request.url?.replace('/api/v1', '')}`)
      const answer = answers[Math.min(asked.length, answers.length) - 1]
      answer?.(response.setHeader('content-type', 'application/json'), request)
    }),
  )
  const open = (attempts = 2) =>
    createVigia({ url: `http://127.0.0.1:${port}`, token: 'x', silence: SILENCE, attempts })
  return { asked, open }
}

describe('The client, over a bad network,', () => {
  it('gives up a connection on which nothing comes, and asks again as often as it may', async () => {
    const port = await listening(createHole())
    for (const [scheme, pass] of Object.entries({ https: httpsFetch({ silence: SHORT }), http: fetch })) {
      let asked = 0
      const counting: Fetch = (url, init) => {
        asked++
        return pass(url, init)
      }
      const url = `${scheme}://127.0.0.1:${port}`
      const vigia = createVigia({ url, token: 'x', silence: SHORT, attempts: 2, fetch: counting })
      await assert.rejects(vigia.get('/grupos'), { name: 'VigiaError', code: 'TIMEOUT', status: 0 })
      assert.equal(asked, 2, scheme)
    }
  })

  it('does not take an upload for a silence', async () => {
    const { asked, open } = await answering((response, request) => {
      request.resume().on('end', async () => {
        await sleep(2_000 * SILENCE)
        response.end('{"job_id":"j"}')
      })
    })
    const body = { file: new File(['x'], 'x.csv'), formato: 'csv', modo: 'validar' } as const
    assert.equal((await open().post('/agravos/casos/bulk', { body })).job_id, 'j')
    assert.equal(asked.length, 1)
  })

  for (const [how, cut] of [
    ['breaks off', (response: ServerResponse) => response.write(HALF, () => response.destroy())],
    ['falls silent', (response: ServerResponse) => response.write(HALF)],
  ] as const)
    it(`asks again where an answer ${how}`, async () => {
      const { asked, open } = await answering(cut, (response) => response.end(BODY))
      assert.deepEqual((await open().get('/grupos')).grupos, [])
      assert.equal(asked.length, 2)
    })

  it('tells of a file that breaks off or falls silent by its code', async () => {
    for (const [code, cut] of [
      ['UNREACHABLE', (response: ServerResponse) => response.write(HALF, () => response.destroy())],
      ['TIMEOUT', (response: ServerResponse) => response.write(HALF)],
    ] as const) {
      const { asked, open } = await answering(cut)
      const answer = await open().response({ method: 'GET', path: '/jobs/j/arquivo' })
      await assert.rejects(answer.text(), (error) => error instanceof VigiaError && error.code === code)
      assert.equal(asked.length, 1)
    }
  })

  it('waits for a reader that takes its time, and for the comments of a stream', async () => {
    const { open } = await answering((response) => response.end(BODY.repeat(100_000)))
    const { body } = await open().response({ method: 'GET', path: '/jobs/j/arquivo' })
    let length = 0
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
      if (length === 0) await sleep(2_000 * SILENCE)
      length += piece.length
    }
    assert.equal(length, 100_000 * BODY.length)
    const stream = await answering(async (response) => {
      response.setHeader('content-type', 'text/event-stream').write(': a\n\n')
      await sleep(2_000 * SILENCE)
      response.end('data: {"status":"completed"}\n\n')
    })
    assert.equal((await stream.open().job('j').fim()).status, 'completed')
    assert.deepEqual(stream.asked, ['GET /jobs/j/eventos'])
  })

  it('ends at the word of its caller, before an answer and in the middle of one', async () => {
    const { open } = await answering(
      () => {},
      (response) => response.write(HALF),
    )
    for (const _ of [1, 2]) {
      const signal = AbortSignal.timeout(50)
      await assert.rejects(open().get('/grupos', {}, { signal }), { name: 'TimeoutError' })
    }
  })

  it('asks once for the stream of a job, and then for the job itself', async () => {
    const { asked, open } = await answering(
      (response) => response.writeHead(429, { 'retry-after': '30' }).end('{}'),
      (response) => response.end('{"status":"completed"}'),
    )
    const begun = performance.now()
    assert.equal((await open(8).job('j').fim()).status, 'completed')
    assert.deepEqual(asked, ['GET /jobs/j/eventos', 'GET /jobs/j'])
    assert.ok(performance.now() - begun < 5_000)
  })
})
