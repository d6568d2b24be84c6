import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Behaviours of receivers, healthy and faulty. */
export const BEHAVIOURS = {
  accepts: (response: ServerResponse) => response.end(),
  'answers 500': (response: ServerResponse) => response.writeHead(500).end(),
  'answers 429': (response: ServerResponse) => response.writeHead(429, { 'retry-after': '2' }).end(),
  hangs: () => {},
  resets: (response: ServerResponse) => response.socket?.resetAndDestroy(),
  redirects: (response: ServerResponse) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
  /** Slowloris: never ends its headers. */
  drips: ({ socket }: ServerResponse) => {
    socket?.write('HTTP/1.1 200 OK\r\nx-drop: ')
    const timer = setInterval(() => socket?.write('.'), 500)
    socket?.once('close', () => clearInterval(timer))
  },
} satisfies Record<string, (response: ServerResponse) => unknown>
export type Behaviour = keyof typeof BEHAVIOURS

interface Told {
  id: string
  timestamp: string
  dados: { id: number; versao: number }
}

/** Recording receiver: keeps accepted deliveries in their order. */
export class Receiver {
  readonly name: Behaviour
  behaviour: Behaviour
  url = ''
  requests = 0
  /** Acceptances of each event. */
  readonly accepted = new Map<string, number>()
  /** Versions of each case in the order of their first arrival. */
  readonly versions = new Map<number, number[]>()
  /** Latencies from a change to its first attempt here, in milliseconds. */
  readonly delays: number[] = []

  constructor(behaviour: Behaviour) {
    this.name = behaviour
    this.behaviour = behaviour
  }

  async listen(): Promise<this> {
    const server = createServer((request, response) => this.#receive(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    server.unref()
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    return this
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      this.requests += 1
      const event = JSON.parse(text) as Told
      if (this.behaviour === 'accepts') this.#remember(event)
      BEHAVIOURS[this.behaviour](response)
    })
    response.on('error', () => {})
  }

  #remember({ id, timestamp, dados }: Told): void {
    const times = this.accepted.get(id) ?? 0
    this.accepted.set(id, times + 1)
    if (times > 0) return
    this.delays.push(Date.now() - Date.parse(timestamp))
    const versions = this.versions.get(dados.id)
    if (versions === undefined) this.versions.set(dados.id, [dados.versao])
    else versions.push(dados.versao)
  }

  /** Cases whose changes did not come in their order. */
  outOfOrder(): number {
    return [...this.versions.values()].filter((versions) =>
      versions.some((versao, i) => i > 0 && versao <= (versions[i - 1] as number)),
    ).length
  }

  repeated(): number {
    return [...this.accepted.values()].reduce((sum, times) => sum + times - 1, 0)
  }
}
