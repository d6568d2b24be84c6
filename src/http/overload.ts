/**
 * Refuses at the door what would only wait inside. How many are at work does not tell, since uploads, logins and streams
 * are long without burdening anybody; too much shows in the line for the database, and in an event loop that runs late.
 *
 *   calm ── a long wait at `LOOKS_TO_STRAIN` looks in a row ──► strained: so many a second come in as can be answered
 *     ▲                                                             │
 *     └── neither a long wait nor a refusal for `LOOKS_TO_CALM` ────┘
 *
 * While calm a burst may wait: it ends by itself. While strained the rate follows what was answered of late: a little more
 * while the wait is short, less and less the longer it is. A few may always come in: were they refused and back at once,
 * their very coming back would look like too much.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { AppError } from '../errors/catalogue.ts'
import { CORS_HEADERS } from './cors.ts'
import type { ErrorAnswers } from './errors.ts'
import { chooseLanguage } from './language.ts'
import { requestId } from './request-id.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

/** A request stands in line two or three times; all of it is to stay well below a second. */
const LONG_WAIT_MS = 150
const LOOK_MS = 100
const LOOKS_TO_STRAIN = 4
const LOOKS_TO_CALM = 20
/** About so many count for what was answered of late. */
const LOOKS_REMEMBERED = 5
/** Of what was answered of late, so much comes in: a little more while the wait is short, else less than leaves. */
const SHARE = { withoutWait: 1.2, atLongWait: 0.6 }
/** While hardly anybody waits there is room: for a small crowd, and for more at each look. */
const NO_WAIT_MS = 20
const ROOM = { rise: 1.1, leastPerSecond: 50 }
const LEAST_PER_SECOND = 20
const FEW_AT_WORK = 50
/** Spread, so that those who were refused together do not come back together. */
const RETRY_AFTER_SECONDS = { from: 1, to: 3 }

export interface Door {
  /** Whether one may come in while so many are at work and the first in line has waited for so long. */
  admits(atWork: number, waitMs: number): boolean
  /** How long one waits now, and how many were answered since the last look, so long ago. */
  look(waitMs: number, answered: number, elapsedMs: number): void
}

export function createDoor(onChange: (strained: boolean) => void = () => {}): Door {
  let strained = false
  /** Looks in a row that speak for a change. */
  let against = 0
  let refused = false
  let answeredPerSecond = 0
  let admittedPerSecond = 0
  let places = 0

  function change(): void {
    strained = !strained
    against = 0
    admittedPerSecond = answeredPerSecond
    onChange(strained)
  }

  return {
    admits(atWork, waitMs) {
      if (!strained || atWork < FEW_AT_WORK) return true
      if (waitMs <= LONG_WAIT_MS && places >= 1) {
        places--
        return true
      }
      refused = true
      return false
    },
    look(waitMs, answered, elapsedMs) {
      const isLong = waitMs > LONG_WAIT_MS
      const speaksForChange = strained ? !isLong && !refused : isLong
      refused = false
      against = speaksForChange ? against + 1 : 0
      answeredPerSecond += ((answered * 1000) / elapsedMs - answeredPerSecond) / LOOKS_REMEMBERED
      if (against >= (strained ? LOOKS_TO_CALM : LOOKS_TO_STRAIN)) change()
      admittedPerSecond = rateAfter(waitMs, answeredPerSecond, admittedPerSecond)
      places = (admittedPerSecond * LOOK_MS) / 1000
    },
  }
}

function rateAfter(waitMs: number, answered: number, admitted: number): number {
  if (waitMs < NO_WAIT_MS)
    return Math.max(SHARE.withoutWait * answered, ROOM.rise * admitted, ROOM.leastPerSecond)
  const { withoutWait, atLongWait } = SHARE
  const share = withoutWait - ((withoutWait - atLongWait) * waitMs) / LONG_WAIT_MS
  return Math.max(share * answered, LEAST_PER_SECOND)
}

export interface OverloadOptions {
  /** How long the first in line has been waiting for what all need. */
  waitedMs(): number
  onChange?(strained: boolean): void
  onRefusal?(): void
}

interface OverloadNeeds extends OverloadOptions, Pick<ErrorAnswers, 'renderError' | 'clock'> {
  /** Paths that are always answered, such as a monitor's. */
  always: ReadonlySet<string>
}

type ServerFactory = (handler: RequestListener) => Server

/** Before the framework sees a request: a refusal must cost next to nothing. */
export function refusingExcess(serverFactory: ServerFactory, needs: OverloadNeeds): ServerFactory {
  const door = createDoor(needs.onChange)
  let atWork = 0
  let answered = 0
  const loop = watchLoop((lateMs) => {
    door.look(Math.max(lateMs, needs.waitedMs()), answered, LOOK_MS + lateMs)
    answered = 0
  })
  const isExcess = ({ url = '' }: IncomingMessage) =>
    !needs.always.has(pathOf(url)) && !door.admits(atWork, Math.max(loop.lateMs(), needs.waitedMs()))

  return (handler) => {
    const server = serverFactory((request, response) => {
      if (isExcess(request)) {
        refuse(request, response, needs)
        needs.onRefusal?.()
        return
      }
      atWork++
      response.once('close', () => {
        atWork--
        answered++
      })
      handler(request, response)
    })
    return server.once('listening', loop.start).once('close', loop.stop)
  }
}

const pathOf = (url: string) => url.split('?', 1)[0] as string

/** The connection stays: node reads and drops what comes of the body. */
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

/** How late the loop is: known at each look, and also between two, while a long turn lasts. */
function watchLoop(look: (lateMs: number) => void) {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  const lateMs = () => Math.max(0, performance.now() - dueAt)
  return {
    lateMs,
    start() {
      dueAt = performance.now() + LOOK_MS
      timer = setInterval(() => {
        look(lateMs())
        dueAt = performance.now() + LOOK_MS
      }, LOOK_MS).unref()
    },
    stop: () => clearInterval(timer),
  }
}
