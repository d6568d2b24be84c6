import { VigiaError } from './errors.ts'
import { BY_ID, type Eventos, type Job } from './gerado.ts'
import { type Connection, contentOf, send, sleep } from './request.ts'
import { memoryStore, openSession, type TokenStore } from './session.ts'
import { followJob } from './stream.ts'
import type * as T from './types.ts'

export { type ErrorCode, type FieldError, VigiaError } from './errors.ts'
export type * from './gerado.ts'
export type { TokenStore, Tokens } from './session.ts'
export type * from './types.ts'

export interface VigiaOptions {
  /** `https://vigia.example`, without a path. */
  url: string
  /** An access token that somebody else renews. */
  token?: string
  email?: string
  senha?: string
  /** Second factor, of accounts that have one. */
  codigo?: string
  /** Where tokens are kept, if not in memory. */
  store?: TokenStore
  /** Certificates that are trusted beside the usual ones, PEM; in Node only. */
  ca?: string
  /** Instead of the platform's own. */
  fetch?: T.Fetch
  /** Language of messages: pt-BR (default), en-US or es-ES. */
  language?: string
  /** Attempts of a request that may be repeated; 8 if not given, over half a minute. */
  attempts?: number
}

type Verb<M extends T.Method> = <P extends T.PathOf<M>>(
  path: P,
  ...asked: T.Asked<T.OperationOf<M, P>>
) => Promise<T.AnswerOf<T.OperationOf<M, P>>>
type Pages = <P extends T.ListPath>(
  path: P,
  ...asked: T.Asked<T.OperationOf<'GET', P>>
) => AsyncGenerator<T.ItemOf<T.PageOf<P>>[], void>
interface EventosOptions extends T.CallOptions {
  query?: T.OperationOf<'GET', '/eventos'>['query']
  /** Goes on asking when all was read. */
  follow?: boolean
  /** Seconds between two questions; 5 if not given. */
  seconds?: number
}

export type Vigia = ReturnType<typeof createVigia>

export function createVigia({ email, senha, codigo, token: fixed, ca, ...options }: VigiaOptions) {
  const connection: Connection = {
    url: new URL(options.url).href.replace(/\/+$/, ''),
    fetch: options.fetch ?? (ca === undefined ? (url, init) => fetch(url, init) : lazyHttps(ca)),
    language: options.language ?? 'pt-BR',
    attempts: options.attempts ?? 8,
  }
  const second = codigo === undefined ? {} : { mfa_code: codigo }
  const credentials = email && senha ? { username: email, password: senha, ...second } : null
  const store = options.store ?? memoryStore()
  const session = openSession(connection, store, credentials)

  /** The answer as it comes: files, streams, tables with `formato: 'csv'`. Refusals are thrown here, too. */
  async function response(call: T.Call, given: T.CallOptions = {}): Promise<Response> {
    const token = fixed ?? (await session.token())
    return send(connection, call, { ...given, token }).catch(async (error: unknown) => {
      const isOver = error instanceof VigiaError && error.code === 'UNAUTHORIZED'
      const other = isOver && token !== fixed && token !== null ? await session.renew(token) : null
      if (other === null) throw error
      return send(connection, call, { ...given, token: other })
    })
  }
  const by =
    (method: T.Method) =>
    async (path: string, asked: object = {}, given: T.CallOptions = {}) =>
      contentOf(await response({ ...asked, method, path }, given))
  const get = by('GET') as Verb<'GET'>

  async function* paginas(
    path: string,
    asked: Pick<T.Call, 'params' | 'query'> = {},
    given: T.CallOptions = {},
  ) {
    const isFree = asked.query?.sort === undefined && asked.query?.id === undefined
    const byId = isFree && BY_ID.includes(`GET ${path}`)
    let query = { size: 100, ...asked.query, ...(byId && { sort: 'id', order: 'asc' }) }
    for (;;) {
      const page = (await by('GET')(path, { ...asked, query }, given)) as { page: number; pages: number }
      const items: { id?: number }[] = Object.values<unknown>(page).find(Array.isArray) ?? []
      if (items.length > 0) yield items
      if (page.page >= page.pages) return
      query = { ...query, ...(byId ? { id: { gt: items.at(-1)?.id } } : { page: page.page + 1 }) }
    }
  }

  /** Batches of the event feed from a cursor on, each with the cursor to go on from. */
  async function* eventos(
    cursor?: string,
    { query, follow = false, seconds = 5, ...given }: EventosOptions = {},
  ): AsyncGenerator<Eventos, void> {
    for (let next = cursor; ; ) {
      const from = next === undefined ? {} : { cursor: next }
      const batch = await get('/eventos', { query: { size: 100, ...query, ...from } }, given)
      next = batch.cursor
      if (batch.eventos.length > 0) yield batch
      if (!batch.mais && !follow) return
      if (!batch.mais) await sleep(seconds * 1_000, given.signal)
    }
  }

  async function* acompanhar(job_id: string, given: T.CallOptions = {}): AsyncGenerator<Job, void> {
    const params = { job_id }
    const stream = response({ method: 'GET', path: '/jobs/{job_id}/eventos', params }, given)
    const body = (await stream.catch(refusedStream))?.body ?? null
    const read = () => get('/jobs/{job_id}', { params }, given)
    yield* followJob(body, read, (ms) => sleep(ms, given.signal))
  }
  async function fim(job_id: string, given?: T.CallOptions): Promise<Job> {
    let last: Job | undefined
    for await (const job of acompanhar(job_id, given)) last = job
    return last as Job
  }

  return {
    get,
    post: by('POST') as Verb<'POST'>,
    put: by('PUT') as Verb<'PUT'>,
    patch: by('PATCH') as Verb<'PATCH'>,
    delete: by('DELETE') as Verb<'DELETE'>,
    response,
    /** Logs in, and keeps the tokens for the calls that follow. */
    login: session.login,
    async logout(): Promise<void> {
      await by('POST')('/auth/logout', { body: {} })
      await store.write(null)
    },
    /**
     * The members of a list, page after page. Without a `sort` of your own, in the order of their id where the list has one:
     * changes in between neither repeat nor hide any.
     */
    paginas: paginas as Pages,
    eventos,
    /** `acompanhar` tells every change until its end, `fim` the last one. */
    job: (id: string) => ({
      acompanhar: (given?: T.CallOptions) => acompanhar(id, given),
      fim: (given?: T.CallOptions) => fim(id, given),
    }),
  }
}

/** Too many streams, or a proxy that lets none pass: asking works everywhere. */
function refusedStream(error: unknown): null {
  if (error instanceof VigiaError && ![401, 403, 404].includes(error.status)) return null
  throw error
}

/** Read only where it is asked for: browsers have no such module. */
function lazyHttps(ca: string): T.Fetch {
  const made = import('./https.ts').then(({ httpsFetch }) => httpsFetch({ ca }))
  return async (url, init) => (await made)(url, init)
}
