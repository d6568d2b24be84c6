import type { Permission } from './permissions.ts'
import type { Plano } from './planos.ts'
import type { Territorio } from './territorio.ts'

/** Address and agent of a request, as sessions and the audit keep them. */
export interface Origin {
  /** Null when a proxy passes on something that is no address. */
  endereco_ip: string | null
  agente: string | null
  request_id: string
}

/** Cookie of the console, by which a request came instead of an access token. */
export interface CallerCookie {
  /** Kept when the browser closes. */
  lembrar: boolean
  /** New value, to be sent with the answer. */
  replacement: string | null
}

/** Author of a request: an account, its session and its effective rights at this moment. */
export interface Caller {
  id: number
  nome: string
  email: string
  sessao_id: string
  plano: Plano
  /** Effective permission names: of the active groups, and direct ones. */
  permissoes: ReadonlySet<string>
  /** Places that bound the account; null: the whole country. */
  territorio: Territorio | null
  /** An administrator set the password: until it is changed, nothing else can be done. */
  mustChangePassword: boolean
  /** A group of the account requires a second factor, and there is none: until it is on, nothing else can be done. */
  mustEnrolMfa: boolean
  origin: Origin
  /** The admin flag or the permission `admin`: holds every permission there is. */
  holdsAll: boolean
  /** Absent with an access token. */
  cookie?: CallerCookie
  /** Key of a service account, by which a request came; `sessao_id` then is its id. */
  chave?: { id: string; prefixo: string }
}

type Rights = Pick<Caller, 'permissoes' | 'holdsAll'>

export function holds(caller: Rights, permissao: Permission | (string & {})): boolean {
  return caller.holdsAll || caller.permissoes.has(permissao)
}

/** The right to learn who a patient is. Without it no answer may depend on secret fields. */
export const mayIdentify = (caller: Rights): boolean => holds(caller, 'agravos.identificar')

/** The first of these permissions that the caller lacks, or null. */
export function firstLacking(caller: Caller, permissoes: Iterable<string>): string | null {
  for (const permissao of permissoes) if (!holds(caller, permissao)) return permissao
  return null
}
