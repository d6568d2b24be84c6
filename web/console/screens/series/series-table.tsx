import { seriesTexts } from '../../state/texts/series.ts'
import { type Column, Table } from '../../ui/table.tsx'
import type { Resultado } from './importacao-data.ts'
import { serieHref } from './serie-data.ts'

type Resumo = Resultado['series'][number]

/** Series of a file with their values, places and time. */
export function SeriesTable({ series }: { series: Resumo[] }) {
  const t = seriesTexts()
  const columns: Column<Resumo>[] = [
    {
      key: 'serie',
      title: t.list.serie,
      cell: ({ codigo }) => <a href={serieHref(codigo)}>{codigo}</a>,
    },
    { key: 'valores', title: t.list.valores, isNumber: true, cell: ({ valores }) => t.number(valores) },
    { key: 'lugares', title: t.list.lugares, isNumber: true, cell: ({ lugares }) => t.number(lugares) },
    {
      key: 'alcance',
      title: t.list.alcance,
      cell: ({ primeiro, ultimo }) => t.list.fromTo(t.day(primeiro), t.day(ultimo)),
    },
  ]
  return (
    <div class="imports">
      <Table caption={t.imports.seriesOf} columns={columns} rows={series} keyOf={({ codigo }) => codigo} />
    </div>
  )
}
