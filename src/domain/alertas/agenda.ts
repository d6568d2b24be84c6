import { addDays, dateInBrazil, timeInBrazil } from '../../brasil/calendar.ts'
import { sundayOfWeek, weekOf } from '../../brasil/epi-week.ts'
import type { App } from '../app.ts'
import { findMudancas, type Mudancas } from '../casos/counters/counters.ts'
import { enqueueSystemJob } from '../jobs/jobs.ts'
import { createRunner, type Runner } from '../runner.ts'
import { type Execucao, findExecucao, lockExecucao, markAsked } from './execucao.sql.ts'

/**
 * When levels are computed: soon after each bulk change, every Sunday for all places, and otherwise at most every five minutes
 * when cases changed.
 */

const MINUTE_MS = 60_000
const EVERY_MS = 5 * MINUTE_MS
/** A week is computed on the Sunday after it, from this time of the day in Brasília on. */
const WEEK_FROM = '03:00:00'

/** True where the week that ended last was not computed for every place yet. */
export function isWeekDue({ semana_completa }: Pick<Execucao, 'semana_completa'>, now: Date): boolean {
  if (semana_completa === null) return true
  const last = weekOf(dateInBrazil(now)) - 1
  return semana_completa < last && timeInBrazil(now) >= `${addDays(sundayOfWeek(last), 7)} ${WEEK_FROM}`
}

export function isDue(execucao: Execucao, mudancas: Mudancas, now: Date): boolean {
  if (mudancas.em_massa) return true
  const { pedida_em } = execucao
  // One that failed is tried again at that pace, too.
  if (pedida_em !== null && now.getTime() - pedida_em.getTime() < EVERY_MS) return false
  // A service without cases starts no process for them.
  return mudancas.algumas || (mudancas.contadas && isWeekDue(execucao, now))
}

type Needs = Pick<App, 'db' | 'clock' | 'jobs'>

/** Asks for a computation where one is due and none is asked for. */
export async function askForAlertas({ db, clock, jobs }: Needs): Promise<boolean> {
  if (!isDue(await findExecucao(db), await findMudancas(db), clock.now())) return false
  const asked = await db.transaction(async (tx) => {
    // Another instance may have asked meanwhile.
    const execucao = await lockExecucao(tx)
    if (!isDue(execucao, await findMudancas(tx), clock.now())) return false
    if (!(await enqueueSystemJob({ clock }, tx, 'alertas'))) return false
    await markAsked(tx, clock.now())
    return true
  })
  if (asked) jobs.wake()
  return asked
}

/** Milliseconds between looks; each costs three index probes. */
const POLL_MS = 1_000
const STOP_MS = 2_000

export function createAgendaDeAlertas(
  app: Needs,
  onError: (error: unknown) => void,
): Pick<Runner, 'start' | 'stop' | 'runOnce'> {
  const look = async () => {
    await askForAlertas(app)
  }
  return createRunner({ look, onError, poll: POLL_MS, stopMs: STOP_MS })
}
