import type { LimiteUsado } from '../rate-limits/rate-limits.sql.ts'
import type { BackupRow } from './health.sql.ts'

interface Fila {
  waiting: number
  oldest_seconds: number
}

/** State of the service for its administrators: queues, sizes, backup, use of the limits. Of persons it has names of accounts alone. */
export interface Sistema {
  medido_em: Date
  jobs: Fila & { running: number }
  entregas: Fila & { failed_last_hour: number }
  emails: Fila & { retrying: number }
  webhooks: { failing: number; switched_off: number }
  contagens: { waiting: number }[]
  banco_bytes: number
  disco: { livre_bytes: number; total_bytes: number }
  ultima_copia: BackupRow | null
  limites: LimiteUsado[]
}
