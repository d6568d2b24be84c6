import type http from 'node:http'
import net, { type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** How connections end: each within a limit, and none under a request that is being answered. */

/** In milliseconds. */
export interface ClosingLimits {
  /** How long `close()` leaves connections open for the request that may be on its way. */
  readonly draining: number
  /** How long `close()` waits for requests being answered. */
  readonly closing: number
}

export function cutAfter(milliseconds: number, socket: Duplex): () => void {
  const timer = setTimeout(() => socket.destroy(), milliseconds)
  const cancel = () => clearTimeout(timer)
  socket.once('close', cancel)
  return cancel
}

/**
 * Node's own close() cuts kept connections at once, also under a request that is just arriving, and waits for ever for
 * those that never began one. Here all stay open for a moment, each answer then says that it is the last, and after that
 * only requests being answered are waited for, within a limit: a restart fails nobody.
 */
export function closeWithinLimit(server: http.Server, limits: ClosingLimits): void {
  const open = new Map<string, Socket>()
  // By connection: a set of all that changes with each request would carry those that are over along (docs/performance.md).
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
      // One that was not told so may already be sending its next request.
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
export function connectionName(socket: Socket): string {
  return [socket.remoteAddress, socket.remotePort, socket.localAddress, socket.localPort].join(' ')
}
