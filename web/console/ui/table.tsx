import type { ComponentChildren } from 'preact'
import type { Order } from '../state/pages.ts'
import { preferences } from '../state/preferences.ts'
import { texts } from '../state/texts.ts'
import { Kept } from './kept.tsx'
import { type RowActs, useInSight, useRowKeys } from './row-keys.ts'

export interface Column<Row> {
  key: string
  title: string
  cell(row: Row): ComponentChildren
  isNumber?: boolean
  /** Name of its order, where the rows can be ordered by it. */
  sort?: string
}

interface TableProps<Row> {
  /** Read out; what the rows are. */
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf(row: Row): string | number
  order?: Order
  /** Address of the same rows in another order. */
  orderHref?: (order: Order) => string
  /** Keys of its rows, of one table of a screen: its list. */
  keys?: RowActs<Row>
  /** Row that keys act on, where the screen holds it. */
  current?: number
  selection?: { has(row: Row): boolean; toggle(row: Row): void; toggleAll(): void; nameOf(row: Row): string }
  onRowClick?: (row: Row) => void
  /** All that cells depend on besides their row: while these are the same, a row is drawn again only where it is another. */
  cellsOf?: readonly unknown[]
}

/** A table that scrolls inside itself, with its head and first column in sight. Below 760 px the style sheet draws each row as a card. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, order, orderHref, keys, selection, onRowClick, cellsOf } = props
  const t = texts().table
  const own = useRowKeys(rows, keyOf, keys)
  const current = props.current ?? own.at
  const body = useInSight<HTMLTableSectionElement>(current)
  const isEvery = rows.length > 0 && rows.every((row) => selection?.has(row))
  const rowOf = (row: Row, isCurrent: boolean, isSelected: boolean) => (
    <tr
      aria-current={isCurrent ? 'true' : undefined}
      class={isSelected ? 'selected' : undefined}
      onClick={(event) => {
        if (onRowClick) own.hold(row)
        // Controls and links inside act by themselves.
        if (!(event.target as Element).closest('a, button, input, label')) onRowClick?.(row)
      }}
    >
      {selection && (
        <td class="select">
          <input
            type="checkbox"
            aria-label={t.select(selection.nameOf(row))}
            checked={isSelected}
            onChange={() => selection.toggle(row)}
          />
        </td>
      )}
      {columns.map(({ key, title, cell, isNumber }) => (
        <td key={key} data-column={key} data-title={title} class={isNumber ? 'number' : undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys
    <section class="table-box" aria-label={caption} tabIndex={0}>
      <table class={preferences.value.densidade === 'compacta' ? 'rows compact' : 'rows'}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col" class="select">
                <input
                  type="checkbox"
                  aria-label={t.selectAll}
                  checked={isEvery}
                  onChange={selection.toggleAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.key} column={column} order={order} orderHref={orderHref} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, at) => {
            const [isCurrent, isSelected] = [at === current, selection?.has(row) ?? false]
            return (
              <Kept key={keyOf(row)} on={cellsOf && [row, isCurrent, isSelected, ...cellsOf]}>
                {() => rowOf(row, isCurrent, isSelected)}
              </Kept>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** A heading that is also the way to the order by its column. */
function Head<Row>({
  column: { title, sort, isNumber },
  order,
  orderHref,
}: {
  column: Column<Row>
  order: Order | undefined
  orderHref: ((order: Order) => string) | undefined
}) {
  const t = texts().table
  const kind = isNumber ? 'number' : undefined
  if (sort === undefined || orderHref === undefined)
    return (
      <th scope="col" class={kind}>
        {title}
      </th>
    )
  const isBy = order?.by === sort
  const next = {
    by: sort,
    direction: isBy && order.direction === 'asc' ? ('desc' as const) : ('asc' as const),
  }
  return (
    <th
      scope="col"
      class={kind}
      aria-sort={isBy ? (order.direction === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <a class="order" href={orderHref(next)} title={t.orderBy(title)}>
        {title}
        <span class="direction" aria-hidden="true">
          {isBy ? (order.direction === 'asc' ? '↑' : '↓') : ''}
        </span>
      </a>
    </th>
  )
}
