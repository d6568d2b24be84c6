import { once } from 'node:events'
import { indexMunicipios, type Municipio } from '../brasil/municipios.ts'
import { indexTerritorios } from '../brasil/territorios.ts'
import { createPool } from '../db/pool.ts'
import { createReader } from '../db/reader.ts'
import type { Connection } from '../db/servers.ts'
import { createAuditoria } from '../domain/auditoria/auditoria.ts'
import { fixedAgravos, loadVigentes } from '../domain/casos/agravos/registro.ts'
import { createChaves } from '../domain/casos/sigilo.ts'
import { createCipher, createKeyedHash, createLineHash, type KeyMaterial } from '../domain/cipher.ts'
import type { ExportApp } from '../domain/exportacao/casos.ts'
import type { ImportApp } from '../domain/importacao/task.ts'
import type { ClaimedJob } from '../domain/jobs/queue.sql.ts'
import { JobCanceled, JobLost, type StopRequest } from '../domain/jobs/queue.ts'
import { createTerritories } from '../domain/territorios/conta.ts'
import { AppError } from '../errors/catalogue.ts'
import { conversionInThreads } from './conversion.ts'
import { encodingInThread } from './parquet.ts'
import { watchForStall } from './stall.ts'
import { runTask } from './tasks.ts'
import type { JobTimings } from './timings.ts'

/**
 * Process of one job. Isolation: parsing a large file does not block the event loop of the service, a file that exhausts
 * memory kills only this process, and the memory is released at its end. The price is the start of a process a job. The
 * input comes as a message, since arguments and environment of a process can be read by others on the machine.
 */

export interface ChildInput {
  connection: Connection
  /** Standbys for long reads. */
  standby: Connection | null
  dataKey: KeyMaterial
  municipios: readonly Municipio[]
  territorioObrigatorio: boolean
  duplicidadeDias: number
  job: ClaimedJob
  worker: string
  timings: Pick<JobTimings, 'stallMs' | 'idleInTransactionMs'>
  /** Rows per checkpoint of an import; the importer's own number where it is not given. */
  importBlock?: number
}

/** Outcome reported to the parent process. */
export type ChildOutcome = 'done' | 'canceled' | 'lost' | 'unavailable' | { error: string }

const STATEMENT_MS = 3_600_000

async function main(input: ChildInput): Promise<ChildOutcome> {
  const {
    connection,
    standby,
    dataKey,
    job,
    worker,
    timings,
    importBlock,
    territorioObrigatorio: required,
    duplicidadeDias,
  } = input
  const step = watchForStall(timings.stallMs)
  const clock = { now: () => new Date() }
  const reference = {
    municipios: indexMunicipios(input.municipios),
    territorios: indexTerritorios(input.municipios),
  }
  const open = (to: Connection) =>
    createPool({
      connection: { ...to, idle_in_transaction_session_timeout: timings.idleInTransactionMs },
      max: 3,
      statementTimeoutMs: STATEMENT_MS,
    })
  const db = open(connection)
  const standbyDb = standby === null ? null : open(standby)
  const stop: StopRequest = { canceled: false, lost: false }
  process.on('message', (message: keyof StopRequest) => {
    stop[message] = true
  })
  try {
    const app: ImportApp & ExportApp = {
      db,
      reader: createReader(db, standbyDb),
      clock,
      cipher: createCipher(dataKey),
      chaves: createChaves(dataKey),
      linhaHash: createLineHash(dataKey, 'linha'),
      auditoria: createAuditoria(createKeyedHash(dataKey, 'auditoria'), clock),
      ...reference,
      agravos: fixedAgravos(await loadVigentes(db)),
      duplicidadeDias,
      territories: createTerritories(reference, { required }),
      createConverter: conversionInThreads({ dataKey, municipios: input.municipios }),
      createEncoder: encodingInThread,
      ...(importBlock !== undefined && { importBlock }),
    }
    await runTask(app, job, worker, stop, step)
    return 'done'
  } catch (error) {
    if (error instanceof JobCanceled) return 'canceled'
    if (error instanceof JobLost) return 'lost'
    if (error instanceof AppError && error.is('UNAVAILABLE')) return 'unavailable'
    return { error: (error as Error)?.stack ?? String(error) }
  } finally {
    await Promise.all([db.end(), standbyDb?.end()])
  }
}

// The service is gone: the next worker resumes from the last checkpoint.
process.on('disconnect', () => process.exit(1))
// Signals to the process group (^C) are handled by the service.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
const [input] = (await once(process, 'message')) as [ChildInput]
const outcome = await main(input)
process.send?.(outcome, () => process.exit(0))
