import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Its refresh tokens go with it. */
export function deleteOldSessoes(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from sessoes where expira_em < ${before} or encerrada_em < ${before}`)
}

export function deleteOldTokens(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from tokens_de_email where expira_em < ${before}`)
}

export function deleteOldEmailsAnteriores(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from emails_anteriores where trocado_em < ${before}`)
}

export function deleteOldFalhas(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from falhas_de_login where instante < ${before}`)
}

export function deleteOldBloqueios(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from bloqueios_de_login where bloqueado_ate < ${before}`)
}

export function deleteOldOrigens(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from origens_conhecidas where ultimo_login < ${before}`)
}

export function deleteOldIdempotencia(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from idempotencia where criado_em < ${before}`)
}

export function deleteOldLimites(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from limites where minuto_fim < ${before} and hora_fim < ${before}`)
}

/** Of uploads that were cut off. */
export function deleteUnusedArquivos(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from arquivos where not em_uso and criado_em < ${before}`)
}

/** What jobs made for a day, or for as long as they are remembered. */
export function deleteExpiredArquivos(db: Db, now: Date): Promise<number> {
  return db.run(sql`
    delete from arquivos where id in (select arquivo_id from jobs where arquivo_expira_em <= ${now})`)
}

export function deleteOldJobs(db: Db, before: Date): Promise<number> {
  return db.run(sql`
    with gone as (delete from jobs where completed_at < ${before} returning arquivo_id)
    delete from arquivos where id in (select arquivo_id from gone)`)
}
