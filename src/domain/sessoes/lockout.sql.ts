import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface LoginAttempt {
  conta: Buffer
  origem: string
}

export interface Bloqueios {
  /** Of the account: for this source, or for all that are not known. */
  account_until: Date | null
  /** Of the source, for all accounts. */
  source_until: Date | null
  /** The account has logged in from this source. */
  known: boolean
  unlocked_at: Date | null
}

/** Locks that apply to an attempt, and its exemptions. An empty `conta` stands for all accounts. */
export function findBloqueios(db: Db, { conta, origem }: LoginAttempt, now: Date): Promise<Bloqueios> {
  return db.one(sql`
    select max(b.bloqueado_ate) filter (where b.conta <> '' and (b.origem <> '*' or not o.known)) as account_until,
           max(b.bloqueado_ate) filter (where b.conta = '') as source_until,
           o.known, o.unlocked_at
      from (select count(*) filter (where origem = ${origem}) > 0 as known,
                   max(ultimo_login) filter (where origem = '*') as unlocked_at
              from origens_conhecidas where conta = ${conta} and origem in (${origem}, '*')) o
      left join bloqueios_de_login b
        on b.conta in (${conta}, '') and b.origem in (${origem}, '*') and b.bloqueado_ate > ${now}
     group by o.known, o.unlocked_at`)
}

/** Serialises failure counts by account and by source. */
export async function lockAttempt(db: Db, { conta, origem }: LoginAttempt): Promise<void> {
  await db.run(
    sql`select pg_advisory_xact_lock(8443004, ('x' || encode(substr(${conta}::bytea, 1, 4), 'hex'))::bit(32)::int)`,
  )
  await db.run(sql`select pg_advisory_xact_lock(8443005, hashtext(${origem}))`)
}

export function insertFalha(db: Db, { conta, origem }: LoginAttempt, now: Date): Promise<number> {
  return db.run(
    sql`insert into falhas_de_login (conta, origem, instante) values (${conta}, ${origem}, ${now})`,
  )
}

export interface Falhas {
  of_account_here: number
  of_account: number
  of_source: number
}

export function countFalhas(db: Db, { conta, origem }: LoginAttempt, since: Date): Promise<Falhas> {
  return db.one(sql`
    select count(*) filter (where conta = ${conta} and origem = ${origem}) as of_account_here,
           count(*) filter (where conta = ${conta}) as of_account,
           count(*) filter (where origem = ${origem}) as of_source
      from falhas_de_login
     where (conta = ${conta} or origem = ${origem}) and instante > ${since}`)
}

/** Returns 0 if locked already: a lock is never prolonged. */
export function insertBloqueio(
  db: Db,
  { conta, origem }: LoginAttempt,
  bloqueado_ate: Date,
  now: Date,
  usuario_id: number | null,
): Promise<number> {
  return db.run(sql`
    insert into bloqueios_de_login as b (conta, origem, bloqueado_ate, usuario_id)
    values (${conta}, ${origem}, ${bloqueado_ate}, ${usuario_id})
    on conflict (conta, origem) do update set bloqueado_ate = excluded.bloqueado_ate, usuario_id = excluded.usuario_id
     where b.bloqueado_ate <= ${now}`)
}

export function deleteFalhasOfOrigem(db: Db, { conta, origem }: LoginAttempt): Promise<number> {
  return db.run(sql`delete from falhas_de_login where conta = ${conta} and origem = ${origem}`)
}

/** Source `*`: time of the last unlock of the account. */
export function upsertOrigemConhecida(db: Db, { conta, origem }: LoginAttempt, now: Date): Promise<number> {
  return db.run(sql`
    insert into origens_conhecidas (conta, origem, ultimo_login) values (${conta}, ${origem}, ${now})
    on conflict (conta, origem) do update set ultimo_login = excluded.ultimo_login`)
}

export async function deleteBloqueios(db: Db, conta: Buffer): Promise<void> {
  await db.run(sql`delete from falhas_de_login where conta = ${conta}`)
  await db.run(sql`delete from bloqueios_de_login where conta = ${conta}`)
}

export function forgetFalhas(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from falhas_de_login where instante < ${before}`)
}

export function forgetBloqueios(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from bloqueios_de_login where bloqueado_ate < ${before}`)
}

export function forgetOrigens(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from origens_conhecidas where ultimo_login < ${before}`)
}
