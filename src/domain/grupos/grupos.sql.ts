import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import { type ListQuery, type Page, valuesOf } from '../../filter.ts'
import type { PermissaoRow } from '../permissoes/permissoes.sql.ts'
import { type Reach, reachedBy } from '../territorios/alcance.ts'

export interface GrupoRow {
  id: number
  nome: string
  descricao: string | null
  ativo: boolean
  /** Members need a second factor. */
  exige_mfa: boolean
  padrao: boolean
  criado_em: Date
  atualizado_em: Date
  total_usuarios: number
  permissoes: PermissaoRow[]
}

export interface MembroRow {
  id: number
  nome: string
  email: string
  ativo: boolean
}

const COLUMNS: Columns = {
  fields: {
    id: sql`g.id`,
    nome: sql`g.nome`,
    descricao: sql`g.descricao`,
    ativo: sql`g.ativo`,
    criado_em: sql`g.criado_em`,
    atualizado_em: sql`g.atualizado_em`,
    total_usuarios: sql`total_usuarios`,
  },
  plain: { nome: sql`plain(g.nome)`, descricao: sql`plain(g.descricao)` },
  search: (text) => sql`(plain(g.nome) like plain(${text}) or plain(g.descricao) like plain(${text}))`,
}

const TOTAL_USUARIOS = sql`(select count(*) from usuarios_grupos ug where ug.grupo_id = g.id)`

const GRUPO: Sql = sql`
  g.id, g.nome, g.descricao, g.ativo, g.exige_mfa, g.padrao, g.criado_em, g.atualizado_em,
  ${TOTAL_USUARIOS} as total_usuarios,
  coalesce((select json_agg(json_build_object('id', p.id, 'nome', p.nome, 'descricao', p.descricao) order by p.id)
              from grupos_permissoes gp join permissoes p on p.id = gp.permissao_id
             where gp.grupo_id = g.id), '[]') as permissoes`

export function pageOfGrupos(db: Db, list: ListQuery): Promise<Page<GrupoRow>> {
  return pageOf(db, { select: GRUPO, from: sql`grupos g`, columns: COLUMNS, id: sql`g.id` }, list)
}

export function listGruposByIds(db: Db, ids: number[]): Promise<GrupoRow[]> {
  return db.rows(sql`select ${GRUPO} from grupos g where g.id = any(${ids}) order by g.id`)
}

export function listGruposByNomes(db: Db, nomes: string[]): Promise<{ id: number; nome: string }[]> {
  return db.rows(sql`select id, nome from grupos where nome = any(${nomes}) order by id`)
}

export function listGruposIdsOf(db: Db, usuarioId: number): Promise<{ id: number }[]> {
  return db.rows(sql`select grupo_id as id from usuarios_grupos where usuario_id = ${usuarioId}`)
}

export function findGrupo(db: Db, id: number): Promise<GrupoRow | null> {
  return db.first(sql`select ${GRUPO} from grupos g where g.id = ${id}`)
}

/** Serialises changes of groups until the end of the transaction; locks in the order of ids to avoid deadlocks. */
export function lockGrupos(db: Db, ids: number[]): Promise<number> {
  return db.run(sql`select from grupos where id = any(${ids}) order by id for update`)
}

/** Locks, then reads, so that the row includes the previous change. */
export async function findGrupoForUpdate(db: Db, id: number): Promise<GrupoRow | null> {
  await lockGrupos(db, [id])
  return findGrupo(db, id)
}

export async function insertGrupo(
  db: Db,
  grupo: Pick<GrupoRow, 'nome' | 'descricao' | 'ativo' | 'exige_mfa'>,
  now: Date,
): Promise<number> {
  return db.value(sql`
    insert into grupos (nome, descricao, ativo, exige_mfa, criado_em, atualizado_em)
    values (${grupo.nome}, ${grupo.descricao}, ${grupo.ativo}, ${grupo.exige_mfa}, ${now}, ${now})
    returning id`)
}

/** Returns the id only of a new group. */
export async function insertGrupoPadrao(
  db: Db,
  grupo: { nome: string; descricao: string },
): Promise<number | null> {
  const row = await db.first<{ id: number }>(sql`
    insert into grupos (nome, descricao, padrao) values (${grupo.nome}, ${grupo.descricao}, true)
    on conflict (nome) do nothing returning id`)
  return row?.id ?? null
}

export function updateGrupo(
  db: Db,
  id: number,
  grupo: Pick<GrupoRow, 'nome' | 'descricao' | 'ativo' | 'exige_mfa'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update grupos set nome = ${grupo.nome}, descricao = ${grupo.descricao}, ativo = ${grupo.ativo},
                      exige_mfa = ${grupo.exige_mfa}, atualizado_em = ${now}
     where id = ${id}`)
}

export function touchGrupo(db: Db, id: number, now: Date): Promise<number> {
  return db.run(sql`update grupos set atualizado_em = ${now} where id = ${id}`)
}

export function deleteGrupo(db: Db, id: number): Promise<number> {
  return db.run(sql`delete from grupos where id = ${id}`)
}

export async function replaceGrupoPermissoes(db: Db, id: number, permissoesIds: number[]): Promise<void> {
  await db.run(
    sql`delete from grupos_permissoes where grupo_id = ${id} and permissao_id <> all(${permissoesIds})`,
  )
  await db.run(sql`
    insert into grupos_permissoes (grupo_id, permissao_id)
    select ${id}, unnest(${permissoesIds}::int[]) on conflict do nothing`)
}

export function insertGrupoPermissoesByNome(db: Db, id: number, nomes: string[]): Promise<number> {
  return db.run(sql`
    insert into grupos_permissoes (grupo_id, permissao_id)
    select ${id}, p.id from permissoes p where p.nome = any(${nomes}) on conflict do nothing`)
}

export function insertGrupoPermissao(db: Db, id: number, permissaoId: number): Promise<number> {
  return db.run(sql`
    insert into grupos_permissoes (grupo_id, permissao_id) values (${id}, ${permissaoId}) on conflict do nothing`)
}

export function deleteGrupoPermissao(db: Db, id: number, permissaoId: number): Promise<number> {
  return db.run(sql`delete from grupos_permissoes where grupo_id = ${id} and permissao_id = ${permissaoId}`)
}

const MEMBRO_COLUMNS: Columns = {
  fields: { id: sql`u.id`, nome: sql`u.nome`, email: sql`u.email`, ativo: sql`u.ativo` },
  plain: { nome: sql`u.nome_busca`, email: sql`u.email_busca` },
  conditions: { alcance: (filter) => reachedBy(valuesOf(filter) as Reach, sql`u.id`) },
  search: (text) => sql`(u.nome_busca like plain(${text}) or u.email_busca like plain(${text}))`,
}

export function listMembros(db: Db, grupoId: number, list: ListQuery): Promise<Page<MembroRow>> {
  const listing = {
    select: sql`u.id, u.nome, u.email, u.ativo`,
    from: sql`usuarios_grupos ug join usuarios u on u.id = ug.usuario_id`,
    columns: MEMBRO_COLUMNS,
    id: sql`u.id`,
    only: sql`ug.grupo_id = ${grupoId}`,
  }
  return pageOf(db, listing, list)
}

/** Permissions assigned to any member but one, directly or by any group; the admin flag counts as `admin`. */
export function listRightsOfMembros(db: Db, grupoId: number, exceptId: number): Promise<{ nome: string }[]> {
  return db.rows(sql`
    select p.nome from usuarios_grupos ug
      join permissoes_atribuidas a on a.usuario_id = ug.usuario_id
      join permissoes p on p.id = a.permissao_id
     where ug.grupo_id = ${grupoId} and ug.usuario_id <> ${exceptId}
    union
    select 'admin' from usuarios_grupos ug join usuarios u on u.id = ug.usuario_id
     where ug.grupo_id = ${grupoId} and ug.usuario_id <> ${exceptId} and u.admin`)
}

export function insertMembro(db: Db, grupoId: number, usuarioId: number): Promise<number> {
  return db.run(sql`
    insert into usuarios_grupos (usuario_id, grupo_id) values (${usuarioId}, ${grupoId}) on conflict do nothing`)
}

export function deleteMembro(db: Db, grupoId: number, usuarioId: number): Promise<number> {
  return db.run(sql`delete from usuarios_grupos where grupo_id = ${grupoId} and usuario_id = ${usuarioId}`)
}

export function deleteMembros(db: Db, grupoId: number): Promise<number> {
  return db.run(sql`delete from usuarios_grupos where grupo_id = ${grupoId}`)
}

export function copyMembros(db: Db, fromId: number, toId: number): Promise<number> {
  return db.run(sql`
    insert into usuarios_grupos (usuario_id, grupo_id)
    select usuario_id, ${toId} from usuarios_grupos where grupo_id = ${fromId} on conflict do nothing`)
}
