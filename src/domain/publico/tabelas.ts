import {
  type Cell,
  cellOf,
  createClosing,
  findDetermining,
  hideSmallCells,
  isOpen,
  type Line,
  smallestOf,
} from '../../statistics/suppression.ts'

/**
 * Suppression of all that is published of a disease and a year, in every place at once: weeks, sex and age, and classifications.
 *
 * Places are a tree, so each of the tables is a graph (`suppression.ts`). They share the number of probable cases of each place,
 * which is in more than two lines of all tables together. Each table is therefore closed by itself, and places whose number is
 * hidden are linked in all of them: they share a hidden column in each, so that a change of these numbers that one table allows is
 * allowed by the others as well. The price is a hidden zero here and there.
 */

/** Cases of a place without parts. */
export interface ContagemPublica {
  /** Probable cases by week of onset, from the first week of the year. */
  semanas: readonly number[]
  /** Probable cases by sex and age band; the last one: either is unknown. */
  piramide: readonly number[]
  confirmados: number
  inconclusivos: number
  em_investigacao: number
  descartados: number
}

export interface LugarDaTabela {
  chave: string
  /** Its small totals are shown: the country, states, regions of many residents. */
  isLarge: boolean
  /** Counts of a place without parts. */
  contagem?: ContagemPublica
  /** In the order of their codes. */
  partes?: readonly LugarDaTabela[]
}

export type AgregacaoPublica = 'semana' | '4_semanas' | 'ano'

/** Numbers of a place; null: hidden. */
export interface NumerosDoLugar {
  agregacao: AgregacaoPublica
  /** By week or by four weeks; none by year. */
  serie: (number | null)[]
  piramide: (number | null)[]
  provaveis: number | null
  confirmados: number | null
  inconclusivos: number | null
  em_investigacao: number | null
  descartados: number | null
  notificados: number | null
}

interface Nodo {
  chave: string
  partes: Nodo[]
  semanas: Cell[]
  piramide: Cell[]
  /** Confirmed, inconclusive, under investigation. */
  classes: Cell[]
  /** Discarded and all notified. */
  demais: [Cell, Cell]
  provaveis: Cell
  agregacao: AgregacaoPublica
  blocos: Cell[]
}

export function suppress(pais: LugarDaTabela, minimum: number): Map<string, NumerosDoLugar> {
  const root = nodoOf(pais, true)
  const nodos = [...walk(root)]
  for (const nodo of nodos) hideSmallCells(cellsOf(nodo), minimum)
  const closings = (['semanas', 'piramide', 'classes'] as const).map((name) =>
    createClosing(tableOf(root, nodos, name), minimum),
  )
  closings.push(createClosing(notificadosOf(root, nodos), minimum))
  for (let hasHidden = true; hasHidden; ) {
    hasHidden = closings.map((closing) => closing.close()).includes(true)
    if (linkHidden(root, nodos)) hasHidden = true
  }
  addUpWeeks(root, nodos, minimum)
  return new Map(nodos.map((nodo) => [nodo.chave, numerosOf(nodo)]))
}

function nodoOf(lugar: LugarDaTabela, isRoot = false): Nodo {
  const { chave, isLarge, contagem, partes = [] } = lugar
  const children = partes.map((parte) => nodoOf(parte))
  const total = { isLarge, isFixed: isRoot }
  const add = (cellsOf: (nodo: Nodo) => readonly Cell[], own: readonly number[] | undefined, flags = {}) =>
    (own ?? columnSums(children.map(cellsOf))).map((count) => cellOf(count, flags))
  const semanas = add(({ semanas }) => semanas, contagem?.semanas, total)
  const classes = add(
    ({ classes }) => classes,
    contagem && [contagem.confirmados, contagem.inconclusivos, contagem.em_investigacao],
    total,
  )
  const provaveis = sumOf(classes)
  const [descartados = cellOf(0, total)] = add(
    ({ demais: [descartados] }) => [descartados],
    contagem && [contagem.descartados],
    total,
  )
  return {
    chave,
    partes: children,
    semanas,
    // Sex and age tell more of a person than a total does: small ones are hidden everywhere.
    piramide: add(({ piramide }) => piramide, contagem?.piramide),
    classes,
    demais: [descartados, cellOf(provaveis + descartados.count, total)],
    provaveis: cellOf(provaveis, total),
    agregacao: 'semana',
    blocos: [],
  }
}

function columnSums(rows: readonly (readonly Cell[])[]): number[] {
  return (rows[0] ?? []).map((_, j) => rows.reduce((sum, row) => sum + (row[j]?.count ?? 0), 0))
}

const sumOf = (cells: readonly Cell[]) => cells.reduce((sum, { count }) => sum + count, 0)

const cellsOf = ({ semanas, piramide, classes, demais, provaveis }: Nodo): Cell[] => [
  ...semanas,
  ...piramide,
  ...classes,
  ...demais,
  provaveis,
]

function* walk(nodo: Nodo): Generator<Nodo> {
  yield nodo
  for (const parte of nodo.partes) yield* walk(parte)
}

const hasParts = ({ partes }: Nodo) => partes.length > 0

/** One line for each place that has parts. */
const linesOf = (nodos: readonly Nodo[], cellOf: (nodo: Nodo) => Cell): Line[] =>
  nodos.filter(hasParts).map((nodo) => ({ parts: nodo.partes.map(cellOf), total: cellOf(nodo) }))

const provaveisOf = ({ provaveis }: Nodo) => provaveis

function tableOf(root: Nodo, nodos: readonly Nodo[], name: 'semanas' | 'piramide' | 'classes') {
  const columns = root[name].flatMap((_, j) => linesOf(nodos, (nodo) => nodo[name][j] as Cell))
  const rowOf = (nodo: Nodo): Line => ({ parts: nodo[name], total: nodo.provaveis })
  return {
    columns: [...columns, ...linesOf(nodos, provaveisOf)],
    rows: nodos.filter((nodo) => !hasParts(nodo) || nodo === root).map(rowOf),
    implied: nodos.filter((nodo) => hasParts(nodo) && nodo !== root).map(rowOf),
  }
}

/** Probable and discarded cases make up the notified ones. */
function notificadosOf(root: Nodo, nodos: readonly Nodo[]) {
  const rowOf = ({ provaveis, demais: [descartados, total] }: Nodo): Line => ({
    parts: [provaveis, descartados],
    total,
  })
  return {
    columns: [
      ...linesOf(nodos, ({ demais: [descartados] }) => descartados),
      ...linesOf(nodos, ({ demais: [, notificados] }) => notificados),
      ...linesOf(nodos, provaveisOf),
    ],
    rows: nodos.filter((nodo) => !hasParts(nodo) || nodo === root).map(rowOf),
    implied: nodos.filter((nodo) => hasParts(nodo) && nodo !== root).map(rowOf),
  }
}

/** Columns of each table. */
const COLUMNS: readonly ((nodo: Nodo) => readonly Cell[])[] = [
  ({ semanas }) => semanas,
  ({ piramide }) => piramide,
  ({ classes }) => classes,
  ({ demais }) => demais,
]

/** Hides a common column of each table in places whose hidden numbers of probable cases depend on each other. */
function linkHidden(root: Nodo, nodos: readonly Nodo[]): boolean {
  let hasHidden = false
  for (const linked of linkedPlaces(root, nodos))
    for (const columnsOf of COLUMNS) {
      const columns = linked.map(columnsOf)
      const hiddenIn = (columns[0] ?? []).map((_, j) => columns.filter((of) => of[j]?.isHidden).length)
      const best = hiddenIn.indexOf(Math.max(...hiddenIn))
      for (const cell of columns.flatMap((of) => of[best] ?? [])) {
        if (!cell.isHidden) hasHidden = true
        cell.isHidden = true
      }
    }
  return hasHidden
}

/** Places with a hidden number of probable cases that are in one line, or connected by such lines. */
function linkedPlaces(root: Nodo, nodos: readonly Nodo[]): Nodo[][] {
  const found: Nodo[][] = []
  const gather = (nodo: Nodo, linked: Nodo[]): void => {
    const hidden = nodo.partes.filter(({ provaveis }) => provaveis.isHidden)
    for (const parte of hidden) {
      linked.push(parte)
      gather(parte, linked)
    }
  }
  for (const nodo of nodos) {
    if (nodo !== root && nodo.provaveis.isHidden) continue
    const linked: Nodo[] = []
    gather(nodo, linked)
    if (linked.length > 0) found.push(linked)
  }
  return found
}

const BLOCK_WEEKS = 4
const LAST_BLOCK = 12

/** Week 53 belongs to the last four. */
export const blocoOf = (week: number) => Math.min(Math.floor(week / BLOCK_WEEKS), LAST_BLOCK)

/**
 * Adds up the weeks of places most of which are hidden, by four or by year. Sums of four weeks are shown beside all weeks that
 * could be shown; a place whose sums would determine a hidden number is published by year.
 */
function addUpWeeks(root: Nodo, nodos: readonly Nodo[], minimum: number): void {
  for (const nodo of nodos)
    if (!hasParts(nodo) && isMostlyHidden(nodo.semanas)) nodo.agregacao = addUpByFour(nodo, minimum)
  const table = tableOf(root, nodos, 'semanas')
  for (;;) {
    const summed = nodos.filter(({ agregacao }) => agregacao === '4_semanas')
    if (summed.length === 0) return
    const rowsOf = new Map(summed.map((nodo) => [nodo, blockLines(nodo)]))
    const others = table.rows.filter(({ parts }) => !summed.some(({ semanas }) => semanas === parts))
    const { lines, connected } = findDetermining({
      ...table,
      rows: [...others, ...[...rowsOf.values()].flat()],
    })
    if (lines.size === 0) return
    const within = (some: ReadonlySet<Line>) =>
      summed.filter((nodo) => rowsOf.get(nodo)?.some((line) => some.has(line)))
    const revealing = within(lines)
    for (const nodo of revealing.length > 0 ? revealing : within(connected)) nodo.agregacao = 'ano'
  }
}

/** Hides as many of the sums as would reveal a week or a small sum. */
function addUpByFour(nodo: Nodo, minimum: number): AgregacaoPublica {
  if (nodo.provaveis.isHidden) return 'ano'
  nodo.blocos = blocosOf(nodo.semanas)
  hideSmallCells(nodo.blocos, minimum)
  const lines = blockLines(nodo)
  const all = lines.pop() as Line
  for (const line of lines) if (isOpen(line, minimum)) line.total.isHidden = true
  while (isOpen(all, minimum)) {
    const next = smallestOf(nodo.blocos)
    if (next === undefined) return 'ano'
    next.isHidden = true
  }
  return isMostlyHidden(nodo.blocos) ? 'ano' : '4_semanas'
}

/** Each four weeks with their sum, and the sums with their total. */
function blockLines({ blocos, semanas, provaveis }: Nodo): Line[] {
  const lines = blocos.map((total, j) => ({
    parts: semanas.filter((_, week) => blocoOf(week) === j),
    total,
  }))
  return [...lines, { parts: blocos, total: provaveis }]
}

const isMostlyHidden = (cells: readonly Cell[]) =>
  2 * cells.filter(({ isHidden }) => isHidden).length > cells.length

function blocosOf(semanas: readonly Cell[]): Cell[] {
  const blocks = Map.groupBy(semanas.entries(), ([week]) => blocoOf(week))
  return [...blocks.values()].map((weeks) => cellOf(sumOf(weeks.map(([, cell]) => cell))))
}

const shown = ({ count, isHidden }: Cell) => (isHidden ? null : count)

function numerosOf(nodo: Nodo): NumerosDoLugar {
  const { agregacao, semanas, blocos, classes, demais, piramide, provaveis } = nodo
  const [confirmados, inconclusivos, em_investigacao] = classes as [Cell, Cell, Cell]
  const series = { semana: semanas, '4_semanas': blocos, ano: [] }
  return {
    agregacao,
    serie: series[agregacao].map(shown),
    piramide: piramide.map(shown),
    provaveis: shown(provaveis),
    confirmados: shown(confirmados),
    inconclusivos: shown(inconclusivos),
    em_investigacao: shown(em_investigacao),
    descartados: shown(demais[0]),
    notificados: shown(demais[1]),
  }
}
