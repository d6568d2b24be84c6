import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface VisaoRow {
  id: number
  usuario_id: number
  usuario_nome: string
  grupo_id: number | null
  grupo_nome: string | null
  tela: string
  nome: string
  consulta: string
  criado_em: Date
}

export interface VisaoFields {
  tela: string
  nome: string
  consulta: string
  grupo_id: number | null
}

const VISAO = sql`v.id, v.usuario_id, u.nome as usuario_nome, v.grupo_id, g.nome as grupo_nome, v.tela, v.nome, v.consulta,
  v.criado_em`
const FROM = sql`visoes v join usuarios u on u.id = v.usuario_id left join grupos g on g.id = v.grupo_id`

/** Own ones and those of the account's groups. */
export function listVisoes(db: Db, usuarioId: number, atMost: number): Promise<VisaoRow[]> {
  return db.rows(sql`
    select ${VISAO} from ${FROM}
    where v.usuario_id = ${usuarioId}
      or v.grupo_id in (select m.grupo_id from usuarios_grupos m where m.usuario_id = ${usuarioId})
    order by v.tela, plain(v.nome), v.id limit ${atMost}`)
}

export function findVisaoOf(db: Db, usuarioId: number, id: number): Promise<VisaoRow | null> {
  return db.first(sql`select ${VISAO} from ${FROM} where v.id = ${id} and v.usuario_id = ${usuarioId}`)
}

/** Serialises the changes of one account, so that its limit and its names hold among simultaneous ones. */
export function lockVisoesOf(tx: Db, usuarioId: number): Promise<number> {
  return tx.run(sql`select pg_advisory_xact_lock(8443029, ${usuarioId})`)
}

export function countVisoesOf(tx: Db, usuarioId: number): Promise<number> {
  return tx.value(sql`select count(*)::integer from visoes where usuario_id = ${usuarioId}`)
}

export async function isNameTaken(
  tx: Db,
  usuarioId: number,
  { tela, nome }: Pick<VisaoFields, 'tela' | 'nome'>,
): Promise<boolean> {
  const row = await tx.first(sql`
    select from visoes where usuario_id = ${usuarioId} and tela = ${tela} and nome = ${nome}`)
  return row !== null
}

export async function isMember(tx: Db, usuarioId: number, grupoId: number): Promise<boolean> {
  const row = await tx.first(sql`
    select from usuarios_grupos where usuario_id = ${usuarioId} and grupo_id = ${grupoId}`)
  return row !== null
}

export function insertVisao(
  tx: Db,
  usuarioId: number,
  { tela, nome, consulta, grupo_id }: VisaoFields,
  now: Date,
): Promise<number> {
  return tx.value(sql`
    insert into visoes (usuario_id, grupo_id, tela, nome, consulta, criado_em)
    values (${usuarioId}, ${grupo_id}, ${tela}, ${nome}, ${consulta}, ${now}) returning id`)
}

export function deleteVisaoOf(db: Db, usuarioId: number, id: number): Promise<number> {
  return db.run(sql`delete from visoes where id = ${id} and usuario_id = ${usuarioId}`)
}
