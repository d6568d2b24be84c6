import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import { type Column, Table } from '../../ui/table.tsx'
import type { Resultado } from './importacao-data.ts'
import { serieHref } from './serie-links.ts'

type Resumo = Resultado['series'][number]

/** Series of a file with their values, places and time. */
export function SeriesTable({ series }: { series: Resumo[] }) {
  const t = seriesImportacoesTexts()
  const columns: Column<Resumo>[] = [
    {
      key: 'serie',
      title: t.columns.serie,
      cell: ({ codigo }) => <a href={serieHref(codigo)}>{codigo}</a>,
    },
    { key: 'valores', title: t.columns.valores, isNumber: true, cell: ({ valores }) => t.number(valores) },
    { key: 'lugares', title: t.columns.lugares, isNumber: true, cell: ({ lugares }) => t.number(lugares) },
    {
      key: 'alcance',
      title: t.columns.alcance,
      cell: ({ primeiro, ultimo }) => t.fromTo(t.day(primeiro), t.day(ultimo)),
    },
  ]
  return (
    <div class="imports">
      <Table caption={t.seriesOf} columns={columns} rows={series} keyOf={({ codigo }) => codigo} />
    </div>
  )
}
