import type { Database } from '../../db/db.ts'
import { findExecucao } from './execucao.sql.ts'
import { listElevated } from './niveis.sql.ts'
import type { NivelDeAlerta } from './nivel.ts'

/** Places above green in the last week that was computed for every place, each with at least `minimo` known cases in three weeks. */
export async function niveisElevados(
  db: Database,
  tipo: string,
  minimo: number,
): Promise<{ semana: number | null; elevados: { lugar: string; nivel: NivelDeAlerta }[] }> {
  const { semana_completa: semana } = await findExecucao(db)
  return { semana, elevados: semana === null ? [] : await listElevated(db, { tipo, semana, minimo }) }
}
