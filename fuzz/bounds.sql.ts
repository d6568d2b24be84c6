import type { Db } from '../src/db/db.ts'
import { type Sql, sql } from '../src/db/sql.ts'

/** Places of an account, as codes: states (also as the two digits that begin the codes of municipalities) and municipalities. */
export interface Places {
  ufs: string[]
  codigosDeUf: number[]
  municipios: number[]
}

export interface OutsideCaso {
  id: number
  numero_notificacao: string
  /** True when it has been outside all the time. */
  always: boolean
}

/** Keeps every place that a case ever had: events of the time when it was inside stay readable. */
export async function watchPlaces(db: Db): Promise<void> {
  await db.run(sql`
    create unlogged table fuzz.lugares (
      caso_id integer not null, estado_residencia text, municipio_residencia integer, municipio_notificacao integer)`)
  await db.run(sql`
    create function fuzz.anotar_lugar() returns trigger language plpgsql as $$
    begin
      insert into fuzz.lugares
      values (new.id, new.estado_residencia, new.municipio_residencia, new.municipio_notificacao);
      return null;
    end $$`)
  await db.run(sql`
    create trigger fuzz_anotar_lugar after insert or update of estado_residencia, municipio_residencia, municipio_notificacao
    on casos for each row execute function fuzz.anotar_lugar()`)
}

/** Places that bind an account; null for administrators and accounts without a place. */
export async function findLugares(
  db: Db,
  usuarioId: number,
): Promise<{ nivel: string; codigo: string }[] | null> {
  const lugares = await db.rows<{ nivel: string; codigo: string }>(sql`
    select nivel, codigo from usuarios_territorios
    where usuario_id = ${usuarioId} and usuario_id not in (select id from administradores)`)
  return lugares.length === 0 ? null : lugares
}

/** Cases, deleted ones too, that neither live nor were notified in these places, and that the account does not answer for. */
export function listOutside(db: Db, usuarioId: number, places: Places): Promise<OutsideCaso[]> {
  return db.rows<OutsideCaso>(sql`
    select c.id, c.numero_notificacao,
           not exists (select from fuzz.lugares l where l.caso_id = c.id and ${isInside(sql`l`, places)}) as always
    from casos c
    where c.responsavel_id is distinct from ${usuarioId} and not ${isInside(sql`c`, places)}`)
}

const isInside = (row: Sql, { ufs, codigosDeUf, municipios }: Places): Sql => sql`(
  coalesce(${row}.estado_residencia = any(${ufs}::text[]), false)
  or coalesce(${row}.municipio_residencia = any(${municipios}::integer[]), false)
  or coalesce(${row}.municipio_notificacao = any(${municipios}::integer[]), false)
  or coalesce(${row}.municipio_notificacao / 100000 = any(${codigosDeUf}::integer[]), false))`
