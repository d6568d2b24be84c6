import { codigoDaSemana, sundayOfWeek, weekOf } from '../../../brasil/epi-week.ts'
import { covers, type Territorio } from '../../../caller/territorio.ts'
import type { Db } from '../../../db/db.ts'
import type { Campos } from '../campos.ts'
import { countsIn, weeksOf } from '../counters/semanas.ts'
import { countNewByWeek, periodOfStaged, placesOfStaged } from './efeito.sql.ts'

export { periodOfStaged }

/**
 * Effect of an import on the curve: cases by week of onset, before and after, of the file's diseases in the municipalities that the
 * file has and that lie inside the importer's territory. Made of counters and of the changes of a dry run.
 */

export interface EfeitoPorSemana {
  data_base: 'sintomas'
  semanas: { semana: string; antes: number; depois: number }[]
  /** New cases without an onset, or with one that cannot be. */
  sem_semana: number
}

/** Ten years; of a longer file the latest weeks are told. */
const MAX_SEMANAS = 520
const MAX_ATRASO_DIAS = 365
const DAY_MS = 86_400_000

/** Sum of the changes that a dry run finds, by the Sunday of the onset. */
export class WeekChanges {
  readonly #codigos: ReadonlySet<number>
  readonly byWeek = new Map<string, number>()

  constructor(codigos: Iterable<number>) {
    this.#codigos = new Set(codigos)
  }

  move(before: Campos, after: Campos): void {
    const [from, to] = [this.#weekIn(before), this.#weekIn(after)]
    if (from === to) return
    if (from !== null) this.add(from, -1)
    if (to !== null) this.add(to, 1)
  }

  add(inicio: string, total: number): void {
    this.byWeek.set(inicio, (this.byWeek.get(inicio) ?? 0) + total)
  }

  #weekIn({ municipio_residencia, data_inicio_sintomas: onset, data_notificacao }: Campos): string | null {
    if (onset === null || municipio_residencia === null || !this.#codigos.has(municipio_residencia))
      return null
    const days = (Date.parse(data_notificacao) - Date.parse(onset)) / DAY_MS
    return days > MAX_ATRASO_DIAS ? null : sundayOfWeek(weekOf(onset))
  }
}

/** Places and diseases that the effect is told of. */
export async function effectScope(tx: Db, numero: number, territorio: Territorio | null) {
  const { tipos, lugares } = await placesOfStaged(tx, numero)
  const inside = lugares.filter(({ uf, codigo }) => covers(territorio, { estado: uf, municipio: codigo }))
  return { tipos, lugares: inside, changes: new WeekChanges(inside.map(({ codigo }) => codigo)) }
}
export type EffectScope = Awaited<ReturnType<typeof effectScope>>

/** `scope.changes`: those of existing cases; new ones are added here. */
export async function effectByWeek(
  tx: Db,
  numero: number,
  { tipos, lugares, changes }: EffectScope,
): Promise<EfeitoPorSemana> {
  let sem_semana = 0
  const codigos = lugares.map(({ codigo }) => codigo)
  for (const { inicio, total } of await countNewByWeek(tx, numero, codigos))
    if (inicio === null) sem_semana += total
    else changes.add(inicio, total)
  const touched = [...changes.byWeek].filter(([, total]) => total !== 0).map(([inicio]) => weekOf(inicio))
  if (touched.length === 0) return { data_base: 'sintomas', semanas: [], sem_semana }
  const last = touched.reduce((a, b) => Math.max(a, b))
  const first = Math.max(
    touched.reduce((a, b) => Math.min(a, b)),
    last - MAX_SEMANAS + 1,
  )
  const before = new Map<string, number>()
  for (const tipo of tipos) {
    const period = { from: sundayOfWeek(first), to: sundayOfWeek(last) }
    const { semanas } = await weeksOf(tx, { tipo, lugares, ...period })
    for (const { inicio, casos } of semanas)
      before.set(inicio, (before.get(inicio) ?? 0) + countsIn(casos, 'notificados').total)
  }
  const semanas = Array.from({ length: last - first + 1 }, (_, i) => {
    const inicio = sundayOfWeek(first + i)
    const antes = before.get(inicio) ?? 0
    return { semana: codigoDaSemana(inicio), antes, depois: antes + (changes.byWeek.get(inicio) ?? 0) }
  })
  return { data_base: 'sintomas', semanas, sem_semana }
}
