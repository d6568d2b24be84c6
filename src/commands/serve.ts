import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildService, type Service } from '../app.ts'
import { type Config, StartupError } from '../config.ts'
import { envelopeError } from '../contracts/error-envelope.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { openForService } from '../db/open.ts'
import { createPool } from '../db/pool.ts'
import { startCleaning } from '../domain/limpeza/limpeza.ts'
import { type FirstAdministrador, seed } from '../domain/seed.ts'
import { AppError } from '../errors/catalogue.ts'
import { loadCertificate } from '../http/certificate.ts'
import { trustedProxies } from '../http/forwarded.ts'
import { chooseLanguage } from '../http/language.ts'
import { type Listener, proxiedListener, tlsListener } from '../http/listener.ts'
import { requestId } from '../http/request-id.ts'
import type { Logger } from '../logging.ts'
import { createTransport } from '../mail/transport.ts'
import { loadDataKey, loadMasterKey } from '../secrets.ts'
import { onSignal } from './signals.ts'

const clock = { now: () => new Date() }

/** Requests in hand get this long after a signal; the whole process is gone a little later, whatever happens. */
const FINISH_MS = 6_000
/** Statements that still run then belong to requests that were cut. */
const QUERIES_MS = 1_000
const EXIT_MS = 9_500

/** Starts the service and leaves it running until a signal. What was opened is closed in reverse order. */
export async function serve(config: Config, log: Logger): Promise<void> {
  // Nothing is in hand until it listens.
  onSignal(() => process.exit(0))
  const opened = new AsyncDisposableStack()
  try {
    await mendable(() => mkdir(config.dataDir, { recursive: true, mode: 0o711 }), 'DATA_DIR')
    const dataKey = await loadDataKey(config)
    const masterKey = await loadMasterKey(config)
    const listener = await createListener(config, log)
    const database = await openForService(config, (message) => log.info(message))
    opened.defer(() => database.close())
    const applied = await migrate(database.connection, await readMigrations())
    if (applied.length > 0) log.info({ applied }, 'migrations applied')
    const db = createPool({
      connection: database.connection,
      onConnectionError: (error) => log.warn({ err: error }, 'database connection failed'),
    })
    opened.defer(() => Promise.race([db.end(), sleep(QUERIES_MS)]))
    const service = await buildService({
      config,
      dataKey,
      masterKey: masterKey.value,
      mailTransport: createTransport(config),
      db,
      connection: database.connection,
      clock,
      log,
      listener,
    })
    const admin = await seed(service.app, { email: config.adminEmail, password: config.adminPassword })
    opened.defer(startCleaning(service.app, (error) => log.warn({ err: error }, 'cleaning failed')))
    service.mailWorker.start()
    opened.defer(() => service.mailWorker.stop())
    if (config.worker) {
      service.jobWorker.start()
      opened.defer(() => service.jobWorker.stop())
      service.webhookWorker.start()
      opened.defer(() => service.webhookWorker.stop())
    }
    opened.defer(() => service.server.close())
    await mendable(() => service.server.listen({ host: config.host, port: config.port }), 'HOST, PORT')
    await startMetrics(config, service, opened)
    stopOnSignal(log, () => opened.disposeAsync())
    announce(config, service, admin, masterKey)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** For steps that fail by what the operator configured. */
async function mendable<T>(step: () => T | Promise<T>, variables?: string): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const { message } = error as Error
    throw new StartupError(variables === undefined ? message : `${variables}: ${message}`)
  }
}

async function createListener(config: Config, log: Logger): Promise<Listener> {
  const limits = { closing: FINISH_MS }
  const renderClientError = () => bareError(new AppError('MALFORMED_REQUEST')).body
  if (config.trustProxy.length > 0) {
    await mendable(() => trustedProxies(config.trustProxy), 'TRUST_PROXY')
    return proxiedListener({ renderClientError, limits })
  }
  const certificate = await mendable(() =>
    loadCertificate({
      certFile: config.tlsCertFile ?? undefined,
      keyFile: config.tlsKeyFile ?? undefined,
      dataDir: config.dataDir,
      hosts: config.publicUrl === null ? [config.host] : [config.host, new URL(config.publicUrl).hostname],
    }),
  )
  return tlsListener({
    certificate,
    limits,
    renderClientError,
    refusePlain: ({ headers }) => bareError(new AppError('HTTPS_REQUIRED'), headers),
    onCertificateChange: () => log.info('certificate replaced'),
    onCertificateError: (error) =>
      log.error({ err: error }, 'the new certificate cannot be used; the old one stays'),
  })
}

/** An error for what never becomes a request of the server: plain HTTP, or not HTTP at all. */
function bareError(error: AppError, headers: IncomingHttpHeaders = {}) {
  const id = requestId(headers['x-request-id'])
  const language = chooseLanguage(headers['accept-language'])
  const { status, body } = envelopeError(error, { requestId: id, language, timestamp: clock.now() })
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': id,
      'cache-control': 'no-store',
    },
    body: JSON.stringify(body),
  }
}

async function startMetrics(
  config: Config,
  { metrics }: Service,
  opened: AsyncDisposableStack,
): Promise<void> {
  if (metrics === null || config.metricsPort === null) return
  opened.defer(() => void metrics.server.close())
  metrics.server.listen(config.metricsPort, config.host)
  await mendable(() => once(metrics.server, 'listening'), 'METRICS_PORT')
}

/** The first signal stops the service; npm passes signals on, so the same one may come again and changes nothing. */
function stopOnSignal(log: Logger, stop: () => Promise<void>): void {
  let stopping = false
  onSignal((signal) => {
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
  })
}

/** To people, not to the log: where it is and, once, how to get in. */
function announce(
  config: Config,
  { server, metrics }: Service,
  admin: FirstAdministrador | null,
  masterKey: { value: string; generated: boolean },
): void {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const at = (listening: Server) => `${host}:${(listening.address() as AddressInfo).port}`
  const scheme = config.trustProxy.length > 0 ? 'http' : 'https'
  const address = config.publicUrl ?? `${scheme}://${at(server.server)}`
  const lines = [`Vigia is ready at ${address}`, `Documentation: ${address}/docs`]
  if (metrics !== null) lines.push(`Metrics: http://${at(metrics.server)}/metrics`)
  if (admin !== null) {
    lines.push(`Administrator: ${admin.email}`)
    if (admin.generatedPassword !== null) lines.push(`Password (shown only now): ${admin.generatedPassword}`)
  }
  if (masterKey.generated) lines.push(`Master key for sign-ups (shown only now): ${masterKey.value}`)
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
}
