import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Until the transaction ends; false when another holds it. */
export async function tryLock(db: Db, numero: bigint): Promise<boolean> {
  const row = await db.first<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(${String(numero)}::bigint) as locked`)
  return row?.locked ?? false
}

export interface IdempotenciaRow {
  usuario_id: number
  chave: Buffer
  pedido: Buffer
  resposta: Buffer
  criado_em: Date
}

type Id = Pick<IdempotenciaRow, 'usuario_id' | 'chave'>

/** Takes the key, also from a request whose time is over; 0 when an answer is kept under it. */
export function claimChave(
  db: Db,
  { usuario_id, chave, pedido, criado_em }: Omit<IdempotenciaRow, 'resposta'>,
  expired: Date,
): Promise<number> {
  return db.run(sql`
    insert into idempotencia as i (usuario_id, chave, pedido, criado_em)
    values (${usuario_id}, ${chave}, ${pedido}, ${criado_em})
        on conflict on constraint idempotencia__pk
        do update set pedido = excluded.pedido, resposta = null, criado_em = excluded.criado_em
     where i.criado_em <= ${expired}`)
}

export function updateResposta(db: Db, { usuario_id, chave }: Id, resposta: Buffer): Promise<number> {
  return db.run(sql`
    update idempotencia set resposta = ${resposta} where usuario_id = ${usuario_id} and chave = ${chave}`)
}

export async function findKept(
  db: Db,
  { usuario_id, chave }: Id,
): Promise<Pick<IdempotenciaRow, 'pedido' | 'resposta'>> {
  return (await db.first<Pick<IdempotenciaRow, 'pedido' | 'resposta'>>(sql`
    select pedido, resposta from idempotencia where usuario_id = ${usuario_id} and chave = ${chave}`)) as IdempotenciaRow
}
