import { ESTADOS_IBGE, type Uf } from '../../../brasil/uf.ts'
import type { Filter, FilterTest } from '../../../filter.ts'
import { hideSmallCounts } from '../../../statistics/suppressed-table.ts'
import type { App } from '../../app.ts'
import { selectionOf } from '../counters/counters.sql.ts'
import type { TipoAgravo } from '../enumeracoes.ts'
import { type Counts, countBy } from './estatisticas.sql.ts'

/**
 * Totals of anywhere, beyond the caller's territory, with small counts hidden. No free filters: one disease, one calendar year,
 * and states or the municipalities of one state, so that the difference of two answers discloses nothing.
 */

export interface PanoramaRequest {
  tipo_agravo: TipoAgravo
  ano: number
  /** Null: all states. */
  estado: Uf | null
}

const CLASSES = ['confirmado', 'descartado', 'inconclusivo', 'em_investigacao'] as const
const EVENTS = ['hospitalizados', 'obitos'] as const
type Cell = (typeof CLASSES)[number] | (typeof EVENTS)[number]
const NAMES = ['total', ...CLASSES, ...EVENTS] as const

/** Counts of a place; null: hidden. */
export type PanoramaCounts = Record<Cell | 'total', number | null>

export interface PanoramaRow extends PanoramaCounts {
  codigo: string | null
  nome: string | null
  suprimido: boolean
}

export interface Panorama {
  linhas: PanoramaRow[]
  total: PanoramaCounts & { suprimido: boolean }
}

/** Smallest count that is shown. */
export const MINIMUM_SHOWN = 5

export async function panoramaOf(
  { db, municipios }: Pick<App, 'db' | 'municipios'>,
  request: PanoramaRequest,
): Promise<Panorama> {
  const selection = selectionOf(filterOf(request), municipios)
  const nivel = request.estado === null ? 'estado' : 'municipio'
  const rows = await countBy<string | number>(db, nivel, selection)
  const nameOf = (codigo: string) =>
    nivel === 'estado'
      ? ESTADOS_IBGE.find(({ uf }) => uf === codigo)?.nome
      : municipios.byCodigo(Number(codigo))?.nome
  return suppressed(
    rows.map(({ valor, ...counts }) => {
      const codigo = valor === null ? null : String(valor)
      return { codigo, nome: (codigo !== null && nameOf(codigo)) || null, counts }
    }),
    // Residents of a state are too many for its total to tell of anybody.
    nivel === 'estado',
  )
}

function filterOf({ tipo_agravo, ano, estado }: PanoramaRequest): Filter {
  const test = (field: string, value: string): FilterTest => ({ kind: 'test', field, op: 'eq', value })
  return {
    kind: 'and',
    of: [
      test('tipo_agravo', tipo_agravo),
      test('data_inicio', `${ano}-01-01`),
      test('data_fim', `${ano}-12-31`),
      ...(estado === null ? [] : [test('estado', estado)]),
    ],
  }
}

interface Counted {
  codigo: string | null
  nome: string | null
  counts: Counts
}

/** Classifications are one table, with a total for each place; hospitalisations and deaths are a column each. */
function suppressed(rows: readonly Counted[], areTotalsLarge: boolean): Panorama {
  const tableOf = (names: readonly Cell[]) => {
    const cells = rows.map(({ counts }) => names.map((name) => counts[name]))
    return hideSmallCounts({ cells, areTotalsLarge }, MINIMUM_SHOWN)
  }
  const classes = tableOf(CLASSES)
  const columns = new Map<Cell, boolean[]>(
    CLASSES.map((name, j) => [name, classes.cells.map((row) => row[j] === true)]),
  )
  const sums = new Map<Cell | 'total', boolean>(
    CLASSES.map((name, j) => [name, classes.columnTotals[j] === true]),
  )
  sums.set('total', classes.total)
  for (const name of EVENTS) {
    const { cells, rowTotals, columnTotals, total } = tableOf([name])
    columns.set(
      name,
      cells.map((row, i) => row[0] === true || rowTotals[i] === true),
    )
    sums.set(name, columnTotals[0] === true || total)
  }
  const linhas = rows.map(({ codigo, nome, counts }, i) => {
    const isHidden = (name: Cell | 'total') =>
      name === 'total' ? classes.rowTotals[i] === true : columns.get(name)?.[i] === true
    return { codigo, nome, ...shownOf(counts, isHidden) }
  })
  const total = (name: Cell | 'total') => rows.reduce((all, { counts }) => all + counts[name], 0)
  const totals = Object.fromEntries(NAMES.map((name) => [name, total(name)])) as Record<
    Cell | 'total',
    number
  >
  return { linhas, total: shownOf(totals, (name) => sums.get(name) === true) }
}

function shownOf(
  counts: Record<Cell | 'total', number>,
  isHidden: (name: Cell | 'total') => boolean,
): PanoramaCounts & { suprimido: boolean } {
  const shown = Object.fromEntries(NAMES.map((name) => [name, isHidden(name) ? null : counts[name]]))
  return { ...(shown as PanoramaCounts), suprimido: NAMES.some(isHidden) }
}
