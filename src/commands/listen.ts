import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config/config.ts'
import { envelopeError } from '../contracts/error-envelope.ts'
import { AppError } from '../errors/catalogue.ts'
import { chooseLanguage } from '../http/language.ts'
import { loadCertificate } from '../http/listener/certificate.ts'
import { trustedProxies } from '../http/listener/forwarded.ts'
import {
  type Listener,
  type ListenerLimits,
  proxiedListener,
  tlsListener,
} from '../http/listener/listener.ts'
import { requestId } from '../http/request-id.ts'
import type { Logger } from '../system/logging.ts'
import { mendable } from './mendable.ts'

/** Limit for requests being answered at a signal; leaves the rest of `EXIT_MS` (serving.ts) to workers and database. */
const FINISH_MS = 5_000

export async function createListener(
  config: Config,
  log: Logger,
  changed: Partial<ListenerLimits> = {},
): Promise<Listener> {
  const limits = { closing: FINISH_MS, ...changed }
  const renderClientError = () => bareError(new AppError('MALFORMED_REQUEST')).body
  if (config.trustProxy.length > 0) {
    await mendable(() => trustedProxies(config.trustProxy), 'TRUST_PROXY')
    return proxiedListener({ renderClientError, limits })
  }
  return tlsListener({
    certificate: await certificateOf(config),
    limits,
    renderClientError,
    refusePlain: ({ headers }) => bareError(new AppError('HTTPS_REQUIRED'), headers),
    onCertificateChange: () => log.info('certificate replaced'),
    onCertificateError: (error) =>
      log.error({ err: error }, 'the new certificate cannot be used; the old one stays'),
  })
}

/** Made at the first start, where none is given. */
function certificateOf(config: Config) {
  return mendable(() =>
    loadCertificate({
      certFile: config.tlsCertFile ?? undefined,
      keyFile: config.tlsKeyFile ?? undefined,
      dataDir: config.dataDir,
      hosts: config.publicUrl === null ? [config.host] : [config.host, new URL(config.publicUrl).hostname],
    }),
  )
}

/** An error for what never becomes a request of the server: plain HTTP, or not HTTP at all. */
function bareError(error: AppError, headers: IncomingHttpHeaders = {}) {
  const id = requestId(headers['x-request-id'])
  const language = chooseLanguage(headers['accept-language'])
  const { status, body } = envelopeError(error, { requestId: id, language, timestamp: new Date() })
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

/** The port it listens on, or null when none is configured. */
export async function startMetrics(
  config: Config,
  render: (() => Promise<string>) | undefined,
  opened: AsyncDisposableStack,
): Promise<number | null> {
  if (render === undefined || config.metricsPort === null) return null
  const { metricsServer } = await import('../http/metrics.ts')
  const server = metricsServer(render)
  opened.defer(() => void server.close())
  server.listen(config.metricsPort, config.host)
  await mendable(() => once(server, 'listening'), 'METRICS_PORT')
  return (server.address() as { port: number }).port
}
