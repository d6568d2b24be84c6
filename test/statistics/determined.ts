/** Solving of linear systems, for tests of suppression: independent of how the tables were suppressed. */

/** One equation: coefficients by the name of their unknown. */
export type Equation = ReadonlyMap<string, number>

/** Coefficients of −1 and 1 never add up to it in small systems; products of two numbers below it are exact. */
const PRIME = 67_108_859

/** Unknowns that every solution gives the same value: reduced, their equation has no other unknown. */
export function determinedBy(equations: readonly Equation[]): string[] {
  const reduced = new Map<string, Map<string, number>>()
  for (const equation of equations) {
    const row = new Map([...equation].map(([name, value]) => [name, modulo(value)]))
    for (const name of equation.keys()) {
      const known = reduced.get(name)
      if (known !== undefined) subtract(row, known, name)
    }
    const pivot = row.keys().next().value
    if (pivot === undefined) continue
    const factor = inverse(row.get(pivot) as number)
    for (const [name, value] of row) row.set(name, times(value, factor))
    for (const known of reduced.values()) subtract(known, row, pivot)
    reduced.set(pivot, row)
  }
  return [...reduced].filter(([, row]) => row.size === 1).map(([name]) => name)
}

const modulo = (value: number) => ((value % PRIME) + PRIME) % PRIME
const times = (a: number, b: number) => (a * b) % PRIME

/** Takes `name` out of a row. */
function subtract(row: Map<string, number>, pivot: ReadonlyMap<string, number>, name: string): void {
  const factor = row.get(name)
  if (factor === undefined) return
  for (const [other, value] of pivot) {
    const left = modulo((row.get(other) ?? 0) - times(value, factor))
    if (left === 0) row.delete(other)
    else row.set(other, left)
  }
}

function inverse(value: number): number {
  let [result, base, exponent] = [1, value, PRIME - 2]
  for (; exponent > 0; exponent = Math.floor(exponent / 2)) {
    if (exponent % 2 === 1) result = times(result, base)
    base = times(base, base)
  }
  return result
}
