import type { Municipios } from '../brasil/municipios.ts'
import type { Database } from '../db/db.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { TargetPolicy } from '../outbound/policy.ts'
import type { Clock } from '../system/clock.ts'
import type { Limiter } from '../system/limiter.ts'
import type { Quota } from '../system/quota.ts'
import type { Auditoria } from './auditoria/auditoria.ts'
import type { Cipher, KeyedHash, LineHash } from './cipher.ts'
import type { Keyring } from './keys/keys.ts'
import type { PasswordPolicy } from './senhas/rules.ts'
import type { AccessTokens } from './sessoes/access-tokens.ts'
import type { Callers } from './sessoes/callers.ts'
import type { Lockout } from './sessoes/lockout.ts'
import type { Passwords } from './sessoes/passwords.ts'

/** What the domain is given. A use-case takes the slice it needs, so its signature tells what it touches. */
export interface App {
  db: Database
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
  /** Hashes the backup codes of the second factor. */
  backupCodeKey: KeyedHash
  /** Hashes postal codes, so that equal ones can be counted together without being read. */
  cepKey: KeyedHash
  /** Tells whether a line of a file is the one that was imported before. */
  linhaHash: LineHash
  municipios: Municipios
  /** Tells requests and their keys apart (`Idempotency-Key`). */
  idempotencyKey: KeyedHash
  /**
   * Requests with such a key hold a connection while they wait for a turn of hashing, and logins do the reverse: a part
   * of the pool must stay out of their reach, or each would wait for the other.
   */
  keyedRequests: Limiter
  auditoria: Auditoria
  /** Pictures are decoded a few at a time: each may take 100 MB. */
  images: Limiter
  /** Mails are written in the transaction that causes them; this only says that there is one. */
  mailer: { wake(): void }
  /** Likewise for jobs. */
  jobs: { wake(): void }
  /** Streams of job events, each of which asks the database twice a second: five for an account in this process. */
  jobStreams: Quota
  /** Requests to addresses that users choose. */
  outbound: Outbound
  /** Addresses that those may be. */
  webhookTargets: TargetPolicy
  /** Tests of receivers hold a request each for as long as those take. */
  webhookTests: Limiter
  version: string
  ambiente: string
  dataDir: string
  /** Base of the addresses that answers and mails contain. */
  publicUrl: string
}

/** The key that authorises sign-ups; it can be compared, not read. */
export interface MasterKey {
  matches(candidate: string): boolean
}
