import type { Database } from '../../db/db.ts'
import type { Clock } from '../../system/clock.ts'
import { createRunner } from '../runner.ts'
import { claimEmails, deleteEmail, type EmailRow, rescheduleEmail } from './emails.sql.ts'
import { MailFailure, type MailTransport } from './mail.ts'
import { type Prepared, prepareEmail } from './prepare.ts'
import type { EmailTipo } from './texts/texts.ts'
import { discardToken } from './tokens.ts'

/**
 * Sends what is in `emails_pendentes`. Any number of instances share the table.
 *
 *   due ── claimed (leased for 2 min, tentativas + 1) ── accepted ──→ deleted
 *    ↑                      │         └── nothing to send ──→ deleted
 *    │   lease ran out      │ failed
 *    ├── (instance killed) ─┤
 *    └── after the backoff ─┴── failed for the last time ──→ deleted, reported
 *
 * No transaction is open while SMTP is spoken. A row is deleted only after the mail was accepted: an instance that dies
 * between the two sends it twice rather than never.
 */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** After the first failure, the second …; a mail that fails once more is given up. */
export const BACKOFF_MS: readonly number[] = [
  1 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  1 * HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
]
/** Mails in hand at once: one that hangs leaves room for others. */
const AT_ONCE = 4

/** A mail that could not be sent, without its address. */
export interface FailedEmail {
  id: number
  tipo: EmailTipo
  tentativas: number
  /** Given up: it will not be tried again. */
  gaveUp: boolean
}

export interface MailWorkerOptions {
  db: Database
  clock: Clock
  transport: MailTransport
  /** Base of every link; no final slash. */
  publicUrl: string
  /** `email` is null when the queue itself cannot be read; told once until it can be again. */
  onError: (error: unknown, email: FailedEmail | null) => void
  timing?: Partial<typeof TIMING>
}

const TIMING = {
  poll: 2_000,
  lease: 2 * MINUTE_MS,
  /** A mail that takes longer has failed. Well below the lease. */
  send: MINUTE_MS,
  /** How long `stop` waits for mails in hand; the others are sent when their lease is over. */
  stop: 2_000,
}

export interface MailWorker {
  start(): void
  /** There may be something to send. Returns at once. */
  wake(): void
  stop(): Promise<void>
  /** Sends all that is due and resolves when nothing is in hand. */
  runOnce(): Promise<void>
}

export function createMailWorker({
  db,
  clock,
  transport,
  publicUrl,
  onError,
  ...options
}: MailWorkerOptions): MailWorker {
  const timing = { ...TIMING, ...options.timing }
  const runner = createRunner({
    look,
    onError: (error) => onError(error, null),
    poll: timing.poll,
    stopMs: timing.stop,
  })

  /** Fills the free places. */
  async function look(): Promise<void> {
    const free = AT_ONCE - runner.underWay()
    if (free === 0 || runner.isStopped()) return
    const now = clock.now()
    for (const email of await claimEmails(db, free, now, after(now, timing.lease)))
      runner.track(deliver(email))
  }

  /** Never rejects. */
  async function deliver(email: EmailRow): Promise<void> {
    try {
      const prepared = await prepareEmail({ db, publicUrl }, email, clock.now())
      if (prepared !== null) await send(prepared)
      await deleteEmail(db, email.id)
    } catch (error) {
      await settleFailure(email, error)
    }
  }

  async function send({ mail, token }: Prepared): Promise<void> {
    try {
      await withinTime(transport.send(mail), timing.send)
    } catch (error) {
      // Its link stays good if the mail may have arrived; else it neither works nor counts.
      const mayHaveArrived = error instanceof MailFailure && error.mayHaveArrived
      if (token !== null && !mayHaveArrived) await discardToken(db, token)
      throw error
    }
  }

  async function settleFailure(email: EmailRow, error: unknown): Promise<void> {
    const { id, tipo, tentativas } = email
    const backoff = BACKOFF_MS[tentativas - 1]
    try {
      if (backoff === undefined) await deleteEmail(db, id)
      else await rescheduleEmail(db, email, after(clock.now(), backoff))
    } catch (queueError) {
      // Its lease runs out and it is tried again.
      if (!runner.isStopped()) onError(queueError, { id, tipo, tentativas, gaveUp: false })
      return
    }
    onError(error, { id, tipo, tentativas, gaveUp: backoff === undefined })
  }

  const { start, wake, stop, runOnce } = runner
  return { start, wake, stop, runOnce }
}

const after = (instant: Date, ms: number) => new Date(instant.getTime() + ms)

async function withinTime(sending: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new MailFailure('took too long', { mayHaveArrived: true })), ms)
  })
  try {
    await Promise.race([sending, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
