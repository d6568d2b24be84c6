/**
 * Load shedding: a threshold with hysteresis on the queueing delay, the larger of the age of the oldest request queued for
 * the database and the delay of the event loop. The number of open requests would not do: uploads, logins and streams are
 * long without being a burden.
 *
 *   admitting ── delay above `REFUSE_ABOVE_MS` for `BURST_MS` ──► refusing new requests
 *      ▲                                                                 │
 *      └──────────────── delay below `ADMIT_BELOW_MS` ◄──────────────────┘
 *
 * Until nothing was refused for `CALM_MS`, a delay above the threshold is no burst any more and refuses at once: beyond
 * capacity the two states alternate several times a second. The queue never runs empty meanwhile, so that the service
 * answers at full rate; the price is that accepted requests wait for about twice the upper threshold.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { AppError } from '../errors/catalogue.ts'
import { CORS_HEADERS } from './cors.ts'
import type { ErrorAnswers } from './errors.ts'
import { chooseLanguage } from './language.ts'
import { requestId } from './request-id.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

/** A request queues two or three times (session, statements); all of it is to stay below a second. */
const REFUSE_ABOVE_MS = 150
const ADMIT_BELOW_MS = 50
/** A checkpoint or a burst of requests passes by itself: at 70 % load, half of this refused requests now and then. */
const BURST_MS = 400
const CALM_MS = 2_000
/** Open requests below which nothing is refused: their queue is short, whatever holds it up. */
const FEW_OPEN = 50
/** Averaging period of the event loop's delay: longer than any single turn, such as a full collection. */
const LOOP_SAMPLE_MS = 500
/** Spread, so that clients refused together do not come back together. */
const RETRY_AFTER_SECONDS = { from: 1, to: 3 }
/** Refusals this far apart are reported as overloads of their own. */
const REPORT_EVERY_MS = 10_000

/** Decides on one request after the other; `now` in milliseconds of a monotonic clock. */
export function createAdmission(): (delayMs: number, open: number, now: number) => boolean {
  let refusing = false
  let aboveSince = Number.POSITIVE_INFINITY
  let lastRefusal = Number.NEGATIVE_INFINITY
  return (delayMs, open, now) => {
    if (delayMs <= (refusing ? ADMIT_BELOW_MS : REFUSE_ABOVE_MS)) {
      refusing = false
      aboveSince = Number.POSITIVE_INFINITY
      return true
    }
    aboveSince = Math.min(aboveSince, now)
    const tolerated = now - lastRefusal > CALM_MS ? BURST_MS : 0
    refusing ||= now - aboveSince >= tolerated
    if (!refusing || open < FEW_OPEN) return true
    lastRefusal = now
    return false
  }
}

export interface OverloadOptions {
  /** Age of the oldest request queued for the database. */
  waitedMs(): number
  onRefusal?(): void
  /** Called at the first refusal, and not again until there was none for ten seconds. */
  onOverload?(): void
}

interface OverloadNeeds extends OverloadOptions, Pick<ErrorAnswers, 'renderError' | 'clock'> {
  /** Paths that are always answered, such as a monitor's. */
  always: ReadonlySet<string>
}

type ServerFactory = (handler: RequestListener) => Server

/** Sheds load before the framework sees a request: a refusal must cost next to nothing. */
export function refusingExcess(serverFactory: ServerFactory, needs: OverloadNeeds): ServerFactory {
  const admits = createAdmission()
  const loop = watchLoop()
  let open = 0
  let lastRefusal = Number.NEGATIVE_INFINITY
  const isExcess = ({ url = '' }: IncomingMessage) =>
    !needs.always.has(pathOf(url)) &&
    !admits(Math.max(loop.delayMs(), needs.waitedMs()), open, performance.now())

  function report(): void {
    const now = performance.now()
    if (now - lastRefusal > REPORT_EVERY_MS) needs.onOverload?.()
    lastRefusal = now
    needs.onRefusal?.()
  }

  return (handler) => {
    const server = serverFactory((request, response) => {
      if (isExcess(request)) {
        refuse(request, response, needs)
        report()
        return
      }
      open++
      response.once('close', () => open--)
      handler(request, response)
    })
    return server.once('listening', loop.start).once('close', loop.stop)
  }
}

const pathOf = (url: string) => url.split('?', 1)[0] as string

/** The connection stays open: node reads and drops the rest of the body. */
function refuse(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { renderError, clock }: OverloadNeeds,
): void {
  const { from, to } = RETRY_AFTER_SECONDS
  const retryAfter = from + Math.floor(Math.random() * (to - from + 1))
  const context = {
    requestId: requestId(headers['x-request-id']),
    language: chooseLanguage(headers['accept-language']),
    timestamp: clock.now(),
  }
  const answer = renderError(new AppError('UNAVAILABLE', { retryAfter }), context)
  const body = JSON.stringify(answer.body)
  response
    .writeHead(answer.status, {
      ...SECURITY_HEADERS,
      ...CORS_HEADERS,
      ...answer.headers,
      'x-request-id': context.requestId,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body)
}

/** Mean event-loop delay of the last sampling period. */
function watchLoop() {
  const histogram = monitorEventLoopDelay({ resolution: 10 })
  let timer: NodeJS.Timeout | undefined
  let delayMs = 0
  return {
    delayMs: () => delayMs,
    start() {
      histogram.enable()
      timer = setInterval(() => {
        delayMs = histogram.mean / 1e6 || 0
        histogram.reset()
      }, LOOP_SAMPLE_MS).unref()
    },
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
