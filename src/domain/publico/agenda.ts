import { refreshAlertasPublicos } from './alertas.ts'
import { type PublicoNeeds, refreshRetratos } from './retratos.ts'

/** Makes the day's snapshots: levels first, which take one statement. */
async function refreshPublico(app: PublicoNeeds): Promise<void> {
  await refreshAlertasPublicos(app)
  await refreshRetratos(app)
}

const TICK_MS = 30_000

/** Looks every half minute for snapshots of an earlier day; a failure is tried again. Returns the function that stops it. */
export function startRetratos(app: PublicoNeeds, onError: (error: unknown) => void): () => void {
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    refreshPublico(app)
      .catch(onError)
      .finally(() => {
        isRunning = false
      })
  }, TICK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
