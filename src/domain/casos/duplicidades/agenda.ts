import type { App } from '../../app.ts'
import { enqueueSystemJob } from '../../jobs/jobs.ts'
import { createRunner, type Runner } from '../../runner.ts'
import { anyPendente, manyPendentes } from './identidade.sql.ts'
import { findPedido, lockPedido, markPedido } from './pares.sql.ts'

/** Asks for the job of changed cases: at once where many wait, as after an import, else every half minute. */

const EVERY_MS = 30_000
const MANY = 500

type Needs = Pick<App, 'db' | 'clock' | 'jobs'>

const isSoon = (pedida_em: Date | null, now: Date) =>
  pedida_em !== null && now.getTime() - pedida_em.getTime() < EVERY_MS

/** True where a job was asked for. */
export async function askForDuplicidades({ db, clock, jobs }: Needs): Promise<boolean> {
  if (!(await anyPendente(db))) return false
  const { pedida_em } = await findPedido(db)
  if (isSoon(pedida_em, clock.now()) && !(await manyPendentes(db, MANY))) return false
  const asked = await db.transaction(async (tx) => {
    // Another instance may have asked meanwhile.
    await lockPedido(tx)
    if (!(await enqueueSystemJob({ clock }, tx, 'duplicidades'))) return false
    await markPedido(tx, clock.now())
    return true
  })
  if (asked) jobs.wake()
  return asked
}

/** Milliseconds between looks; each costs one probe. */
const POLL_MS = 1_000
const STOP_MS = 2_000

export function createAgendaDeDuplicidades(
  app: Needs,
  onError: (error: unknown) => void,
): Pick<Runner, 'start' | 'stop' | 'runOnce'> {
  const look = async () => {
    await askForDuplicidades(app)
  }
  return createRunner({ look, onError, poll: POLL_MS, stopMs: STOP_MS })
}
