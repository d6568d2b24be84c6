/** Correlation of two weekly series, with an interval that knows about their autocorrelation. */

export interface Correlacao {
  n: number
  r: number | null
  n_efetivo: number | null
  inferior: number | null
  superior: number | null
  motivo: 'poucas_semanas' | 'sem_variacao' | null
}

export type MetodoDeCorrelacao = 'spearman' | 'pearson'

/** A pair of values of one week; `semana` orders them and tells consecutive ones. */
export interface Par {
  semana: number
  x: number
  y: number
}

const FEWEST_PAIRS = 52
const FEWEST_EFFECTIVE = 4
const Z = 1.959964
/** Variance of Fisher's z of a rank correlation (Bonett and Wright take 1 + r²/2; Fieller et al. 1.06). */
const SPEARMAN_VARIANCE = 1.06

export function correlate(pares: readonly Par[], metodo: MetodoDeCorrelacao): Correlacao {
  const n = pares.length
  const none = { n, r: null, n_efetivo: null, inferior: null, superior: null }
  if (n < FEWEST_PAIRS) return { ...none, motivo: 'poucas_semanas' }
  const ordered = isOrdered(pares) ? pares : pares.toSorted((a, b) => a.semana - b.semana)
  const transform = metodo === 'spearman' ? ranks : (values: number[]) => values
  const x = transform(ordered.map((par) => par.x))
  const y = transform(ordered.map((par) => par.y))
  const r = pearson(x, y)
  if (r === null) return { ...none, motivo: 'sem_variacao' }
  const semanas = ordered.map(({ semana }) => semana)
  const rho = lagOne(semanas, x) * lagOne(semanas, y)
  const n_efetivo = Math.min(n, Math.max(FEWEST_EFFECTIVE, (n * (1 - rho)) / (1 + rho)))
  return { n, r, n_efetivo, ...interval(r, n_efetivo, metodo), motivo: null }
}

function isOrdered(pares: readonly Par[]): boolean {
  for (let i = 1; i < pares.length; i++)
    if ((pares[i] as Par).semana < (pares[i - 1] as Par).semana) return false
  return true
}

function interval(r: number, n: number, metodo: MetodoDeCorrelacao): { inferior: number; superior: number } {
  if (Math.abs(r) >= 1) return { inferior: r, superior: r }
  const variance = metodo === 'spearman' ? SPEARMAN_VARIANCE : 1
  const reach = Z * Math.sqrt(variance / (n - 3))
  const z = Math.atanh(r)
  return { inferior: Math.tanh(z - reach), superior: Math.tanh(z + reach) }
}

/** Null where one of them is constant. */
export function pearson(x: readonly number[], y: readonly number[]): number | null {
  const mx = mean(x)
  const my = mean(y)
  let sxy = 0
  let sxx = 0
  let syy = 0
  for (let i = 0; i < x.length; i++) {
    const dx = (x[i] as number) - mx
    const dy = (y[i] as number) - my
    sxy += dx * dy
    sxx += dx * dx
    syy += dy * dy
  }
  if (sxx === 0 || syy === 0) return null
  return Math.min(1, Math.max(-1, sxy / Math.sqrt(sxx * syy)))
}

function mean(values: readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

/** Ranks from 1; ties get their mean rank. */
export function ranks(values: readonly number[]): number[] {
  const sorted = new Float64Array(values).sort()
  /** Rank of the value that begins at a place of the order. */
  const rankAt = new Float64Array(sorted.length)
  for (let begin = 0; begin < sorted.length; ) {
    let end = begin
    while (end + 1 < sorted.length && sorted[end + 1] === sorted[begin]) end++
    rankAt[begin] = (begin + end) / 2 + 1
    begin = end + 1
  }
  return values.map((value) => rankAt[firstIndexOf(sorted, value)] as number)
}

/** By bisection. */
function firstIndexOf(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Correlation of a series with itself one week later; 0 where it cannot be told. */
function lagOne(semanas: readonly number[], values: readonly number[]): number {
  const [now, next]: [number[], number[]] = [[], []]
  for (let i = 0; i + 1 < values.length; i++)
    if ((semanas[i + 1] as number) === (semanas[i] as number) + 1) {
      now.push(values[i] as number)
      next.push(values[i + 1] as number)
    }
  return now.length < 2 ? 0 : (pearson(now, next) ?? 0)
}
