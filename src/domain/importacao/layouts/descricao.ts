import type { FieldName } from '../../casos/campos.ts'
import { CANONICAL_NAMES, SINAN_COLUMNS, type SinanColumn } from './columns.ts'
import { columnName, shownName } from './header.ts'
import type { LayoutName } from './layout.ts'
import { OWN_NAMES, ownFieldOf } from './own.ts'
import { fieldsOfColumn } from './sinan.ts'

/** Use of each column of a file by an import. */

export const USOS = ['usada', 'ignorada', 'desconhecida'] as const

export interface DescribedColumn {
  /** As the file has it. */
  nome: string
  /** The first of `campos`. */
  campo: FieldName | null
  /** Fields that it can set; none: it decides about the row, or is not used. */
  campos: readonly FieldName[]
  /** `ignorada`: known, and left out on purpose, or repeated. */
  uso: (typeof USOS)[number]
  /** Known name that an unknown one resembles. */
  sugestao: string | null
}

type Meaning = { key: string; campos: readonly FieldName[]; used: boolean }

function meaningOf(layout: LayoutName, column: string): Meaning | null {
  if (layout === 'proprio') {
    const campo = ownFieldOf(column)
    return campo === undefined ? null : { key: campo, campos: [campo], used: true }
  }
  const key = CANONICAL_NAMES.get(column.toUpperCase())
  if (key === undefined) return null
  const sinan = SINAN_COLUMNS[key] as SinanColumn
  return { key, campos: fieldsOfColumn(sinan), used: sinan.reads !== 'nothing' }
}

/** Unknown columns that are compared with the known names: each costs a comparison with all of them. */
const MAX_SUGGESTED = 50

export function describeColumns(layout: LayoutName, header: readonly string[]): DescribedColumn[] {
  const found = new Set<string>()
  const described = header.map((text) => {
    const nome = shownName(text)
    const meaning = meaningOf(layout, columnName(text))
    if (meaning === null)
      return { nome, campo: null, campos: [], uso: 'desconhecida' as const, sugestao: null }
    const { key, campos, used } = meaning
    const uso = used && !found.has(key) ? ('usada' as const) : ('ignorada' as const)
    found.add(key)
    return { nome, campo: campos[0] ?? null, campos, uso, sugestao: null }
  })
  const free = namesOf(layout).filter(({ key }) => !found.has(key))
  let left = MAX_SUGGESTED
  return described.map((column) => {
    if (column.uso !== 'desconhecida' || column.nome === '' || left === 0) return column
    left -= 1
    return { ...column, sugestao: nearest(columnName(column.nome), free) }
  })
}

interface KnownName {
  name: string
  /** Name folded like that of a column. */
  folded: string
  key: string
}

function namesOf(layout: LayoutName): KnownName[] {
  const names = layout === 'proprio' ? OWN_NAMES : CANONICAL_NAMES
  return [...names].map(([name, key]) => ({ name, folded: columnName(name), key }))
}

/** The known name with the fewest different letters; null where a third of them differ. */
function nearest(column: string, names: readonly KnownName[]): string | null {
  const limit = Math.min(3, Math.floor(column.length / 3))
  let best: { name: string; distance: number } | null = null
  for (const { name, folded } of names) {
    if (Math.abs(folded.length - column.length) > limit) continue
    const distance = distanceBetween(column, folded)
    if (distance <= limit && (best === null || distance < best.distance)) best = { name, distance }
  }
  return best?.name ?? null
}

/** Levenshtein distance: letters to insert, delete or replace. */
function distanceBetween(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] as number) + Number(a[i - 1] !== b[j - 1])
      row.push(Math.min(replaced, (previous[j] as number) + 1, (row[j - 1] as number) + 1))
    }
    previous = row
  }
  return previous[b.length] as number
}
