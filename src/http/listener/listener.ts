/**
 * The one port of the service. Each new connection shows by its first byte what it speaks: TLS goes to Fastify,
 * plain HTTP to a small server that refuses it. Behind a proxy that ends TLS, plain HTTP goes to Fastify.
 *
 *   accepted ──first byte──▶ TLS handshake ──▶ requests
 *       │                └─▶ plain HTTP ──▶ refused
 *       └── each arrow has a time limit; a connection that exceeds it is cut
 */
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureVersion } from 'node:tls'
import { type Certificate, type KeyPair, watchCertificate } from './certificate.ts'
import { type ClosingLimits, closeWithinLimit, cutAfter } from './closing.ts'

/** All but `headerBytes` and `headerCount` in milliseconds. */
export interface ListenerLimits extends ClosingLimits {
  readonly firstByte: number
  readonly handshake: number
  readonly headers: number
  readonly request: number
  /** Interval at which node checks the two limits above. */
  readonly check: number
  readonly keepAlive: number
  /** No byte in either direction, such as a client that never reads its answer. */
  readonly idle: number
  /** Time for a refused client to read its answer. */
  readonly linger: number
  readonly certificateCheck: number
  readonly headerBytes: number
  /** Far above the few dozen that browsers and proxies send. */
  readonly headerCount: number
}

export const defaultLimits: ListenerLimits = {
  firstByte: 10_000,
  handshake: 10_000,
  // Must be below `request`: with the two the other way round node never cuts a slow body.
  headers: 10_000,
  // The largest upload on a slow line; bodies that are no upload are cut much sooner (`server.ts`).
  request: 1_800_000,
  check: 1000,
  // Above the 60 s of common proxies, so that it is the proxy that closes an idle connection.
  keepAlive: 65_000,
  idle: 120_000,
  linger: 2000,
  draining: 1_000,
  closing: 10_000,
  certificateCheck: 1000,
  headerBytes: 16 * 1024,
  headerCount: 200,
}

export type ClientErrorStatus = 400 | 408 | 431

export interface PlainAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ProxiedListenerOptions {
  /** The JSON body for what is not even a request: malformed (400), too slow (408), headers too large (431). */
  renderClientError(status: ClientErrorStatus): string
  readonly limits?: Partial<ListenerLimits>
}

export interface TlsListenerOptions extends ProxiedListenerOptions {
  readonly certificate: Certificate
  /** The answer to plain HTTP. The body of the request is never read. */
  refusePlain(request: http.IncomingMessage): PlainAnswer
  onCertificateChange?(pair: KeyPair): void
  onCertificateError?(error: Error): void
}

/** To be spread into Fastify's options. */
export interface Listener {
  serverFactory(handler: http.RequestListener): http.Server
  // Fastify always sets a handler of its own for 'clientError'; a second one here would answer twice.
  clientErrorHandler(error: NodeJS.ErrnoException, socket: Duplex): void
}

/** TLS 1.3, and of TLS 1.2 the suites with forward secrecy and authenticated encryption (RFC 9325, 4.2). */
const PROTOCOL: { minVersion: SecureVersion; ciphers: string } = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
}

export function tlsListener(options: TlsListenerOptions): Listener {
  const limits = { ...defaultLimits, ...options.limits }
  const clientErrorHandler = answerClientErrors(options.renderClientError, limits)

  return {
    clientErrorHandler,
    serverFactory(handler) {
      const { cert, key } = options.certificate
      const secure = { cert, key, ...PROTOCOL, handshakeTimeout: limits.handshake }
      const server = https.createServer(
        { ...secure, ...httpOptions(limits) },
        screened(handler, options, limits),
      )
      server.setTimeout(limits.idle)
      splitByFirstByte(server, plainServer(options.refusePlain, clientErrorHandler, limits), limits)
      followCertificate(server, options, limits)
      closeWithinLimit(server, limits)
      return ignoreExpectations(server)
    },
  }
}

/** For a service behind a proxy that ends TLS: plain HTTP under the same limits. */
export function proxiedListener(options: ProxiedListenerOptions): Listener {
  const limits = { ...defaultLimits, ...options.limits }
  return {
    clientErrorHandler: answerClientErrors(options.renderClientError, limits),
    serverFactory(handler) {
      const server = http.createServer(httpOptions(limits), screened(handler, options, limits))
      server.setTimeout(limits.idle)
      closeWithinLimit(server, limits)
      return ignoreExpectations(server)
    },
  }
}

/** An `Expect` that is not `100-continue` may be ignored (RFC 9110, 10.1.1); node's own 417 would have no body. */
function ignoreExpectations<S extends http.Server>(server: S): S {
  return server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/**
 * Refuses what node's parser lets through: HTTP/0.9, which has no headers and so neither host nor token; and too many
 * headers, of which node drops those beyond 2,000, possibly one that matters.
 */
function screened(
  handler: http.RequestListener,
  { renderClientError }: ProxiedListenerOptions,
  { headerCount }: ListenerLimits,
): http.RequestListener {
  const refusal = ({ httpVersionMajor, rawHeaders }: http.IncomingMessage) => {
    if (httpVersionMajor < 1) return 400
    return rawHeaders.length > 2 * headerCount ? 431 : null
  }
  return (request, response) => {
    const status = refusal(request)
    if (status === null) return handler(request, response)
    response.writeHead(status, { ...JSON_BODY, connection: 'close' }).end(renderClientError(status))
  }
}

const JSON_BODY = { 'content-type': 'application/json; charset=utf-8' }

function httpOptions(limits: ListenerLimits): http.ServerOptions {
  return {
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    connectionsCheckingInterval: limits.check,
    keepAliveTimeout: limits.keepAlive,
    maxHeaderSize: limits.headerBytes,
  }
}

const TLS_HANDSHAKE_RECORD = 0x16

function splitByFirstByte(server: https.Server, plain: http.Server, limits: ListenerLimits): void {
  const tlsListeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    socket.on('error', ignore)
    const cancelCut = cutAfter(limits.firstByte, socket)
    socket.once('data', (start) => {
      socket.pause()
      socket.unshift(start)
      cancelCut()
      if (start[0] === TLS_HANDSHAKE_RECORD)
        for (const listener of tlsListeners) listener.call(server, socket)
      else {
        plain.emit('connection', socket)
        socket.resume()
      }
    })
  })
}

function plainServer(
  refusePlain: TlsListenerOptions['refusePlain'],
  clientErrorHandler: Listener['clientErrorHandler'],
  limits: ListenerLimits,
): http.Server {
  const plain = http.createServer(httpOptions(limits))
  // This server does not listen itself, and so node does not check its limits.
  const headersLimit = new WeakMap<Socket, () => void>()
  plain.on('connection', (socket) => headersLimit.set(socket, cutAfter(limits.headers, socket)))

  const refuse = (request: http.IncomingMessage) => {
    const { socket } = request
    // Requests pipelined after the refused one.
    if (socket.writableEnded) return
    headersLimit.get(socket)?.()
    const answer = answerOrBare403(() => refusePlain(request))
    answerAndCut(socket, httpMessage(answer, request.method !== 'HEAD'), limits)
    request.resume()
  }
  // With a listener missing, node invites the body (Expect: 100-continue), or answers or closes on its own.
  for (const event of ['request', 'checkContinue', 'checkExpectation', 'connect']) plain.on(event, refuse)
  return plain.on('clientError', clientErrorHandler)
}

// Nothing above this code would catch an error: a strange URL that upsets the renderer would end the service.
function answerOrBare403(render: () => PlainAnswer): PlainAnswer {
  try {
    return render()
  } catch {
    return { status: 403, headers: {}, body: '' }
  }
}

function answerClientErrors(
  render: ProxiedListenerOptions['renderClientError'],
  limits: ListenerLimits,
): Listener['clientErrorHandler'] {
  return (error, socket) => {
    const status = clientErrorStatus(error.code)
    // Answered already: more of the same may follow until the connection is cut.
    if (status !== null && socket.writableEnded) return
    if (status === null || !mayAnswer(socket)) socket.destroy()
    else answerAndCut(socket, httpMessage({ status, headers: JSON_BODY, body: render(status) }), limits)
  }
}

/** Null when no answer can be sent: the connection is gone, or the TLS handshake failed. */
function clientErrorStatus(code: string | undefined): ClientErrorStatus | null {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code?.startsWith('HPE_') ? 400 : null
}

/** Node keeps the response under way on the socket: an error must neither cut into it nor be taken for it. */
function mayAnswer(socket: Duplex & { _httpMessage?: http.ServerResponse | null }): boolean {
  const response = socket._httpMessage
  return !response || (!response.headersSent && !response.req.complete)
}

function httpMessage({ status, headers, body }: PlainAnswer, withBody = true): string {
  const fields = {
    ...headers,
    date: new Date().toUTCString(),
    connection: 'close',
    'content-length': Buffer.byteLength(body),
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const start = `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\n`
  return `${start}${lines.join('')}\r\n${withBody ? body : ''}`
}

/**
 * Only our direction is closed at first. Closing both while the client still sends makes the kernel reset the
 * connection, and the client would lose the answer.
 */
function answerAndCut(socket: Duplex, message: string, limits: ListenerLimits): void {
  socket.end(message)
  socket.resume()
  cutAfter(limits.linger, socket)
}

function followCertificate(server: https.Server, options: TlsListenerOptions, limits: ListenerLimits): void {
  server.on('listening', () => {
    const stop = watchCertificate(options.certificate, {
      interval: limits.certificateCheck,
      onChange(pair) {
        server.setSecureContext({ ...pair, ...PROTOCOL })
        options.onCertificateChange?.(pair)
      },
      onError: (error) => options.onCertificateError?.(error),
    })
    server.once('close', stop)
  })
}

function ignore() {}
