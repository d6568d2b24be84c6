import { max } from 'd3-array'

export interface PyramidRow {
  label: string
  left: PyramidSide
  right: PyramidSide
}

export interface PyramidSide {
  value: number
  /** Absent: there are none. */
  href: string | undefined
  /** Read out with the link. */
  name: string
}

interface PyramidProps {
  rows: readonly PyramidRow[]
  names: { left: string; right: string }
  format(value: number): string
}

/** Bars to both sides of the age, the oldest on top. Made of rows and links: every bar leads to its cases, also by keys. */
export function Pyramid({ rows, names, format }: PyramidProps) {
  const most = max(rows, ({ left, right }) => Math.max(left.value, right.value)) || 1
  const side = (kind: 'left' | 'right', { value, href, name }: PyramidSide) => {
    const bar = (
      <>
        <span>{format(value)}</span>
        <i style={{ width: `${(70 * value) / most}%` }} />
      </>
    )
    if (href === undefined) return <span class={kind}>{bar}</span>
    return (
      <a class={kind} href={href} aria-label={`${name}: ${format(value)}`}>
        {bar}
      </a>
    )
  }
  return (
    <div class="pyramid">
      {rows.map(({ label, left, right }) => (
        <div key={label} class="pyramid-row">
          {side('left', left)}
          <b>{label}</b>
          {side('right', right)}
        </div>
      ))}
      <div class="pyramid-row names" aria-hidden="true">
        <span>{names.left}</span>
        <b />
        <span>{names.right}</span>
      </div>
    </div>
  )
}
