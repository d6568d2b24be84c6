import type { JobTask } from '../jobs/queue.ts'
import { calcularAlertas } from './calculo.ts'
import type { AlertasNeeds } from './dados.ts'

/** Computation of alerts as a job of the service itself: one at a time, by whichever instance has taken it. */
export async function runAlertas(app: AlertasNeeds, task: JobTask): Promise<void> {
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
