import type { Operacoes } from './gerado.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Name = keyof Operacoes
export type PathOf<M extends Method> = Name extends infer N
  ? N extends `${M} ${infer P}`
    ? P
    : never
  : never
export type OperationOf<M extends Method, P extends string> = Operacoes[`${M} ${P}` & Name]

/** Input of an operation: params, query and body, each where it takes one. */
export type AskedOf<O> = Omit<O, 'answer'>
/** The argument may be left out where nothing is demanded. */
export type Asked<O> =
  Record<string, never> extends AskedOf<O>
    ? [asked?: AskedOf<O>, options?: CallOptions]
    : [asked: AskedOf<O>, options?: CallOptions]
export type AnswerOf<O> = O extends { answer: infer A } ? A : never

/** An operation without its types, as it is sent. */
export interface Call {
  method: Method
  path: string
  params?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
}

export interface CallOptions {
  signal?: AbortSignal
  /** Further headers, `If-Match` among them. */
  headers?: Record<string, string>
  /** Instead of one made for the call: lets a repeat of the whole program be recognised. */
  idempotencyKey?: string
}

/** Page of a list; some routes have another form beside it. */
export type PageOf<P extends string> = Extract<AnswerOf<OperationOf<'GET', P>>, { pages: number }>
/** Lists in pages. */
export type ListPath = { [P in PathOf<'GET'>]: [PageOf<P>] extends [never] ? never : P }[PathOf<'GET'>]
/** Members of a page: the one list in its envelope. */
export type ItemOf<A> = { [K in keyof A]: A[K] extends ReadonlyArray<infer I> ? I : never }[keyof A]

export type Fetch = (url: string, init: RequestInit) => Promise<Response>
