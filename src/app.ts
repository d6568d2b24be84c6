import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loadMunicipios } from './brasil/municipios.ts'
import { loadPopulacao } from './brasil/populacao.ts'
import { lazyEstruturaEtaria } from './brasil/populacao-sexo-faixa.ts'
import { indexTerritorios } from './brasil/territorios.ts'
import type { Config } from './config/config.ts'
import { publicUrlOf } from './config/public-url.ts'
import { COLLISIONS, slashMatters } from './contracts/collisions.ts'
import { envelopeError } from './contracts/error-envelope.ts'
import { describedContracts } from './contracts/service.routes.ts'
import { serveSso } from './contracts/sso.pages.ts'
import type { Database, Db } from './db/db.ts'
import { standbyConnection } from './db/open.ts'
import type { Pool, PoolOptions } from './db/pool.ts'
import { createReader } from './db/reader.ts'
import type { Connection } from './db/servers.ts'
import { createAgendaDeAlertas } from './domain/alertas/agenda.ts'
import type { App } from './domain/app.ts'
import { createAuditoria } from './domain/auditoria/auditoria.ts'
import { createAgendaDeBoletins } from './domain/boletins/vencidas.ts'
import { createAgravos } from './domain/casos/agravos/registro.ts'
import { createAgendaDeDuplicidades } from './domain/casos/duplicidades/agenda.ts'
import { createChaves } from './domain/casos/sigilo.ts'
import { createCipher, createKeyedHash, createLineHash, type KeyMaterial } from './domain/cipher.ts'
import type { MailTransport } from './domain/emails/mail.ts'
import { createMailWorker, type MailWorker, type MailWorkerOptions } from './domain/emails/worker.ts'
import { createFimDoFeed } from './domain/eventos/fim-do-feed.ts'
import { createMeasures } from './domain/health/measures.ts'
import { createSistema } from './domain/health/sistema.ts'
import { answerOnce } from './domain/idempotency/idempotency.ts'
import { openKeyring } from './domain/keys/keys.ts'
import { createPublicacao } from './domain/noticias/publicar.ts'
import { createProvedores } from './domain/oidc/provedores.ts'
import { createRateLimits } from './domain/rate-limits/rate-limits.ts'
import { createAccessTokens } from './domain/sessoes/access-tokens.ts'
import { authenticateBearer, authenticateCookie } from './domain/sessoes/authenticate.ts'
import { createCallers } from './domain/sessoes/callers.ts'
import { createLockout } from './domain/sessoes/lockout.ts'
import { createPasswords, type Passwords } from './domain/sessoes/passwords.ts'
import { createArvore } from './domain/territorios/arvore.ts'
import { createTerritories } from './domain/territorios/conta.ts'
import { createMasterKey } from './domain/usuarios/master-key.ts'
import {
  createWebhookWorker,
  type WebhookWorker,
  type WebhookWorkerOptions,
} from './domain/webhooks/worker.ts'
import { type Assets, loadConsole } from './http/console.ts'
import { serveDocumentation } from './http/documentation.ts'
import { asksForItself, forwardedSecurity, trustedProxies } from './http/listener/forwarded.ts'
import type { Listener, ListenerLimits } from './http/listener/listener.ts'
import type { Metrics } from './http/metrics.ts'
import { createRateLimit } from './http/rate-limit.ts'
import { createServer, routeOf } from './http/server.ts'
import { createOutbound, type Outbound } from './outbound/outbound.ts'
import { ALL_TARGETS, PUBLIC_TARGETS, type TargetPolicy, targetsWithin } from './outbound/policy.ts'
import type { Clock } from './system/clock.ts'
import { createLimiter } from './system/limiter.ts'
import type { Logger } from './system/logging.ts'
import { networkList } from './system/networks.ts'
import { createQuota } from './system/quota.ts'
import { renderInThread } from './worker/documento.ts'
import { abandonIn, runHere, runInProcess } from './worker/run.ts'
import { suppressInThread } from './worker/suppression.ts'
import type { JobTimings } from './worker/timings.ts'
import { createJobWorker, type JobWorker } from './worker/worker.ts'

/** Queue time-out of requests with an idempotency key: those ahead of them may hang with the database. */
const KEYED_TIMEOUT_MS = 3_000

/** Queue time-out of documents: each is drawn alone, in seconds. */
const DOCUMENT_TIMEOUT_MS = 30_000

const DESCRIPTION =
  'Vigilância em saúde: contas, grupos e permissões, casos de agravos notificáveis. ' +
  'Toda resposta traz os cabeçalhos `X-RateLimit-*`, descritos na resposta `default` de cada operação, onde estão ' +
  'também os erros que qualquer requisição pode encontrar. Filtros aceitam operadores entre colchetes: `idade[gte]=60`.'

export interface Parts {
  config: Config
  dataKey: KeyMaterial
  masterKey: string
  mailTransport: MailTransport
  /** Hashing at another cost, for tests. */
  passwords?: Passwords
  /** HTTP client of webhooks, for tests. */
  outbound?: Outbound
  /** Files of the console, for tests, which make hundreds of services in a process. */
  assets?: Assets
  db: Pool
  /** Pool for rate limits: counting must not queue behind the requests it limits. By default `db`. */
  limitesDb?: Db
  /** Standby for long reads. */
  standbyDb?: Database
  /** Database connection for the processes of jobs; without it jobs run in this one. */
  connection?: Connection
  clock: Clock
  log: Logger
  /** Fastify's listener: TLS, plain behind a proxy, or none in tests. */
  listener: Partial<Listener>
  tuning?: Tuning
}

/** Limits that tests shorten instead of waiting for them; each default stands where the limit is applied. */
export interface Tuning {
  /** Limit of a request's body; uploads have `listener.request`. */
  bodyMs?: number
  listener?: Partial<ListenerLimits>
  database?: Pick<PoolOptions, 'waitMs' | 'statementTimeoutMs' | 'idleInTransactionMs'>
  mail?: MailWorkerOptions['timing']
  webhooks?: WebhookWorkerOptions['timing']
  jobs?: Partial<JobTimings>
  /** Rows per checkpoint of an import. */
  importBlock?: number
}

export interface Service {
  app: App
  server: FastifyInstance
  metrics: Metrics | null
  mailWorker: MailWorker
  jobWorker: JobWorker
  webhookWorker: WebhookWorker
  /** Asks for the computation of alerts when it is due. */
  agendaDeAlertas: ReturnType<typeof createAgendaDeAlertas>
  /** Asks for the comparison of changed cases. */
  agendaDeDuplicidades: ReturnType<typeof createAgendaDeDuplicidades>
  /** Runs due schedules of bulletins. */
  agendaDeBoletins: ReturnType<typeof createAgendaDeBoletins>
  /** Tells of news whose day has come. */
  publicacao: ReturnType<typeof createPublicacao>
  /** OpenAPI document. */
  document(): Record<string, unknown>
}

/** The composition root: everything that exists is named here once. */
export async function buildService(parts: Parts): Promise<Service> {
  const { config, dataKey, db, clock, log, listener, tuning = {} } = parts
  const cipher = createCipher(dataKey)
  const keyring = await openKeyring({ db, cipher, clock })
  const version = await packageVersion()
  const webhookTargets = webhookTargetsOf(config)
  const metrics: Metrics | null =
    config.metricsPort === null
      ? null
      : (await loadMetrics()).createMetrics({ poolUsage: db.usage, measurements: createMeasures(db) })
  const mailWorker = createMailWorker({
    db,
    clock,
    transport: parts.mailTransport,
    publicUrl: publicUrlOf(config),
    ...(tuning.mail && { timing: tuning.mail }),
    onError: (error, email) => {
      if (email?.gaveUp) metrics?.countMailGivenUp()
      log[email?.gaveUp ? 'error' : 'warn']({ err: error, email }, 'a mail could not be sent')
    },
  })
  const reference = await loadTerritorio()
  const agravos = await createAgravos(db, (error) =>
    log.warn({ err: error }, 'definitions of diseases cannot be read'),
  )
  const territories = createTerritories(reference, { required: config.territorioObrigatorio })
  const app: App = {
    db,
    reader: createReader(db, parts.standbyDb ?? null),
    clock,
    cipher,
    passwords: parts.passwords ?? createPasswords(),
    passwordPolicy: { refuseCommon: config.ambiente === 'production' },
    masterKey: createMasterKey(parts.masterKey),
    lockout: createLockout(createKeyedHash(dataKey, 'conta')),
    keyring,
    accessTokens: createAccessTokens(keyring, config.publicUrl ?? 'vigia', clock),
    callers: createCallers(db, territories),
    refreshKey: createKeyedHash(dataKey, 'refresh'),
    cookieKey: createKeyedHash(dataKey, 'cookie'),
    backupCodeKey: createKeyedHash(dataKey, 'codigo-de-reserva'),
    identidadeKey: createKeyedHash(dataKey, 'identidade'),
    provedores: createProvedores(config.oidcProvedores, {
      clock,
      onFault: (falha) => log.warn(falha, 'a single sign-on was refused'),
    }),
    chaves: createChaves(dataKey),
    linhaHash: createLineHash(dataKey, 'linha'),
    ...reference,
    territories,
    agravos,
    idempotencyKey: createKeyedHash(dataKey, 'idempotencia'),
    keyedRequests: createLimiter(4, 200, KEYED_TIMEOUT_MS),
    auditoria: createAuditoria(createKeyedHash(dataKey, 'auditoria'), clock),
    images: createLimiter(2, 20),
    mailer: mailWorker,
    jobs: { wake: () => jobWorker.wake() },
    jobStreams: createQuota(5),
    feedStreams: createQuota(5),
    fimDoFeed: createFimDoFeed(db, (error) => log.warn({ err: error }, 'the end of the feed cannot be read')),
    outbound: parts.outbound ?? createOutbound({ targets: webhookTargets }),
    webhookTargets,
    webhookTests: createLimiter(8, 50),
    sistema: createSistema({ db, clock, dataDir: config.dataDir }),
    version,
    duplicidadeDias: config.duplicidadeDias,
    publico: { minimo: config.supressaoMinimo, suppress: suppressInThread, making: new Map() },
    documentos: { render: renderInThread, limite: createLimiter(1, 20, DOCUMENT_TIMEOUT_MS) },
    ambiente: config.ambiente,
    dataDir: config.dataDir,
    publicUrl: publicUrlOf(config),
  }
  const blocks = tuning.importBlock === undefined ? {} : { importBlock: tuning.importBlock }
  const jobWorker: JobWorker = createJobWorker({
    app,
    run: parts.connection
      ? runInProcess(
          {
            connection: parts.connection,
            standby: standbyConnection(config),
            dataKey,
            municipios: app.municipios.all,
            territorioObrigatorio: config.territorioObrigatorio,
            duplicidadeDias: config.duplicidadeDias,
            ...blocks,
          },
          tuning.jobs,
        )
      : runHere({ ...app, ...blocks }),
    abandon: abandonIn(app),
    ...(tuning.jobs && { timings: tuning.jobs }),
    onError: (error, job) =>
      log.error(
        { err: error, job_id: job?.id, tipo: job?.tipo },
        job ? 'a job failed' : 'no job could be taken',
      ),
  })
  const webhookWorker = createWebhookWorker({
    app,
    ...(tuning.webhooks && { timing: tuning.webhooks }),
    onError: (error) => log.error({ err: error }, 'webhooks cannot be delivered'),
  })
  const agendaDeAlertas = createAgendaDeAlertas(app, (error) =>
    log.error({ err: error }, 'alerts cannot be asked for'),
  )
  const agendaDeDuplicidades = createAgendaDeDuplicidades(app, (error) =>
    log.error({ err: error }, 'the comparison of cases cannot be asked for'),
  )
  const agendaDeBoletins = createAgendaDeBoletins(app, (error) =>
    log.error({ err: error }, 'schedules of bulletins cannot be run'),
  )
  const publicacao = createPublicacao(app, (error) =>
    log.error({ err: error }, 'news of today cannot be told of'),
  )
  const described = describedContracts({
    title: 'Vigia',
    version,
    description: DESCRIPTION,
    publicUrl: config.publicUrl,
    withPublic: config.publico,
    live: agravos.live,
  })
  const rateLimits =
    config.rateLimits === 'off'
      ? null
      : createRateLimits({
          db: parts.limitesDb ?? db,
          clock,
          hashOf: createKeyedHash(dataKey, 'endereco'),
          lifted: config.rateLimits === 'count',
          onError: (error) => log.warn({ err: error }, 'requests could not be counted'),
        })
  const isTrusted = config.trustProxy.length > 0 ? trustedProxies(config.trustProxy) : null
  const webConsole = await loadConsole({
    ambiente: config.ambiente,
    provedores: config.oidcProvedores,
    ...(parts.assets && { assets: parts.assets }),
  })
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
    live: agravos.live,
    clock,
    ...(tuning.bodyMs !== undefined && { bodyTimeoutMs: tuning.bodyMs }),
    fastify: { ...(isTrusted && { trustProxy: isTrusted }), ...listener },
    ...(isTrusted && {
      isSecure: ({ socket, headers, routeOptions }: FastifyRequest) =>
        forwardedSecurity(socket.remoteAddress, isTrusted, headers).secure ||
        (routeOptions.config.forMonitors === true && asksForItself(socket.remoteAddress, isTrusted, headers)),
    }),
    ...(rateLimits && {
      rateLimit: createRateLimit({
        take: ({ caller, address, isPublic }, timeoutMs) =>
          rateLimits.take(
            caller
              ? { id: caller.id, plano: caller.plano, isConsole: caller.cookie !== undefined }
              : { address, isPublic },
            timeoutMs,
          ),
        clock,
      }),
    }),
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
  return {
    ...{
      app,
      server,
      metrics,
      mailWorker,
      jobWorker,
      webhookWorker,
      agendaDeAlertas,
      agendaDeDuplicidades,
      agendaDeBoletins,
      publicacao,
    },
    document: () => described.document,
  }
}

/** Its library is loaded only where there is a port for it. */
const loadMetrics = () => import('./http/metrics.ts')

let reference: ReturnType<typeof readTerritorio> | undefined

/** Reference data, in memory: read once for all services of a process. */
function loadTerritorio(): ReturnType<typeof readTerritorio> {
  reference ??= readTerritorio()
  return reference
}

async function readTerritorio() {
  const [municipios, populacao] = await Promise.all([loadMunicipios(), loadPopulacao()])
  const territorios = indexTerritorios(municipios.all)
  const arvore = createArvore({ municipios, territorios, populacao })
  return { municipios, territorios, populacao, arvore, estruturaEtaria: lazyEstruturaEtaria() }
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

function webhookTargetsOf({ webhookAllowPrivate, webhookNetworks }: Config): TargetPolicy {
  if (webhookAllowPrivate) return ALL_TARGETS
  return webhookNetworks.length === 0
    ? PUBLIC_TARGETS
    : targetsWithin(networkList(webhookNetworks, 'WEBHOOK_NETWORKS'))
}
