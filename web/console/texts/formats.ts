/** Formatters of a language, each made once: making one takes a slow computer milliseconds, writing with it microseconds. */
export function formatsOf(locale: string) {
  const made = new Map<string, { format(value: never): string }>()
  const kept = <T extends { format(value: never): string }>(options: object, make: () => T): T => {
    const key = JSON.stringify(options)
    const known = made.get(key) ?? make()
    made.set(key, known)
    return known as T
  }
  return {
    number: (value: number, maximumFractionDigits = 0) =>
      kept({ maximumFractionDigits }, () => new Intl.NumberFormat(locale, { maximumFractionDigits })).format(
        value,
      ),
    date: (at: Date, options: Intl.DateTimeFormatOptions = {}) =>
      kept(options, () => new Intl.DateTimeFormat(locale, options)).format(at),
  }
}
