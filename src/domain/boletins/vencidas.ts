import { semanaAt } from '../../brasil/epi-week.ts'
import { lugaresFrom } from '../../caller/territorio.ts'
import type { App } from '../app.ts'
import { enqueueJob } from '../jobs/jobs.ts'
import { createRunner, type Runner } from '../runner.ts'
import { claimDue, listDue, markRun } from './agendas.sql.ts'
import { proximaVez } from './horario.ts'
import { trabalhoDeBoletins } from './job.ts'
import { lastEnded } from './pedido.ts'

/**
 * Runs due schedules: one job for all bulletins of each. The job is queued in the transaction that moves the schedule to its next
 * time, with the row locked, so that a due time is run once, by whichever instance comes first, and a restart loses none. Due times
 * that passed while no instance ran are run once together.
 */

type Needs = Pick<App, 'db' | 'clock' | 'jobs' | 'territories' | 'version' | 'publico'>

/** Number of schedules that were run. A failure with one of them does not stop the others; the last one is thrown. */
export async function runDueAgendas(app: Needs): Promise<number> {
  let ran = 0
  const failures: unknown[] = []
  for (const id of await listDue(app.db, app.clock.now())) {
    try {
      if (await runAgenda(app, id)) ran += 1
    } catch (error) {
      failures.push(error)
    }
  }
  if (ran > 0) app.jobs.wake()
  if (failures.length > 0) throw failures.at(-1)
  return ran
}

/** False where another instance was first. */
async function runAgenda(app: Needs, id: number): Promise<boolean> {
  const now = app.clock.now()
  return app.db.transaction(async (tx) => {
    const agenda = await claimDue(tx, id, now)
    if (agenda === null) return false
    const { usuario, pedidos, admin, territorios } = agenda
    const semana = semanaAt(lastEnded(now)).codigo
    const territorio = admin ? null : app.territories.of(lugaresFrom(territorios))
    const trabalho = trabalhoDeBoletins(
      app,
      pedidos.map((pedido) => ({ ...pedido, semana })),
      id,
    )
    const job = await enqueueJob(app, tx, { ...usuario, territorio }, trabalho)
    await markRun(tx, id, { ultima_em: now, proxima_em: proximaVez(agenda, now), job })
    return true
  })
}

/** Milliseconds between looks; each costs one index probe. */
const POLL_MS = 10_000
const STOP_MS = 2_000

export function createAgendaDeBoletins(
  app: Needs,
  onError: (error: unknown) => void,
): Pick<Runner, 'start' | 'stop' | 'runOnce'> {
  const look = async () => {
    await runDueAgendas(app)
  }
  return createRunner({ look, onError, poll: POLL_MS, stopMs: STOP_MS })
}
