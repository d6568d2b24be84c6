import type { FastifyReply } from 'fastify'
import type { Caller } from '../../caller/caller.ts'
import type { App } from '../../domain/app.ts'
import { because } from '../../errors/catalogue.ts'

/** Streams of server-sent events. */
export const EVENT_STREAM = 'text/event-stream'

const RETRY_SECONDS = 5

/** Holds one of the account's streams until the connection ends, also where it ended before; refuses (429) where all are taken. */
export function holdStream(streams: App['jobStreams'], { id }: Caller, reply: FastifyReply): AbortSignal {
  const release = streams.take(id)
  if (release === null) throw because('TOO_MANY_STREAMS', { retryAfter: RETRY_SECONDS })
  const closed = new AbortController()
  const end = () => {
    release()
    closed.abort()
  }
  if (reply.raw.destroyed) end()
  else reply.raw.once('close', end)
  // Proxies that collect answers would hold the events back.
  reply.type(EVENT_STREAM).header('x-accel-buffering', 'no')
  return closed.signal
}
