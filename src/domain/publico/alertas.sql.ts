import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { NivelDeAlerta } from '../alertas/nivel.ts'

/** Public levels of a disease, of one moment of a day. */
export interface RetratoDeAlertas {
  /** Day in Brasília, from 04:00 on. */
  dia: string
  feito_em: Date
  /** Number of the week; null: none was computed for every place yet. */
  semana: number | null
  minimo: number
  /** By key of the place; without those that are green or withheld. */
  niveis: Record<string, NivelDeAlerta>
}

export function findRetratoDeAlertas(db: Db, tipo: string): Promise<RetratoDeAlertas | null> {
  return db.first(sql`
    select dia, feito_em, semana, minimo, niveis from publico_alertas where tipo_agravo = ${tipo}`)
}

/** Of a new day only: another instance may have been faster. */
export function storeRetratoDeAlertas(db: Db, tipo: string, retrato: RetratoDeAlertas): Promise<number> {
  const { dia, feito_em, semana, minimo, niveis } = retrato
  return db.run(sql`
    insert into publico_alertas as r (tipo_agravo, dia, feito_em, semana, minimo, niveis)
    values (${tipo}, ${dia}, ${feito_em}, ${semana}, ${minimo}, ${JSON.stringify(niveis)}::jsonb)
    on conflict (tipo_agravo) do update set dia = excluded.dia, feito_em = excluded.feito_em, semana = excluded.semana,
      minimo = excluded.minimo, niveis = excluded.niveis
      where r.dia < excluded.dia`)
}
