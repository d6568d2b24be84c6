import { useQuery } from '@tanstack/preact-query'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS, pathTo } from '../../paths.ts'
import { casosQuery } from '../../state/filter-query.ts'
import { lastList } from '../../state/last-list.ts'
import { holds } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useKeys } from '../../ui/keys.ts'
import { NoSuchPage, PaperFilter } from '../../ui/near-filters.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useRowKeys } from '../../ui/row-keys.ts'
import { SavedViews } from '../../ui/saved-views.tsx'
import { Answer } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { type FilterState, useFilters } from '../../ui/use-filters.ts'
import { defaultColumns, type RowsAddress, readRows, SIZES, unreadRows, withRows } from './address.ts'
import { askCasos } from './ask.ts'
import { columnsOf, SORTABLE } from './columns.tsx'
import { ColumnsPanel } from './columns-panel.tsx'
import { EmptyList } from './empty-list.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { choicesOf } from './export-formats.ts'
import type { ListaDeCasos } from './row.ts'
import { SearchBox } from './search-box.tsx'
import { SelectionBar, useSelection } from './selection.tsx'
import { Summary } from './summary.tsx'
import { Views } from './views.tsx'

/** The line list: exactly the cases of the filter, in pages, with their total. */
export default function Casos() {
  const state = useFilters()
  const { url, path } = useLocation()
  const search = url.split('?')[1] ?? ''
  const rows = readRows(search, SORTABLE)
  const [isExporting, setExporting] = useState(false)
  const { filters, rules, words } = state
  const { today } = rules
  const t = texts()
  useEffect(() => {
    lastList.value = url
  }, [url])

  const { order, page, size } = rows
  const columns = rows.columns ?? defaultColumns(filters)
  const paging = { sort: order.by, order: order.direction, page, size }
  const query = useQuery({
    queryKey: ['casos', 'list', filters, today, paging],
    queryFn: ({ signal }) => askCasos(filters, today, paging, signal),
  })
  const total = query.data?.total
  const actions = (
    <>
      <ColumnsPanel
        columns={columns}
        suggested={defaultColumns(filters)}
        hrefOf={(columns) => withRows(path, search, { columns })}
      />
      {holds(['agravos.deletar']) && (
        <a class="button plain" href={PATHS.casosExcluidos}>
          {t.screens.casosExcluidos}
        </a>
      )}
      {holds(['agravos.identificar']) && (
        <a class="button plain" href={PATHS.pessoas}>
          {t.screens.pessoas}
        </a>
      )}
      {choicesOf().length > 0 && filters.pendencia === null && (
        <Button icon="download" onClick={() => setExporting(true)}>
          {t.casos.export}
        </Button>
      )}
      {holds(['agravos.criar']) && (
        <a class="button primary" href={PATHS.casoNovo}>
          <Icon name="add" />
          {t.casos.create}
        </a>
      )}
    </>
  )
  return (
    <Page title={t.screens.casos} lead={t.casos.lead(total, words.title)} actions={actions}>
      <FilterBar state={{ ...state, leftOut: [...state.leftOut, ...unreadRows(search, SORTABLE)] }} />
      <PaperFilter words={words.parts} />
      <div class="list-tools">
        <Views state={state} />
        <SavedViews tela="casos" />
        <SearchBox value={filters.busca} onChange={(busca) => state.change({ ...filters, busca }, true)} />
      </div>
      <Answer query={query} lines={12}>
        {(lista) =>
          lista.total === 0 ? (
            <EmptyList state={state} />
          ) : (
            <Rows
              lista={lista}
              state={state}
              rows={rows}
              hrefOf={(change) => withRows(path, search, change)}
            />
          )
        }
      </Answer>
      {isExporting && (
        <ExportDialog
          filtros={casosQuery(filters, today)}
          columns={columns}
          total={total}
          what={words.title}
          onClose={() => setExporting(false)}
        />
      )}
    </Page>
  )
}

interface RowsProps {
  lista: ListaDeCasos
  state: FilterState
  rows: RowsAddress
  hrefOf(change: Partial<RowsAddress>): string
}

function Rows({ lista, state: { filters, words, rules }, rows, hrefOf }: RowsProps) {
  const { casos, total, pages, page, size } = lista
  const [isOpen, setOpen] = useState(false)
  const selection = useSelection(casos)
  const columns = rows.columns ?? defaultColumns(filters)
  const keys = useRowKeys(casos, ({ id }) => id, {
    open: ({ id }) => pathTo(PATHS.caso, { id }),
    edit: holds(['agravos.editar']) ? ({ id }) => pathTo(PATHS.casoEditar, { id }) : undefined,
    select: selection.toggle,
  })
  const key = JSON.stringify([filters, page, size, rows.order])
  useLayoutEffect(() => {
    keys.hold(null)
    setOpen(false)
    selection.clear()
  }, [key])
  const caso = casos[keys.at]
  useKeys({
    arrowdown: () => keys.move(1),
    arrowup: () => keys.move(-1),
    ' ': () => caso && setOpen(!isOpen),
    escape: () => setOpen(false),
  })
  if (casos.length === 0) return <NoSuchPage page={page} href={hrefOf({ page: 1 })} />
  return (
    <>
      <SelectionBar selection={selection} columns={columns} today={rules.today} />
      <div class={isOpen && caso ? 'list-and-summary' : undefined}>
        <Table
          caption={words.title}
          columns={columnsOf(columns, filters.base)}
          rows={casos}
          keyOf={({ id }) => id}
          cellsOf={[columns.join(), filters.base, texts()]}
          order={rows.order}
          orderHref={(order) => hrefOf({ order })}
          current={keys.at}
          selection={selection}
          onRowClick={(one) => {
            keys.hold(one)
            setOpen(true)
          }}
        />
        {isOpen && caso && <Summary caso={caso} onClose={() => setOpen(false)} />}
      </div>
      <Pager
        page={page}
        pages={pages}
        size={size}
        total={total}
        hrefOf={(page) => hrefOf({ page })}
        sizes={{ all: SIZES, hrefOf: (size) => hrefOf({ size }) }}
      />
    </>
  )
}
