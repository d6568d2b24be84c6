import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { seriesTexts } from '../../state/texts/series.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmptyByFilter, NoSuchPage, PaperFilter, partWords } from '../../ui/near-filters.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { NO_FILTERS, readSeries, seriesPath, seriesQuery } from './address.ts'
import { SerieFilterBar } from './filter-bar.tsx'
import { serieParts } from './filter-parts.ts'
import type { Serie } from './serie-data.ts'
import { refreshSeries, SERIES, serieHref } from './serie-links.ts'
import './styles.ts'

const SIZE = 50
const loadDefinition = async () => ({ default: (await import('./definition-dialog.tsx')).DefinitionDialog })

/** The catalogue: each series with its source, its licence, and how much of it there is. */
export default function Series() {
  const t = texts()
  const own = seriesTexts()
  const { url, route } = useLocation()
  /** Definition that is open; without a series: a new one. */
  const [open, setOpen] = useState<{ serie: Serie | null } | null>(null)
  const [isSaved, setSaved] = useState(false)
  const address = readSeries(url.split('?')[1] ?? '')
  const { filters, order, page } = address
  const asked = { ...seriesQuery(filters), sort: order.by, order: order.direction, page, size: SIZE }
  const query = useQuery({
    queryKey: [...SERIES, 'list', asked],
    queryFn: ({ signal }) => api.get('/api/v1/series', { query: asked }, { signal }),
  })
  const parts = serieParts(filters)
  return (
    <Page
      title={t.screens.series}
      lead={own.lead}
      actions={<Actions onNew={() => setOpen({ serie: null })} />}
    >
      <SerieFilterBar
        filters={filters}
        onChange={(next, replace) => route(seriesPath({ filters: next, order }), replace)}
      />
      <PaperFilter words={parts.map(partWords)} />
      <div class="list-tools">
        <SearchField
          label={own.list.search}
          value={filters.busca}
          onChange={(busca) => route(seriesPath({ filters: { ...filters, busca }, order }), true)}
        />
      </div>
      {isSaved && <Notice kind="done" text={own.detail.saved} />}
      <Answer query={query} lines={10}>
        {({ items, total, pages, size }) =>
          total === 0 && parts.length > 0 ? (
            <EmptyByFilter
              text={own.list.noneFiltered}
              name="series"
              {...{ filters, none: NO_FILTERS, parts }}
              ask={(next, signal) =>
                api.get('/api/v1/series', { query: { ...seriesQuery(next), size: 1 } }, { signal })
              }
              hrefOf={(next) => seriesPath({ filters: next })}
            />
          ) : total === 0 ? (
            <Empty text={own.list.empty} />
          ) : items.length === 0 ? (
            <NoSuchPage page={page} href={seriesPath({ filters, order })} />
          ) : (
            <div class="imports series">
              <Table
                caption={t.screens.series}
                columns={columns()}
                rows={items}
                keyOf={({ codigo }) => codigo}
                keys={{
                  open: ({ codigo }) => serieHref(codigo),
                  edit: holds(['series.definir']) ? (serie) => setOpen({ serie }) : undefined,
                }}
                order={order}
                orderHref={(next) => seriesPath({ filters, order: next })}
              />
              <Pager
                page={page}
                pages={pages}
                size={size}
                total={total}
                hrefOf={(next) => seriesPath({ ...address, page: next })}
              />
            </div>
          )
        }
      </Answer>
      {open !== null && (
        <OnDemand
          load={loadDefinition}
          props={{
            serie: open.serie,
            onClose: () => setOpen(null),
            onDone: ({ codigo }: Serie) => {
              if (open.serie === null) return route(serieHref(codigo))
              setOpen(null)
              setSaved(true)
              void refreshSeries()
            },
          }}
        />
      )}
    </Page>
  )
}

function Actions({ onNew }: { onNew(): void }) {
  const t = texts()
  const own = seriesTexts().list
  return (
    <>
      {holds(['series.importar']) && (
        <>
          <a class="button plain" href={PATHS.seriesImportacoes}>
            {own.imports}
          </a>
          <a class="button plain" href={PATHS.seriesImportar} aria-label={t.screens.seriesImportar}>
            <Icon name="importacoes" />
            {own.import}
          </a>
        </>
      )}
      {holds(['series.definir']) && (
        <Button kind="primary" icon="add" onClick={onNew}>
          {own.new}
        </Button>
      )}
    </>
  )
}

function columns(): Column<Serie>[] {
  const t = seriesTexts()
  return [
    {
      key: 'serie',
      title: t.list.serie,
      sort: 'nome',
      cell: ({ codigo, nome, unidade, ativa, derivada }) => (
        <>
          <a href={serieHref(codigo)}>{nome}</a> {!ativa && <span class="tag amber">{t.list.archived}</span>}
          {derivada !== null && <span class="tag green">{t.list.derived}</span>}
          <small>{[codigo, t.unit(unidade)].filter((part) => part !== '').join(' · ')}</small>
        </>
      ),
    },
    {
      key: 'dominio',
      title: t.list.dominio,
      sort: 'dominio',
      cell: ({ dominio, tema }) => (
        <>
          {t.dominios[dominio]}
          <small>{t.temas[tema]}</small>
        </>
      ),
    },
    {
      key: 'fonte',
      title: t.list.fonte,
      cell: ({ fonte, licenca }) => (
        <>
          {fonte}
          <small>{licenca}</small>
        </>
      ),
    },
    {
      key: 'alcance',
      title: t.list.alcance,
      sort: 'ultimo',
      cell: ({ primeiro, ultimo, periodo }) => (
        <>
          {primeiro === null || ultimo === null
            ? t.list.noValues
            : t.list.fromTo(t.day(primeiro), t.day(ultimo))}
          <small>{t.periodos[periodo]}</small>
        </>
      ),
    },
    { key: 'lugares', title: t.list.lugares, cell: (row) => <Coverage serie={row} />, isNumber: true },
    {
      key: 'valores',
      title: t.list.valores,
      sort: 'valores',
      isNumber: true,
      cell: ({ valores }) => t.number(valores),
    },
  ]
}

/** Places that a level of territory has. */
const PLACES: Record<Serie['nivel'], number> = { municipio: 5_571, regiao_saude: 449, estado: 27, pais: 1 }

/** Part of the places of its level that have any value, as number and bar. */
function Coverage({ serie: { lugares, nivel } }: { serie: Serie }) {
  const t = seriesTexts()
  return (
    <>
      {t.number(lugares)}
      <progress
        class="coverage"
        max={PLACES[nivel]}
        value={Math.min(lugares, PLACES[nivel])}
        aria-hidden="true"
      />
      <small>{t.niveis[nivel]}</small>
    </>
  )
}
