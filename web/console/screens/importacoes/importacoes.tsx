import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { importacoesTexts } from '../../state/texts/importacoes.ts'
import { texts } from '../../state/texts.ts'
import { Barra } from '../../ui/contagem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { EmAberto } from './em-aberto.tsx'
import { casosHref, type Importacao, importacaoHref, novaHref } from './job.ts'

const SIZE = 25

/** Imports, the newest first; above them what is not over. */
export default function Importacoes() {
  const t = texts()
  const { query } = useLocation()
  const page = Math.max(1, Math.trunc(Number(query.pagina)) || 1)
  const list = useQuery({
    queryKey: ['importacoes', 'list', page],
    queryFn: ({ signal }) =>
      api.get('/api/v1/agravos/importacoes', { query: { page, size: SIZE } }, { signal }),
  })
  const action = (
    <a class="button primary" href={novaHref()}>
      <Icon name="importacoes" />
      {importacoesTexts().list.new}
    </a>
  )
  return (
    <Page title={t.screens.importacoes} lead={importacoesTexts().list.lead} actions={action}>
      <EmAberto />
      <Answer query={list} lines={8}>
        {({ items, total, pages, size }) =>
          total === 0 ? (
            <Empty text={importacoesTexts().list.empty}>
              <a class="button plain" href={novaHref()}>
                {importacoesTexts().list.first}
              </a>
            </Empty>
          ) : items.length === 0 ? (
            <NoSuchPage page={page} href={hrefOfPage(1)} />
          ) : (
            <div class="imports">
              <Table
                caption={t.screens.importacoes}
                columns={columns()}
                rows={items}
                keyOf={({ id }) => id}
                keys={{ open: ({ id }) => importacaoHref(id) }}
              />
              <Pager page={page} pages={pages} size={size} total={total} hrefOf={hrefOfPage} />
            </div>
          )
        }
      </Answer>
    </Page>
  )
}

const hrefOfPage = (page: number) => (page === 1 ? PATHS.importacoes : `${PATHS.importacoes}?pagina=${page}`)

function columns(): Column<Importacao>[] {
  const t = importacoesTexts()
  return [
    {
      key: 'arquivo',
      title: t.list.file,
      cell: ({ id, arquivo }) => (
        <>
          <a href={importacaoHref(id)}>{arquivo.nome}</a>
          <small>
            {arquivo.formato.toUpperCase()} · {t.layouts[arquivo.layout]}
          </small>
        </>
      ),
    },
    { key: 'quem', title: t.list.who, cell: ({ usuario }) => usuario.nome },
    { key: 'quando', title: t.list.when, cell: ({ criado_em }) => t.moment(new Date(criado_em)) },
    {
      key: 'linhas',
      title: t.list.lines,
      isNumber: true,
      cell: ({ total_linhas }) => t.number(total_linhas),
    },
    {
      key: 'resultado',
      title: t.list.result,
      cell: (row) => (
        <>
          <Barra counts={row} names={t.parts} />
          <small>{t.list.summary(row.importados, row.atualizados, row.erros)}</small>
        </>
      ),
    },
    {
      key: 'situacao',
      title: t.list.state,
      cell: ({ desfeita_em }) =>
        desfeita_em === null ? (
          <span class="tag green">{t.list.done}</span>
        ) : (
          <span class="tag amber">{t.list.undone}</span>
        ),
    },
    { key: 'acoes', title: t.list.actions, cell: (row) => <Actions row={row} /> },
  ]
}

function Actions({ row }: { row: Importacao }) {
  const t = importacoesTexts()
  const { id, desfeita_em, importados, atualizados, arquivo } = row
  const hasCases = desfeita_em === null && importados + atualizados > 0
  return (
    <div class="row-actions">
      {hasCases && holds(['agravos.listar']) && (
        <a href={casosHref(id)} aria-label={t.list.casesOf(arquivo.nome)}>
          {t.list.cases}
        </a>
      )}
      <a href={importacaoHref(id)} aria-label={t.list.openOf(arquivo.nome)}>
        {hasCases ? t.list.openUndo : t.list.open}
      </a>
    </div>
  )
}
