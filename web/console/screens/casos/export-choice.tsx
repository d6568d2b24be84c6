import { exportacaoTexts } from '../../state/texts/exportacao.ts'
import { texts } from '../../state/texts.ts'
import exportacaoCss from '../../styles/exportacao.screen.css'
import { adopt } from '../../ui/adopt.ts'
import { type ComputedColumn, choosableColumns, type ExportColumn } from './export-columns.ts'

adopt(exportacaoCss)

interface ExportChoiceProps {
  chosen: ReadonlySet<ExportColumn>
  isIdentified: boolean
  /** Sent without any. */
  problem: string | undefined
  onChange(chosen: ReadonlySet<ExportColumn>): void
}

/** Columns of a file one by one, folded by the blocks of the paper form; a block is chosen or left as a whole, too. */
export default function ExportChoice({ chosen, isIdentified, problem, onChange }: ExportChoiceProps) {
  const t = texts()
  const own = exportacaoTexts()
  const labelOf = (column: ExportColumn) =>
    own.computed[column as ComputedColumn] ?? t.campos[column as keyof typeof t.campos]
  const put = (columns: readonly ExportColumn[], isOn: boolean) => {
    const next = new Set(chosen)
    for (const column of columns) isOn ? next.add(column) : next.delete(column)
    onChange(next)
  }
  return (
    <div class="export-columns">
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {choosableColumns(isIdentified).map(([block, columns], at) => {
        const count = columns.filter((column) => chosen.has(column)).length
        return (
          <details key={block} open={at === 0}>
            <summary>
              {t.caso.blocks[block]} <small>{own.chosenOf(count, columns.length)}</small>
            </summary>
            <fieldset class="choices">
              <legend class="unseen">{t.caso.blocks[block]}</legend>
              <label class="whole">
                <input
                  type="checkbox"
                  checked={count === columns.length}
                  indeterminate={count > 0 && count < columns.length}
                  aria-invalid={problem !== undefined}
                  onChange={(event) => put(columns, event.currentTarget.checked)}
                />
                <span>{own.wholeBlock}</span>
              </label>
              {columns.map((column) => (
                <label key={column}>
                  <input
                    type="checkbox"
                    checked={chosen.has(column)}
                    onChange={(event) => put([column], event.currentTarget.checked)}
                  />
                  <span>{labelOf(column)}</span>
                </label>
              ))}
            </fieldset>
          </details>
        )
      })}
    </div>
  )
}
