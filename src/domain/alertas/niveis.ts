import { dateInBrazil } from '../../brasil/calendar.ts'
import { weekOf } from '../../brasil/epi-week.ts'
import type { Db } from '../../db/db.ts'
import { deleteNiveis, forgetNiveisBefore, insertNiveis, listNiveis, type NivelRow } from './niveis.sql.ts'

/** Stored levels, written where they changed. */

/** Levels as they are stored, by place and week. */
export type Guardados = (row: Pick<NivelRow, 'lugar' | 'semana'>) => NivelRow | undefined

/** Of some places, for the weeks that are computed; only the computation writes them, and there is one at a time. */
export async function readNiveis(
  db: Db,
  asked: { tipo: string; from: number; to: number; lugares: readonly string[] },
): Promise<Guardados> {
  const byPlace = Map.groupBy(await listNiveis(db, asked), ({ lugar }) => lugar)
  return ({ lugar, semana }) => byPlace.get(lugar)?.find((row) => row.semana === semana)
}

/** Rows that say the same as before stay as they are, with the time at which they were computed. Number of changed ones. */
export async function storeNiveis(
  tx: Db,
  tipo: string,
  rows: readonly NivelRow[],
  { guardados, now }: { guardados: Guardados; now: Date },
): Promise<number> {
  const replaced: NivelRow[] = []
  const changed = rows.filter((row) => {
    const before = guardados(row)
    if (before === undefined) return true
    if (saysTheSame(row, before)) return false
    replaced.push(before)
    return true
  })
  if (changed.length === 0) return 0
  await deleteNiveis(tx, tipo, replaced)
  await insertNiveis(tx, changed, now)
  return changed.length
}

const COMPARED = [
  'nivel',
  'casos',
  'casos_estimados',
  'incidencia',
  'p_rt_maior_1',
  'limite_superior',
  'qualidade',
  'regra_versao',
] as const satisfies readonly (keyof NivelRow)[]

const saysTheSame = (row: NivelRow, before: NivelRow): boolean =>
  COMPARED.every((field) => row[field] === before[field]) && String(row.motivos) === String(before.motivos)

/** Five years: a million rows a year, of 16,710 series and the places that hold them. */
const SEMANAS_GUARDADAS = 261

/** Older weeks are computed from the numbers of today when they are asked for. */
export function forgetNiveis(db: Db, now: Date): Promise<number> {
  return forgetNiveisBefore(db, weekOf(dateInBrazil(now)) - SEMANAS_GUARDADAS)
}
