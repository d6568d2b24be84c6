/** Share of a common beginning in the similarity, for at most so many letters. */
const PREFIX_SHARE = 0.1
const PREFIX_LETTERS = 4

/** Similarity of two words from 0 to 1 (Winkler 1990): letters in common, in order, more weight on the beginning. */
export function jaroWinkler(one: string, other: string): number {
  if (one === other) return 1
  const jaro = jaroOf(one, other)
  let prefix = 0
  while (prefix < PREFIX_LETTERS && prefix < one.length && one[prefix] === other[prefix]) prefix += 1
  return jaro + prefix * PREFIX_SHARE * (1 - jaro)
}

function jaroOf(one: string, other: string): number {
  const reach = Math.max(0, Math.floor(Math.max(one.length, other.length) / 2) - 1)
  const taken = new Uint8Array(other.length)
  const common: string[] = []
  for (let i = 0; i < one.length; i += 1) {
    const end = Math.min(other.length, i + reach + 1)
    for (let j = Math.max(0, i - reach); j < end; j += 1) {
      if (taken[j] === 1 || one[i] !== other[j]) continue
      taken[j] = 1
      common.push(one[i] as string)
      break
    }
  }
  if (common.length === 0) return 0
  let moved = 0
  let place = 0
  for (let j = 0; j < other.length; j += 1) if (taken[j] === 1 && other[j] !== common[place++]) moved += 1
  const shared = common.length
  return (shared / one.length + shared / other.length + (shared - moved / 2) / shared) / 3
}
