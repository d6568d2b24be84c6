import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { AnswerOf } from '../../api/rows.ts'
import { Choice } from '../../charts/chart-card.tsx'
import { PATHS, pathTo } from '../../paths.ts'
import { type Epizootia, valores, whenOf, word } from '../../state/epizootias.ts'
import { EPIZOOTIAS, epizootiaHref } from '../../state/epizootias-keys.ts'
import { api, holds } from '../../state/session.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ClassTag } from '../../ui/epizootia-marks.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmptyByFilter, type FilterPart, NoSuchPage, PaperFilter, partWords } from '../../ui/near-filters.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import {
  type EpizootiaFilters,
  type EpizootiasAddress,
  epizootiasPath,
  epizootiasQuery,
  NO_FILTERS,
  readEpizootias,
  VISTAS,
} from './address.ts'
import { EpizootiaFilterBar } from './filter-bar.tsx'
import { useEpizootiaParts } from './filter-parts.ts'
import { Numbers } from './numbers.tsx'
import '../../ui/epizootia-styles.ts'

const SIZE = 50
const loadExport = async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog })
const loadValores = async () => ({ default: (await import('./valores-dialog.tsx')).ValoresDialog })
const loadMonths = async () => ({ default: (await import('./months.tsx')).Months })
const loadMap = async () => ({ default: (await import('./events-map.tsx')).EventsMap })

/** Events in animals, as list, map or months, with their numbers above. */
export default function Epizootias() {
  const t = texts()
  const own = epizootiasTexts()
  const { url, route } = useLocation()
  const address = readEpizootias(url.split('?')[1] ?? '')
  const { filters, vista, order } = address
  const [isExporting, setExporting] = useState(false)
  const parts = useEpizootiaParts(filters)
  const actions = <Actions onExport={() => setExporting(true)} />
  return (
    <Page title={t.screens.epizootias} lead={own.lead} actions={actions}>
      <EpizootiaFilterBar
        filters={filters}
        onChange={(next, replace) => route(epizootiasPath({ filters: next, vista, order }), replace)}
      />
      <PaperFilter words={parts.map(partWords)} />
      <Numbers filters={filters} vista={vista} />
      <div class="list-tools">
        <SearchField
          label={own.list.search}
          value={filters.busca}
          onChange={(busca) => route(epizootiasPath({ filters: { ...filters, busca }, vista, order }), true)}
        />
        <Choice
          label={own.list.view}
          options={VISTAS.map((one) => [one, own.list.views[one]] as const)}
          value={vista}
          onChange={(next) => route(epizootiasPath({ filters, vista: next, order }))}
        />
      </div>
      {vista === 'mapa' ? (
        <OnDemand load={loadMap} props={{ filters }} />
      ) : vista === 'meses' ? (
        <OnDemand load={loadMonths} props={{ filters }} />
      ) : (
        <List address={address} parts={parts} />
      )}
      {isExporting && <OnDemand load={loadExport} props={{ filters, onClose: () => setExporting(false) }} />}
    </Page>
  )
}

interface ListProps {
  address: EpizootiasAddress
  parts: FilterPart<EpizootiaFilters>[]
}

function List({ address, parts }: ListProps) {
  const t = texts()
  const own = epizootiasTexts()
  const { filters, order, page } = address
  const asked = { ...epizootiasQuery(filters), sort: order.by, order: order.direction, page, size: SIZE }
  const query = useQuery({
    queryKey: [...EPIZOOTIAS, 'list', asked],
    queryFn: ({ signal }) => api.get('/api/v1/epizootias', { query: asked }, { signal }),
  })
  const registered = useQuery(valores()).data?.items
  return (
    <Answer query={query} lines={10}>
      {({ items, total, pages, size }) =>
        total === 0 && parts.length > 0 ? (
          <EmptyByFilter
            text={own.list.noneFiltered}
            name={EPIZOOTIAS[0]}
            {...{ filters, none: NO_FILTERS, parts }}
            ask={(next, signal) =>
              api.get('/api/v1/epizootias', { query: { ...epizootiasQuery(next), size: 1 } }, { signal })
            }
            hrefOf={(next) => epizootiasPath({ filters: next })}
          />
        ) : total === 0 ? (
          <Empty text={own.list.empty} />
        ) : items.length === 0 ? (
          <NoSuchPage page={page} href={epizootiasPath({ filters, order })} />
        ) : (
          <div class="imports epizootias">
            <Table
              caption={t.screens.epizootias}
              columns={columns(registered)}
              rows={items}
              keyOf={({ id }) => id}
              keys={{
                open: ({ id }) => epizootiaHref(id),
                edit: holds(['epizootias.registrar'])
                  ? ({ id }) => pathTo(PATHS.epizootiaEditar, { id })
                  : undefined,
              }}
              order={order}
              orderHref={(next) => epizootiasPath({ filters, order: next })}
            />
            <Pager
              page={page}
              pages={pages}
              size={size}
              total={total}
              hrefOf={(next) => epizootiasPath({ ...address, page: next })}
            />
          </div>
        )
      }
    </Answer>
  )
}

function Actions({ onExport }: { onExport(): void }) {
  const t = texts()
  const own = epizootiasTexts().list
  const [isListing, setListing] = useState(false)
  return (
    <div class="one-row">
      {holds(['epizootias.deletar']) && (
        <a class="button plain" href={PATHS.epizootiasExcluidas}>
          {own.deleted}
        </a>
      )}
      {holds(['series.definir']) && (
        <Button onClick={() => setListing(true)}>{epizootiasTexts().registered.title}</Button>
      )}
      {isListing && <OnDemand load={loadValores} props={{ onClose: () => setListing(false) }} />}
      <Button icon="download" onClick={onExport}>
        {t.casos.export}
      </Button>
      {holds(['epizootias.registrar']) && (
        <>
          <a class="button plain" href={PATHS.epizootiasImportacoes}>
            {own.imports}
          </a>
          <a class="button plain" href={PATHS.epizootiasImportar} aria-label={t.screens.epizootiasImportar}>
            <Icon name="importacoes" />
            {own.import}
          </a>
          <a class="button primary" href={PATHS.epizootiaNova}>
            <Icon name="add" />
            {own.new}
          </a>
        </>
      )}
    </div>
  )
}

type Registered = AnswerOf<'GET', '/api/v1/epizootias/valores'>['items']

function columns(registered: Registered | undefined): Column<Epizootia>[] {
  const { campos, list, week } = epizootiasTexts()
  return [
    {
      key: 'numero',
      title: campos.numero,
      sort: 'numero',
      cell: ({ id, numero }) => <a href={epizootiaHref(id)}>{numero}</a>,
    },
    {
      key: 'ocorrencia',
      title: list.when,
      sort: 'data_ocorrencia',
      cell: (row) => (
        <>
          {whenOf(row)}
          {row.semana !== null && <small>{week(row.semana)}</small>}
        </>
      ),
    },
    {
      key: 'lugar',
      title: list.place,
      sort: 'estado',
      cell: ({ municipio, estado, localidade }) => (
        <>
          {municipio}, {estado}
          {localidade !== null && <small>{localidade}</small>}
        </>
      ),
    },
    {
      key: 'suspeita',
      title: campos.suspeita,
      sort: 'suspeita',
      cell: ({ suspeita }) => word(suspeita, registered),
    },
    {
      key: 'animais',
      title: list.animals,
      sort: 'especie_grupo',
      cell: ({ especie_grupo, especie, animais_doentes, animais_mortos }) => (
        <>
          {word(especie_grupo)}
          <small>
            {[especie, list.sickDead(animais_doentes, animais_mortos)].filter(Boolean).join(' · ')}
          </small>
        </>
      ),
    },
    {
      key: 'classificacao',
      title: campos.classificacao,
      sort: 'classificacao',
      cell: ({ classificacao }) => <ClassTag classificacao={classificacao} />,
    },
  ]
}
