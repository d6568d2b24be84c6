/**
 * k-anonymity by full-domain generalisation: every quasi-identifier is given at one level for all rows, rows whose class stays
 * smaller than k are suppressed, and of all combinations of levels the one with the least loss is taken. All of them are looked at
 * (some hundred), so the choice is the best there is. Memory: one entry for each class of the rows as they are.
 */

/** Classes of equal rows: the values of each quasi-identifier, as numbers from zero, and how many rows have them. */
export interface Classes {
  values: readonly Int32Array[]
  counts: Int32Array
}

/** Levels of a quasi-identifier, the finest first: the group of each of its values. Groups of a level need not lie within others. */
export type Hierarchy = readonly Level[]
export interface Level {
  groupOf: Int32Array
  groups: number
}

export interface Choice {
  /** Index of the level of each quasi-identifier. */
  levels: number[]
  suppressed: number
  /** Discernibility: each row costs the size of its class, a suppressed one the number of all rows. */
  loss: number
}

/** The combination with the least loss that suppresses at most this share of the rows; null where none does. */
export function leastLoss(
  classes: Classes,
  hierarchies: readonly Hierarchy[],
  { k, maxShare }: { k: number; maxShare: number },
): Choice | null {
  const rows = classes.counts.reduce((sum, count) => sum + count, 0)
  /** Numbers of values of each quasi-identifier as it is. */
  const values = hierarchies.map((hierarchy) => hierarchy[0]?.groupOf.length || 1)
  let best: Choice | null = null
  descend(classes, [], [])
  return best

  function descend(current: Classes, levels: number[], groups: number[]): void {
    if (levels.length === hierarchies.length) judge(current, levels)
    hierarchies[levels.length]?.forEach((level, i) => {
      const rest = values.slice(levels.length + 1)
      const merged = merge(current, levels.length, level, [...groups, level.groups, ...rest])
      descend(merged, [...levels, i], [...groups, level.groups])
    })
  }

  function judge({ counts }: Classes, levels: number[]): void {
    let [suppressed, loss] = [0, 0]
    for (const count of counts) {
      if (count < k) suppressed += count
      else loss += count * count
    }
    loss += suppressed * rows
    if (suppressed <= maxShare * rows && (best === null || loss < best.loss))
      best = { levels, suppressed, loss }
  }
}

/** Joins the classes that are equal once a quasi-identifier is given at a level. */
function merge(classes: Classes, attribute: number, level: Level, groups: readonly number[]): Classes {
  const { values, counts } = classes
  const places = new Map<number, number>()
  const first: number[] = []
  const sums: number[] = []
  const column = values[attribute] as Int32Array
  for (let i = 0; i < counts.length; i++) {
    let key = level.groupOf[column[i] as number] as number
    for (let a = 0; a < values.length; a++)
      if (a !== attribute) key = key * (groups[a] as number) + ((values[a] as Int32Array)[i] as number)
    const place = places.get(key)
    if (place === undefined) {
      places.set(key, first.length)
      first.push(i)
      sums.push(counts[i] as number)
    } else sums[place] = (sums[place] as number) + (counts[i] as number)
  }
  return {
    values: values.map((one, a) =>
      Int32Array.from(first, (i) =>
        a === attribute ? (level.groupOf[one[i] as number] as number) : (one[i] as number),
      ),
    ),
    counts: Int32Array.from(sums),
  }
}
