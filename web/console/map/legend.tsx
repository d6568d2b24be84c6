import type { ComponentChildren } from 'preact'
import { texts } from '../state/texts.ts'
import { CLASSES, colourOf, type Scale } from './classes.ts'

interface LegendProps {
  scale: Scale
  /** Lower limit of the first class. */
  least: number
  cuts: readonly number[]
  format(value: number): string
  /** Reason for hatched places; undefined: there are none. */
  unknown?: string | undefined
  /** Read first: why the map shows what it shows. */
  children?: ComponentChildren
}

/** Classes with their limits, always printed; a scale of change also says in words which end is which. */
export function MapLegend({ scale, least, cuts, format, unknown, children }: LegendProps) {
  const t = texts().map
  const lows = [least, ...cuts].slice(0, CLASSES)
  return (
    <div class="map-legend">
      <ol class="scale">
        {lows.map((low, i) => (
          <li key={low}>
            <span>{format(low)}</span>
            <i class={`${scale}${colourOf(i, cuts)}`} />
          </li>
        ))}
      </ol>
      {scale === 'd' && (
        <p class="scale-words">
          <span>{t.less}</span>
          <span>{t.same}</span>
          <span>{t.more}</span>
        </p>
      )}
      <p class="note">
        {children}
        {unknown !== undefined && (
          <>
            <i class="hatch-mark" /> {unknown}{' '}
          </>
        )}
        {t.source}
      </p>
    </div>
  )
}
