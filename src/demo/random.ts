/** Seeded pseudo-random numbers (sfc32), the same on every machine. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number
  chance(share: number): boolean
  pick<T>(values: readonly T[]): T
  /** Mean 0, deviation 1. */
  normal(): number
}

export function createRandom(seed: number): Random {
  let a = 0x9e3779b9 ^ seed
  let b = 0x243f6a88
  let c = 0xb7e15162
  let count = 1
  const next = () => {
    const sum = (((a + b) | 0) + count) | 0
    count = (count + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 2 ** 32
  }
  for (let i = 0; i < 12; i++) next()
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}

/** Weighted choice by binary search. */
export interface Weighted<T> {
  total: number
  pick(random: Random): T
}

export function weighted<T>(values: readonly T[], weights: readonly number[]): Weighted<T> {
  const sums = new Float64Array(values.length)
  let total = 0
  for (let i = 0; i < values.length; i++) {
    total += weights[i] as number
    sums[i] = total
  }
  return {
    total,
    pick(random) {
      const at = random.next() * total
      let low = 0
      let high = values.length - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if ((sums[middle] as number) > at) high = middle
        else low = middle + 1
      }
      return values[low] as T
    },
  }
}

/** `{ cura: 9, obito: 1 }`: nine to one. */
export const sharesOf = <T extends string>(shares: Record<T, number>): Weighted<T> =>
  weighted(Object.keys(shares) as T[], Object.values(shares))
