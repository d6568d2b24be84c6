import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export function insertArquivo(db: Db, id: string, now: Date): Promise<number> {
  return db.run(sql`insert into arquivos (id, criado_em) values (${id}, ${now})`)
}

/** Asynchronous commit: the later commit that refers to the file flushes this one too. */
export function insertParte(db: Db, id: string, ordem: number, conteudo: Buffer): Promise<number> {
  return db.run(sql`
    with relaxed as (select set_config('synchronous_commit', 'off', true))
    insert into arquivos_partes (arquivo_id, ordem, conteudo)
    select ${id}::uuid, ${ordem}::integer, ${conteudo}::bytea from relaxed`)
}

export function completeArquivo(db: Db, id: string, tamanho: number): Promise<number> {
  return db.run(sql`update arquivos set tamanho = ${tamanho} where id = ${id}`)
}

export function markInUse(db: Db, id: string): Promise<number> {
  return db.run(sql`update arquivos set em_uso = true where id = ${id}`)
}

export function findArquivo(db: Db, id: string): Promise<{ tamanho: number } | null> {
  return db.first(sql`select tamanho from arquivos where id = ${id}`)
}

export function findParte(db: Db, id: string, ordem: number): Promise<{ conteudo: Buffer } | null> {
  return db.first(sql`select conteudo from arquivos_partes where arquivo_id = ${id} and ordem = ${ordem}`)
}

export function discardArquivo(db: Db, id: string): Promise<number> {
  return db.run(sql`delete from arquivos where id = ${id}`)
}

/** Deletes leftovers of interrupted uploads. */
export function forgetUnusedArquivos(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from arquivos where not em_uso and criado_em < ${before}`)
}
