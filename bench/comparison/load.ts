import net from 'node:net'
import tls from 'node:tls'

/**
 * Load generator: closed loop on a number of kept-alive connections, with as little work of its own as possible, since it shares
 * the cores with the processes it measures. Runs as a process of its own; takes its requests from messages of its parent.
 */
export interface Load {
  port: number
  secure: boolean
  connections: number
  seconds: number
  /** Asked in turn; `COUNTER` inside becomes a number of as many digits that was not used before. */
  requests: string[]
  status: number
  /** Ends after so many requests, however many seconds are left. */
  atMost?: number
  /** Kinds of requests that take turns in `requests`, from its first on: each is timed by itself. */
  kinds?: number
}

export interface Times {
  p50: number
  p95: number
  p99: number
}

export interface Loaded extends Times {
  requests: number
  seconds: number
  byKind: Times[]
  /** Milliseconds of each request of each kind. */
  measured: number[][]
}

/** Longest head of an answer; bodies are counted, not read. */
const HEAD_BYTES = 4096

export const COUNTER = '@@@@@@@@@@@@@'

/** Text of an HTTP request, with the length of its body. */
export function requestOf(method: string, path: string, headers: Record<string, string>, body = ''): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length =
    body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}${length}\r\n${body}`
}

/** Starts ahead of every earlier run: a hundred numbers for each millisecond since 2026. */
let counter = (Date.now() - Date.UTC(2026, 0)) * 100

interface Next {
  request: string
  times: number[]
}

export async function run(load: Load): Promise<Loaded> {
  const { requests, atMost = Number.POSITIVE_INFINITY, kinds = 1 } = load
  const timesOf = Array.from({ length: kinds }, (): number[] => [])
  const started = performance.now()
  const until = started + 1_000 * load.seconds
  let turn = Math.floor(Math.random() * requests.length)
  let asked = 0
  const next = (): Next | null => {
    if (performance.now() >= until || asked >= atMost) return null
    asked += 1
    turn = (turn + 1) % requests.length
    const request = requests[turn] as string
    const times = timesOf[turn % kinds] as number[]
    if (!request.includes(COUNTER)) return { request, times }
    counter += 1
    return { request: request.replace(COUNTER, String(counter).padStart(COUNTER.length, '0')), times }
  }
  await Promise.all(Array.from({ length: load.connections }, () => ask(load, next)))
  const seconds = (performance.now() - started) / 1_000
  const times = timesOf.flat()
  return {
    requests: times.length,
    seconds,
    ...quantilesOf(times),
    byKind: timesOf.map(quantilesOf),
    measured: timesOf,
  }
}

export function quantilesOf(times: readonly number[]): Times {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** One connection, one request at a time. */
function ask({ port, secure, status }: Load, next: () => Next | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = secure
      ? tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : net.connect({ port, host: '127.0.0.1', noDelay: true })
    let sent = 0
    let times: number[] = []
    let missing = 0
    let head = ''
    const send = () => {
      const one = next()
      if (one === null) {
        socket.destroy()
        resolve()
        return
      }
      times = one.times
      sent = performance.now()
      socket.write(one.request)
    }
    socket.on(secure ? 'secureConnect' : 'connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed')))
    socket.on('data', (chunk) => {
      if (missing > 0) missing -= chunk.length
      else {
        const before = head.length
        head += chunk.toString('latin1', 0, HEAD_BYTES)
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        if (Number(head.slice(9, 12)) !== status) {
          reject(new Error(head))
          return
        }
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
        missing = end + 4 + length - before - chunk.length
        head = ''
      }
      if (missing > 0) return
      if (missing !== 0) reject(new Error('an answer without its length'))
      times.push(performance.now() - sent)
      send()
    })
  })
}

if (process.send !== undefined && process.argv[1] === import.meta.filename)
  process.on('message', (load: Load) => {
    run(load).then(
      (loaded) => process.send?.({ loaded }),
      (error) => process.send?.({ error: String(error) }),
    )
  })
