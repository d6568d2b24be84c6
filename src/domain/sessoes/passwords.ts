import { type Algorithm, hash, verify } from '@node-rs/argon2'
import type { Origin } from '../../caller/caller.ts'
import { createLimiter } from '../../system/limiter.ts'
import { sourceOf } from './origem.ts'

const ARGON2ID = 2 as Algorithm
/** OWASP's parameters for argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** With no hash to compare (no such account) it takes as long and answers false. */
export type Verify = (senha: string, senhaHash: string | null) => Promise<boolean>

/** Sources take turns in the line for hashing; null for the service itself. */
type From = Pick<Origin, 'endereco_ip'> | null

export interface Passwords {
  hash(senha: string, from: From): Promise<string>
  /**
   * One turn of hashing. What is checked before and counted after belongs into the same turn: then hardly more guesses
   * than are allowed can be under way at once, however many requests come together.
   */
  turn<T>(from: From, work: (verify: Verify) => Promise<T>): Promise<T>
}

/** Hashing runs on libuv's threads; at most `concurrent` at once and `waiting` in line, so that logins cannot starve the rest. */
export function createPasswords({ concurrent = 2, waiting = 500, cost = COST } = {}): Passwords {
  const options = { algorithm: ARGON2ID, ...cost }
  const limited = createLimiter(concurrent, waiting)
  const nobody = hash('a password that nobody has', options)
  nobody.catch(() => {})
  const lineOf = (from: From) => sourceOf(from?.endereco_ip ?? null)
  const verifyNow: Verify = async (senha, senhaHash) => {
    const matches = await verify(senhaHash ?? (await nobody), senha.normalize('NFC'))
    return matches && senhaHash !== null
  }
  return {
    hash: (senha, from) => limited(() => hash(senha.normalize('NFC'), options), lineOf(from)),
    turn: (from, work) => limited(() => work(verifyNow), lineOf(from)),
  }
}
