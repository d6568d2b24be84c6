import type { Listas, Operacoes } from './gerado.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Name = keyof Operacoes
export type PathOf<M extends Method> = Extract<Name, `${M} ${string}`> extends `${M} ${infer P}` ? P : never
export type OperationOf<M extends Method, P extends string> = Operacoes[`${M} ${P}` & Name]
/** Input of an operation: params, query and body. May be left out where nothing is demanded. */
export type Asked<M extends Method, P extends string, I = Omit<OperationOf<M, P>, 'answer'>> =
  Record<string, never> extends I ? [asked?: I, options?: CallOptions] : [asked: I, options?: CallOptions]
export type Answer<M extends Method, P extends string> = Promise<OperationOf<M, P>['answer']>
export type Verbs = {
  [M in Method as Lowercase<M>]: <P extends PathOf<M>>(path: P, ...asked: Asked<M, P>) => Answer<M, P>
}
export type Pages = <P extends keyof Listas>(path: P, ...rest: Asked<'GET', P>) => AsyncGenerator<Listas[P][]>

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
  /** Attempts of this call, instead of the client's. */
  attempts?: number
  /** Instead of one made for the call: lets a repeat of the whole program be recognised. */
  idempotencyKey?: string
}
export type Fetch = (url: string, init: RequestInit) => Promise<Response>
