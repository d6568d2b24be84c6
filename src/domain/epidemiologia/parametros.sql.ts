import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { Hyperparameters } from '../../statistics/nowcast.ts'

/** Place, disease and cases that hyperparameters belong to. */
export interface ChaveDosParametros {
  lugar: string
  tipo: string
  casos: string
}

export interface ParametrosGuardados extends Hyperparameters {
  semana: number
  total: number
}

const COLUMNS = sql`semana, total, ln_tau_a as "lnTauRows", ln_tau_b as "lnTauDelays", ln_phi as "lnPhi"`

export function findParametros(
  db: Db,
  { lugar, tipo, casos }: ChaveDosParametros,
): Promise<ParametrosGuardados | null> {
  return db.first(sql`
    select ${COLUMNS} from nowcast_parametros
    where lugar = ${lugar} and tipo_agravo = ${tipo} and casos = ${casos}`)
}

export async function keepParametros(
  db: Db,
  parametros: readonly (ChaveDosParametros & ParametrosGuardados)[],
): Promise<void> {
  if (parametros.length === 0) return
  await db.run(sql`
    insert into nowcast_parametros (lugar, tipo_agravo, casos, semana, total, ln_tau_a, ln_tau_b, ln_phi)
    select lugar, tipo, casos, semana, total, "lnTauRows", "lnTauDelays", "lnPhi"
    from jsonb_to_recordset(${JSON.stringify(parametros)}::jsonb) as p (lugar text, tipo text, casos text, semana integer,
      total integer, "lnTauRows" double precision, "lnTauDelays" double precision, "lnPhi" double precision)
    on conflict (lugar, tipo_agravo, casos) do update set semana = excluded.semana, total = excluded.total,
      ln_tau_a = excluded.ln_tau_a, ln_tau_b = excluded.ln_tau_b, ln_phi = excluded.ln_phi`)
}

/** Of many places at once. */
export function listParametros(
  db: Db,
  { tipo, casos, lugares }: Omit<ChaveDosParametros, 'lugar'> & { lugares: readonly string[] },
): Promise<(ParametrosGuardados & { lugar: string })[]> {
  return db.rows(sql`
    select lugar, ${COLUMNS} from nowcast_parametros
    where lugar = any(${lugares}) and tipo_agravo = ${tipo} and casos = ${casos}`)
}
