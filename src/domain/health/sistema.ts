import { statfs } from 'node:fs/promises'
import type { App } from '../app.ts'
import { measureContagens } from '../casos/counters/counters.ts'
import { measureEmails } from '../emails/emails.ts'
import { measureJobs } from '../jobs/queue.ts'
import { mostUsedLimites } from '../rate-limits/rate-limits.ts'
import { measureEntregas, measureWebhooks } from '../webhooks/entregas.ts'
import { findLastBackup, measureDatabase } from './health.sql.ts'
import { cached } from './measures.ts'
import type { Sistema } from './sistema-dados.ts'

/** Accounts that are shown: those that use most. */
const MOST_LIMITS = 20

/** Reads it at most once in five seconds, however many administrators look. */
export function createSistema({ db, clock, dataDir }: Pick<App, 'db' | 'clock' | 'dataDir'>) {
  return cached(async (): Promise<Sistema> => {
    const now = clock.now()
    const [jobs, entregas, webhooks, emails, contagens, banco_bytes, disk, ultima_copia, limites] =
      await Promise.all([
        measureJobs(db),
        measureEntregas(db),
        measureWebhooks(db),
        measureEmails(db),
        measureContagens(db),
        measureDatabase(db),
        statfs(dataDir),
        findLastBackup(db),
        mostUsedLimites(db, now, MOST_LIMITS),
      ])
    const disco = { livre_bytes: disk.bavail * disk.bsize, total_bytes: disk.blocks * disk.bsize }
    return {
      ...{ medido_em: now, jobs, entregas, webhooks, emails, contagens },
      ...{ banco_bytes, disco, ultima_copia, limites },
    }
  })
}
