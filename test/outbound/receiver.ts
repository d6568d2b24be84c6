import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import tls from 'node:tls'
import { generate } from 'selfsigned'

export interface Receiver {
  port: number
  /** Connections that were opened, whatever came of them. */
  connections: number
  /** Bytes of the transport that came in. */
  bytes: number
  /** What the clients sent, decrypted. */
  received: string
  /** Resolves when every connection so far has ended. */
  ended(): Promise<void>
}

export interface KeyPair {
  cert: string
  key: string
}

export async function keyPairFor(name: string): Promise<KeyPair> {
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  })
  return { cert: made.cert, key: made.private }
}

export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

/** A server that speaks by hand: what it says to a request is its own business. */
export async function receiver(
  t: TestContext,
  answer: (socket: Socket) => void,
  { host = '127.0.0.1', port = 0, pair }: { host?: string; port?: number; pair?: KeyPair } = {},
): Promise<Receiver> {
  const open = new Set<Socket>()
  const server = net.createServer((socket) => {
    state.connections++
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    socket.on('data', (chunk) => {
      state.bytes += chunk.length
    })
    const stream = pair ? new tls.TLSSocket(socket, { isServer: true, ...pair }) : socket
    stream.on('error', () => {})
    stream.on('data', (chunk) => {
      state.received += chunk.toString('latin1')
    })
    stream.once('data', () => answer(stream))
  })
  const state: Receiver = {
    port: 0,
    connections: 0,
    bytes: 0,
    received: '',
    async ended() {
      await Promise.all([...open].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    },
  }
  server.listen({ host, port, ipv6Only: true })
  await once(server, 'listening')
  state.port = (server.address() as AddressInfo).port
  t.after(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return state
}
