import type http from 'node:http'
import net, { type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Graceful close: connections end within a limit, and none while a request on it is being answered. */

/** In milliseconds. */
export interface ClosingLimits {
  /** Limit of `close()` for requests that may be on their way. */
  readonly draining: number
  /** Limit of `close()` for requests being answered. */
  readonly closing: number
}

export function cutAfter(milliseconds: number, socket: Duplex): () => void {
  const timer = setTimeout(() => socket.destroy(), milliseconds)
  const cancel = () => clearTimeout(timer)
  socket.once('close', cancel)
  return cancel
}

/**
 * Replaces node's own close(), which cuts kept-alive connections at once, also under a request that is just arriving, and
 * waits for ever for connections that never began one. Connections are drained instead: all stay open for a moment, answers
 * carry `Connection: close`, then idle ones are cut and busy ones get a limit. A restart fails no request, at the price of
 * `draining` milliseconds.
 */
export function closeWithinLimit(server: http.Server, limits: ClosingLimits): void {
  const open = new Map<string, Socket>()
  // By connection: one set of all responses, changed with each request, would promote dead ones to the old generation.
  const answering = new Map<Socket, http.ServerResponse[]>()
  let drained = false

  server.on('connection', (socket: Socket) => {
    const name = connectionName(socket)
    open.set(name, socket)
    socket.once('close', () => open.delete(name))
  })
  const answeringOn = (socket: Socket): http.ServerResponse[] => {
    let those = answering.get(socket)
    if (those === undefined) {
      those = []
      answering.set(socket, those)
      socket.once('close', () => answering.delete(socket))
    }
    return those
  }
  server.on('request', ({ socket }: http.IncomingMessage, response: http.ServerResponse) => {
    const those = answeringOn(socket)
    those.push(response)
    response.once('close', () => {
      those.splice(those.indexOf(response), 1)
      // Without `Connection: close` the client may already be sending its next request.
      const isLast = drained || !response.shouldKeepAlive
      if (isLast && those.length === 0) socket.destroySoon()
    })
  })

  const busyConnections = () =>
    new Set([...answering].filter(([, those]) => those.length > 0).map(([socket]) => connectionName(socket)))

  server.close = (callback) => {
    for (const response of [...answering.values()].flat())
      if (!response.headersSent) response.shouldKeepAlive = false
    const drain = setTimeout(() => {
      drained = true
      const busy = busyConnections()
      for (const [name, socket] of open) {
        if (busy.has(name)) cutAfter(limits.closing, socket)
        else socket.destroy()
      }
    }, limits.draining)
    server.once('close', () => clearTimeout(drain))
    return net.Server.prototype.close.call(server, callback) as http.Server
  }
}

/** The same for a TLS socket and for the TCP socket under it. */
function connectionName(socket: Socket): string {
  return [socket.remoteAddress, socket.remotePort, socket.localAddress, socket.localPort].join(' ')
}
