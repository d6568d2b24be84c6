import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { seriesTexts } from '../../state/texts/series.ts'

/** Milliseconds without a move before the curve is asked for anew. */
const PAUSE_MS = 200

interface LagFieldProps {
  nome: string
  lag: number
  most: number
  onChange(lag: number): void
}

/** Slider of weeks; its number follows at once, the curve after a pause. */
export function LagField({ nome, lag, most, onChange }: LagFieldProps) {
  const t = seriesTexts().curve
  const id = useId()
  const [value, setValue] = useState(lag)
  // An address that was sent comes back while the slider may have moved on; anything else is another address.
  const sent = useRef(lag)
  useEffect(() => {
    if (lag !== sent.current) setValue(lag)
    sent.current = lag
  }, [lag])
  useEffect(() => {
    if (value === lag) return
    const timer = setTimeout(() => {
      sent.current = value
      onChange(value)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return (
    <div class="lag">
      <label for={id} class="unseen">
        {t.lag(nome)}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={most}
        step={1}
        value={value}
        aria-valuetext={t.lagWords(value)}
        onInput={(event) => setValue(Number(event.currentTarget.value))}
      />
      <output for={id}>{t.lagWords(value)}</output>
    </div>
  )
}
