import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { NivelDaSemana, NivelDeAlerta } from './nivel.ts'

/** Stored level of a place and week; `lugar` is '' for the country. */
export interface NivelRow extends Omit<NivelDaSemana, 'week'> {
  lugar: string
  tipo_agravo: string
  semana: number
  regra_versao: number
}

const VALUES = sql`nivel, motivos, casos, casos_estimados, incidencia, p_rt_maior_1, limite_superior, qualidade, regra_versao`

/** Rows that say the same as before stay as they are, with the time at which they were computed. */
export async function storeNiveis(tx: Db, niveis: readonly NivelRow[], now: Date): Promise<number> {
  if (niveis.length === 0) return 0
  return tx.run(sql`
    insert into alertas_niveis as n (tipo_agravo, semana, lugar, ${VALUES}, calculado_em)
    select tipo_agravo, semana, lugar, ${VALUES}, ${now}
    from jsonb_to_recordset(${JSON.stringify(niveis)}::jsonb) as novos (tipo_agravo text, semana integer, lugar text, nivel text,
      motivos text[], casos integer, casos_estimados double precision, incidencia double precision,
      p_rt_maior_1 double precision, limite_superior double precision, qualidade text, regra_versao integer)
    on conflict (tipo_agravo, semana, lugar) do update set (${VALUES}, calculado_em) =
      (excluded.nivel, excluded.motivos, excluded.casos, excluded.casos_estimados, excluded.incidencia,
        excluded.p_rt_maior_1, excluded.limite_superior, excluded.qualidade, excluded.regra_versao, excluded.calculado_em)
    where (n.nivel, n.motivos, n.casos, n.casos_estimados, n.incidencia, n.p_rt_maior_1, n.limite_superior, n.qualidade,
        n.regra_versao)
      is distinct from (excluded.nivel, excluded.motivos, excluded.casos, excluded.casos_estimados, excluded.incidencia,
        excluded.p_rt_maior_1, excluded.limite_superior, excluded.qualidade, excluded.regra_versao)`)
}

/** Levels of some places in a week; places without a stored one are missing. */
export function listNiveis(
  db: Db,
  { tipo, semana, lugares }: { tipo: string; semana: number; lugares: readonly string[] },
): Promise<NivelRow[]> {
  return db.rows(sql`
    select lugar, tipo_agravo, semana, ${VALUES} from alertas_niveis
    where tipo_agravo = ${tipo} and semana = ${semana} and lugar = any(${lugares})`)
}

/** Level of a place in the last of these weeks that has one. */
export function findNivel(
  db: Db,
  { tipo, semanas, lugar }: { tipo: string; semanas: readonly number[]; lugar: string },
): Promise<NivelRow | null> {
  return db.first(sql`
    select lugar, tipo_agravo, semana, ${VALUES} from alertas_niveis
    where tipo_agravo = ${tipo} and semana = any(${semanas}::integer[]) and lugar = ${lugar}
    order by semana desc limit 1`)
}

/** Places above green in a week that have at least so many known cases in it and the two before. */
export function listElevated(
  db: Db,
  { tipo, semana, minimo }: { tipo: string; semana: number; minimo: number },
): Promise<{ lugar: string; nivel: NivelDeAlerta }[]> {
  return db.rows(sql`
    select n.lugar, n.nivel from alertas_niveis n
    where n.tipo_agravo = ${tipo} and n.semana = ${semana} and n.nivel <> 'verde' and ${minimo} <= (
      select sum(w.casos) from alertas_niveis w
      where w.tipo_agravo = n.tipo_agravo and w.semana in (n.semana, n.semana - 1, n.semana - 2) and w.lugar = n.lugar
    )
    order by n.lugar`)
}
