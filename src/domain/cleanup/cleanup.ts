import type { App } from '../app.ts'
import { dropLeftLotes } from '../casos/bulk/bulk.ts'
import { forgetEventos } from '../eventos/eventos.ts'
import { forgetEntregas } from '../webhooks/entregas.ts'
import {
  deleteExpiredArquivos,
  deleteOldBloqueios,
  deleteOldEmailsAnteriores,
  deleteOldFalhas,
  deleteOldIdempotencia,
  deleteOldJobs,
  deleteOldLimites,
  deleteOldOrigens,
  deleteOldSessoes,
  deleteOldTokens,
  deleteUnusedArquivos,
} from './cleanup.sql.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Removes what has served its time. Harmless to run on several instances and as often as one likes. */
export async function cleanUp({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)
  await deleteOldSessoes(db, ago(30 * DAY_MS))
  await deleteOldTokens(db, ago(DAY_MS))
  // The life of the link that sets one back, and of the attempts to send it.
  await deleteOldEmailsAnteriores(db, ago(10 * DAY_MS))
  await deleteOldFalhas(db, ago(HOUR_MS))
  await deleteOldBloqueios(db, ago(HOUR_MS))
  await deleteOldIdempotencia(db, ago(DAY_MS))
  await deleteOldLimites(db, clock.now())
  await deleteUnusedArquivos(db, ago(DAY_MS))
  await deleteExpiredArquivos(db, clock.now())
  await deleteOldJobs(db, ago(30 * DAY_MS))
  await dropLeftLotes(db)
  await forgetEntregas(db, ago(30 * DAY_MS))
  await forgetEventos(db, ago(30 * DAY_MS))
  await deleteOldOrigens(db, ago(90 * DAY_MS))
}

/** Once an hour; what fails is tried again in the next. Answers the way to stop. */
export function startCleaning(app: Pick<App, 'db' | 'clock'>, onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => cleanUp(app).catch(onError), HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}
