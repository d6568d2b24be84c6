import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Advisory lock until the end of the transaction; false when another request holds it. */
export function tryLock(db: Db, key: bigint): Promise<boolean> {
  return db.value(sql`select pg_try_advisory_xact_lock(${String(key)}::bigint)`)
}

export interface IdempotenciaRow {
  usuario_id: number
  chave: Buffer
  pedido: Buffer
  resposta: Buffer
  criado_em: Date
}

type Id = Pick<IdempotenciaRow, 'usuario_id' | 'chave'>

/** Claims the key, also from an expired request; zero rows when an answer is stored under it. */
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

export function getKept(
  db: Db,
  { usuario_id, chave }: Id,
): Promise<Pick<IdempotenciaRow, 'pedido' | 'resposta'>> {
  return db.one(sql`
    select pedido, resposta from idempotencia where usuario_id = ${usuario_id} and chave = ${chave}`)
}

export function forgetIdempotencia(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from idempotencia where criado_em < ${before}`)
}
