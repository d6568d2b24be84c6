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

export function findParametros(
  db: Db,
  { lugar, tipo, casos }: ChaveDosParametros,
): Promise<ParametrosGuardados | null> {
  return db.first(sql`
    select semana, total, ln_tau_a as "lnTauRows", ln_tau_b as "lnTauDelays", ln_phi as "lnPhi" from nowcast_parametros
    where lugar = ${lugar} and tipo_agravo = ${tipo} and casos = ${casos}`)
}

export async function keepParametros(
  db: Db,
  { lugar, tipo, casos }: ChaveDosParametros,
  { semana, total, lnTauRows, lnTauDelays, lnPhi }: ParametrosGuardados,
): Promise<void> {
  await db.run(sql`
    insert into nowcast_parametros (lugar, tipo_agravo, casos, semana, total, ln_tau_a, ln_tau_b, ln_phi)
    values (${lugar}, ${tipo}, ${casos}, ${semana}, ${total}, ${lnTauRows}, ${lnTauDelays}, ${lnPhi})
    on conflict (lugar, tipo_agravo, casos) do update set semana = excluded.semana, total = excluded.total,
      ln_tau_a = excluded.ln_tau_a, ln_tau_b = excluded.ln_tau_b, ln_phi = excluded.ln_phi`)
}
