import { addDays } from '../../../brasil/calendar.ts'
import type { Database, Db } from '../../../db/db.ts'
import type { ListQuery } from '../../../filter.ts'
import type { Escrita } from '../casos.sql.ts'
import { type Consulta, countCasos, findBloco } from '../counters/counters.sql.ts'
import { coverageOf, isInMonths, monthOf, type Periodo, type Recorte } from '../counters/scope.ts'
import { listByDay, listCasos, type Ordenados, type Partida, pageByDay } from './page.sql.ts'

/** Up to here the rows before a page are skipped faster than its place is looked up. */
const NEAR = 500
/** A page of some of the cases of so many days is found soon, however few those are. */
const SHORT_DAYS = 62

/** How many cases there are, and those of a page. */
export interface Achados {
  total: number
  escritas: Escrita[]
}

export async function findPage(db: Database, list: ListQuery, consulta: Consulta): Promise<Achados> {
  const ordenados = ordenadosOf(list, consulta)
  if (ordenados !== null && ordenados.offset <= NEAR) return nearPage(db, consulta, ordenados, list.size)
  const total = await countCasos(db, consulta)
  const offset = offsetOf(list)
  const atMost = Math.min(list.size, total - offset)
  if (atMost <= 0) return { total, escritas: [] }
  return { total, escritas: await farPage(db, list, consulta, ordenados, atMost) }
}

const offsetOf = ({ page, size }: ListQuery) => (page - 1) * size

const isByDay = ({ sort, thenBy }: ListQuery) => sort === 'data_notificacao' && !thenBy?.length

/** What an index has in the order of the list, if one has. */
function ordenadosOf(list: ListQuery, { recorte }: Consulta): Ordenados | null {
  if (recorte === null || !isByDay(list)) return null
  const { estados, municipios, tipos, classes, periodo } = recorte
  if (municipios !== null || (estados !== null && estados.length > 1)) return null
  return { estado: estados?.[0] ?? null, tipos, classes, periodo, order: list.order, offset: offsetOf(list) }
}

/** In one statement, with others who ask for such a page where none of them has to wait for a long search. */
async function nearPage(
  db: Database,
  consulta: Consulta,
  ordenados: Ordenados,
  size: number,
): Promise<Achados> {
  const query = pageByDay(consulta, ordenados, size)
  const [row] = isQuick(ordenados)
    ? await db.shared<{ total: number; escritas: string }>(query)
    : await db.rows<{ total: number; escritas: string }>(query)
  const { total, escritas } = row as NonNullable<typeof row>
  return { total, escritas: escritas === '' ? [] : escritas.split(' ') }
}

function isQuick({ tipos, classes, periodo: { de, ate } }: Ordenados): boolean {
  if (tipos === null && classes === null) return true
  return de !== null && ate !== null && ate <= addDays(de, SHORT_DAYS)
}

/** One far away in the order of days is found by how many cases each day has. */
async function farPage(
  db: Db,
  list: ListQuery,
  consulta: Consulta,
  ordenados: Ordenados | null,
  atMost: number,
): Promise<Escrita[]> {
  const { columns, recorte } = consulta
  if (recorte === null || !isByDay(list) || offsetOf(list) <= NEAR)
    return listCasos(db, list, columns, { atMost })
  const partida = await findPartida(db, consulta, recorte, list)
  if (partida === null) return []
  if (ordenados === null) return listCasos(db, list, columns, { atMost, partida })
  const periodo = from(partida, ordenados.periodo, list.order)
  return listByDay(db, { ...ordenados, periodo, offset: partida.offset }, atMost)
}

const from = ({ inicio }: Partida, { de, ate }: Periodo, order: ListQuery['order']): Periodo =>
  order === 'asc' ? { de: inicio, ate } : { de, ate: inicio }

/** First the month, or a day outside of whole months; then the day of that month. */
async function findPartida(
  db: Db,
  consulta: Consulta,
  recorte: Recorte,
  list: ListQuery,
): Promise<Partida | null> {
  const { order } = list
  const bloco = await findBloco(db, consulta, {}, order, offsetOf(list))
  if (bloco === null || !isInMonths(bloco.inicio, coverageOf(recorte.periodo))) return bloco
  const month = monthOf(bloco.inicio)
  const ofMonth = { ...consulta, recorte: { ...recorte, periodo: month } }
  const day = await findBloco(db, ofMonth, { tempo: 'dia' }, order, bloco.offset)
  // Cases went away in between: the page begins behind what the month still has.
  return day ?? { ...bloco, inicio: order === 'asc' ? month.de : month.ate }
}
