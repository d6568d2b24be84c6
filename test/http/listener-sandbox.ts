// Listeners as the service has them, in front of a few routes, and clients that speak to them byte by byte.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import https from 'node:https'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import tls from 'node:tls'
import Fastify from 'fastify'
import { type Certificate, loadCertificate } from '../../src/http/listener/certificate.ts'
import { type ListenerLimits, proxiedListener, tlsListener } from '../../src/http/listener/listener.ts'
import { HANG_MS } from '../harness/eventually.ts'

/** Limits that end a connection are out of reach: a test shortens only the one it is about. */
const unreachable = { firstByte: 600_000, handshake: 600_000, headers: 600_000, idle: 600_000 }
export const quick = { check: 50, linger: 200, draining: 100, closing: 500 }
export const MEGABYTE = 1024 * 1024
const renderClientError = (status: number) => JSON.stringify({ error: status })

export interface ServeOptions {
  limits?: Partial<ListenerLimits>
  proxied?: boolean
  certificate?: Certificate
}

/** A certificate for all listeners of a file; `owner` is `{ after }` of node:test. */
export async function listenerSandbox(owner: { after(done: () => Promise<void>): void }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-listener-'))
  owner.after(() => rm(dataDir, { recursive: true, force: true }))
  const certificate = await loadCertificate({ dataDir, hosts: [] })

  const serve = (t: TestContext, options: ServeOptions = {}) => serveWith(t, { certificate, ...options })

  async function secure(port: number, options: tls.ConnectionOptions = {}) {
    const socket = tls.connect({ port, host: '127.0.0.1', ca: certificate.cert, ...options })
    await once(socket, 'secureConnect')
    return socket
  }

  const get = (port: number, options: https.RequestOptions = {}) =>
    getOver({ port, host: '127.0.0.1', ca: certificate.cert, agent: false, ...options })

  async function assertServed(port: number): Promise<void> {
    assert.deepEqual(await get(port), { status: 200, body: '{"ok":true}' })
  }

  return { dataDir, serve, secure, get, assertServed }
}

async function serveWith(t: TestContext, options: ServeOptions & { certificate: Certificate }) {
  const limits = { ...unreachable, ...quick, ...options.limits }
  const events: string[] = []
  const listener = options.proxied
    ? proxiedListener({ renderClientError, limits })
    : tlsListener({
        certificate: options.certificate,
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
export async function talk(socket: net.Socket, say: (socket: net.Socket) => void = () => {}) {
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

export const plain = (port: number, options: Partial<net.TcpNetConnectOpts> = {}) =>
  net.connect({ port, host: '127.0.0.1', ...options })

function getOver(options: https.RequestOptions) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const request = https.get(options, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, body }))
      response.on('error', reject)
    })
    request.on('error', reject)
  })
}

/** Not before the limit; long after it nothing else would have cut the connection. */
export function assertCut(elapsed: number, limit: number): void {
  assert.ok(elapsed > limit * 0.8 && elapsed < HANG_MS, `cut after ${elapsed} ms, the limit being ${limit}`)
}

/** Drips without end until the server has had enough. */
export function drip(text: string | Buffer, pause = 40) {
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
export async function clientHello(): Promise<Buffer> {
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

export const connections = (server: net.Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
