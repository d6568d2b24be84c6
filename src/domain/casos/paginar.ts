import type { Db } from '../../db/db.ts'
import type { ListQuery } from '../../filter.ts'
import type { Referencia } from './casos.sql.ts'
import { type Consulta, findBloco } from './contagens.sql.ts'
import { listByDay, listCasos, type Partida } from './paginar.sql.ts'
import { coverageOf, isInMonths, monthOf, type Periodo, type Recorte } from './recorte.ts'

/** Up to here the rows before a page are skipped faster than its place is looked up. */
const NEAR = 500

/** The cases of a page of so many. One far away in the order of days is found by how many cases each day has. */
export async function casosOfPage(
  db: Db,
  list: ListQuery,
  consulta: Consulta,
  total: number,
): Promise<Referencia[]> {
  const { columns, recorte } = consulta
  const offset = (list.page - 1) * list.size
  const atMost = Math.min(list.size, total - offset)
  if (atMost <= 0) return []
  const isByDay = list.sort === 'data_notificacao' && !list.thenBy?.length
  if (!isByDay || recorte === null) return listCasos(db, list, columns, { atMost })
  const partida = offset <= NEAR ? undefined : await findPartida(db, consulta, recorte, list.order, offset)
  if (partida === null) return []
  const { estados, municipios } = recorte
  if (municipios !== null || (estados !== null && estados.length > 1))
    return listCasos(db, list, columns, { atMost, ...(partida && { partida }) })
  return listByDay(db, {
    ...recorte,
    estado: estados?.[0] ?? null,
    periodo: partida === undefined ? recorte.periodo : from(partida, recorte.periodo, list.order),
    order: list.order,
    offset: partida?.offset ?? offset,
    atMost,
  })
}

const from = ({ inicio }: Partida, { de, ate }: Periodo, order: ListQuery['order']): Periodo =>
  order === 'asc' ? { de: inicio, ate } : { de, ate: inicio }

/** First the month, or a day outside of whole months; then the day of that month. */
async function findPartida(
  db: Db,
  consulta: Consulta,
  recorte: Recorte,
  order: ListQuery['order'],
  offset: number,
): Promise<Partida | null> {
  const bloco = await findBloco(db, consulta, {}, order, offset)
  if (bloco === null || !isInMonths(bloco.inicio, coverageOf(recorte.periodo))) return bloco
  const month = monthOf(bloco.inicio)
  const ofMonth = { ...consulta, recorte: { ...recorte, periodo: month } }
  const day = await findBloco(db, ofMonth, { tempo: 'dia' }, order, bloco.offset)
  // Cases went away in between: the page begins behind what the month still has.
  return day ?? { ...bloco, inicio: order === 'asc' ? month.de : month.ate }
}
