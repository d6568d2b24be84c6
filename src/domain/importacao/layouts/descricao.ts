import type { FieldName } from '../../casos/campos.ts'
import { publicName } from '../../casos/proprios.ts'
import { columnName, shownName } from './header.ts'
import type { Layout, Meaning } from './layout.ts'

/** Use of each column of a file by an import. */

export const USOS = ['usada', 'ignorada', 'desconhecida'] as const

export interface DescribedColumn {
  /** As the file has it. */
  nome: string
  /** The first of `campos`, by its name in answers. */
  campo: FieldName | null
  /** Fields that it can set; none: it decides about the row, or is not used. */
  campos: readonly FieldName[]
  /** `ignorada`: known, and left out on purpose, or repeated. */
  uso: (typeof USOS)[number]
  /** Known name that an unknown one resembles. */
  sugestao: string | null
}

/** Meaning of a column in a file with rows of these diseases: of the first that takes it, or knows it at least. */
function meaningIn({ meaningOf }: Layout, column: string, tipos: readonly string[]): Meaning | null {
  const meanings = [...tipos, null].flatMap((tipo) => meaningOf(column, tipo) ?? [])
  return meanings.find(({ used }) => used) ?? meanings[0] ?? null
}

/** Unknown columns that are compared with the known names: each costs a comparison with all of them. */
const MAX_SUGGESTED = 50

export function describeColumns(
  layout: Layout,
  header: readonly string[],
  tipos: readonly string[],
): DescribedColumn[] {
  const found = new Set<string>()
  const described = header.map((text) => {
    const nome = shownName(text)
    const meaning = meaningIn(layout, columnName(text), tipos)
    if (meaning === null)
      return { nome, campo: null, campos: [], uso: 'desconhecida' as const, sugestao: null }
    const { key, campos, used } = meaning
    const uso = used && !found.has(key) ? ('usada' as const) : ('ignorada' as const)
    found.add(key)
    const [campo] = campos
    return { nome, campo: campo === undefined ? null : nameOf(campo), campos, uso, sugestao: null }
  })
  const free = namesOf(layout, tipos).filter(({ key }) => !found.has(key))
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

const namesOf = (layout: Layout, tipos: readonly string[]): KnownName[] =>
  [...layout.names(tipos)].map(([name, key]) => ({ name, folded: columnName(name), key }))

const nameOf = (campo: FieldName) => publicName(campo) as FieldName

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
