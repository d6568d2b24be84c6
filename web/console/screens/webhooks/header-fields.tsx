import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'

/** Name and value. */
export type HeaderRow = [name: string, value: string]

const MAX_HEADERS = 20

/** Headers of every delivery. Stored values come masked; sent back as they are they stay. */
export function HeaderFields({ rows, onChange }: { rows: HeaderRow[]; onChange(rows: HeaderRow[]): void }) {
  const own = webhooksTexts()
  const change = (at: number, row: HeaderRow) => onChange(rows.with(at, row))
  return (
    <fieldset class="options">
      <legend>{own.headers}</legend>
      <p class="note">{own.form.headersNote}</p>
      {rows.map(([name, value], at) => (
        <div key={at} class="pair">
          <Field
            label={own.form.headerName}
            value={name}
            autocomplete="off"
            onInput={(next) => change(at, [next, value])}
          />
          <Field
            label={own.form.headerValue}
            value={value}
            autocomplete="off"
            onInput={(next) => change(at, [name, next])}
          />
          <Button
            kind="quiet"
            icon="remove"
            aria-label={`${own.form.removeHeader} ${name}`}
            onClick={() => onChange(rows.toSpliced(at, 1))}
          >
            {''}
          </Button>
        </div>
      ))}
      {rows.length < MAX_HEADERS && (
        <div>
          <Button icon="add" onClick={() => onChange([...rows, ['', '']])}>
            {own.form.addHeader}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
