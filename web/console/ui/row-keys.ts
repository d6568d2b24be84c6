import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { useKeys } from './keys.ts'

/** Acts on a row, by what its key does. The answer of `open` and `edit` is the address to go to, where there is one. */
export interface RowActs<Row> {
  open?: ((row: Row) => unknown) | undefined
  edit?: ((row: Row) => unknown) | undefined
  select?: ((row: Row) => void) | undefined
}

/**
 * Keys of a list: `j` and `k` go through its rows, Enter opens the present one, `e` edits it, `x` selects it. The row is held by its
 * key, so that rows that come anew do not move it. Without acts no key is taken.
 */
export function useRowKeys<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | number,
  acts: RowActs<Row> | undefined,
) {
  const { route } = useLocation()
  const [held, hold] = useState<string | number | null>(null)
  const indexOf = (key: string | number | null) => rows.findIndex((row) => keyOf(row) === key)
  const at = indexOf(held)
  const move = (step: number) =>
    hold((key) => {
      const next = rows[Math.min(Math.max(indexOf(key) + step, 0), rows.length - 1)]
      return next === undefined ? null : keyOf(next)
    })
  const doing = (act: ((row: Row) => unknown) | undefined) => () => {
    const row = rows[at]
    const to = row !== undefined && act?.(row)
    if (typeof to === 'string') route(to)
  }
  useKeys(
    acts === undefined
      ? {}
      : {
          j: () => move(1),
          k: () => move(-1),
          ...(acts.open && { enter: doing(acts.open) }),
          ...(acts.edit && { e: doing(acts.edit) }),
          ...(acts.select && { x: doing(acts.select) }),
        },
  )
  return { at, move, hold: (row: Row | null) => hold(row === null ? null : keyOf(row)) }
}

/** Of the element whose children are the rows: scrolls the present one into sight. */
export function useInSight<List extends Element>(at: number) {
  const list = useRef<List>(null)
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at])
  return list
}
