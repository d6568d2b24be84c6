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

/** Levels of some places in some weeks, the last one included; places and weeks without a stored one are missing. */
export function listNiveis(
  db: Db,
  { tipo, from, to, lugares }: { tipo: string; from: number; to: number; lugares: readonly string[] },
): Promise<NivelRow[]> {
  return db.rows(sql`
    select lugar, tipo_agravo, semana, ${VALUES} from alertas_niveis
    where tipo_agravo = ${tipo} and semana = any(array(select generate_series(${from}::integer, ${to}::integer)))
      and lugar = any(${lugares})`)
}

/** By COPY: of the ways to insert thousands of rows the one that takes the server least. */
export async function insertNiveis(tx: Db, niveis: readonly NivelRow[], now: Date): Promise<void> {
  const at = now.toISOString()
  await tx.copy(sql`copy alertas_niveis (tipo_agravo, semana, lugar, ${VALUES}, calculado_em) from stdin`, [
    niveis.map((nivel) => lineOf(nivel, at)).join(''),
  ])
}

/** Codes and numbers: nothing that the text format of COPY would have to escape. */
function lineOf({ tipo_agravo, semana, lugar, nivel, motivos, ...numeros }: NivelRow, at: string): string {
  const { casos, casos_estimados, incidencia, p_rt_maior_1, limite_superior, qualidade, regra_versao } =
    numeros
  const estimated = `${casos_estimados}\t${incidencia ?? '\\N'}\t${p_rt_maior_1}\t${limite_superior ?? '\\N'}`
  return `${tipo_agravo}\t${semana}\t${lugar}\t${nivel}\t{${motivos}}\t${casos}\t${estimated}\t${qualidade}\t${regra_versao}\t${at}\n`
}

export async function deleteNiveis(
  tx: Db,
  tipo: string,
  niveis: readonly Pick<NivelRow, 'semana' | 'lugar'>[],
): Promise<void> {
  if (niveis.length === 0) return
  await tx.run(sql`
    delete from alertas_niveis n
    using unnest(${niveis.map(({ semana }) => semana)}::integer[], ${niveis.map(({ lugar }) => lugar)}::text[]) d (semana, lugar)
    where n.tipo_agravo = ${tipo} and n.semana = d.semana and n.lugar = d.lugar`)
}

/** Levels of weeks before one. */
export function forgetNiveisBefore(db: Db, semana: number): Promise<number> {
  // By disease: the index begins with it.
  return db.run(sql`
    delete from alertas_niveis
    where tipo_agravo = any(array(select codigo from tipos_agravo)) and semana < ${semana}`)
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
