/** Order of the rows of a list. */
export interface Order {
  by: string
  direction: 'asc' | 'desc'
}

/** First, last, and those around the present one; null where some are left out. */
export function pagesAround(page: number, pages: number): (number | null)[] {
  const near = new Set([1, page - 1, page, page + 1, pages].filter((one) => one >= 1 && one <= pages))
  const shown = [...near].toSorted((one, other) => one - other)
  return shown.flatMap((one, at) => {
    const gap = one - (shown[at - 1] ?? 0)
    return gap === 2 ? [one - 1, one] : gap > 2 ? [null, one] : [one]
  })
}
