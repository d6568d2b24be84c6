import cluster from 'node:cluster'
import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { openBeside, openForService } from '../db/open.ts'
import { type FirstAdministrador, seed } from '../domain/seed.ts'
import type { Logger } from '../logging.ts'
import { announce } from './announce.ts'
import { type Keys, loadKeys, openInstance, runInstance } from './instance.ts'
import { startMetrics } from './listen.ts'
import { mendable } from './mendable.ts'
import { onSignal } from './signals.ts'
import { supervise } from './supervise.ts'

/** The whole process is gone this long after a signal, whatever happens. */
const EXIT_MS = 9_500

/**
 * Starts the service and leaves it running until a signal: alone in this process, or as several instances that share
 * the port under this one. What was opened is closed in reverse order.
 */
export async function serve(config: Config, log: Logger): Promise<void> {
  // Nothing is in hand until it listens.
  onSignal(() => process.exit(0))
  const opened = new AsyncDisposableStack()
  try {
    if (cluster.isWorker) await serveAsOneOfMany(config, log, opened)
    else await serveAsOwner(config, log, opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

async function serveAsOwner(config: Config, log: Logger, opened: AsyncDisposableStack): Promise<void> {
  await mendable(() => mkdir(config.dataDir, { recursive: true, mode: 0o711 }), 'DATA_DIR')
  const keys = await loadKeys(config)
  const database = await openForService(config, (message) => log.info(message))
  opened.defer(() => database.close())
  const applied = await migrate(database.connection, await readMigrations())
  if (applied.length > 0) log.info({ applied }, 'migrations applied')
  const several = config.instances > 1
  // Several instances are processes of their own; here one is only built, to seed the database.
  const instance = several ? new AsyncDisposableStack() : opened
  const service = await openInstance(config, log, keys, database.connection, instance)
  const admin = await seed(service.app, { email: config.adminEmail, password: config.adminPassword })
  if (several) {
    await instance.disposeAsync()
    await superviseInstances(config, log, keys, admin, opened)
    return
  }
  await runInstance(config, log, service, opened)
  const metrics = await startMetrics(config, service.metrics?.render, opened)
  stopOnSignal(log, () => opened.disposeAsync())
  announce(config, { service: (service.server.server.address() as AddressInfo).port, metrics }, admin, keys)
}

async function superviseInstances(
  config: Config,
  log: Logger,
  keys: Keys,
  admin: FirstAdministrador | null,
  opened: AsyncDisposableStack,
): Promise<void> {
  const instances = await supervise(config.instances, log)
  opened.defer(() => instances.stop())
  const metrics = await startMetrics(config, instances.renderMetrics, opened)
  stopOnSignal(log, () => opened.disposeAsync())
  process.on('SIGHUP', () => {
    log.info('replacing the instances one by one')
    instances.replaceAll().catch((error) => log.error({ err: error }, 'an instance could not be replaced'))
  })
  announce(config, { service: instances.port, metrics }, admin, keys)
}

/** The supervisor has prepared everything; without it there is nothing to serve for. */
async function serveAsOneOfMany(config: Config, log: Logger, opened: AsyncDisposableStack): Promise<void> {
  const stop = () => opened.disposeAsync()
  const service = await openInstance(config, log, await loadKeys(config), await openBeside(config), opened)
  service.metrics?.shareWithSupervisor()
  await runInstance(config, log, service, opened)
  const end = endWith(log, stop)
  process.on('disconnect', () => end())
  onSignal(end)
}

/** The first signal stops the service; npm passes signals on, so the same one may come again and changes nothing. */
function stopOnSignal(log: Logger, stop: () => Promise<void>): void {
  onSignal(endWith(log, stop))
}

function endWith(log: Logger, stop: () => Promise<void>): (signal?: NodeJS.Signals) => void {
  let stopping = false
  return (signal) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(0), EXIT_MS).unref()
    stop().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
}
