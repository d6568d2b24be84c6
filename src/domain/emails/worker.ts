import type { Database } from '../../db/db.ts'
import type { Clock } from '../../system/clock.ts'
import { createRunner } from '../runner.ts'
import { claimEmails, deleteEmail, type EmailRow, rescheduleEmail } from './emails.sql.ts'
import { MailFailure, type MailTransport } from './mail.ts'
import { type Prepared, prepareEmail } from './prepare.ts'
import type { EmailTipo } from './texts/texts.ts'
import { discardToken } from './tokens.ts'

/**
 * Sends queued mails from `emails_pendentes`, which any number of instances share.
 *
 *   due ── claimed (leased for 2 min, tentativas + 1) ── accepted ──→ deleted
 *    ↑                      │         └── nothing to send ──→ deleted
 *    │   lease ran out      │ failed
 *    ├── (instance killed) ─┤
 *    └── after the backoff ─┴── failed for the last time ──→ deleted, reported
 *
 * No transaction is open during SMTP. A row is deleted only after the mail was accepted: at least once, so an instance that
 * dies in between sends it twice.
 */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Delay after the first failure, the second …; after the last a mail is dropped. */
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
/** Concurrent mails: one that hangs leaves room for others. */
const AT_ONCE = 4

/** A mail that could not be sent, without its address. */
export interface FailedEmail {
  id: number
  tipo: EmailTipo
  tentativas: number
  /** True if it is not tried again. */
  gaveUp: boolean
}

export interface MailWorkerOptions {
  db: Database
  clock: Clock
  transport: MailTransport
  /** Base of every link; no final slash. */
  publicUrl: string
  /** `email` is null if the queue itself cannot be read; called once until it can be read again. */
  onError: (error: unknown, email: FailedEmail | null) => void
  timing?: Partial<typeof TIMING>
}

const TIMING = {
  poll: 2_000,
  lease: 2 * MINUTE_MS,
  /** Timeout of one mail; well below the lease. */
  send: MINUTE_MS,
  /** Timeout of `stop`; mails still in progress are sent again after their lease. */
  stop: 2_000,
}

export interface MailWorker {
  start(): void
  /** Looks for due mails soon. Returns at once. */
  wake(): void
  stop(): Promise<void>
  /** Sends all due mails and resolves when none is in progress. */
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

  /** Claims as many due mails as there are free places. */
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
      // The link stays valid if the mail may have arrived; otherwise it is discarded and does not count.
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
      // Tried again after its lease.
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
