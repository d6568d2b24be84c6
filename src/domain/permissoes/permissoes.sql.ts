import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface PermissaoRow {
  id: number
  nome: string
  descricao: string | null
}

export function listPermissoes(db: Db): Promise<PermissaoRow[]> {
  return db.rows(sql`select id, nome, descricao from permissoes order by id`)
}

export function listPermissoesByIds(db: Db, ids: number[]): Promise<PermissaoRow[]> {
  return db.rows(sql`select id, nome, descricao from permissoes where id = any(${ids}) order by id`)
}

export function listPermissoesByNomes(db: Db, nomes: string[]): Promise<PermissaoRow[]> {
  return db.rows(sql`select id, nome, descricao from permissoes where nome = any(${nomes}) order by id`)
}

/** Including those of inactive groups. */
export function listPermissoesAtribuidas(db: Db, usuarioId: number): Promise<{ nome: string }[]> {
  return db.rows(sql`
    select p.nome from permissoes_atribuidas a join permissoes p on p.id = a.permissao_id
     where a.usuario_id = ${usuarioId}`)
}

/** Null where there is no such account. */
export async function findAdminFlag(db: Db, usuarioId: number): Promise<boolean | null> {
  const row = await db.first<{ admin: boolean }>(sql`select admin from usuarios where id = ${usuarioId}`)
  return row?.admin ?? null
}

/** Serialises transactions that may take away an administrator. */
export function lockAdministradores(db: Db): Promise<number> {
  return db.run(sql`select pg_advisory_xact_lock(8443002)`)
}

export async function anyAdministrador(db: Db): Promise<boolean> {
  return (await db.first(sql`select from administradores limit 1`)) !== null
}

export function insertPermissaoPadrao(
  db: Db,
  permissao: { nome: string; descricao: string },
): Promise<number> {
  return db.run(sql`
    insert into permissoes (nome, descricao, padrao) values (${permissao.nome}, ${permissao.descricao}, true)
    on conflict (nome) do nothing`)
}

export function insertPermissao(
  db: Db,
  permissao: { nome: string; descricao: string | null },
): Promise<PermissaoRow> {
  return db.one(sql`
    insert into permissoes (nome, descricao) values (${permissao.nome}, ${permissao.descricao})
    returning id, nome, descricao`)
}

export function findPermissaoForUpdate(
  db: Db,
  id: number,
): Promise<(PermissaoRow & { padrao: boolean }) | null> {
  return db.first(sql`select id, nome, descricao, padrao from permissoes where id = ${id} for update`)
}

export function updatePermissao(
  db: Db,
  id: number,
  permissao: { nome: string; descricao: string | null },
): Promise<number> {
  return db.run(sql`
    update permissoes set nome = ${permissao.nome}, descricao = ${permissao.descricao} where id = ${id}`)
}

export function deletePermissao(db: Db, id: number): Promise<number> {
  return db.run(sql`delete from permissoes where id = ${id}`)
}
