import type { Db } from '../src/db/db.ts'
import { sql } from '../src/db/sql.ts'

/** Changes of a table since the last trace: rows added less rows removed, and rows updated. */
export interface Trace {
  tabela: string
  added: number
  changed: number
}

/**
 * Triggers that record every change of a row in the same transaction, so that a rollback leaves no record. Cheaper than comparing
 * tables: every request can be checked. `ultimo_acesso` is ignored, since any request may set it once a minute.
 */
export async function watchTables(db: Db): Promise<void> {
  await db.run(sql`create schema fuzz`)
  await db.run(sql`create unlogged table fuzz.notas (tabela text not null, feito text not null)`)
  await db.run(sql`
    create function fuzz.anotar() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'UPDATE' or to_jsonb(old) - 'ultimo_acesso' is distinct from to_jsonb(new) - 'ultimo_acesso' then
        insert into fuzz.notas values (tg_table_name, tg_op);
      end if;
      return null;
    end $$`)
  await db.run(sql`
    do $$
    declare tabela regclass;
    begin
      for tabela in
        select c.oid from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      loop
        execute format('create trigger fuzz_anotar after insert or update or delete on %s
                        for each row execute function fuzz.anotar()', tabela);
      end loop;
    end $$`)
}

export function takeTraces(db: Db): Promise<Trace[]> {
  return db.rows<Trace>(sql`
    with vistas as (delete from fuzz.notas returning tabela, feito)
    select tabela,
           sum(case feito when 'INSERT' then 1 when 'DELETE' then -1 else 0 end)::int as added,
           count(*) filter (where feito = 'UPDATE')::int as changed
    from vistas group by tabela`)
}
