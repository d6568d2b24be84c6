import type { Db } from '../../db/db.ts'
import { measureContagens } from '../casos/counters/counters.ts'
import { measureEmails } from '../emails/emails.ts'
import { measureJobs, measureJobsEnded } from '../jobs/queue.ts'
import { measureEntregas, measureWebhooks } from '../webhooks/entregas.ts'
import { findLastBackup } from './health.sql.ts'

interface Measured {
  labels: Record<string, string>
  value: number
}

/** Gauges of background work: one statement of bounded cost each, without personal data. */
export function createMeasures(db: Db) {
  const jobs = cached(() => measureJobs(db))
  const entregas = cached(() => measureEntregas(db))
  const webhooks = cached(() => measureWebhooks(db))
  const emails = cached(() => measureEmails(db))
  const backup = cached(() => findLastBackup(db))
  return [
    {
      name: 'vigia_jobs',
      help: 'Jobs in the queue',
      labelNames: ['state'],
      async read() {
        const { waiting, running } = await jobs()
        return byState({ waiting, running })
      },
    },
    {
      name: 'vigia_jobs_oldest_waiting_seconds',
      help: 'How long the oldest job waits that could run; 0 without one',
      labelNames: [],
      read: async () => one((await jobs()).oldest_seconds),
    },
    {
      name: 'vigia_jobs_ended_last_hour',
      help: 'Jobs that ended within the last hour, by outcome',
      labelNames: ['outcome'],
      read: cached(async () =>
        (await measureJobsEnded(db)).map(({ status, total }) => ({
          labels: { outcome: status },
          value: total,
        })),
      ),
    },
    {
      name: 'vigia_webhook_deliveries',
      help: 'Webhook deliveries: waiting (up to 100000), and given up within the last hour',
      labelNames: ['state'],
      async read() {
        const { waiting, failed_last_hour } = await entregas()
        return byState({ waiting, failed_last_hour })
      },
    },
    {
      name: 'vigia_webhook_oldest_waiting_seconds',
      help: 'Age of the oldest of the deliveries that wait; 0 without one',
      labelNames: [],
      read: async () => one((await entregas()).oldest_seconds),
    },
    {
      name: 'vigia_webhooks',
      help: 'Webhooks: those that fail now, and those that were switched off for failing or by a 410',
      labelNames: ['state'],
      async read() {
        const { failing, switched_off } = await webhooks()
        return byState({ failing, switched_off })
      },
    },
    {
      name: 'vigia_mails',
      help: 'Mails in the queue: all that wait (up to 100000), and those among them that failed before',
      labelNames: ['state'],
      async read() {
        const { waiting, retrying } = await emails()
        return byState({ waiting, retrying })
      },
    },
    {
      name: 'vigia_mails_oldest_waiting_seconds',
      help: 'Age of the oldest mail that waits; 0 without one',
      labelNames: [],
      read: async () => one((await emails()).oldest_seconds),
    },
    {
      name: 'vigia_counters_waiting_rows',
      help: 'Changes of cases that the counters have not added up yet (up to 100000), by queue',
      labelNames: ['queue'],
      read: cached(async () =>
        (await measureContagens(db)).map(({ queue, waiting }) => ({
          labels: { queue },
          value: waiting,
        })),
      ),
    },
    {
      name: 'vigia_backup_last_timestamp_seconds',
      help: 'When the last `npm run vigia -- backup` ended well; absent before the first',
      labelNames: [],
      read: async () => lastOf(await backup(), ({ concluida_em }) => concluida_em.getTime() / 1000),
    },
    {
      name: 'vigia_backup_last_bytes',
      help: 'Size of that backup',
      labelNames: [],
      read: async () => lastOf(await backup(), ({ bytes }) => bytes),
    },
  ]
}

const one = (value: number): Measured[] => [{ labels: {}, value }]
const lastOf = <T>(row: T | null, measure: (row: T) => number) => (row === null ? [] : one(measure(row)))
const byState = (numbers: Record<string, number>): Measured[] =>
  Object.entries(numbers).map(([state, value]) => ({ labels: { state }, value }))

const CACHED_MS = 5_000

/** Caches a reading for five seconds, however many scrapers there are. */
export function cached<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined
  return () => {
    const now = performance.now()
    if (last === undefined || now - last.at > CACHED_MS) last = { at: now, answer: read() }
    return last.answer
  }
}
