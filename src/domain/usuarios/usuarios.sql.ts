import type { Plano } from '../../caller/planos.ts'
import type { Db } from '../../db/db.ts'
import { join, type Sql, sql } from '../../db/sql.ts'
import type { PermissaoRow } from '../permissoes/permissoes.sql.ts'

export interface NewUsuario {
  nome: string
  email: string
  senha_hash: string
  senha_forca: number
  admin: boolean
  telefone: string | null
  estado: string | null
  cidade: string | null
  funcao: string | null
  instituicao: string | null
  cpf: string | null
  cargo: string | null
  departamento: string | null
  plano: Plano
  idioma: string
  desativado_em: Date | null
  criado_por_id: number | null
}

export async function insertUsuario(db: Db, usuario: NewUsuario, now: Date): Promise<number> {
  const row = await db.first<{ id: number }>(sql`
    insert into usuarios (nome, email, senha_hash, senha_forca, senha_alterada_em, admin, telefone, estado, cidade,
                          funcao, instituicao, cpf, cargo, departamento, plano, idioma, desativado_em, criado_por_id,
                          criado_em, atualizado_em)
    values (${usuario.nome}, ${usuario.email}, ${usuario.senha_hash}, ${usuario.senha_forca}, ${now}, ${usuario.admin},
            ${usuario.telefone}, ${usuario.estado}, ${usuario.cidade}, ${usuario.funcao}, ${usuario.instituicao},
            ${usuario.cpf}, ${usuario.cargo}, ${usuario.departamento}, ${usuario.plano}, ${usuario.idioma},
            ${usuario.desativado_em}, ${usuario.criado_por_id}, ${now}, ${now})
    returning id`)
  return (row as { id: number }).id
}

export async function anyUsuarioExists(db: Db): Promise<boolean> {
  return (await db.first(sql`select from usuarios limit 1`)) !== null
}

export interface Administrador {
  id: number
  nome: string
  email: string
}

/** The first there is, for what the service itself asks for. */
export function findAdministrador(db: Db): Promise<Administrador | null> {
  return db.first(sql`select id, nome, email from usuarios where admin and ativo order by id limit 1`)
}

export interface UsuarioRow {
  id: number
  nome: string
  email: string
  email_pendente: string | null
  cpf: string | null
  telefone: string | null
  estado: string | null
  cidade: string | null
  funcao: string | null
  instituicao: string | null
  cargo: string | null
  departamento: string | null
  admin: boolean
  ativo: boolean
  plano: Plano
  email_verificado: boolean
  mfa_habilitado: boolean
  senha_forca: number
  senha_alterada_em: Date
  ultimo_login: Date | null
  ultimo_acesso: Date | null
  desativado_em: Date | null
  criado_por_id: number | null
  atualizado_por_id: number | null
  criado_em: Date
  atualizado_em: Date
  foto_versao: string | null
}

export const USUARIO: Sql = sql`
  u.id, u.nome, u.email, u.email_pendente, u.cpf, u.telefone, u.estado, u.cidade, u.funcao, u.instituicao, u.cargo,
  u.departamento, u.admin, u.ativo, u.plano, u.email_verificado, u.mfa_ativado_em is not null as mfa_habilitado,
  u.senha_forca, u.senha_alterada_em, u.ultimo_login, u.ultimo_acesso, u.desativado_em, u.criado_por_id,
  u.atualizado_por_id, u.criado_em, u.atualizado_em,
  (select f.versao from fotos_de_perfil f where f.usuario_id = u.id) as foto_versao`

export function findUsuario(db: Db, id: number): Promise<UsuarioRow | null> {
  return db.first(sql`select ${USUARIO} from usuarios u where u.id = ${id}`)
}

/**
 * Changes of one account happen one after the other; read after the lock, so that it includes what the one before did.
 * The key stays free: a change names its author, so two who change each other at once would wait for one another.
 */
export async function findUsuarioForUpdate(db: Db, id: number): Promise<UsuarioRow | null> {
  await db.run(sql`select from usuarios where id = ${id} for no key update`)
  return findUsuario(db, id)
}

/** A user with what it holds, all read in the same query: no further query for each row of a list. */
export interface UsuarioWithRights extends UsuarioRow {
  grupos: (GrupoDoUsuario & { permissoes_count: number })[]
  permissoes_diretas: PermissaoRow[]
  permissoes_efetivas: string[]
}

export const RIGHTS: Sql = sql`
  coalesce((select json_agg(json_build_object('id', g.id, 'nome', g.nome, 'descricao', g.descricao, 'permissoes_count',
                              (select count(*) from grupos_permissoes gp where gp.grupo_id = g.id)) order by g.id)
              from usuarios_grupos ug join grupos g on g.id = ug.grupo_id where ug.usuario_id = u.id), '[]') as grupos,
  coalesce((select json_agg(json_build_object('id', p.id, 'nome', p.nome, 'descricao', p.descricao) order by p.id)
              from usuarios_permissoes up join permissoes p on p.id = up.permissao_id
             where up.usuario_id = u.id), '[]') as permissoes_diretas,
  case when u.admin or exists (select from permissoes_efetivas e join permissoes p on p.id = e.permissao_id
                                where e.usuario_id = u.id and p.nome = 'admin')
       then array(select p.nome from permissoes p order by p.id)
       else array(select p.nome from permissoes_efetivas e join permissoes p on p.id = e.permissao_id
                   where e.usuario_id = u.id order by p.id) end as permissoes_efetivas`

export function findUsuarioWithRights(db: Db, id: number): Promise<UsuarioWithRights | null> {
  return db.first(sql`select ${USUARIO}, ${RIGHTS} from usuarios u where u.id = ${id}`)
}

/** Only what is given changes. */
export type UsuarioChange = Partial<
  Pick<
    UsuarioRow,
    | 'nome'
    | 'email'
    | 'telefone'
    | 'estado'
    | 'cidade'
    | 'funcao'
    | 'instituicao'
    | 'cargo'
    | 'departamento'
    | 'admin'
    | 'plano'
    | 'email_pendente'
    | 'email_verificado'
    | 'desativado_em'
  >
>

const CHANGE_COLUMNS: Record<keyof UsuarioChange, Sql> = {
  nome: sql`nome`,
  email: sql`email`,
  telefone: sql`telefone`,
  estado: sql`estado`,
  cidade: sql`cidade`,
  funcao: sql`funcao`,
  instituicao: sql`instituicao`,
  cargo: sql`cargo`,
  departamento: sql`departamento`,
  admin: sql`admin`,
  plano: sql`plano`,
  email_pendente: sql`email_pendente`,
  email_verificado: sql`email_verificado`,
  desativado_em: sql`desativado_em`,
}

export function updateUsuario(
  db: Db,
  id: number,
  change: UsuarioChange,
  by: { id: number },
  now: Date,
): Promise<number> {
  const entries = Object.entries(change) as [keyof UsuarioChange, unknown][]
  const assignments = entries.map(([field, value]) => sql`${CHANGE_COLUMNS[field]} = ${value}`)
  assignments.push(sql`atualizado_em = ${now}`, sql`atualizado_por_id = ${by.id}`)
  return db.run(sql`update usuarios set ${join(assignments, ', ')} where id = ${id}`)
}

/** A change of address that waits for its proof does not outlive the account's being in use. */
export const deactivation = (now: Date): UsuarioChange => ({ desativado_em: now, email_pendente: null })

export function deleteUsuario(db: Db, id: number): Promise<number> {
  return db.run(sql`delete from usuarios where id = ${id}`)
}

export async function replaceUsuarioGrupos(db: Db, id: number, gruposIds: number[]): Promise<void> {
  await db.run(sql`delete from usuarios_grupos where usuario_id = ${id} and grupo_id <> all(${gruposIds})`)
  await db.run(sql`
    insert into usuarios_grupos (usuario_id, grupo_id)
    select ${id}, unnest(${gruposIds}::int[]) on conflict do nothing`)
}

export async function replaceUsuarioPermissoes(db: Db, id: number, permissoesIds: number[]): Promise<void> {
  await db.run(sql`
    delete from usuarios_permissoes where usuario_id = ${id} and permissao_id <> all(${permissoesIds})`)
  await insertUsuarioPermissoes(db, id, permissoesIds)
}

/** Which of these are taken by another account. */
export async function findTaken(
  db: Db,
  { email, cpf }: { email: string | null; cpf: string | null },
  exceptId: number | null,
): Promise<{ email: boolean; cpf: boolean }> {
  const row = await db.first<{ email: boolean; cpf: boolean }>(sql`
    select exists (select from usuarios where lower(email) = lower(${email}) and id is distinct from ${exceptId}::int) as email,
           exists (select from usuarios where cpf = ${cpf} and id is distinct from ${exceptId}::int) as cpf`)
  return row as { email: boolean; cpf: boolean }
}

/** The address was proven to be the account's own. */
export function confirmEmail(db: Db, id: number, email: string): Promise<number> {
  return db.run(
    sql`update usuarios set email_verificado = true where id = ${id} and lower(email) = lower(${email})`,
  )
}

export function dropEmailPendente(db: Db, id: number): Promise<number> {
  return db.run(
    sql`update usuarios set email_pendente = null where id = ${id} and email_pendente is not null`,
  )
}

/** A change of address that waited for its proof. The address it replaces is kept, to be set back if need be. */
export function applyEmailPendente(db: Db, id: number, email: string, now: Date): Promise<number> {
  return db.run(sql`
    with anterior as (select email from usuarios where id = ${id}),
         trocado as (
           update usuarios set email = email_pendente, email_pendente = null, email_verificado = true, atualizado_em = ${now}
            where id = ${id} and lower(email_pendente) = lower(${email})
           returning id)
    insert into emails_anteriores (usuario_id, email, trocado_em)
    select trocado.id, anterior.email, ${now} from trocado, anterior`)
}

export interface EmailAnterior {
  email: string
  trocado_em: Date
}

export function findEmailAnterior(db: Db, id: number, email: string): Promise<EmailAnterior | null> {
  return db.first(sql`
    select email, trocado_em from emails_anteriores where usuario_id = ${id} and lower(email) = lower(${email})
     order by trocado_em desc limit 1`)
}

/** Sets the address back, proven by the link that came through it; addresses that came later have no claim any more. */
export async function restoreEmail(
  db: Db,
  id: number,
  { email, trocado_em }: EmailAnterior,
  now: Date,
): Promise<void> {
  await db.run(
    sql`update usuarios set email = ${email}, email_verificado = true, atualizado_em = ${now} where id = ${id}`,
  )
  await db.run(sql`delete from emails_anteriores where usuario_id = ${id} and trocado_em >= ${trocado_em}`)
}

/** No former address has a claim any more. */
export function forgetEmailsAnteriores(db: Db, id: number): Promise<number> {
  return db.run(sql`delete from emails_anteriores where usuario_id = ${id}`)
}

export interface GrupoDoUsuario {
  id: number
  nome: string
  descricao: string | null
}

export function listGruposOf(db: Db, usuarioId: number): Promise<GrupoDoUsuario[]> {
  return db.rows(sql`
    select g.id, g.nome, g.descricao from usuarios_grupos ug join grupos g on g.id = ug.grupo_id
     where ug.usuario_id = ${usuarioId} order by g.id`)
}

export function listPermissoesDiretas(db: Db, usuarioId: number): Promise<GrupoDoUsuario[]> {
  return db.rows(sql`
    select p.id, p.nome, p.descricao from usuarios_permissoes up join permissoes p on p.id = up.permissao_id
     where up.usuario_id = ${usuarioId} order by p.id`)
}

export function insertUsuarioPermissoes(db: Db, usuarioId: number, permissoesIds: number[]): Promise<number> {
  return db.run(sql`
    insert into usuarios_permissoes (usuario_id, permissao_id)
    select ${usuarioId}, unnest(${permissoesIds}::int[]) on conflict do nothing`)
}

export function insertUsuarioGrupoByNome(db: Db, usuarioId: number, grupo: string): Promise<number> {
  return db.run(sql`
    insert into usuarios_grupos (usuario_id, grupo_id) select ${usuarioId}, id from grupos where nome = ${grupo}`)
}

export function listFontes(
  db: Db,
  usuarioId: number,
): Promise<{ nome: string; direta: boolean; grupos: string[] }[]> {
  return db.rows(sql`
    select p.nome,
           exists (select from usuarios_permissoes up where up.usuario_id = ${usuarioId} and up.permissao_id = p.id) as direta,
           array(select g.nome from usuarios_grupos ug join grupos g on g.id = ug.grupo_id and g.ativo
                   join grupos_permissoes gp on gp.grupo_id = g.id and gp.permissao_id = p.id
                  where ug.usuario_id = ${usuarioId} order by g.nome) as grupos
      from permissoes_efetivas e join permissoes p on p.id = e.permissao_id
     where e.usuario_id = ${usuarioId} order by p.id`)
}
