/** Formatters of a language, each made once: making one takes a slow computer milliseconds, writing with it microseconds. */
export function formatsOf(locale: string) {
  const made = new Map<string, { format(value: never): string }>()
  const kept = <T extends { format(value: never): string }>(
    kind: string,
    options: object | undefined,
    make: () => T,
  ): T => {
    const key = options === undefined ? kind : kind + JSON.stringify(options)
    const known = made.get(key) ?? make()
    made.set(key, known)
    return known as T
  }
  return {
    number: (value: number, options?: Intl.NumberFormatOptions) =>
      kept('number', options, () => new Intl.NumberFormat(locale, options)).format(value),
    date: (at: Date, options?: Intl.DateTimeFormatOptions) =>
      kept('date', options, () => new Intl.DateTimeFormat(locale, options)).format(at),
  }
}
