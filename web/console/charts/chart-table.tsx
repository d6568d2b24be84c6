import { useEffect, useState } from 'preact/hooks'
import { texts } from '../state/texts.ts'
import { useGrowing } from '../ui/in-turn.ts'
import { Copy } from '../ui/states.tsx'
import { csvOf, type TableData, tabbed } from './table-data.ts'

/** The numbers behind a drawing; each leads to its cases. */
export default function ChartTable({ title, ...data }: TableData & { title: string }) {
  const { columns, rows, name } = data
  const shown = useGrowing(rows)
  const t = texts().charts
  return (
    <div class="chart-table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: it scrolls, also by keys */}
      <div class="scroll" role="group" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th key={column} scope="col" class={at === 0 ? undefined : 'number'}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(([label, ...cells]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {cells.map(({ text, href }, at) => (
                  <td key={columns[at + 1]} class="number">
                    {href === undefined ? text : <a href={href}>{text}</a>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="table-acts">
        <Copy text={tabbed(data)} />
        <CsvLink name={name} content={csvOf(data)} label={t.csv} />
      </div>
    </div>
  )
}

/** A file that the page itself holds: nothing is asked of the service. */
function CsvLink({ name, content, label }: { name: string; content: string; label: string }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  if (url === undefined) return null
  return (
    <a class="button quiet" href={url} download={`${name}.csv`}>
      {label}
    </a>
  )
}
