import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface NotificacaoRow {
  id: number
  tipo: string
  job_id: string | null
  dados: Record<string, unknown>
  criado_em: Date
  lida_em: Date | null
}

export function insertNotificacao(
  tx: Db,
  usuarioId: number,
  { tipo, dados }: Pick<NotificacaoRow, 'tipo' | 'dados'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into notificacoes (usuario_id, tipo, dados, criado_em)
    values (${usuarioId}, ${tipo}, ${JSON.stringify(dados)}::jsonb, ${now})`)
}

/** The newest first. */
export function listNotificacoes(db: Db, usuarioId: number, atMost: number): Promise<NotificacaoRow[]> {
  return db.rows(sql`
    select id, tipo, job_id, dados, criado_em, lida_em from notificacoes
    where usuario_id = ${usuarioId} order by id desc limit ${atMost}`)
}

export function countUnread(db: Db, usuarioId: number): Promise<number> {
  return db.value(sql`
    select count(*)::integer from notificacoes where usuario_id = ${usuarioId} and lida_em is null`)
}

export function markRead(db: Db, usuarioId: number, ate: number, now: Date): Promise<number> {
  return db.run(sql`
    update notificacoes set lida_em = ${now}
    where usuario_id = ${usuarioId} and id <= ${ate} and lida_em is null`)
}

export function forgetNotificacoes(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from notificacoes where criado_em < ${before}`)
}
