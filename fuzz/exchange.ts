import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { type Answer, MAX_MS } from './checks.ts'
import type { Random } from './random.ts'
import type { FuzzRequest } from './requests.ts'

/** Injects a request without a connection: the way of nearly all requests, since it is much faster. */
export async function inject(server: FastifyInstance, request: FuzzRequest): Promise<Answer> {
  const { method, url, headers, payload } = request
  const started = performance.now()
  const waiting = new AbortController()
  const tooLong = sleep(2 * MAX_MS, null, { signal: waiting.signal }).catch(() => null)
  try {
    const sent = server.inject({
      method: method as 'GET',
      url,
      headers,
      ...(payload !== undefined && { payload }),
    })
    const response = await Promise.race([sent, tooLong])
    if (response === null) return { kind: 'failed', why: `no answer within ${(2 * MAX_MS) / 1000} s` }
    return {
      kind: 'answered',
      status: response.statusCode,
      headers: JSON.stringify(response.headers),
      text: response.rawPayload.toString(),
      ms: performance.now() - started,
    }
  } catch (error) {
    return { kind: 'failed', why: `no answer: ${error}` }
  } finally {
    waiting.abort()
  }
}

/** Ways to send a request over a connection. Only the first two are complete; the others may be cut by the server. */
const DELIVERIES = [
  'whole',
  'in pieces',
  'cut off',
  'too long a length',
  'too short a length',
  'dropped',
] as const
export type Delivery = (typeof DELIVERIES)[number]
/** Deliveries that fit a request: without a body, one with too short a length would be complete, and carried out. */
export const deliveriesOf = ({ payload }: FuzzRequest) =>
  payload?.length ? DELIVERIES : DELIVERIES.filter((delivery) => delivery !== 'too short a length')
export const isWhole = (delivery: Delivery) => delivery === 'whole' || delivery === 'in pieces'

/** Sends a request over TLS, complete or truncated. */
export async function overTls(
  port: number,
  request: FuzzRequest,
  delivery: Delivery,
  random: Random,
): Promise<Answer | null> {
  const started = performance.now()
  const bytes = bytesOf(request, delivery)
  const end =
    isWhole(delivery) || delivery.endsWith('length') ? bytes.length : random.integer(1, bytes.length - 1)
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', () => resolve(true)))
  socket.on('secureConnect', async () => {
    const pieces = delivery === 'in pieces' ? 5 : 1
    for (let i = 0; i < pieces; i++) {
      socket.write(bytes.subarray(Math.floor((end * i) / pieces), Math.floor((end * (i + 1)) / pieces)))
      await new Promise(setImmediate)
    }
    if (delivery === 'dropped') socket.destroy()
    else if (!isWhole(delivery)) socket.end()
  })
  const isOver = await Promise.race([closed, sleep(2 * MAX_MS, false, { ref: false })])
  socket.destroy()
  const text = Buffer.concat(chunks).toString()
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])
  if (!isOver) return { kind: 'failed', why: `a connection (${delivery}) that nobody ends` }
  const [headers = '', ...body] = text.split('\r\n\r\n')
  if (status > 0)
    return { kind: 'answered', status, headers, text: body.join('\r\n\r\n'), ms: performance.now() - started }
  return isWhole(delivery) ? { kind: 'failed', why: 'a dropped connection' } : null
}

function bytesOf({ method, url, headers, payload }: FuzzRequest, delivery: Delivery): Buffer {
  const body = Buffer.from(payload ?? '')
  const wrong =
    { 'too long a length': 40, 'too short a length': -Math.min(3, body.length) }[delivery as string] ?? 0
  const length = body.length + wrong
  const fields = {
    host: 'vigia',
    connection: 'close',
    ...headers,
    ...((payload !== undefined || length > 0) && { 'content-length': `${length}` }),
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body])
}
