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

/** Values of weeks, in the order of weeks; sorted by value once, for all lags that they are compared at. */
export interface ValoresSemanais {
  semanas: Int32Array
  valores: Float64Array
  /** Places of the values, the smallest first. */
  crescentes: Uint32Array
}

export function valoresSemanais(weekly: Iterable<readonly [semana: number, valor: number]>): ValoresSemanais {
  const ordered = [...weekly].sort(([a], [b]) => a - b)
  const valores = Float64Array.from(ordered, ([, valor]) => valor)
  const crescentes = Uint32Array.from(valores.keys()).sort(
    (a, b) => (valores[a] as number) - (valores[b] as number),
  )
  return { semanas: Int32Array.from(ordered, ([semana]) => semana), valores, crescentes }
}

const FEWEST_PAIRS = 52
const FEWEST_EFFECTIVE = 4
const Z = 1.959964
/** Variance of Fisher's z of a rank correlation (Bonett and Wright take 1 + r²/2; Fieller et al. 1.06). */
const SPEARMAN_VARIANCE = 1.06

/** Compares each week of `y` with the week of `x` that is `defasagem` weeks before it. */
export function correlate(
  x: ValoresSemanais,
  y: ValoresSemanais,
  defasagem: number,
  metodo: MetodoDeCorrelacao,
): Correlacao {
  const { ofX, ofY } = pairs(x, y, defasagem)
  const n = ofX.length
  const none = { n, r: null, n_efetivo: null, inferior: null, superior: null }
  if (n < FEWEST_PAIRS) return { ...none, motivo: 'poucas_semanas' }
  const taken = metodo === 'spearman' ? ranks : valuesAt
  const [xs, ys] = [taken(x, ofX), taken(y, ofY)]
  const r = pearson(xs, ys)
  if (r === null) return { ...none, motivo: 'sem_variacao' }
  const semanas = ofY.map((at) => y.semanas[at] as number)
  const rho = lagOne(semanas, xs) * lagOne(semanas, ys)
  const n_efetivo = Math.min(n, Math.max(FEWEST_EFFECTIVE, (n * (1 - rho)) / (1 + rho)))
  return { n, r, n_efetivo, ...interval(r, n_efetivo, metodo), motivo: null }
}

/** Places of the values that have a counterpart. */
function pairs(x: ValoresSemanais, y: ValoresSemanais, defasagem: number): { ofX: number[]; ofY: number[] } {
  const [ofX, ofY]: [number[], number[]] = [[], []]
  for (let i = 0, j = 0; i < x.semanas.length && j < y.semanas.length; ) {
    const ahead = (x.semanas[i] as number) + defasagem - (y.semanas[j] as number)
    if (ahead === 0) {
      ofX.push(i)
      ofY.push(j)
    }
    if (ahead <= 0) i++
    if (ahead >= 0) j++
  }
  return { ofX, ofY }
}

const valuesAt = ({ valores }: ValoresSemanais, places: readonly number[]): number[] =>
  places.map((at) => valores[at] as number)

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

/** Ranks from 1 among the values at some places; ties get their mean rank. */
export function ranks({ valores, crescentes }: ValoresSemanais, places: readonly number[]): number[] {
  const isTaken = new Uint8Array(valores.length)
  for (const at of places) isTaken[at] = 1
  const order = crescentes.filter((at) => isTaken[at] === 1)
  const rankAt = new Float64Array(valores.length)
  for (let begin = 0; begin < order.length; ) {
    const valor = valores[order[begin] as number]
    let end = begin + 1
    while (end < order.length && valores[order[end] as number] === valor) end++
    for (let i = begin; i < end; i++) rankAt[order[i] as number] = (begin + end + 1) / 2
    begin = end
  }
  return places.map((at) => rankAt[at] as number)
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
