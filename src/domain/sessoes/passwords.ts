import { type Algorithm, hash, verify } from '@node-rs/argon2'
import type { Origin } from '../../caller/caller.ts'
import { sourceOf } from '../../caller/source.ts'
import { createLimiter } from '../../system/limiter.ts'

const ARGON2ID = 2 as Algorithm
/** OWASP's parameters for argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Null (no such account) is compared with a dummy hash: same time, always false. */
export type Verify = (senha: string, senhaHash: string | null) => Promise<boolean>

/** Source of the request, for fair queueing; null for the service itself. */
type From = Pick<Origin, 'endereco_ip'> | null

export interface Passwords {
  hash(senha: string, from: From): Promise<string>
  /**
   * Runs work in one hashing slot. Checks of the lock and counts of failures belong into it: concurrent requests then cannot
   * make many more guesses than allowed.
   */
  turn<T>(from: From, work: (verify: Verify) => Promise<T>): Promise<T>
}

/** Bounded pool for argon2 on libuv's threads: `concurrent` slots, a queue of `waiting`; logins cannot starve other work. */
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
