import { loadMunicipios } from '../brasil/municipios.ts'
import { loadPopulacao } from '../brasil/populacao.ts'
import { lazyEstruturaEtaria } from '../brasil/populacao-sexo-faixa.ts'
import { indexTerritorios } from '../brasil/territorios.ts'
import type { Config } from '../config/config.ts'
import { publicUrlOf } from '../config/public-url.ts'
import { createReader } from '../db/reader.ts'
import type { App } from '../domain/app.ts'
import { createAuditoria } from '../domain/auditoria/auditoria.ts'
import { createAgravos } from '../domain/casos/agravos/registro.ts'
import { createChaves } from '../domain/casos/sigilo.ts'
import { createCipher, createKeyedHash, createLineHash } from '../domain/cipher.ts'
import { createFimDoFeed } from '../domain/eventos/fim-do-feed.ts'
import { createSistema } from '../domain/health/sistema.ts'
import { openKeyring } from '../domain/keys/keys.ts'
import { createProvedores } from '../domain/oidc/provedores.ts'
import { createAccessTokens } from '../domain/sessoes/access-tokens.ts'
import { createCallers } from '../domain/sessoes/callers.ts'
import { createLockout } from '../domain/sessoes/lockout.ts'
import { createPasswords } from '../domain/sessoes/passwords.ts'
import { createArvore } from '../domain/territorios/arvore.ts'
import { createTerritories } from '../domain/territorios/conta.ts'
import { createMasterKey } from '../domain/usuarios/master-key.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { ALL_TARGETS, PUBLIC_TARGETS, type TargetPolicy, targetsWithin } from '../outbound/policy.ts'
import { createLimiter } from '../system/limiter.ts'
import { networkList } from '../system/networks.ts'
import { createQuota } from '../system/quota.ts'
import { renderInThread } from '../worker/documento.ts'
import { suppressInThread } from '../worker/suppression.ts'
import type { Parts } from './parts.ts'

/** Queue time-out of requests with an idempotency key: those ahead of them may hang with the database. */
const KEYED_TIMEOUT_MS = 3_000

/** Queue time-out of documents: each is drawn alone, in seconds. */
const DOCUMENT_TIMEOUT_MS = 30_000

type Given = Pick<App, 'mailer' | 'jobs' | 'version'>

/** Everything that the domain is given. */
export async function createApp(parts: Parts, { mailer, jobs, version }: Given): Promise<App> {
  const { config, dataKey, db, clock, log } = parts
  const cipher = createCipher(dataKey)
  const keyring = await openKeyring({ db, cipher, clock })
  const webhookTargets = webhookTargetsOf(config)
  const reference = await loadTerritorio()
  const agravos = await createAgravos(db, (error) =>
    log.warn({ err: error }, 'definitions of diseases cannot be read'),
  )
  const territories = createTerritories(reference, { required: config.territorioObrigatorio })
  return {
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
    mailer,
    jobs,
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
}

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

function webhookTargetsOf({ webhookAllowPrivate, webhookNetworks }: Config): TargetPolicy {
  if (webhookAllowPrivate) return ALL_TARGETS
  return webhookNetworks.length === 0
    ? PUBLIC_TARGETS
    : targetsWithin(networkList(webhookNetworks, 'WEBHOOK_NETWORKS'))
}
