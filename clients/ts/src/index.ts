import { BY_ID, type Eventos, type Job } from './gerado.ts'
import { dataOf, isJson, send, sleep } from './request.ts'
import { memoryStore, openSession, type TokenStore } from './session.ts'
import { SILENCE_S } from './silence.ts'
import type { Call, CallOptions, Fetch, Method, OperationOf, Pages, Verbs } from './types.ts'

export { type ErrorCode, VigiaError } from './errors.ts'
export type * from './gerado.ts'
export type { TokenStore, Tokens } from './session.ts'
export type * from './types.ts'

/** An access token that somebody else renews; otherwise an account, with the code of its second factor if it has one. */
type Access = { token?: string; email?: string; senha?: string; codigo?: string }
export interface VigiaOptions extends Access {
  /** `https://vigia.example`, without a path. */
  url: string
  /** Store of tokens, if not in memory. */
  store?: TokenStore
  /** Certificates that are trusted beside the usual ones, PEM; in Node only. */
  ca?: string
  /** Instead of the platform's own. */
  fetch?: Fetch
  /** Language of messages: pt-BR (default), en-US or es-ES. */
  language?: string
  /** Attempts of a request that may be repeated; 8 if not given, over half a minute. */
  attempts?: number
  /** Seconds without a byte after which a connection is given up; 60 if not given. */
  silence?: number
}
/** `follow` goes on asking when all was read, every `seconds` (5). */
type Feed = { query?: OperationOf<'GET', '/eventos'>['query']; follow?: boolean; seconds?: number }
export type Vigia = ReturnType<typeof createVigia>

export function createVigia(options: VigiaOptions) {
  const { email, senha, codigo, token: fixed, ca, store = memoryStore(), silence = SILENCE_S } = options
  // Read only where it is asked for: browsers have no such module.
  const trusting =
    ca === undefined ? null : import('./https.ts').then((https) => https.httpsFetch({ ca, silence }))
  const ownFetch: Fetch = async (url, init) => ((await trusting) ?? fetch)(url, init)
  const { language = 'pt-BR', attempts = 8, fetch: used = ownFetch } = options
  const address = new URL(options.url).href.replace(/\/+$/, '')
  const connection = { url: address, language, attempts, silence, fetch: used }
  const credentials = email && senha ? { username: email, password: senha, mfa_code: codigo } : null
  const session = openSession(connection, store, credentials)
  const tokenOf = fixed === undefined ? session.token : async () => fixed

  /** The answer as it comes: files, streams, tables with `formato: 'csv'`. Refusals are thrown here, too. */
  const response = (call: Call, given?: CallOptions) => send(connection, call, { ...given, tokenOf })
  /** JSON as what it is, no content as undefined, anything else as the response, to be read as a stream. */
  const by = (method: Method) => async (path: string, asked?: object, given?: CallOptions) => {
    const call = { ...asked, method, path }
    const answer = await send(connection, call, { ...given, tokenOf, isWhole: true })
    if (answer.status === 204) return undefined
    return isJson(answer) ? answer.json() : answer
  }
  const verbs = { get: by('GET'), post: by('POST'), put: by('PUT'), patch: by('PATCH'), delete: by('DELETE') }
  const { get, post } = verbs as Verbs

  /** Pages of a list, by id where it has one and no `sort` is asked for: changes in between repeat and hide none. */
  async function* paginas(path: string, asked: Pick<Call, 'params' | 'query'> = {}, given?: CallOptions) {
    const byId = BY_ID.includes(`GET ${path}`) && !asked.query?.sort && !asked.query?.id
    let query = { size: 100, ...asked.query, ...(byId && { sort: 'id', order: 'asc' }) }
    for (;;) {
      const page = (await verbs.get(path, { ...asked, query }, given)) as { page: number; pages: number }
      const items: { id?: number }[] = Object.values<unknown>(page).find(Array.isArray) ?? []
      if (items.length > 0) yield items
      if (page.page >= page.pages) return
      query = { ...query, ...(byId ? { id: { gt: items.at(-1)?.id } } : { page: page.page + 1 }) }
    }
  }

  /** Batches of the event feed from a cursor on, each with the cursor to go on from. */
  async function* eventos(cursor?: string, asked: Feed & CallOptions = {}): AsyncGenerator<Eventos, void> {
    const { query, follow = false, seconds = 5, ...given } = asked
    for (let from = cursor === undefined ? {} : { cursor }; ; ) {
      const batch = await get('/eventos', { query: { size: 100, ...query, ...from } }, given)
      from = { cursor: batch.cursor }
      if (batch.eventos.length > 0) yield batch
      if (!batch.mais && !follow) return
      if (!batch.mais) await sleep(seconds * 1_000, given.signal)
    }
  }

  /** Every change of a job until its end: from its stream while that holds, then by asking, less and less often. */
  async function* acompanhar(job_id: string, given: CallOptions = {}): AsyncGenerator<Job, void> {
    const params = { job_id }
    const call = { method: 'GET', path: '/jobs/{job_id}/eventos', params } as const
    const stream = response(call, { ...given, attempts: 1 })
    // Too many streams, or a proxy that lets none pass: asking works everywhere, and tells what is wrong.
    for await (const data of dataOf(await stream.catch(() => null))) {
      const job = JSON.parse(data) as Job
      yield job
      if (job.status !== 'processing') return
    }
    for (let last = '', wait = 250; ; wait = Math.min(wait * 1.5, 5_000)) {
      const job = await get('/jobs/{job_id}', { params }, given)
      if (JSON.stringify(job) !== last) yield job
      if (job.status !== 'processing') return
      last = JSON.stringify(job)
      await sleep(wait, given.signal)
    }
  }
  async function fim(job_id: string, given?: CallOptions): Promise<Job> {
    let last: Job | undefined
    for await (const job of acompanhar(job_id, given)) last = job
    return last as Job
  }

  return {
    ...(verbs as Verbs),
    response,
    /** Logs in, and keeps the tokens for the calls that follow. */
    login: session.login,
    logout: () => post('/auth/logout', { body: {} }).then(() => store.write(null)),
    paginas: paginas as Pages,
    eventos,
    /** `acompanhar` tells every change until its end, `fim` the last one. */
    job: (id: string) => ({ acompanhar: acompanhar.bind(null, id), fim: fim.bind(null, id) }),
  }
}
