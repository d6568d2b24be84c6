import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { texts } from '../state/texts.ts'
import { Button } from '../ui/button.tsx'
import { OnDemand } from '../ui/on-demand.tsx'
import type { TableData } from './table-data.ts'

const loadTable = () => import('./chart-table.tsx')

interface ChartCardProps {
  title: string
  note?: ComponentChildren
  kind: string
  actions?: ComponentChildren
  /** The same numbers as text, or a part that shows them; made when they are asked for. */
  table: () => TableData | ComponentChildren
  children: ComponentChildren
}

/** A drawing with its title, and the table that says the same. */
export function ChartCard({ title, note, kind, actions, table, children }: ChartCardProps) {
  const [isTable, setTable] = useState(false)
  const id = useId()
  const t = texts().charts
  return (
    <section class={`card chart-card ${kind}`} aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>{title}</h2>
          {note !== undefined && <p>{note}</p>}
        </div>
        <div class="acts">
          {actions}
          <Button kind="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {t.table}
          </Button>
        </div>
      </header>
      {isTable ? tableView(title, table()) : children}
    </section>
  )
}

function tableView(title: string, table: TableData | ComponentChildren): ComponentChildren {
  const isData = typeof table === 'object' && table !== null && 'columns' in table
  return isData ? <OnDemand load={loadTable} props={{ title, ...table }} /> : table
}

interface ChoiceProps<T extends string> {
  label: string
  options: readonly (readonly [T, string])[]
  value: T
  onChange(value: T): void
}

/** A few ways to look at the same: pressed buttons in a row. */
export function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen
    <div class="choice" role="group" aria-label={label}>
      {options.map(([option, text]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {text}
        </button>
      ))}
    </div>
  )
}
