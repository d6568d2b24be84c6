import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface Attempt {
  conta: Buffer
  origem: string
}

/** The lock that stands against this attempt: of its source, or of everywhere unless the source is known. */
export function findBloqueio(
  db: Db,
  { conta, origem }: Attempt,
  now: Date,
): Promise<{ bloqueado_ate: Date } | null> {
  return db.first(sql`
    select max(b.bloqueado_ate) as bloqueado_ate
      from bloqueios_de_login b
     where b.conta = ${conta} and b.bloqueado_ate > ${now}
       and (b.origem = ${origem} or (b.origem = '*' and not exists (
             select from origens_conhecidas o where o.conta = ${conta} and o.origem = ${origem})))
    having count(*) > 0`)
}

/** Failures of one account are counted one after the other. */
export function lockConta(db: Db, conta: Buffer): Promise<number> {
  return db.run(
    sql`select pg_advisory_xact_lock(8443004, ('x' || encode(substr(${conta}::bytea, 1, 4), 'hex'))::bit(32)::int)`,
  )
}

export function insertFalha(db: Db, { conta, origem }: Attempt, now: Date): Promise<number> {
  return db.run(
    sql`insert into falhas_de_login (conta, origem, instante) values (${conta}, ${origem}, ${now})`,
  )
}

export function deleteOldFalhas(db: Db, conta: Buffer, before: Date): Promise<number> {
  return db.run(sql`delete from falhas_de_login where conta = ${conta} and instante <= ${before}`)
}

export async function countFalhas(
  db: Db,
  { conta, origem }: Attempt,
): Promise<{ aqui: number; total: number }> {
  const row = await db.first<{ aqui: number; total: number }>(sql`
    select count(*) filter (where origem = ${origem}) as aqui, count(*) as total
      from falhas_de_login where conta = ${conta}`)
  return row as { aqui: number; total: number }
}

export function upsertBloqueio(db: Db, { conta, origem }: Attempt, bloqueado_ate: Date): Promise<number> {
  return db.run(sql`
    insert into bloqueios_de_login (conta, origem, bloqueado_ate) values (${conta}, ${origem}, ${bloqueado_ate})
    on conflict (conta, origem) do update set bloqueado_ate = excluded.bloqueado_ate`)
}

export function deleteFalhasOfOrigem(db: Db, { conta, origem }: Attempt): Promise<number> {
  return db.run(sql`delete from falhas_de_login where conta = ${conta} and origem = ${origem}`)
}

export function upsertOrigemConhecida(db: Db, { conta, origem }: Attempt, now: Date): Promise<number> {
  return db.run(sql`
    insert into origens_conhecidas (conta, origem, ultimo_login) values (${conta}, ${origem}, ${now})
    on conflict (conta, origem) do update set ultimo_login = excluded.ultimo_login`)
}

export async function deleteBloqueios(db: Db, conta: Buffer): Promise<void> {
  await db.run(sql`delete from falhas_de_login where conta = ${conta}`)
  await db.run(sql`delete from bloqueios_de_login where conta = ${conta}`)
}
