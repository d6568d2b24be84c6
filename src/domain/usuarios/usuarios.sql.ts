import type { Db } from '../../db/db.ts'
import { identifier, join, sql } from '../../db/sql.ts'
import type { GrupoDoUsuario, UsuarioRow } from '../contas/contas.sql.ts'
import type { PerfilField } from '../contas/perfil.ts'

type WrittenFields = PerfilField | 'email' | 'admin' | 'plano' | 'desativado_em'

export interface NewUsuarioRow
  extends Pick<UsuarioRow, WrittenFields | 'cpf' | 'senha_forca' | 'criado_por_id'> {
  senha_hash: string
  trocar_senha: boolean
  servico: boolean
  idioma: string
}

export function insertUsuario(db: Db, usuario: NewUsuarioRow, now: Date): Promise<number> {
  return db.value(sql`
    insert into usuarios (nome, email, senha_hash, senha_forca, senha_alterada_em, trocar_senha, admin, telefone, estado, cidade,
                          funcao, instituicao, cpf, cargo, departamento, plano, servico, idioma, desativado_em, criado_por_id,
                          criado_em, atualizado_em)
    values (${usuario.nome}, ${usuario.email}, ${usuario.senha_hash}, ${usuario.senha_forca}, ${now}, ${usuario.trocar_senha},
            ${usuario.admin},
            ${usuario.telefone}, ${usuario.estado}, ${usuario.cidade}, ${usuario.funcao}, ${usuario.instituicao},
            ${usuario.cpf}, ${usuario.cargo}, ${usuario.departamento}, ${usuario.plano}, ${usuario.servico}, ${usuario.idioma},
            ${usuario.desativado_em}, ${usuario.criado_por_id}, ${now}, ${now})
    returning id`)
}

export async function anyUsuarioExists(db: Db): Promise<boolean> {
  return (await db.first(sql`select from usuarios limit 1`)) !== null
}

export interface Administrador {
  id: number
  nome: string
  email: string
}

/** Active administrator with the lowest id: the author of work that the service starts by itself. */
export function findAdministrador(db: Db): Promise<Administrador | null> {
  return db.first(sql`select id, nome, email from usuarios where admin and ativo order by id limit 1`)
}

/** Columns to change; absent ones stay as they are. */
export type UsuarioChange = Partial<Pick<UsuarioRow, WrittenFields | 'email_pendente' | 'email_verificado'>>

export function updateUsuario(
  db: Db,
  id: number,
  change: UsuarioChange,
  by: { id: number },
  now: Date,
): Promise<number> {
  const assignments = Object.entries(change).map(([column, value]) => sql`${identifier(column)} = ${value}`)
  assignments.push(sql`atualizado_em = ${now}`, sql`atualizado_por_id = ${by.id}`)
  return db.run(sql`update usuarios set ${join(assignments, ', ')} where id = ${id}`)
}

/** Deactivation also cancels a change of address that is not verified yet. */
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

/** Email and CPF that another account already has. */
export function findTaken(
  db: Db,
  { email, cpf }: { email: string | null; cpf: string | null },
  exceptId: number | null,
): Promise<{ email: boolean; cpf: boolean }> {
  return db.one(sql`
    select exists (select from usuarios where lower(email) = lower(${email}) and id is distinct from ${exceptId}::int) as email,
           exists (select from usuarios where cpf = ${cpf} and id is distinct from ${exceptId}::int) as cpf`)
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

/** Restores a former address, verified by the link that was sent to it; forgets it and all later ones. */
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

/** Forgets all former addresses: none can be restored any more. */
export function forgetEmailsAnteriores(db: Db, id: number): Promise<number> {
  return db.run(sql`delete from emails_anteriores where usuario_id = ${id}`)
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

/** State of an account beside its own row: password, login, sessions, second factor. */
export interface SituacaoDaConta {
  trocar_senha: boolean
  /** End of the longest lock of the login, of any source. */
  bloqueado_ate: Date | null
  sessoes_ativas: number
  /** Backup codes not used yet. */
  codigos_backup: number
  /** One of the active groups requires a second factor. */
  exige_mfa: boolean
  /** Address that its owner asked for and has not confirmed yet. */
  email_pendente: string | null
}

export function findSituacao(db: Db, id: number, now: Date): Promise<SituacaoDaConta> {
  return db.one(sql`
    select u.trocar_senha, u.email_pendente,
           (select max(b.bloqueado_ate) from bloqueios_de_login b
             where b.usuario_id = u.id and b.bloqueado_ate > ${now}) as bloqueado_ate,
           (select count(*) from sessoes s
             where s.usuario_id = u.id and s.encerrada_em is null and s.expira_em > ${now}) as sessoes_ativas,
           (select count(*) from codigos_backup c where c.usuario_id = u.id and c.usado_em is null) as codigos_backup,
           exists (select from usuarios_grupos ug join grupos g on g.id = ug.grupo_id
                    where ug.usuario_id = u.id and g.ativo and g.exige_mfa) as exige_mfa
      from usuarios u where u.id = ${id}`)
}
