import type { App } from '../app.ts'
import { notifyNoticia } from '../notificacoes/notificacoes.ts'
import { createRunner, type Runner } from '../runner.ts'
import { claimPublished } from './noticias.sql.ts'
import { NEWS_MS } from './noticias.ts'

/**
 * Rings the bell for news whose day has come. Their notifications say that it was done, so that a restart loses none and no two
 * instances tell twice; the author is told like everybody else, who may have forgotten it since.
 */

type Needs = Pick<App, 'db' | 'clock'>

export async function announceNoticias({ db, clock }: Needs): Promise<void> {
  await db.transaction(async (tx) => {
    const until = clock.now()
    const after = new Date(until.getTime() - NEWS_MS)
    for (const id of await claimPublished(tx, { after, until })) await notifyNoticia(tx, id, null, until)
  })
}

/** Milliseconds between looks. */
const POLL_MS = 30_000
const STOP_MS = 2_000

export const createPublicacao = (
  app: Needs,
  onError: (error: unknown) => void,
): Pick<Runner, 'start' | 'stop' | 'runOnce'> =>
  createRunner({ look: () => announceNoticias(app), onError, poll: POLL_MS, stopMs: STOP_MS })
