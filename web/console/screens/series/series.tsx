import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { seriesTexts } from '../../state/texts/series.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { NO_FILTERS, readSeries, seriesPath, seriesQuery } from './address.ts'
import { SerieFilterBar } from './filter-bar.tsx'
import type { Serie } from './serie-data.ts'
import { SERIES, serieHref } from './serie-links.ts'
import './styles.ts'

const SIZE = 50

/** The catalogue: each series with its source, its licence, and how much of it there is. */
export default function Series() {
  const t = texts()
  const own = seriesTexts()
  const { url, route } = useLocation()
  const [isNew, setNew] = useState(false)
  const address = readSeries(url.split('?')[1] ?? '')
  const { filters, order, page } = address
  const asked = { ...seriesQuery(filters), sort: order.by, order: order.direction, page, size: SIZE }
  const query = useQuery({
    queryKey: [...SERIES, 'list', asked],
    queryFn: ({ signal }) => api.get('/api/v1/series', { query: asked }, { signal }),
  })
  const isFiltered = seriesPath({ filters }) !== seriesPath({ filters: NO_FILTERS })
  return (
    <Page title={t.screens.series} lead={own.lead} actions={<Actions onNew={() => setNew(true)} />}>
      <SerieFilterBar
        filters={filters}
        onChange={(next, replace) => route(seriesPath({ filters: next, order }), replace)}
      />
      <div class="list-tools">
        <SearchField
          label={own.list.search}
          value={filters.busca}
          onChange={(busca) => route(seriesPath({ filters: { ...filters, busca }, order }), true)}
        />
      </div>
      <Answer query={query} lines={10}>
        {({ items, total, pages, size }) =>
          items.length === 0 ? (
            <Empty text={isFiltered ? own.list.noneFiltered : own.list.empty}>
              {(isFiltered || page > 1) && (
                <a class="button plain" href={seriesPath({ filters: NO_FILTERS })}>
                  {t.filtros.clear}
                </a>
              )}
            </Empty>
          ) : (
            <div class="imports series">
              <Table
                caption={t.screens.series}
                columns={columns()}
                rows={items}
                keyOf={({ codigo }) => codigo}
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
      {isNew && (
        <OnDemand
          load={async () => {
            const { DefinitionDialog } = await import('./definition-dialog.tsx')
            const close = () => setNew(false)
            const done = ({ codigo }: Serie) => route(serieHref(codigo))
            return { default: () => <DefinitionDialog serie={null} onClose={close} onDone={done} /> }
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
