import { useId } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { choose, DENSIDADES, preferences } from '../../state/preferences.ts'
import { texts } from '../../state/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { COLUMN_NAMES, type ColumnName } from './address.ts'

interface ColumnsPanelProps {
  columns: ColumnName[]
  suggested: ColumnName[]
  hrefOf(columns: ColumnName[] | null): string
}

/** Choice of the columns that are shown, kept in the address, and of the height of the rows. */
export function ColumnsPanel({ columns, suggested, hrefOf }: ColumnsPanelProps) {
  const { route } = useLocation()
  const t = texts().casos
  const toggle = (name: ColumnName) => {
    const next = COLUMN_NAMES.filter((one) => columns.includes(one) !== (one === name))
    route(hrefOf(next.join() === suggested.join() ? null : next), true)
  }
  return (
    <Popover
      label={t.chooseColumns}
      kind="button plain columns-choice"
      panel={() => (
        <>
          <Density />
          <fieldset class="choices">
            <legend>{t.chooseColumns}</legend>
            {COLUMN_NAMES.filter((name) => name !== 'numero').map((name) => (
              <label key={name}>
                <input type="checkbox" checked={columns.includes(name)} onChange={() => toggle(name)} />
                <span>{t.columns[name]}</span>
              </label>
            ))}
          </fieldset>
        </>
      )}
    >
      <Icon name="columns" />
      {t.chooseColumns}
    </Popover>
  )
}

/** Height of the rows: of this browser, not of the address. */
function Density() {
  const t = texts().casos
  const id = useId()
  return (
    <fieldset class="choices">
      <legend>{t.density}</legend>
      {DENSIDADES.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name={id}
            checked={preferences.value.densidade === one}
            onChange={() => choose({ densidade: one })}
          />
          <span>{t.densities[one]}</span>
        </label>
      ))}
    </fieldset>
  )
}
