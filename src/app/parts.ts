import type { Config } from '../config/config.ts'
import type { Database, Db } from '../db/db.ts'
import type { Pool, PoolOptions } from '../db/pool.ts'
import type { Connection } from '../db/servers.ts'
import type { KeyMaterial } from '../domain/cipher.ts'
import type { MailTransport } from '../domain/emails/mail.ts'
import type { MailWorkerOptions } from '../domain/emails/worker.ts'
import type { Passwords } from '../domain/sessoes/passwords.ts'
import type { WebhookWorkerOptions } from '../domain/webhooks/worker.ts'
import type { Assets } from '../http/console.ts'
import type { Listener, ListenerLimits } from '../http/listener/listener.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logging.ts'
import type { JobTimings } from '../worker/timings.ts'

/** Parameters of a service: settings, keys, database, clock, listener; and what tests replace. */
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
