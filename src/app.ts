import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import { slashMatters } from './contracts/collisions.ts'
import { envelopeError } from './contracts/error-envelope.ts'
import { describedContracts } from './contracts/service.routes.ts'
import type { Pool } from './db/pool.ts'
import type { App, Clock } from './domain/app.ts'
import { loadSigningKeys } from './domain/chaves/chaves.ts'
import { createCipher } from './domain/cipher.ts'
import { createAccessTokens } from './domain/sessoes/access-tokens.ts'
import { authenticate } from './domain/sessoes/authenticate.ts'
import { createPasswords } from './domain/sessoes/passwords.ts'
import { AppError } from './errors/catalogue.ts'
import { serveDocs } from './http/docs.ts'
import { forwardedSecurity, trustedProxies } from './http/forwarded.ts'
import type { Listener } from './http/listener.ts'
import { createMetrics, type Metrics, routeOf } from './http/metrics.ts'
import { createServer } from './http/server.ts'
import type { Logger } from './logging.ts'

export interface Parts {
  config: Config
  dataKey: Buffer
  db: Pool
  clock: Clock
  log: Logger
  /** How Fastify listens: TLS, plain behind a proxy, or not at all in tests. */
  listener: Partial<Listener>
}

export interface Service {
  app: App
  server: FastifyInstance
  metrics: Metrics | null
  document: Record<string, unknown>
}

/** The composition root: everything that exists is named here once. */
export async function buildService({ config, dataKey, db, clock, log, listener }: Parts): Promise<Service> {
  const cipher = createCipher(dataKey)
  const keys = await loadSigningKeys(db, cipher)
  const version = await packageVersion()
  const app: App = {
    db,
    clock,
    passwords: createPasswords(),
    accessTokens: createAccessTokens(keys, config.publicUrl ?? 'vigia', clock),
    version,
    ambiente: config.ambiente,
    dataDir: config.dataDir,
  }
  const metrics = config.metricsPort === null ? null : createMetrics(db.usage)
  const { contracts, document } = describedContracts({
    title: 'Vigia',
    version,
    description: 'Vigilância em saúde: contas, grupos e permissões, casos de agravos notificáveis.',
    serverUrl: config.publicUrl ?? '/',
    tokenUrl: `${config.publicUrl ?? ''}/api/v1/usuarios/login_sw`,
  })
  const isTrusted = config.trustProxy.length > 0 ? trustedProxies(config.trustProxy) : null
  const server = createServer<App>({
    app,
    contracts,
    renderError: envelopeError,
    authenticate: (token) => authenticate(app, token),
    slashMatters,
    clock,
    fastify: { ...(isTrusted && { trustProxy: isTrusted }), ...listener },
    ...(isTrusted && {
      admit: ({ socket, headers }: FastifyRequest) => {
        if (!forwardedSecurity(socket.remoteAddress, isTrusted, headers).secure)
          throw new AppError('HTTPS_REQUIRED')
      },
    }),
    onResponse(request, reply) {
      metrics?.observe(request, reply)
      logRequest(log, request, reply)
    },
    onFault: (error, request) =>
      log.error({ err: error, request_id: request.id, route: routeOf(request) }, 'fault'),
  })
  await serveDocs(server)
  return { app, server, metrics, document }
}

function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  log.info(
    {
      request_id: request.id,
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      usuario_id: request.caller?.id,
    },
    'request',
  )
}

async function packageVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  return version
}
