import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { AppError } from '../../errors/catalogue.ts'

/** OWASP's argon2id parameters: 19 MiB, 2 passes, 1 lane. */
const ARGON2ID = { algorithm: 2 as Algorithm, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

export interface Passwords {
  hash(senha: string): Promise<string>
  /** With no hash to compare (no such account) it takes as long and answers false. */
  verify(senha: string, senhaHash: string | null): Promise<boolean>
}

/** Hashing runs on libuv's threads; at most `concurrent` at once and `waiting` in line, so that logins cannot starve the rest. */
export function createPasswords({ concurrent = 2, waiting = 200 } = {}): Passwords {
  const limited = limiter(concurrent, waiting)
  const nobody = limited(() => hash('a password that nobody has', ARGON2ID))
  nobody.catch(() => {})
  return {
    hash: (senha) => limited(() => hash(senha.normalize('NFC'), ARGON2ID)),
    async verify(senha, senhaHash) {
      const stored = senhaHash ?? (await nobody)
      const matches = await limited(() => verify(stored, senha.normalize('NFC')))
      return matches && senhaHash !== null
    },
  }
}

function limiter(concurrent: number, waiting: number) {
  const line: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrent) {
      if (line.length >= waiting) throw new AppError('UNAVAILABLE', { retryAfter: 2 })
      // The one who finishes hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => line.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running--
    }
  }
}
