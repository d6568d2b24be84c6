import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export function ping(db: Db): Promise<number> {
  return db.run(sql`select 1`)
}

export function listMigracoes(db: Db): Promise<{ nome: string }[]> {
  return db.rows(sql`select nome from migracoes`)
}

export function measureDatabase(db: Db): Promise<number> {
  return db.value(sql`select pg_database_size(current_database())::float8`)
}

export interface BackupRow {
  concluida_em: Date
  bytes: number
}

export function findLastBackup(db: Db): Promise<BackupRow | null> {
  return db.first(sql`select concluida_em, bytes::float8 as bytes from ultima_copia`)
}
