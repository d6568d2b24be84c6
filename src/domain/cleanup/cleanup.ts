import { forgetNiveis } from '../alertas/niveis.ts'
import type { App } from '../app.ts'
import { forgetUnusedArquivos } from '../arquivos/arquivos.ts'
import { dropOrphanStaging } from '../casos/bulk/bulk.ts'
import { forgetOldEmailsAnteriores } from '../contas/email.ts'
import { forgetTokens } from '../emails/tokens.ts'
import { foldEpizootias } from '../epizootias/contagens.ts'
import { forgetEventos } from '../eventos/eventos.ts'
import { forgetIdempotencia } from '../idempotency/idempotency.ts'
import { forgetExpiredFiles, forgetJobs } from '../jobs/jobs.ts'
import { forgetNotificacoes } from '../notificacoes/notificacoes.ts'
import { forgetTentativas } from '../oidc/tentativas.ts'
import { forgetRascunhos, RASCUNHO_MS } from '../rascunhos/rascunhos.ts'
import { forgetLimites } from '../rate-limits/rate-limits.ts'
import { fillSemanas } from '../series/semanas-em-falta.ts'
import { forgetChaves } from '../servico/chaves.ts'
import { forgetBloqueios, forgetFalhas, forgetOrigens } from '../sessoes/lockout.ts'
import { forgetSessoes } from '../sessoes/sessoes.ts'
import { forgetEntregas } from '../webhooks/entregas.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Retention: deletes expired rows of every feature, adds up what grows, and makes what is missing. Idempotent, so instances may run it side by side. */
export async function cleanUp({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)
  await forgetSessoes(db, ago(30 * DAY_MS))
  await forgetTokens(db, ago(DAY_MS))
  // Longer than the link that restores an address lives, and the attempts to send it.
  await forgetOldEmailsAnteriores(db, ago(10 * DAY_MS))
  await forgetFalhas(db, ago(HOUR_MS))
  await forgetBloqueios(db, ago(HOUR_MS))
  await forgetIdempotencia(db, ago(DAY_MS))
  await forgetLimites(db, clock.now())
  await forgetUnusedArquivos(db, ago(DAY_MS))
  await forgetExpiredFiles(db, clock.now())
  await forgetJobs(db, ago(30 * DAY_MS))
  await dropOrphanStaging(db)
  await forgetEntregas(db, ago(30 * DAY_MS))
  await forgetEventos(db, ago(30 * DAY_MS))
  await forgetOrigens(db, ago(90 * DAY_MS))
  await forgetChaves(db, ago(90 * DAY_MS))
  await forgetRascunhos(db, ago(RASCUNHO_MS))
  await forgetNotificacoes(db, ago(30 * DAY_MS))
  await forgetNiveis(db, clock.now())
  await forgetTentativas(db, clock.now())
  await foldEpizootias(db)
  await fillSemanas(db)
}

/** Runs every hour; a failure is retried with the next run. Returns the function that stops it. */
export function startCleaning(app: Pick<App, 'db' | 'clock'>, onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => cleanUp(app).catch(onError), HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}
