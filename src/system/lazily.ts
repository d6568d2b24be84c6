/** A function that computes each of its values once, when it is first asked for. */
export function lazily<K, T>(compute: (key: K) => T): (key: K) => T {
  const known = new Map<K, T>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined && !known.has(key)) {
      value = compute(key)
      known.set(key, value)
    }
    return value as T
  }
}
