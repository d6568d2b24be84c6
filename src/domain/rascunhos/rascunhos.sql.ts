import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export const FORMULARIOS = ['caso', 'epizootia'] as const
export type FormularioDeRascunho = (typeof FORMULARIOS)[number]

/** Form that a draft is of, and the record that it changes. */
export interface AlvoDoRascunho {
  formulario: FormularioDeRascunho
  /** Null: a new one, or a draft of the other form. */
  caso_id: number | null
  epizootia_id: number | null
}

export interface RascunhoRow extends AlvoDoRascunho {
  id: string
  tamanho: number
  criado_em: Date
  atualizado_em: Date
}

export interface NewRascunho extends AlvoDoRascunho {
  usuario_id: number
  id: string
  conteudo: Buffer
  tamanho: number
}

const RASCUNHO = sql`id, formulario, caso_id, epizootia_id, tamanho, criado_em, atualizado_em`

/** Serialises the new drafts of one account, so that its limit holds among simultaneous ones. */
export function lockRascunhosOf(tx: Db, usuarioId: number): Promise<number> {
  return tx.run(sql`select pg_advisory_xact_lock(8443013, ${usuarioId})`)
}

/** Null where the account has no draft of this id. */
export function updateRascunho(
  db: Db,
  { usuario_id, id, formulario, caso_id, epizootia_id, conteudo, tamanho }: NewRascunho,
  now: Date,
): Promise<RascunhoRow | null> {
  return db.first(sql`
    update rascunhos set formulario = ${formulario}, caso_id = ${caso_id}, epizootia_id = ${epizootia_id},
      conteudo = ${conteudo}, tamanho = ${tamanho}, atualizado_em = ${now}
    where usuario_id = ${usuario_id} and id = ${id} returning ${RASCUNHO}`)
}

export function insertRascunho(
  db: Db,
  { usuario_id, id, formulario, caso_id, epizootia_id, conteudo, tamanho }: NewRascunho,
  now: Date,
): Promise<RascunhoRow> {
  return db.one(sql`
    insert into rascunhos (usuario_id, id, formulario, caso_id, epizootia_id, conteudo, tamanho, criado_em, atualizado_em)
    values (${usuario_id}, ${id}, ${formulario}, ${caso_id}, ${epizootia_id}, ${conteudo}, ${tamanho}, ${now}, ${now})
    returning ${RASCUNHO}`)
}

export function countRascunhos(db: Db, usuarioId: number, after: Date): Promise<number> {
  return db.value(sql`
    select count(*) from rascunhos where usuario_id = ${usuarioId} and atualizado_em > ${after}`)
}

/** Drafts that may be read: their account, the forms that it may send, and the moment they must be saved after. */
export interface Legiveis {
  usuario_id: number
  formularios: readonly FormularioDeRascunho[]
  after: Date
}

const legible = ({ usuario_id, formularios, after }: Legiveis) =>
  sql`usuario_id = ${usuario_id} and formulario = any(${formularios}::text[]) and atualizado_em > ${after}`

export function findRascunho(
  db: Db,
  id: string,
  legiveis: Legiveis,
): Promise<(RascunhoRow & { conteudo: Buffer }) | null> {
  return db.first(sql`
    select ${RASCUNHO}, conteudo from rascunhos where id = ${id} and ${legible(legiveis)}`)
}

/** Latest first. */
export function listRascunhos(db: Db, legiveis: Legiveis): Promise<RascunhoRow[]> {
  return db.rows(sql`
    select ${RASCUNHO} from rascunhos where ${legible(legiveis)}
    order by atualizado_em desc, id`)
}

export function deleteRascunho(db: Db, id: string, legiveis: Legiveis): Promise<number> {
  return db.run(sql`delete from rascunhos where id = ${id} and ${legible(legiveis)}`)
}

export function forgetRascunhos(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from rascunhos where atualizado_em <= ${before}`)
}
