import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api } from '../../state/session.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import { texts } from '../../state/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { importColumns, RunningImports } from '../../ui/import-list.tsx'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { IMPORTACOES, importarHref, SERIES_IMPORT } from './importacao-data.ts'
import './styles.ts'

const SIZE = 25

/** Imports of series, the newest first; above them what is under way. */
export default function ImportacoesDeSeries() {
  const t = texts()
  const own = seriesImportacoesTexts()
  const { query } = useLocation()
  const page = Math.max(1, Math.trunc(Number(query.pagina)) || 1)
  const list = useQuery({
    queryKey: [...IMPORTACOES, 'list', page],
    queryFn: ({ signal }) =>
      api.get('/api/v1/series/importacoes', { query: { page, size: SIZE } }, { signal }),
  })
  const action = (
    <a class="button primary" href={importarHref()}>
      <Icon name="importacoes" />
      {own.start}
    </a>
  )
  return (
    <>
      <a class="back" href={PATHS.series}>
        {own.series}
      </a>
      <Page title={t.screens.seriesImportacoes} lead={own.lead} actions={action}>
        <div class="in-order">
          <RunningImports target={SERIES_IMPORT} />
          <Answer query={list} lines={8}>
            {({ items, total, pages, size }) =>
              total === 0 ? (
                <Empty text={own.empty}>
                  <a class="button plain" href={importarHref()}>
                    {envioTexts().list.first}
                  </a>
                </Empty>
              ) : items.length === 0 ? (
                <NoSuchPage page={page} href={hrefOfPage(1)} />
              ) : (
                <div class="imports">
                  <Table
                    caption={t.screens.seriesImportacoes}
                    columns={importColumns(SERIES_IMPORT, own)}
                    rows={items}
                    keyOf={({ id }) => id}
                    keys={{ open: ({ id }) => SERIES_IMPORT.importacaoHref(id) }}
                  />
                  <Pager page={page} pages={pages} size={size} total={total} hrefOf={hrefOfPage} />
                </div>
              )
            }
          </Answer>
        </div>
      </Page>
    </>
  )
}

const hrefOfPage = (page: number) =>
  page === 1 ? PATHS.seriesImportacoes : `${PATHS.seriesImportacoes}?pagina=${page}`
