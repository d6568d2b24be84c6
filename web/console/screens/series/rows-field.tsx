import type { ComponentChildren } from 'preact'
import { seriesTexts } from '../../state/texts/series.ts'
import { Button } from '../../ui/button.tsx'

interface RowsFieldProps<Row> {
  legend: string
  rows: readonly Row[]
  most: number
  nameOf(at: number): string
  add: string
  empty: Row
  onChange(rows: Row[]): void
  children(row: Row, at: number, set: (more: Partial<Row>) => void): ComponentChildren
}

/** A list of small groups of fields, each with its end, and the way to another. */
export function RowsField<Row extends object>(props: RowsFieldProps<Row>) {
  const { legend, rows, most, nameOf, add, empty, onChange, children } = props
  const t = seriesTexts().form
  return (
    <fieldset class="rows-field">
      <legend>{legend}</legend>
      {rows.map((row, at) => (
        <fieldset key={at} class="rows-item">
          <legend>{nameOf(at + 1)}</legend>
          <div class="two">
            {children(row, at, (more) =>
              onChange(rows.map((one, i) => (i === at ? { ...one, ...more } : one))),
            )}
          </div>
          <div>
            <Button
              kind="quiet"
              icon="remove"
              aria-label={t.removeOf(nameOf(at + 1))}
              onClick={() => onChange(rows.filter((_, i) => i !== at))}
            >
              {t.remove}
            </Button>
          </div>
        </fieldset>
      ))}
      {rows.length < most && (
        <div>
          <Button icon="add" onClick={() => onChange([...rows, empty])}>
            {add}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
