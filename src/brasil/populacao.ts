import type { Municipio } from './municipios.ts'
import { type Figures, parseFigures, readBytes } from './tabela.ts'

/** Residents by municipality and year. */
export interface Populacao {
  /** Years with figures, in order, without a gap. */
  anos: readonly number[]
  /** Year whose figures stand for a year: the last one known for a later year, the first for an earlier. */
  knownYear(ano: number): number
  /** Null for a municipality without figures. */
  populationOf(municipio: Municipio, ano: number): number | null
  /** Sum of a larger place: municipalities without figures are left out; null where none has any. */
  populationOfAll(municipios: readonly Municipio[], ano: number): number | null
  /** The same of every year, in the order of `anos`. */
  seriesOf(municipios: readonly Municipio[]): readonly number[] | null
}

export async function loadPopulacao(): Promise<Populacao> {
  return indexPopulacao(parseFigures(await readBytes('populacao.csv')))
}

export function indexPopulacao({ columns, cells, start }: Figures): Populacao {
  const anos = columns.map(Number)
  const first = anos[0] as number
  const knownYear = clampedTo(anos)
  const populationOf = ({ codigo }: Municipio, ano: number) => {
    const begin = start(codigo)
    return begin === undefined ? null : (cells[begin + knownYear(ano) - first] as number)
  }
  const seriesOf = keptWithList((municipios) => {
    const starts = municipios.map(({ codigo }) => start(codigo)).filter((begin) => begin !== undefined)
    if (starts.length === 0) return null
    return anos.map((_ano, i) => starts.reduce((sum, begin) => sum + (cells[begin + i] as number), 0))
  })
  return {
    anos,
    knownYear,
    populationOf,
    populationOfAll: (municipios, ano) => seriesOf(municipios)?.[knownYear(ano) - first] ?? null,
    seriesOf,
  }
}

/**
 * Keeps sums over a list of municipalities for as long as the list itself: that of the country is always the same one, and adding it
 * up took most of the time of some answers.
 */
export function keptWithList<T>(
  sumOf: (municipios: readonly Municipio[]) => T,
): (municipios: readonly Municipio[]) => T {
  const kept = new WeakMap<readonly Municipio[], T>()
  return (municipios) => {
    const known = kept.get(municipios)
    if (known !== undefined) return known
    const sum = sumOf(municipios)
    kept.set(municipios, sum)
    return sum
  }
}

/** Residents of a place by year, added up once for all years; null where nobody knows them. */
export function residentsByYear(
  populacao: Pick<Populacao, 'anos' | 'knownYear' | 'seriesOf'>,
  municipios: readonly Municipio[],
): (ano: number) => number | null {
  const figures = populacao.seriesOf(municipios)
  return (ano) => figures?.[populacao.knownYear(ano) - (populacao.anos[0] as number)] ?? null
}

/** The nearest of consecutive years. */
export function clampedTo(anos: readonly number[]): (ano: number) => number {
  const first = anos[0] as number
  const last = anos.at(-1) as number
  return (ano) => Math.min(Math.max(ano, first), last)
}
