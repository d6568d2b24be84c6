import { VigiaError } from './errors.ts'
import type { LoginB, TokenResponse } from './gerado.ts'
import { type Connection, send } from './request.ts'

/** `expires_at` is in milliseconds since 1970. */
export type Tokens = { access_token: string; refresh_token: string; expires_at: number }
/** Place for tokens between runs, which several processes may share. */
export interface TokenStore {
  read(): Promise<Tokens | null>
  write(tokens: Tokens | null): Promise<void>
  /** Runs while nobody else renews: a refresh token works once. */
  exclusive<T>(work: () => Promise<T>): Promise<T>
}

/** Renewed so long before its end: a request may wait on its way. */
const EARLY_MS = 30_000

/** Tokens of one login. Renews one at a time; the new pair is stored before it is used. */
export function openSession(to: Connection, store: TokenStore, credentials: object | null) {
  const renewals = new Map<string | null, Promise<Tokens | null>>()

  async function ask(path: string, body: object, isRepeatable = false): Promise<TokenResponse> {
    const response = await send(to, { method: 'POST', path, body }, { isRepeatable })
    const answer = (await response.json()) as TokenResponse
    const { access_token, refresh_token, expires_in } = answer
    await store.write({ access_token, refresh_token, expires_at: Date.now() + expires_in * 1_000 })
    return answer
  }

  async function replace(old: string | null): Promise<Tokens | null> {
    const kept = await store.read()
    // Somebody else was faster.
    if (kept !== null && kept.access_token !== old) return kept
    // A repeat within ten seconds is answered with the same pair: an answer that was lost costs nothing.
    if (kept !== null)
      await ask('/auth/refresh', { refresh_token: kept.refresh_token }, true).catch((error) => {
        if (error instanceof VigiaError && error.status === 401) return store.write(null)
        throw error
      })
    if (credentials !== null && (await store.read()) === null) await ask('/auth/login', credentials)
    return store.read()
  }

  /** A token with some life, another one than was refused; null where nobody has logged in. */
  async function token(refused?: string): Promise<string | null> {
    const kept = await store.read()
    const old = kept?.access_token ?? null
    const isGood = kept !== null && old !== refused && kept.expires_at - EARLY_MS > Date.now()
    if (isGood || (kept === null && credentials === null)) return old
    const begin = () => store.exclusive(() => replace(old)).finally(() => renewals.delete(old))
    const renewal = renewals.get(old) ?? begin()
    renewals.set(old, renewal)
    return (await renewal)?.access_token ?? null
  }

  return { token, login: (given: LoginB) => ask('/auth/login', given) }
}

/** Of one client alone, as long as it lives. */
export function memoryStore(kept: Tokens | null = null): TokenStore {
  const write = async (tokens: Tokens | null) => {
    kept = tokens
  }
  return { read: async () => kept, write, exclusive: (work) => work() }
}
