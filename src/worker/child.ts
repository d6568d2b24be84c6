import { once } from 'node:events'
import type pg from 'pg'
import { indexMunicipios, type Municipio } from '../brasil/municipios.ts'
import { createPool } from '../db/pool.ts'
import { createAuditoria } from '../domain/auditoria/auditoria.ts'
import { createCipher, createKeyedHash, createLineHash } from '../domain/cipher.ts'
import type { JobApp } from '../domain/importacao/import.ts'
import type { JobReservado } from '../domain/jobs/queue.sql.ts'
import { JobCancelado, JobPerdido, type Parada } from '../domain/jobs/queue.ts'
import { AppError } from '../errors/catalogue.ts'
import { conversionInThreads } from './conversion.ts'
import { watchForStall } from './stall.ts'
import { runTask } from './tasks.ts'
import type { JobTimings } from './timings.ts'

/**
 * One job in a process of its own: reading and checking a large file must not keep requests waiting, a file that exhausts
 * its memory ends it and not the service, and all that memory is given back when it is over. Its one argument comes as a
 * message, since everybody on the machine can read the arguments and many the environment of a process.
 */

export interface ChildInput {
  connection: pg.ClientConfig
  dataKey: Uint8Array
  municipios: readonly Municipio[]
  job: JobReservado
  worker: string
  timings: Pick<JobTimings, 'stallMs' | 'idleInTransactionMs'>
  /** Rows per checkpoint of an import; the importer's own number where it is not given. */
  importBlock?: number
}

/** How it ended, for the process that began it. */
export type ChildOutcome = 'done' | 'canceled' | 'lost' | 'unavailable' | { error: string }

const STATEMENT_MS = 3_600_000

async function main(input: ChildInput): Promise<ChildOutcome> {
  const { connection, dataKey, municipios, job, worker, timings, importBlock } = input
  const step = watchForStall(timings.stallMs)
  const key = Buffer.from(dataKey)
  const clock = { now: () => new Date() }
  const db = createPool({
    connection: { ...connection, idle_in_transaction_session_timeout: timings.idleInTransactionMs },
    max: 3,
    statementTimeoutMs: STATEMENT_MS,
  })
  const parada: Parada = { canceled: false, lost: false }
  process.on('message', (message: keyof Parada) => {
    parada[message] = true
  })
  try {
    const app: JobApp = {
      db,
      clock,
      cipher: createCipher(key),
      cepKey: createKeyedHash(key, 'cep'),
      linhaHash: createLineHash(key, 'linha'),
      auditoria: createAuditoria(createKeyedHash(key, 'auditoria'), clock),
      municipios: indexMunicipios(municipios),
      conversores: conversionInThreads({ dataKey, municipios }),
      ...(importBlock !== undefined && { importBlock }),
    }
    await runTask(app, job, worker, parada, step)
    return 'done'
  } catch (error) {
    if (error instanceof JobCancelado) return 'canceled'
    if (error instanceof JobPerdido) return 'lost'
    if (error instanceof AppError && error.is('UNAVAILABLE')) return 'unavailable'
    return { error: (error as Error)?.stack ?? String(error) }
  } finally {
    await db.end()
  }
}

// The service is gone: whoever takes the job over begins behind its last block.
process.on('disconnect', () => process.exit(1))
// Signals to the whole group (^C) are the service's to answer.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
const [input] = (await once(process, 'message')) as [ChildInput]
const outcome = await main(input)
process.send?.(outcome, () => process.exit(0))
