import { setTimeout as sleep } from 'node:timers/promises'
import { buildService, type Service, type Tuning } from '../app.ts'
import type { Config } from '../config/config.ts'
import { standbyConnection } from '../db/open.ts'
import { createPool, type Pool } from '../db/pool.ts'
import type { Connection } from '../db/servers.ts'
import { startRecordingRecusas } from '../domain/auditoria/recusas.ts'
import { startFolding } from '../domain/casos/counters/counters.ts'
import { startCleaning } from '../domain/cleanup/cleanup.ts'
import { rememberRoot } from '../domain/keys/data-keys.ts'
import { startRetratos } from '../domain/publico/agenda.ts'
import { createTransport } from '../mail/transport.ts'
import type { Logger } from '../system/logging.ts'
import type { Keys } from './data-key.ts'
import { createListener } from './listen.ts'
import { mendable } from './mendable.ts'

export const clock = { now: () => new Date() }

/** Limit for statements at the end: those that still run belong to requests that were cut. */
const QUERIES_MS = 1_000

export interface InstanceParts {
  config: Config
  log: Logger
  keys: Keys
  connection: Connection
  tuning?: Tuning
}

/** One process that serves, on a database that is there. What it opens is closed in reverse order. */
export async function openInstance(
  { config, log, keys, connection, tuning = {} }: InstanceParts,
  opened: AsyncDisposableStack,
): Promise<Service> {
  const { dataKey, masterKey } = keys
  const listener = await createListener(config, log, tuning.listener)
  const db = createPool({
    connection,
    ...tuning.database,
    onConnectionError: (error) => log.warn({ err: error }, 'database connection failed'),
  })
  const limitesDb = createPool({ connection, max: 1, ...tuning.database })
  await rememberRoot(db, dataKey, clock.now())
  const standbyDb = openStandby(config, tuning)
  for (const pool of [db, limitesDb, ...(standbyDb ? [standbyDb] : [])])
    opened.defer(() => Promise.race([pool.end(), sleep(QUERIES_MS)]))
  return buildService({
    config,
    dataKey,
    masterKey: masterKey.value,
    mailTransport: createTransport(config),
    db,
    limitesDb,
    ...(standbyDb && { standbyDb }),
    connection,
    clock,
    log,
    listener,
    tuning,
  })
}

/** Connection time-out of a standby; after it a read goes to the primary. */
const STANDBY_WAIT_MS = 500

function openStandby(config: Config, { database }: Tuning): Pool | null {
  const connection = standbyConnection(config)
  if (connection === null) return null
  return createPool({ connection, max: 5, ...database, waitMs: STANDBY_WAIT_MS })
}

/** Starts the background work and listens. */
export async function runInstance(
  config: Config,
  log: Logger,
  service: Service,
  opened: AsyncDisposableStack,
): Promise<void> {
  opened.defer(startCleaning(service.app, (error) => log.warn({ err: error }, 'cleaning failed')))
  opened.defer(
    startFolding(
      service.app,
      (error) => log.warn({ err: error }, 'counting failed'),
      (until) => service.metrics?.countersComplete(until),
    ),
  )
  const onRecordingError = (error: unknown) => log.warn({ err: error }, 'refusals could not be recorded')
  opened.defer(startRecordingRecusas(service.app, onRecordingError))
  service.mailWorker.start()
  opened.defer(() => service.mailWorker.stop())
  if (config.publico)
    opened.defer(
      startRetratos(service.app, (error) => log.warn({ err: error }, 'public numbers could not be made')),
    )
  if (config.worker) {
    service.jobWorker.start()
    opened.defer(() => service.jobWorker.stop())
    service.webhookWorker.start()
    opened.defer(() => service.webhookWorker.stop())
    service.agendaDeAlertas.start()
    opened.defer(() => service.agendaDeAlertas.stop())
    service.agendaDeDuplicidades.start()
    opened.defer(() => service.agendaDeDuplicidades.stop())
    service.agendaDeBoletins.start()
    opened.defer(() => service.agendaDeBoletins.stop())
    service.publicacao.start()
    opened.defer(() => service.publicacao.stop())
  }
  opened.defer(() => service.server.close())
  await mendable(() => service.server.listen({ host: config.host, port: config.port }), 'HOST, PORT')
}
