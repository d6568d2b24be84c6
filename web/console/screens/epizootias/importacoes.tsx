import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api } from '../../state/session.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { epizootiasImportacoesTexts } from '../../state/texts/epizootias-importacoes.ts'
import { texts } from '../../state/texts.ts'
import '../../ui/gestao.ts'
import { Icon } from '../../ui/icon.tsx'
import { importColumns, RunningImports } from '../../ui/import-list.tsx'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { EPIZOOTIAS_IMPORT, IMPORTACOES } from './importacao-data.ts'

const SIZE = 25

/** Imports of events, the newest first; above them what is under way. */
export default function ImportacoesDeEpizootias() {
  const t = texts()
  const own = epizootiasImportacoesTexts()
  const { query } = useLocation()
  const page = Math.min(1_000_000, Math.max(1, Math.trunc(Number(query.pagina)) || 1))
  const list = useQuery({
    queryKey: [...IMPORTACOES, 'list', page],
    queryFn: ({ signal }) =>
      api.get('/api/v1/epizootias/importacoes', { query: { page, size: SIZE } }, { signal }),
  })
  const importar = EPIZOOTIAS_IMPORT.importarHref()
  const action = (
    <a class="button primary" href={importar}>
      <Icon name="importacoes" />
      {own.start}
    </a>
  )
  return (
    <>
      <a class="back" href={PATHS.epizootias}>
        {own.epizootias}
      </a>
      <Page title={t.screens.epizootiasImportacoes} lead={own.lead} actions={action}>
        <div class="in-order">
          <RunningImports target={EPIZOOTIAS_IMPORT} />
          <Answer query={list} lines={8}>
            {({ items, total, pages, size }) =>
              total === 0 ? (
                <Empty text={own.empty}>
                  <a class="button plain" href={importar}>
                    {envioTexts().list.first}
                  </a>
                </Empty>
              ) : items.length === 0 ? (
                <NoSuchPage page={page} href={hrefOfPage(1)} />
              ) : (
                <div class="imports">
                  <Table
                    caption={t.screens.epizootiasImportacoes}
                    columns={importColumns(EPIZOOTIAS_IMPORT, own)}
                    rows={items}
                    keyOf={({ id }) => id}
                    keys={{ open: ({ id }) => EPIZOOTIAS_IMPORT.importacaoHref(id) }}
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
  page === 1 ? PATHS.epizootiasImportacoes : `${PATHS.epizootiasImportacoes}?pagina=${page}`
