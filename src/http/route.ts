import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../caller/caller.ts'
import type { ErrorCode, Problem } from '../errors/catalogue.ts'
import type { Filter, ListQuery, ListRules } from '../filter.ts'
import type { Access } from './access.ts'
import { type Static, type TSchema, Type } from './type.ts'
import type { AnyUploadRule, Upload } from './uploads.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** The inputs of a route. `list` is the whole query string of a list route: paging, sorting, filters. */
export interface Inputs {
  params?: TSchema
  query?: TSchema
  body?: TSchema
  list?: ListRules
  /** The filters of a list, without its paging. */
  filter?: ListRules
  /** A form with a file, with `consumes: 'multipart'`. */
  upload?: AnyUploadRule
}

/** The schema of a reply without a body. */
export const NoContent = Type.Unsafe<void>({ description: 'Sem corpo' })

/** The schema of a reply that is no JSON; `produces` names its type. */
export const Binary = Type.Unsafe<Buffer | Readable | undefined>({ type: 'string', format: 'binary' })

/** A schema for each status the route answers when all is well. */
export type Replies = Record<number, TSchema>

type Read<S> = S extends TSchema ? Static<S> : undefined

export interface Context<I extends Inputs, A extends Access> {
  params: Read<I['params']>
  query: Read<I['query']>
  body: Read<I['body']>
  list: I['list'] extends ListRules ? ListQuery : undefined
  filter: I['filter'] extends ListRules ? Filter : undefined
  upload: I['upload'] extends AnyUploadRule ? Upload<I['upload']> : undefined
  caller: A extends { kind: 'anyone' } ? null : Caller
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * A route is a row of data. Everything Fastify leaves optional is required here: without access, reply schemas or
 * the list of errors a row does not compile. Paths are written in full, with `{name}` parameters as in the spec.
 */
export interface RouteRow<
  App,
  I extends Inputs = Inputs,
  A extends Access = Access,
  R extends Replies = Replies,
> {
  /** The section of the spec it comes from. */
  spec: string
  method: Method
  path: string
  summary: string
  tag: string
  access: A
  input: I
  /** Media type of the body; JSON by default. */
  consumes?: keyof typeof MEDIA_TYPES
  /** Media type of a binary reply, or of the bytes that a JSON route answers where the client asks for them. */
  produces?: string | readonly string[]
  /** Bytes; 1 MiB by default. */
  bodyLimit?: number
  /**
   * Problems that only the domain can see, to be reported together with those of the schema; sees the body as it came.
   * Asked when the schema found some: the handler of a sound body finds them itself.
   */
  check?(body: unknown, app: App): Promise<Problem[]>
  /** Problems of the filter that only the domain can see. */
  checkFilter?(filter: Filter, app: App): Problem[]
  /**
   * Takes an `Idempotency-Key`: the handler then runs in one transaction with the key, and its answer is repeated, as
   * `replay` leaves it. What it records before refusing is undone, too.
   */
  idempotent?: true | { replay(body: Static<R[keyof R & number]>): Static<R[keyof R & number]> }
  /** Answers the version of its record as `ETag`, or changes the record only while its version is one of `If-Match`. */
  versioned?: 'read' | 'write'
  /** The route that does the same and is to be preferred, as `POST /api/v1/auth/refresh`; marks this one deprecated. */
  replacedBy?: string
  /** The body may be left out altogether. */
  bodyOptional?: true
  /** Open to callers who must change their password first; every other protected route is closed to them. */
  whilePasswordMustChange?: true
  /** Open to callers who must turn on the second factor first; every other protected route is closed to them. */
  whileMfaIsMissing?: true
  /** Closed to keys of service accounts: passwords, second factors, sessions and keys are matters of people. */
  personOnly?: true
  /** For our own pages: requests that any other page could make are refused before the body is read. */
  consoleOnly?: true
  /**
   * For monitors, which take an instance out of service when they are refused: answered beyond the rate limit, and to
   * a trusted proxy's own plain request.
   */
  forMonitors?: true
  /** For everybody, where the operator opens it (`PUBLICO`): counted apart, by address. */
  isPublic?: true
  replies: R
  /** Errors beyond those that access and input imply. */
  errors: ErrorCode[]
  handle(context: Context<I, A>, app: App): Promise<Static<R[keyof R & number]>>
}

// biome-ignore lint/suspicious/noExplicitAny: a list holds rows of every shape; each was checked when it was made
export type AnyRow<App> = RouteRow<App, any, any, any>

/** Keeps method and path as literals, and the schemas: the console's client takes its types from them. */
export function routeFor<App>() {
  return <
    const M extends Method,
    const P extends string,
    const I extends Inputs,
    const A extends Access,
    R extends Replies,
  >(
    row: RouteRow<App, I, A, R> & { method: M; path: P },
  ): RouteRow<App, I, A, R> & { method: M; path: P } => row
}

export const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const

/** Of a key that was known: its holder may learn why it does not work. */
const KEY_REFUSALS = ['API_KEY_EXPIRED', 'API_KEY_REVOKED', 'API_KEY_NETWORK'] as const

/** The errors a row answers by its nature, in the order in which a request meets them. */
export function impliedErrors(row: AnyRow<never>): ErrorCode[] {
  const { access, input, whilePasswordMustChange, whileMfaIsMissing } = row
  const errors: ErrorCode[] = []
  if (row.consoleOnly) errors.push('CONSOLE_ONLY')
  if (access.kind !== 'anyone') errors.push('UNAUTHORIZED', ...KEY_REFUSALS)
  if (row.personOnly) errors.push('PERSON_ONLY')
  if (access.kind !== 'anyone' && !whilePasswordMustChange) errors.push('PASSWORD_CHANGE_REQUIRED')
  if (access.kind !== 'anyone' && !whileMfaIsMissing) errors.push('MFA_ENROLMENT_REQUIRED')
  if (access.kind === 'requires') errors.push('PERMISSION_DENIED')
  if (row.idempotent || Object.values(input).some((part) => part !== undefined))
    errors.push('VALIDATION_ERROR')
  if (row.idempotent || row.versioned === 'write') errors.push('CONFLICT')
  return errors
}

export function errorsOf(row: AnyRow<never>): ErrorCode[] {
  return [...new Set([...impliedErrors(row), ...row.errors])]
}
