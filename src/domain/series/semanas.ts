import { type FaixaDeSemanas, ofDays, type PeriodoLido } from './alinhamento.ts'
import { faixaOf } from './faixas.ts'
import { periodAt, sundayAt } from './periodos.ts'
import type { AgregaTempo, Serie } from './serie.ts'

/**
 * Weeks of a block of days, as bytes beside it: five hundred instead of the four thousand of its days. Doubles (little-endian; NaN: no
 * value) of the days before the first Sunday, of each whole week and of the days after the last Saturday, then how many days of each
 * week have a value. A week of two years is made at a reading, from the days of both.
 */

const WEEK = 7
const DOUBLE = 8
const MOST_BYTES = 512 + DOUBLE * WEEK

/** Parts of a year: its first day and whole week, and how many of each. */
interface Ano {
  begin: number
  end: number
  antes: number
  semanas: number
  depois: number
  first: number
}

const anos = new Map<number, Ano>()

function anoOf(ano: number): Ano {
  const known = anos.get(ano)
  if (known !== undefined) return known
  const [begin, next] = [periodAt('dia', ano, 0) as number, periodAt('dia', ano + 1, 0) as number]
  const first = Math.ceil((begin - sundayAt(0)) / WEEK)
  const antes = sundayAt(first) - begin
  const semanas = Math.floor((next - begin - antes) / WEEK)
  const depois = next - begin - antes - WEEK * semanas
  const found = { begin, end: next - 1, antes, semanas, depois, first }
  anos.set(ano, found)
  return found
}

/** True for series whose blocks have weeks. */
export const hasSemanas = ({ periodo, agrega_tempo }: Pick<Serie, 'periodo' | 'agrega_tempo'>): boolean =>
  periodo === 'dia' && agrega_tempo !== 'nenhuma'

/** As a statement takes them; null for a series without. */
export function textOfSemanas(
  serie: Pick<Serie, 'periodo' | 'agrega_tempo'>,
  ano: number,
  valores: Float64Array,
): string | null {
  if (!hasSemanas(serie)) return null
  return Buffer.from(packSemanas(serie.agrega_tempo, ano, valores).buffer).toString('base64')
}

export function packSemanas(
  agrega: AgregaTempo,
  ano: number,
  valores: Float64Array,
): Uint8Array<ArrayBuffer> {
  const { begin, end, antes, semanas, depois, first } = anoOf(ano)
  const faixa = faixaOf('dia', [{ ano, valores }], { first: begin, last: end })
  const length = antes + semanas + depois
  const bytes = new Uint8Array(DOUBLE * length + semanas)
  const doubles = new Float64Array(bytes.buffer, 0, length)
  doubles.set(faixa.values.subarray(0, antes))
  doubles.set(faixa.values.subarray(faixa.values.length - depois), antes + semanas)
  const lido = emptyLido()
  for (let i = 0; i < semanas; i++) {
    ofDays(lido, agrega, faixa, 'semana', first + i)
    doubles[antes + i] = lido.valor
    bytes[DOUBLE * length + i] = lido.contagem
  }
  return bytes
}

const emptyLido = (): PeriodoLido => ({ valor: Number.NaN, cobertura: 0, contagem: 0, repetido: false })

export const faixaDeSemanas = (first: number, last: number): FaixaDeSemanas => {
  const length = Math.max(0, last - first + 1)
  return { first, valores: new Float64Array(length), dias: new Uint8Array(length) }
}

export interface AnoDeDias {
  ano: number
  valores: Float64Array
  /** Null: to be made of the days. */
  semanas: Uint8Array | null
}

/** Blocks of one place, in the order of years, written over what the weeks held. */
export function readSemanas(faixa: FaixaDeSemanas, agrega: AgregaTempo, blocos: readonly AnoDeDias[]): void {
  const { first, valores, dias } = faixa
  const last = first + valores.length - 1
  valores.fill(Number.NaN)
  dias.fill(0)
  edge.first = Number.NaN
  /** Days of the week of two years, from `at` on. */
  const addEdge = (week: number, at: number, days: Float64Array) => {
    if (days.length === 0 || week < first || week > last) return
    if (edge.first !== sundayAt(week)) {
      edge.first = sundayAt(week)
      edge.values.fill(Number.NaN)
    }
    edge.values.set(days, at)
    ofDays(lido, agrega, edge, 'semana', week)
    valores[week - first] = lido.valor
    dias[week - first] = lido.contagem
  }
  for (const { ano, semanas: stored, valores: days } of blocos) {
    const { antes, semanas, depois, first: begin } = anoOf(ano)
    bytes.set(stored ?? packSemanas(agrega, ano, days))
    const length = antes + semanas + depois
    addEdge(begin - 1, WEEK - antes, doubles.subarray(0, antes))
    const [from, to] = [Math.max(first, begin), Math.min(last + 1, begin + semanas)]
    if (from < to) {
      valores.set(doubles.subarray(antes + from - begin, antes + to - begin), from - first)
      const counts = DOUBLE * length - begin
      dias.set(bytes.subarray(counts + from, counts + to), from - first)
    }
    addEdge(begin + semanas, 0, doubles.subarray(antes + semanas, length))
  }
}

/** Week of two years that is being read. */
const edge = { first: Number.NaN, values: new Float64Array(WEEK) }
const lido = emptyLido()
/** Bytes of the block that is being read, where doubles are aligned. */
const bytes = new Uint8Array(MOST_BYTES)
const doubles = new Float64Array(bytes.buffer)
