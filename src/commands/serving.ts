import type { AddressInfo } from 'node:net'
import type { Service } from '../app.ts'
import type { Config } from '../config/config.ts'
import { openBeside } from '../db/open.ts'
import { seed } from '../domain/seed.ts'
import type { Logger } from '../system/logging.ts'
import { announce, credentialLines, print } from './announce.ts'
import { loadKeys } from './data-key.ts'
import { type InstanceParts, openInstance, runInstance } from './instance.ts'
import { startMetrics } from './listen.ts'
import { onSignal } from './signals.ts'
import { supervise } from './supervise.ts'

/** The process exits this long after a signal, whatever happens: before the usual 10 s until SIGKILL. */
const EXIT_MS = 9_500

export type Start = Omit<InstanceParts, 'keys' | 'connection'>

/** Seeds the database, gives the held ports back and listens there. */
export async function serveOnDatabase(
  parts: InstanceParts,
  ports: AsyncDisposableStack,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { config, log, keys } = parts
  const several = config.instances > 1
  // Several instances are processes of their own; here one is only built, to seed the database.
  const instance = several ? new AsyncDisposableStack() : opened
  const service = await openInstance(parts, instance)
  const admin = await seed(service.app, { email: config.adminEmail, password: config.adminPassword })
  const credentials = credentialLines(admin, keys)
  try {
    await ports.disposeAsync()
    if (several) await instance.disposeAsync()
    const listening = several
      ? await superviseInstances(config, log, opened)
      : await listen(config, log, service, opened)
    stopOnSignal(log, () => opened.disposeAsync())
    announce(config, listening, credentials)
  } catch (error) {
    // The next start finds an administrator and makes no password any more.
    print(credentials)
    throw error
  }
}

interface Ports {
  service: number
  metrics: number | null
}

async function listen(
  config: Config,
  log: Logger,
  service: Service,
  opened: AsyncDisposableStack,
): Promise<Ports> {
  await runInstance(config, log, service, opened)
  const metrics = await startMetrics(config, service.metrics?.render, opened)
  return { service: (service.server.server.address() as AddressInfo).port, metrics }
}

async function superviseInstances(config: Config, log: Logger, opened: AsyncDisposableStack): Promise<Ports> {
  const starting = supervise(config.instances, log)
  // Before all of them listen, too: without a handler SIGHUP ends the supervisor at once, and leaves its database running.
  process.on('SIGHUP', () => {
    log.info('replacing the instances one by one')
    starting
      .then((instances) => instances.replaceAll())
      .catch((error) => log.error({ err: error }, 'an instance could not be replaced'))
  })
  const instances = await starting
  opened.defer(() => instances.stop())
  const metrics = await startMetrics(config, instances.renderMetrics, opened)
  return { service: instances.port, metrics }
}

/** The supervisor has prepared everything; an instance ends with it. */
export async function serveAsOneOfMany(start: Start, opened: AsyncDisposableStack): Promise<void> {
  const { config, log } = start
  const stop = () => opened.disposeAsync()
  const connection = await openBeside(config)
  const keys = await loadKeys(config, connection)
  const service = await openInstance({ ...start, keys, connection }, opened)
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
