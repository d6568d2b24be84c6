import { useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, cache } from '../../state/session.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import { texts } from '../../state/texts.ts'
import { stageOf } from '../../ui/andamento.tsx'
import { Barra } from '../../ui/contagem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { IMPORTACOES, type Importacao, importacaoHref, importarHref } from './importacao-data.ts'
import './styles.ts'

const SIZE = 25
const POLL_MS = 2_000

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
        <Running />
        <Answer query={list} lines={8}>
          {({ items, total, pages, size }) =>
            total === 0 ? (
              <Empty text={own.empty}>
                <a class="button plain" href={importarHref()}>
                  {envioTexts().list.first}
                </a>
              </Empty>
            ) : (
              <div class="imports">
                <Table
                  caption={t.screens.seriesImportacoes}
                  columns={columns()}
                  rows={items}
                  keyOf={({ id }) => id}
                />
                <Pager page={page} pages={pages} size={size} total={total} hrefOf={hrefOfPage} />
              </div>
            )
          }
        </Answer>
      </Page>
    </>
  )
}

const hrefOfPage = (page: number) =>
  page === 1 ? PATHS.seriesImportacoes : `${PATHS.seriesImportacoes}?pagina=${page}`

/** Jobs of the account that are not over; one that ends is a new row of the list. */
function Running() {
  const own = seriesImportacoesTexts()
  const jobs = useQuery({
    queryKey: ['jobs', 'series'],
    queryFn: ({ signal }) =>
      api.get(
        '/api/v1/jobs',
        { query: { 'tipo[in]': 'importacao_series,desfazer_series', status: 'processing', size: 20 } },
        { signal },
      ),
    refetchInterval: ({ state }) => ((state.data?.items.length ?? 0) > 0 ? POLL_MS : false),
  })
  const items = jobs.data?.items ?? []
  useEffect(() => void cache.invalidateQueries({ queryKey: IMPORTACOES }), [items.length])
  if (items.length === 0) return null
  return (
    <section class="card recent" aria-label={own.running}>
      <h2>{own.running}</h2>
      <ul>
        {items.map((job) => {
          const name = job.arquivo_nome ?? envioTexts().list.importOf(job.importacao_id ?? 0)
          const href =
            job.importacao_id === undefined ? importarHref({}, job.job_id) : importacaoHref(job.importacao_id)
          return (
            <li key={job.job_id}>
              <div>
                <b>{name}</b>
                <small>{stageOf(job, own.stages)}</small>
              </div>
              <progress class="bar-of" max={100} value={job.progress} aria-label={name} />
              <a href={href} aria-label={own.follow(name)}>
                {envioTexts().list.follow}
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function columns(): Column<Importacao>[] {
  const t = envioTexts()
  const own = seriesImportacoesTexts()
  return [
    {
      key: 'arquivo',
      title: t.list.file,
      cell: ({ id, arquivo }) => (
        <>
          <a href={importacaoHref(id)}>{arquivo.nome === '' ? own.layouts[arquivo.layout] : arquivo.nome}</a>
          <small>
            {arquivo.formato.toUpperCase()} · {own.layouts[arquivo.layout]}
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
      title: own.values,
      cell: (row) => (
        <>
          <Barra counts={row} names={own.parts} />
          <small>{own.summary(row.importados, row.atualizados, row.erros)}</small>
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
    {
      key: 'acoes',
      title: t.list.actions,
      cell: ({ id, arquivo, desfeita_em }) => (
        <div class="row-actions">
          <a href={importacaoHref(id)} aria-label={t.list.openOf(arquivo.nome)}>
            {desfeita_em === null ? t.list.openUndo : t.list.open}
          </a>
        </div>
      ),
    },
  ]
}
