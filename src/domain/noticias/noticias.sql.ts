import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import type { ListQuery, Page } from '../../filter.ts'

export interface NoticiaRow {
  id: number
  titulo: string
  resumo: string | null
  conteudo: string
  fonte: string | null
  url: string | null
  publicado_em: Date
  criado_em: Date
  atualizado_em: Date
}

/** Fields written by users. */
export type NoticiaFields = Omit<NoticiaRow, 'id' | 'criado_em' | 'atualizado_em'>

const NOTICIA: Sql = sql`
  n.id, n.titulo, n.resumo, n.conteudo, n.fonte, n.url, n.publicado_em, n.criado_em, n.atualizado_em`

const COLUMNS: Columns = {
  fields: {
    id: sql`n.id`,
    titulo: sql`n.titulo`,
    resumo: sql`n.resumo`,
    conteudo: sql`n.conteudo`,
    fonte: sql`n.fonte`,
    url: sql`n.url`,
    publicado_em: sql`n.publicado_em`,
    criado_em: sql`n.criado_em`,
    atualizado_em: sql`n.atualizado_em`,
  },
  plain: {
    titulo: sql`n.titulo_busca`,
    resumo: sql`n.resumo_busca`,
    conteudo: sql`n.conteudo_busca`,
    fonte: sql`n.fonte_busca`,
  },
  required: new Set(['id', 'titulo', 'publicado_em', 'criado_em', 'atualizado_em']),
  search: (text) => sql`
    (n.titulo_busca like plain(${text}) or n.resumo_busca like plain(${text})
      or n.conteudo_busca like plain(${text}) or n.fonte_busca like plain(${text}))`,
}

export function pageOfNoticias(db: Db, list: ListQuery): Promise<Page<NoticiaRow>> {
  return pageOf(db, { select: NOTICIA, from: sql`noticias n`, columns: COLUMNS, id: sql`n.id` }, list)
}

export function findNoticia(db: Db, id: number): Promise<NoticiaRow | null> {
  return db.first(sql`select ${NOTICIA} from noticias n where n.id = ${id}`)
}

/** Locks the row until the end of the transaction, which serialises changes. */
export function findNoticiaForUpdate(db: Db, id: number): Promise<NoticiaRow | null> {
  return db.first(sql`select ${NOTICIA} from noticias n where n.id = ${id} for update`)
}

/**
 * News that were written before their day and have come to it, with nobody told yet; locked, and none that another instance has at
 * hand. Looked at again under the lock: the first statement may not see yet what another instance has just told.
 */
export async function claimPublished(
  tx: Db,
  { after, until }: { after: Date; until: Date },
): Promise<number[]> {
  const claimed = await tx.rows<{ id: number }>(sql`
    select n.id from noticias n
    where n.publicado_em > ${after} and n.publicado_em <= ${until} and n.publicado_em > n.criado_em
    for update skip locked`)
  const rows = await tx.rows<{ id: number }>(sql`
    select n.id from noticias n
    where n.id = any(${claimed.map(({ id }) => id)}::integer[])
      and not exists (select from notificacoes o where o.noticia_id = n.id)
    order by n.publicado_em, n.id`)
  return rows.map(({ id }) => id)
}

export function insertNoticia(db: Db, noticia: NoticiaFields, now: Date): Promise<NoticiaRow> {
  return db.one(sql`
    insert into noticias as n (titulo, resumo, conteudo, fonte, url, publicado_em, criado_em, atualizado_em)
    values (${noticia.titulo}, ${noticia.resumo}, ${noticia.conteudo}, ${noticia.fonte}, ${noticia.url},
            ${noticia.publicado_em}, ${now}, ${now})
    returning ${NOTICIA}`)
}

export function updateNoticia(db: Db, id: number, noticia: NoticiaFields, now: Date): Promise<NoticiaRow> {
  return db.one(sql`
    update noticias n set titulo = ${noticia.titulo}, resumo = ${noticia.resumo}, conteudo = ${noticia.conteudo},
                          fonte = ${noticia.fonte}, url = ${noticia.url}, publicado_em = ${noticia.publicado_em},
                          atualizado_em = ${now}
     where n.id = ${id}
    returning ${NOTICIA}`)
}

export function deleteNoticia(db: Db, id: number): Promise<number> {
  return db.run(sql`delete from noticias where id = ${id}`)
}
