import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface Execucao {
  /** Last week for which every place was computed; null: never. */
  semana_completa: number | null
  /** Moment of the last request for a computation. */
  pedida_em: Date | null
}

export function findExecucao(db: Db): Promise<Execucao> {
  return db.one(sql`select semana_completa, pedida_em from alertas_execucao`)
}

/** The same, locked until the end of the transaction: instances ask one after the other. */
export function lockExecucao(tx: Db): Promise<Execucao> {
  return tx.one(sql`select semana_completa, pedida_em from alertas_execucao for update`)
}

export function markAsked(tx: Db, now: Date): Promise<number> {
  return tx.run(sql`update alertas_execucao set pedida_em = ${now}`)
}

export function markComplete(tx: Db, semana: number): Promise<number> {
  return tx.run(sql`update alertas_execucao set semana_completa = ${semana}`)
}
