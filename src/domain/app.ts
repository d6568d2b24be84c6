import type { Database } from '../db/db.ts'
import type { AccessTokens } from './sessoes/access-tokens.ts'
import type { Passwords } from './sessoes/passwords.ts'

export interface Clock {
  now(): Date
}

/** What the domain is given. A use-case takes the slice it needs, so its signature tells what it touches. */
export interface App {
  db: Database
  clock: Clock
  passwords: Passwords
  accessTokens: AccessTokens
  version: string
  ambiente: string
  dataDir: string
}
