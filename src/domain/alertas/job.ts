import type { JobTask } from '../jobs/queue.ts'
import { type CalculoNeeds, calcularAlertas } from './calculo.ts'

/** Computation of alerts as a job of the service itself: one at a time, by whichever instance has taken it. */
export async function runAlertas(app: CalculoNeeds, task: JobTask): Promise<void> {
  await calcularAlertas(
    app,
    {
      proceed: () => task.proceed(),
      done: (tx, share) => task.checkpoint(tx, null, share * 99),
    },
    async (tx, { lugares, niveis, alertas }) => {
      const resultado = { lugares, niveis, alertas }
      await task.finish(tx, { message: { code: 'LEVELS_COMPUTED' }, resultado })
    },
  )
}
