// A way to a server's socket over TCP, with or without TLS, that can be cut and mended.
import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { type TestServer, testServer } from '../harness/database.ts'

/** PostgreSQL's message "do you speak TLS?": length 8, code 80877103. Answered by one byte, S or N. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

export interface DatabaseProxy {
  port: number
  url(database: string, parameters?: string): string
  /** Connections that speak TLS, and those that do not, since the beginning. */
  seen: { encrypted: number; plain: number }
  /** Cuts what there is; new connections are refused, or accepted and never answered. */
  away(how?: 'refused' | 'silent'): Promise<void>
  /** Nothing passes any more and nothing is cut, as on a network that loses every packet. What was sent passes at `back`. */
  stall(): void
  back(): Promise<void>
}

export async function databaseProxy(
  owner: { after(done: () => Promise<void>): void },
  certificate?: { cert: string; key: string },
  server: TestServer['connection'] = testServer().connection,
): Promise<DatabaseProxy> {
  const { host, port: socketPort, user } = server
  const open = new Set<net.Socket>()
  const joined = new Map<net.Socket, net.Socket>()
  const seen = { encrypted: 0, plain: 0 }
  let silent = false
  let stalled = false

  const forward = (socket: net.Socket, start: Buffer) => {
    const upstream = net.connect(`${host}/.s.PGSQL.${socketPort}`)
    upstream.on('error', () => upstream.destroy())
    upstream.write(start)
    socket.pipe(upstream).pipe(socket)
    joined.set(socket, upstream)
    socket.once('close', () => {
      joined.delete(socket)
      upstream.destroy()
    })
    upstream.once('close', () => socket.destroy())
  }
  const answer = (socket: net.Socket, start: Buffer) => {
    if (!start.equals(SSL_REQUEST)) {
      seen.plain++
      forward(socket, start)
    } else if (certificate === undefined) {
      socket.write('N')
      socket.once('data', (next: Buffer) => answer(socket, next))
    } else {
      socket.write('S')
      const secure = new tls.TLSSocket(socket, { isServer: true, ...certificate })
      secure.on('error', () => socket.destroy())
      secure.once('data', (next: Buffer) => {
        seen.encrypted++
        forward(secure, next)
      })
    }
  }
  const listener = net.createServer((socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket))
    if (!silent) socket.once('data', (start: Buffer) => answer(socket, start))
  })
  const listen = async (port: number) => {
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
  }
  const cut = () => {
    for (const socket of open) socket.resetAndDestroy()
  }
  await listen(0)
  const { port } = listener.address() as net.AddressInfo
  owner.after(async () => {
    listener.close()
    cut()
  })

  return {
    port,
    url: (database, parameters = '') => `postgres://${user}@127.0.0.1:${port}/${database}${parameters}`,
    seen,
    async away(how = 'refused') {
      silent = how === 'silent'
      const closed = silent ? null : once(listener, 'close')
      if (closed) listener.close()
      cut()
      await closed
    },
    stall() {
      silent = stalled = true
      for (const [socket, upstream] of joined) {
        socket.unpipe(upstream).pause()
        upstream.unpipe(socket).pause()
      }
    },
    async back() {
      silent = false
      for (const socket of open) if (!stalled || !joined.has(socket)) socket.resetAndDestroy()
      if (stalled) for (const [socket, upstream] of joined) socket.pipe(upstream).pipe(socket)
      stalled = false
      if (!listener.listening) await listen(port)
    },
  }
}
