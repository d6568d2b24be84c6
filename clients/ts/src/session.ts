import { VigiaError } from './errors.ts'
import type { LoginB, TokenResponse } from './gerado.ts'
import { type Connection, send } from './request.ts'

export interface Tokens {
  access_token: string
  refresh_token: string
  /** Milliseconds since 1970. */
  expires_at: number
}

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
export function openSession(connection: Connection, store: TokenStore, credentials: LoginB | null) {
  let renewing: Promise<Tokens | null> | null = null

  async function ask(path: '/auth/login' | '/auth/refresh', body: object): Promise<TokenResponse> {
    // A repeat within ten seconds is answered with the same pair: an answer that was lost costs nothing.
    const isRepeatable = path === '/auth/refresh'
    const response = await send(connection, { method: 'POST', path, body }, { isRepeatable })
    const answer = (await response.json()) as TokenResponse
    const { access_token, refresh_token, expires_in } = answer
    await store.write({ access_token, refresh_token, expires_at: Date.now() + expires_in * 1_000 })
    return answer
  }

  const replace = (refused: string | null): Promise<Tokens | null> =>
    store.exclusive(async () => {
      const kept = await store.read()
      // Somebody else was faster.
      if (kept !== null && kept.access_token !== refused) return kept
      if (kept !== null)
        await ask('/auth/refresh', { refresh_token: kept.refresh_token }).catch((error) => {
          if (error instanceof VigiaError && error.status === 401) return store.write(null)
          throw error
        })
      if (credentials !== null && (await store.read()) === null) await ask('/auth/login', credentials)
      return store.read()
    })

  /** Another token instead of one that was refused; null where there is none. */
  async function renew(refused: string | null): Promise<string | null> {
    renewing ??= replace(refused).finally(() => {
      renewing = null
    })
    return (await renewing)?.access_token ?? null
  }

  return {
    renew,
    /** Null where nobody has logged in. */
    async token(): Promise<string | null> {
      const kept = await store.read()
      if (kept !== null && kept.expires_at - EARLY_MS > Date.now()) return kept.access_token
      return kept === null && credentials === null ? null : renew(kept?.access_token ?? null)
    },
    login: (given: LoginB) => ask('/auth/login', given),
  }
}

/** Of one client alone, as long as it lives. */
export function memoryStore(): TokenStore {
  let kept: Tokens | null = null
  const write = async (tokens: Tokens | null) => {
    kept = tokens
  }
  return { read: async () => kept, write, exclusive: (work) => work() }
}
