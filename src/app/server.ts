import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { COLLISIONS, slashMatters } from '../contracts/collisions.ts'
import { envelopeError } from '../contracts/error-envelope.ts'
import { describedContracts } from '../contracts/service.routes.ts'
import { serveSso } from '../contracts/sso.pages.ts'
import type { App } from '../domain/app.ts'
import { createKeyedHash } from '../domain/cipher.ts'
import { answerOnce } from '../domain/idempotency/idempotency.ts'
import { createRateLimits } from '../domain/rate-limits/rate-limits.ts'
import { authenticateBearer, authenticateCookie } from '../domain/sessoes/authenticate.ts'
import { loadConsole } from '../http/console.ts'
import { serveDocumentation } from '../http/documentation.ts'
import { asksForItself, forwardedSecurity, trustedProxies } from '../http/listener/forwarded.ts'
import type { Metrics } from '../http/metrics.ts'
import { createRateLimit, type RateLimit } from '../http/rate-limit.ts'
import { createServer, routeOf } from '../http/server.ts'
import type { Logger } from '../system/logging.ts'
import type { Parts } from './parts.ts'

const DESCRIPTION =
  'Vigilância em saúde: contas, grupos e permissões, casos de agravos notificáveis. ' +
  'Toda resposta traz os cabeçalhos `X-RateLimit-*`, descritos na resposta `default` de cada operação, onde estão ' +
  'também os erros que qualquer requisição pode encontrar. Filtros aceitam operadores entre colchetes: `idade[gte]=60`.'

export interface ServedApp {
  server: FastifyInstance
  /** OpenAPI document. */
  document(): Record<string, unknown>
}

/** The routes of both descriptions, the documentation, the console and the pages of single sign-on. */
export async function createAppServer(app: App, parts: Parts, metrics: Metrics | null): Promise<ServedApp> {
  const { config, db, clock, log, listener, tuning = {} } = parts
  const described = describedContracts({
    title: 'Vigia',
    version: app.version,
    description: DESCRIPTION,
    publicUrl: config.publicUrl,
    withPublic: config.publico,
    live: app.agravos.live,
  })
  const rateLimit = rateLimitOf(parts)
  const webConsole = await loadConsole({
    ambiente: config.ambiente,
    provedores: config.oidcProvedores,
    ...(parts.assets && { assets: parts.assets }),
  })
  const proxy = behindProxy(config.trustProxy)
  const server = createServer<App>({
    app,
    contracts: described.contracts,
    renderError: envelopeError,
    authenticate: (secret, origin) => authenticateBearer(app, secret, origin),
    authenticateCookie: (value, origin) => authenticateCookie(app, value, origin),
    publicUrl: config.publicUrl,
    answerOnce,
    slashMatters,
    collisions: COLLISIONS,
    live: app.agravos.live,
    clock,
    ...(tuning.bodyMs !== undefined && { bodyTimeoutMs: tuning.bodyMs }),
    fastify: { ...(proxy && { trustProxy: proxy.isTrusted }), ...listener },
    ...(proxy && { isSecure: proxy.isSecure }),
    ...(rateLimit && { rateLimit }),
    overload: {
      waitedMs: db.waitedMs,
      onRefusal: () => metrics?.countRefusal(),
      onOverload: () => log.warn('too many requests: refusing the excess'),
    },
    ...(webConsole && { answerUnknown: webConsole.answerUnknown }),
    onResponse(request, reply) {
      metrics?.observe(request, reply)
      logRequest(log, request, reply)
    },
    onFault: (error, request) =>
      log.error({ err: error, request_id: request.id, route: routeOf(request) }, 'fault'),
  })
  server.addHook('preClose', async () => app.fimDoFeed.close())
  await serveDocumentation(server)
  if (webConsole === null) log.warn('the console is not built: npm run build')
  webConsole?.serve(server)
  serveSso(server, app)
  return { server, document: () => described.document }
}

function rateLimitOf({ config, dataKey, db, limitesDb = db, clock, log }: Parts): RateLimit | null {
  if (config.rateLimits === 'off') return null
  const rateLimits = createRateLimits({
    db: limitesDb,
    clock,
    hashOf: createKeyedHash(dataKey, 'endereco'),
    lifted: config.rateLimits === 'count',
    onError: (error) => log.warn({ err: error }, 'requests could not be counted'),
  })
  return createRateLimit({
    take: ({ caller, address, isPublic }, timeoutMs) =>
      rateLimits.take(
        caller
          ? { id: caller.id, plano: caller.plano, isConsole: caller.cookie !== undefined }
          : { address, isPublic },
        timeoutMs,
      ),
    clock,
  })
}

/** Trust in the proxy that ends TLS: its addresses, and the test of a request for TLS on its way to it; null without a proxy. */
function behindProxy(trustProxy: string[]) {
  if (trustProxy.length === 0) return null
  const isTrusted = trustedProxies(trustProxy)
  const isSecure = ({ socket, headers, routeOptions }: FastifyRequest) =>
    forwardedSecurity(socket.remoteAddress, isTrusted, headers).secure ||
    (routeOptions.config.forMonitors === true && asksForItself(socket.remoteAddress, isTrusted, headers))
  return { isTrusted, isSecure }
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
