import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { Failure, happens } from './failure.ts'
import type { Target } from './target.ts'

export interface Message {
  /** Sent as they are, except those that belong to the connection. */
  headers: Record<string, string>
  body: string
}

export interface Answer {
  status: number
  retryAfter: string | null
  /** The first 1,024 bytes as text without NUL; less when the connection broke: the status stands by then. */
  body: string
}

const MAX_HEADER_BYTES = 16_384
const KEPT_BODY_BYTES = 1_024
/** Limit of all bytes read, however the answer is padded: interim answers, chunk extensions. */
const MAX_ANSWER_BYTES = 262_144
/** Headers of the connection: a caller's would contradict the framing or the host. */
const OF_THE_CONNECTION = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** One request and the beginning of its answer, on a connection that serves for nothing else. */
export async function answerTo(
  message: Message,
  target: Target,
  connection: Socket,
  signal: AbortSignal,
): Promise<Answer> {
  const request = requestOf(message, target, connection)
  request.end(message.body)
  const response = (await happens(request, 'response', signal, 'connection')) as IncomingMessage
  return {
    status: response.statusCode as number,
    retryAfter: response.headers['retry-after'] ?? null,
    body: await beginningOf(response, signal),
  }
}

function requestOf({ headers, body }: Message, { authority, path }: Target, connection: Socket) {
  const own = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase()))
  const request = httpRequest({
    method: 'POST',
    path,
    headers: {
      host: authority,
      ...Object.fromEntries(own),
      'accept-encoding': 'identity',
      'content-length': Buffer.byteLength(body),
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    createConnection: () => connection,
  })
  request.once('socket', (socket) => {
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) socket.destroy(new Failure('protocol'))
    })
  })
  // 101 Switching Protocols: node would emit neither a response nor an error.
  request.once('upgrade', () => request.emit('error', new Failure('protocol')))
  return request
}

async function beginningOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of addAbortSignal(signal, response)) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= KEPT_BODY_BYTES) break
    }
  } catch {
    // Cut off: what has arrived is kept.
  }
  const kept = Buffer.concat(chunks).subarray(0, KEPT_BODY_BYTES)
  // As a stream, so that a character cut in two at the end is left out; PostgreSQL has no NUL in texts.
  return new TextDecoder().decode(kept, { stream: true }).replaceAll('\0', '')
}
