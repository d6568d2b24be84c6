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
  const slots = new Int32Array(slotsFor(classes.counts.length))
  /** One for each quasi-identifier: what was merged for one level of it gives way to the next. */
  const rooms = hierarchies.map(() => createRoom(classes.counts.length))
  let best: Choice | null = null
  descend(keyed(classes, values), [], values)
  return best

  /** `sizes`: numbers of values of the keys' parts, the next quasi-identifier first. */
  function descend(current: Keyed, levels: number[], [size = 1, ...others]: number[]): void {
    if (levels.length === hierarchies.length) judge(current, levels)
    hierarchies[levels.length]?.forEach((level, i) => {
      const merged = merge(current, level, { size, others }, rooms[levels.length] as Keyed, slots)
      descend(merged, [...levels, i], [...others, level.groups])
    })
  }

  function judge({ counts }: Keyed, levels: number[]): void {
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

/** Classes with all values of each in one number: the first quasi-identifier is its lowest part. */
interface Keyed {
  keys: Float64Array
  counts: Int32Array
}

const productOf = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1)

function keyed({ values, counts }: Classes, sizes: readonly number[]): Keyed {
  if (productOf(sizes) > Number.MAX_SAFE_INTEGER) throw new RangeError('too many combinations of values')
  const keys = new Float64Array(counts.length)
  for (const [a, column] of [...values.entries()].reverse())
    for (let i = 0; i < keys.length; i++)
      keys[i] = (keys[i] as number) * (sizes[a] as number) + (column[i] as number)
  return { keys, counts }
}

const createRoom = (classes: number): Keyed => ({
  keys: new Float64Array(classes),
  counts: new Int32Array(classes),
})

/** A key once its lowest part is given at a level; the group becomes its highest part. */
function regroup(key: number, { groupOf }: Level, size: number, above: number): number {
  const rest = Math.floor(key / size)
  return rest + above * (groupOf[key - rest * size] as number)
}

/**
 * Joins the classes that are equal once the lowest part of their keys is given at a level. The room is used anew each time: arrays
 * of a million classes for every one of hundreds of merges would fill the memory of a job.
 */
function merge(
  { keys, counts }: Keyed,
  level: Level,
  { size, others }: { size: number; others: readonly number[] },
  room: Keyed,
  slots: Int32Array,
): Keyed {
  const above = productOf(others)
  // As many groups as values: nothing is joined, and nothing is looked for.
  if (level.groups === size) {
    for (let i = 0; i < keys.length; i++) room.keys[i] = regroup(keys[i] as number, level, size, above)
    return { keys: room.keys.subarray(0, keys.length), counts }
  }
  const places = slots.subarray(0, slotsFor(keys.length)).fill(0)
  let length = 0
  for (let i = 0; i < keys.length; i++) {
    const joined = regroup(keys[i] as number, level, size, above)
    const place = placeOf(joined, places, room.keys, length)
    if (place === length) {
      room.keys[place] = joined
      room.counts[place] = counts[i] as number
      length += 1
    } else room.counts[place] = (room.counts[place] as number) + (counts[i] as number)
  }
  return { keys: room.keys.subarray(0, length), counts: room.counts.subarray(0, length) }
}

/** A power of two, at most half full. */
const slotsFor = (entries: number): number => 2 ** Math.ceil(Math.log2(2 * entries + 1))

/**
 * Place of a key in a list, `next` for one that is new. Open addressing over a typed array: several times faster than a `Map` of
 * numbers beyond 32 bits, and outside of the heap of objects.
 */
function placeOf(key: number, places: Int32Array, keys: Float64Array, next: number): number {
  const mask = places.length - 1
  for (let slot = hashOf(key) & mask; ; slot = (slot + 1) & mask) {
    const place = places[slot] as number
    if (place === 0) {
      places[slot] = next + 1
      return next
    }
    if (keys[place - 1] === key) return place - 1
  }
}

/** Mixes both halves of a key of up to 53 bits. */
function hashOf(key: number): number {
  const high = Math.floor(key / 0x1_0000_0000)
  const low = key - high * 0x1_0000_0000
  const mixed = Math.imul(low ^ Math.imul(high, 0x85eb_ca6b), 0x9e37_79b1)
  return mixed ^ (mixed >>> 15)
}
