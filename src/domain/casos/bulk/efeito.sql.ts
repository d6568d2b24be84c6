import type { Db } from '../../../db/db.ts'
import { identifier, sql } from '../../../db/sql.ts'
import type { TipoAgravo } from '../enumeracoes.ts'

const casosOf = (numero: number) => identifier(`preparo.casos_${numero}`)

/** First and last day of notification of the staged lines; null without any. */
export async function periodOfStaged(
  tx: Db,
  numero: number,
): Promise<{ inicio: string; fim: string } | null> {
  const { inicio, fim } = await tx.one<{ inicio: string | null; fim: string | null }>(sql`
    select min(data_notificacao) as inicio, max(data_notificacao) as fim from ${casosOf(numero)}`)
  return inicio === null || fim === null ? null : { inicio, fim }
}

/** Diseases and municipalities of residence of the staged lines. */
export function placesOfStaged(
  tx: Db,
  numero: number,
): Promise<{ tipos: TipoAgravo[]; lugares: { uf: string; codigo: number }[] }> {
  return tx.one(sql`
    select (select coalesce(json_agg(distinct tipo_agravo), '[]') from ${casosOf(numero)}) as tipos,
      (select coalesce(json_agg(json_build_object('uf', estado_residencia, 'codigo', municipio_residencia)), '[]') from (
        select distinct estado_residencia, municipio_residencia from ${casosOf(numero)}
        where municipio_residencia is not null and estado_residencia is not null) p) as lugares`)
}

/** New cases of these municipalities by the Sunday of their onset; null: in no week, as the counters define it. */
export function countNewByWeek(
  tx: Db,
  numero: number,
  codigos: readonly number[],
): Promise<{ inicio: string | null; total: number }[]> {
  return tx.rows(sql`
    select case when s.data_notificacao - s.data_inicio_sintomas <= 365
        then s.data_inicio_sintomas - extract(dow from s.data_inicio_sintomas)::integer end as inicio,
      count(*)::integer as total
    from ${casosOf(numero)} s
    where s.municipio_residencia = any(${[...codigos]}::integer[])
      and not exists (select from matches m where m.linha = s.linha)
    group by 1`)
}
