import { silent, unreachable } from './errors.ts'
import type { Fetch } from './types.ts'

/** Limit of silence: a connection that says nothing for so long is given up. Those between may drop one without a word. */
export const SILENCE_S = 60
/** Streams of events send a comment every fifteen seconds; three may be late. */
const STREAM_S = 45

/**
 * `fetch` whose connection is aborted after a silence: before its answer, and between the pieces of it. A reader that takes
 * its time is none. Of what is uploaded `fetch` tells nothing: that part is left to the transport.
 */
export async function watchedFetch(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  seconds: number,
): Promise<Response> {
  const connection = new AbortController()
  const stop = () => connection.abort(init.signal?.reason)
  if (init.signal?.aborted) stop()
  init.signal?.addEventListener('abort', stop)
  const end = () => init.signal?.removeEventListener('abort', stop)
  const told = (error: unknown) => {
    end()
    return connection.signal.aborted ? connection.signal.reason : unreachable(error)
  }
  const within = async <T>(limit: number, work: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => connection.abort(silent(limit)), limit * 1_000)
    return work.finally(() => clearTimeout(timer))
  }
  try {
    const asked = fetch(url, { ...init, signal: connection.signal })
    const answer = await (init.body instanceof FormData ? asked : within(seconds, asked))
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
    const limit = isStream ? Math.max(seconds, STREAM_S) : seconds
    const reader = answer.body?.getReader()
    if (reader === undefined) end()
    return reader === undefined
      ? answer
      : new Response(streamOf(reader, { told, end, limit, within }), answer)
  } catch (error) {
    throw told(error)
  }
}

interface Watch {
  told(error: unknown): unknown
  end(): void
  limit: number
  within<T>(limit: number, work: Promise<T>): Promise<T>
}

/** The same pieces, asked for one by one. */
function streamOf(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  { told, end, limit, within }: Watch,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    try {
      const { done, value } = await within(limit, reader.read())
      if (!done) return controller.enqueue(value)
      end()
      controller.close()
    } catch (error) {
      controller.error(told(error))
    }
  }
  const cancel = async (reason: unknown) => {
    end()
    await reader.cancel(reason)
  }
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
}
