import type { Db } from '../../../db/db.ts'
import { sql } from '../../../db/sql.ts'

const UNTOUCHED = (importacaoId: number) => sql`(
  c.criado_por_importacao = ${importacaoId} and c.importacao_id = ${importacaoId} and c.importacao_versao = c.versao
  and c.excluido_em is null and not exists (select from anexos a where a.caso_id = c.id))`

/** Deletes the cases that the import created and nobody touched since. */
export function deleteUntouched(tx: Db, importacaoId: number): Promise<number> {
  return tx.run(
    sql`delete from casos c where c.importacao_id = ${importacaoId} and ${UNTOUCHED(importacaoId)}`,
  )
}

export function countUntouched(db: Db, importacaoId: number): Promise<number> {
  return db.value(sql`
    select count(*) from casos c where c.importacao_id = ${importacaoId} and ${UNTOUCHED(importacaoId)}`)
}

/** Collects the rest of what the import wrote: cases it changed, and created ones that were touched since. */
export async function gatherTouched(tx: Db, importacaoId: number): Promise<void> {
  await tx.run(sql`
    create temporary table tocados on commit drop as
    select c.id from casos c where c.criado_por_importacao = ${importacaoId}
      and not coalesce(${UNTOUCHED(importacaoId)}, false)
    union
    select h.caso_id from casos_historico h
    where h.importacao_id = ${importacaoId} and h.acao = 'importado'`)
}

export function listTouched(tx: Db, after: number, size: number): Promise<{ id: number }[]> {
  return tx.rows(sql`select id from tocados where id > ${after} order by id limit ${size}`)
}
