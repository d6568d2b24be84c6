import type { Plano } from '../../caller/planos.ts'
import type { LugarDoTerritorio } from '../../caller/territorio.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'

export interface NewSessao {
  id: string
  usuario_id: number
  criado_em: Date
  expira_em: Date
  lembrar: boolean
  endereco_ip: string | null
  agente: string | null
  /** Of a session of the console. */
  cookie_hash?: Buffer | null
  /** A second factor that a trusted provider asked for. */
  mfa_do_provedor?: boolean
}

export function insertSessao(db: Db, sessao: NewSessao): Promise<number> {
  const { cookie_hash = null, mfa_do_provedor = false } = sessao
  return db.run(sql`
    insert into sessoes (id, usuario_id, criado_em, ultima_atividade, expira_em, lembrar, endereco_ip, agente,
                         cookie_hash, cookie_desde, mfa_do_provedor)
    values (${sessao.id}, ${sessao.usuario_id}, ${sessao.criado_em}, ${sessao.criado_em}, ${sessao.expira_em},
            ${sessao.lembrar}, ${sessao.endereco_ip}, ${sessao.agente},
            ${cookie_hash}, ${cookie_hash && sessao.criado_em}, ${mfa_do_provedor})`)
}

export interface CallerRow {
  id: number
  nome: string
  email: string
  admin: boolean
  plano: Plano
  trocar_senha: boolean
  falta_mfa: boolean
  ultima_atividade: Date
  expira_em: Date
  permissoes: string[]
  territorios: LugarDoTerritorio[]
}

/** Account with its effective permissions and its places, in one statement. */
const CONTA: Sql = sql`
  u.id, u.nome, u.email, u.admin, u.plano,
  array(select p.nome from permissoes_efetivas e join permissoes p on p.id = e.permissao_id
         where e.usuario_id = u.id) as permissoes,
  (select coalesce(json_agg(json_build_object('nivel', t.nivel, 'codigo', t.codigo)), '[]')
     from usuarios_territorios t where t.usuario_id = u.id) as territorios`

/** The same of a session `s`. */
const CALLER: Sql = sql`
  ${CONTA}, u.trocar_senha, s.ultima_atividade, s.expira_em,
  u.mfa_ativado_em is null and not s.mfa_do_provedor and exists (
    select from usuarios_grupos ug join grupos g on g.id = ug.grupo_id
     where ug.usuario_id = u.id and g.ativo and g.exige_mfa) as falta_mfa`

const isAlive = (now: Date): Sql => sql`s.encerrada_em is null and s.expira_em > ${now} and u.ativo`

/** Null if the session has ended. */
export function findCaller(
  db: Db,
  sessao: { id: string; usuario_id: number },
  now: Date,
): Promise<CallerRow | null> {
  return db.first(sql`
    select ${CALLER}
      from sessoes s
      join usuarios u on u.id = s.usuario_id
     where s.id = ${sessao.id} and s.usuario_id = ${sessao.usuario_id} and ${isAlive(now)}`)
}

export interface CookieRow {
  sessao_id: string
  lembrar: boolean
  criado_em: Date
  cookie_desde: Date
  /** End of a value that was replaced; null for the present one. */
  anterior_ate: Date | null
}

/** The same by the hash of the console's cookie: the present value, or the one before while it holds. */
export function findCallerByCookie(db: Db, hash: Buffer, now: Date): Promise<(CallerRow & CookieRow) | null> {
  return db.first(sql`
    select ${CALLER}, s.id as sessao_id, s.lembrar, s.criado_em, s.cookie_desde,
           case when s.cookie_hash = ${hash} then null else s.cookie_anterior_ate end as anterior_ate
      from sessoes s
      join usuarios u on u.id = s.usuario_id
     where (s.cookie_hash = ${hash} or (s.cookie_anterior_hash = ${hash} and s.cookie_anterior_ate > ${now}))
       and ${isAlive(now)}`)
}

export interface ChaveCallerRow extends Omit<CallerRow, 'trocar_senha' | 'falta_mfa' | 'ultima_atividade'> {
  chave_id: string
  prefixo: string
  escopos: string[]
  redes: string[]
  revogada_em: Date | null
  ultimo_uso_em: Date | null
}

/** The account of a key, also of one that has ended: its holder is told so. */
export function findCallerByChave(
  db: Db,
  { id = null, hash = null }: { id?: string | null; hash?: Buffer | null },
): Promise<ChaveCallerRow | null> {
  return db.first(sql`
    select ${CONTA}, c.id as chave_id, c.prefixo, c.escopos, c.redes, c.expira_em, c.revogada_em, c.ultimo_uso_em
      from chaves_de_api c
      join usuarios u on u.id = c.usuario_id
     where (c.hash = ${hash} or c.id = ${id}::uuid) and u.ativo and u.servico`)
}

export function touchChave(
  db: Db,
  chave: { id: string; usuario_id: number },
  endereco_ip: string | null,
  now: Date,
): Promise<number> {
  return db.run(sql`
    with c as (
      update chaves_de_api set ultimo_uso_em = ${now}, ultimo_uso_ip = ${endereco_ip} where id = ${chave.id})
    update usuarios set ultimo_acesso = ${now} where id = ${chave.usuario_id}`)
}

/** Notes activity; a session of the console is prolonged by it. */
export function touchSessao(
  db: Db,
  sessao: { id: string; usuario_id: number },
  now: Date,
  expira_em: Date | null = null,
): Promise<number> {
  return db.run(sql`
    with s as (
      update sessoes set ultima_atividade = ${now}, expira_em = greatest(expira_em, ${expira_em}::timestamptz)
       where id = ${sessao.id})
    update usuarios set ultimo_acesso = ${now} where id = ${sessao.usuario_id}`)
}

export interface SessaoRow {
  id: string
  endereco_ip: string | null
  agente: string | null
  criado_em: Date
  ultima_atividade: Date
}

export function listSessoes(db: Db, usuarioId: number, now: Date): Promise<SessaoRow[]> {
  return db.rows(sql`
    select id, host(endereco_ip) as endereco_ip, agente, criado_em, ultima_atividade from sessoes
     where usuario_id = ${usuarioId} and encerrada_em is null and expira_em > ${now}
     order by ultima_atividade desc, id`)
}

export function endSessao(db: Db, sessao: { id: string; usuario_id: number }, now: Date): Promise<number> {
  return db.run(sql`
    update sessoes set encerrada_em = ${now}
     where id = ${sessao.id} and usuario_id = ${sessao.usuario_id} and encerrada_em is null and expira_em > ${now}`)
}

/** Ends all live sessions of the account, except `keepId`; returns their number. */
export function endSessoes(
  db: Db,
  usuarioId: number,
  now: Date,
  keepId: string | null = null,
): Promise<number> {
  return db.run(sql`
    update sessoes set encerrada_em = ${now}
     where usuario_id = ${usuarioId} and encerrada_em is null and expira_em > ${now}
       and id is distinct from ${keepId}::uuid`)
}

export interface Credentials {
  id: number
  nome: string
  email: string
  senha_hash: string
  ativo: boolean
  mfa_ativo: boolean
}

const CREDENTIALS: Sql = sql`id, nome, email, senha_hash, ativo, mfa_ativado_em is not null as mfa_ativo`

/** Null for service accounts, too: they have no password to compare with. */
export function findCredentials(db: Db, canonicalEmail: string): Promise<Credentials | null> {
  return db.first(sql`
    select ${CREDENTIALS} from usuarios where lower(email) = ${canonicalEmail} and not servico`)
}

/** For those who prove themselves otherwise than by the password. */
export function findCredentialsById(db: Db, id: number): Promise<Credentials | null> {
  return db.first(sql`select ${CREDENTIALS} from usuarios where id = ${id} and not servico`)
}

/** Returns 0 if the password changed or the account was deactivated since the comparison. */
export function touchUltimoLogin(
  db: Db,
  { id, senha_hash }: Pick<Credentials, 'id' | 'senha_hash'>,
  idioma: string | null,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update usuarios set ultimo_login = ${now}, ultimo_acesso = ${now}, idioma = coalesce(${idioma}, idioma)
     where id = ${id} and senha_hash = ${senha_hash} and ativo`)
}

/** Deletes ended and expired sessions; their refresh tokens go by cascade. */
export function forgetSessoes(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from sessoes where expira_em < ${before} or encerrada_em < ${before}`)
}
