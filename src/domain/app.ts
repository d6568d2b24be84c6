import type { Municipios } from '../brasil/municipios.ts'
import type { Populacao } from '../brasil/populacao.ts'
import type { EstruturaEtaria } from '../brasil/populacao-sexo-faixa.ts'
import type { Territorios } from '../brasil/territorios.ts'
import type { Database } from '../db/db.ts'
import type { Reader } from '../db/reader.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { TargetPolicy } from '../outbound/policy.ts'
import type { Clock } from '../system/clock.ts'
import type { Limiter } from '../system/limiter.ts'
import type { Quota } from '../system/quota.ts'
import type { Auditoria } from './auditoria/auditoria.ts'
import type { Documentos } from './boletins/documentos.ts'
import type { Agravos } from './casos/agravos/registro.ts'
import type { Chaves } from './casos/sigilo.ts'
import type { Cipher, KeyedHash, LineHash } from './cipher.ts'
import type { FimDoFeed } from './eventos/fim-do-feed.ts'
import type { Sistema } from './health/sistema-dados.ts'
import type { Keyring } from './keys/keys.ts'
import type { Provedores } from './oidc/provedores.ts'
import type { Publico } from './publico/instancia.ts'
import type { PasswordPolicy } from './senhas/rules.ts'
import type { AccessTokens } from './sessoes/access-tokens.ts'
import type { Callers } from './sessoes/callers.ts'
import type { Lockout } from './sessoes/lockout.ts'
import type { Passwords } from './sessoes/passwords.ts'
import type { Arvore } from './territorios/arvore.ts'
import type { Territories } from './territorios/conta.ts'

/** Dependencies of the domain. A use-case takes the slice it needs, so its signature shows what it touches. */
export interface App {
  db: Database
  /** Reads that take long, from a standby where there is one. */
  reader: Reader
  clock: Clock
  cipher: Cipher
  passwords: Passwords
  passwordPolicy: PasswordPolicy
  masterKey: MasterKey
  lockout: Lockout
  keyring: Keyring
  accessTokens: AccessTokens
  callers: Callers
  /** Derives the successor of a refresh token. */
  refreshKey: KeyedHash
  /** Derives the successor of a value of the console's cookie. */
  cookieKey: KeyedHash
  /** Hashes the backup codes of the second factor. */
  backupCodeKey: KeyedHash
  /** Hashes subjects of single sign-on, which may be CPFs. */
  identidadeKey: KeyedHash
  /** Providers of single sign-on. */
  provedores: Provedores
  /** Hashes secret values of cases, so that equal ones can be found without being readable. */
  chaves: Chaves
  /** Hashes lines of files, to recognise those imported before. */
  linhaHash: LineHash
  municipios: Municipios
  territorios: Territorios
  /** Definitions of diseases. */
  agravos: Agravos
  /** Territories of accounts. */
  territories: Territories
  populacao: Populacao
  /** Days between the notifications of one illness of one person, at most. */
  duplicidadeDias: number
  publico: Publico
  /** Documents of bulletins. */
  documentos: Documentos
  /** Population by sex and age band; read at the first call. */
  estruturaEtaria: () => Promise<EstruturaEtaria>
  /** All of them as the bytes of an answer. */
  arvore: Arvore
  /** Hashes idempotency keys and requests. */
  idempotencyKey: KeyedHash
  /**
   * Limits requests with an idempotency key. They hold a connection while they queue for hashing, logins do the reverse: a
   * part of the pool stays out of their reach to avoid a deadlock.
   */
  keyedRequests: Limiter
  auditoria: Auditoria
  /** Limits concurrent decoding of pictures: each may take 100 MB. */
  images: Limiter
  /** Mails are queued in the transaction that causes them; this wakes the worker after the commit. */
  mailer: { wake(): void }
  /** Likewise for jobs. */
  jobs: { wake(): void }
  /** Limits streams of job events to five an account and process: each polls the database twice a second. */
  jobStreams: Quota
  /** Limits streams of the feed to five an account and process; they share what the process reads. */
  feedStreams: Quota
  fimDoFeed: FimDoFeed
  /** Requests to addresses that users choose. */
  outbound: Outbound
  /** Addresses that webhooks may use. */
  webhookTargets: TargetPolicy
  /** Limits tests of webhooks: each holds a request until its receiver answers. */
  webhookTests: Limiter
  /** State of queues, sizes and limits; read at most once in five seconds. */
  sistema: () => Promise<Sistema>
  version: string
  ambiente: string
  dataDir: string
  /** Base of URLs in answers and mails. */
  publicUrl: string
}

/** Key that authorises sign-ups; comparable, not readable. */
export interface MasterKey {
  matches(candidate: string): boolean
}
