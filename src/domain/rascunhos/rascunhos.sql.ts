import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface RascunhoRow {
  id: string
  caso_id: number | null
  tamanho: number
  criado_em: Date
  atualizado_em: Date
}

export interface NewRascunho {
  usuario_id: number
  id: string
  caso_id: number | null
  conteudo: Buffer
  tamanho: number
}

const RASCUNHO = sql`id, caso_id, tamanho, criado_em, atualizado_em`

/** Serialises the new drafts of one account, so that its limit holds among simultaneous ones. */
export function lockRascunhosOf(tx: Db, usuarioId: number): Promise<number> {
  return tx.run(sql`select pg_advisory_xact_lock(8443013, ${usuarioId})`)
}

/** Null where the account has no draft of this id. */
export function updateRascunho(
  db: Db,
  { usuario_id, id, caso_id, conteudo, tamanho }: NewRascunho,
  now: Date,
): Promise<RascunhoRow | null> {
  return db.first(sql`
    update rascunhos set caso_id = ${caso_id}, conteudo = ${conteudo}, tamanho = ${tamanho}, atualizado_em = ${now}
    where usuario_id = ${usuario_id} and id = ${id} returning ${RASCUNHO}`)
}

export function insertRascunho(
  db: Db,
  { usuario_id, id, caso_id, conteudo, tamanho }: NewRascunho,
  now: Date,
): Promise<RascunhoRow> {
  return db.one(sql`
    insert into rascunhos (usuario_id, id, caso_id, conteudo, tamanho, criado_em, atualizado_em)
    values (${usuario_id}, ${id}, ${caso_id}, ${conteudo}, ${tamanho}, ${now}, ${now}) returning ${RASCUNHO}`)
}

export function countRascunhos(db: Db, usuarioId: number, after: Date): Promise<number> {
  return db.value(sql`
    select count(*) from rascunhos where usuario_id = ${usuarioId} and atualizado_em > ${after}`)
}

export function findRascunho(
  db: Db,
  { usuario_id, id }: Pick<NewRascunho, 'usuario_id' | 'id'>,
  after: Date,
): Promise<(RascunhoRow & { conteudo: Buffer }) | null> {
  return db.first(sql`
    select ${RASCUNHO}, conteudo from rascunhos
    where usuario_id = ${usuario_id} and id = ${id} and atualizado_em > ${after}`)
}

/** Latest first. */
export function listRascunhos(db: Db, usuarioId: number, after: Date): Promise<RascunhoRow[]> {
  return db.rows(sql`
    select ${RASCUNHO} from rascunhos where usuario_id = ${usuarioId} and atualizado_em > ${after}
    order by atualizado_em desc, id`)
}

export function deleteRascunho(
  db: Db,
  { usuario_id, id }: Pick<NewRascunho, 'usuario_id' | 'id'>,
  after: Date,
): Promise<number> {
  return db.run(sql`
    delete from rascunhos where usuario_id = ${usuario_id} and id = ${id} and atualizado_em > ${after}`)
}

export function forgetRascunhos(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from rascunhos where atualizado_em <= ${before}`)
}
