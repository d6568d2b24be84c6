import { useSignal } from '@preact/signals'
import { useQuery } from '@tanstack/preact-query'
import { useMemo } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { CLASSIFICACOES_DE_EPIZOOTIA } from '../../../../src/domain/epizootias/campos.ts'
import { ChartCard } from '../../charts/chart-card.tsx'
import type { Fill } from '../../map/draw.ts'
import { usePlaces } from '../../map/files.ts'
import { PlaceMap } from '../../map/map.tsx'
import { EPIZOOTIAS, epizootiaHref } from '../../state/epizootias-keys.ts'
import { estadoNome } from '../../state/estados.ts'
import { api } from '../../state/session.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { texts } from '../../state/texts.ts'
import { ClassTag } from '../../ui/epizootia-marks.tsx'
import { Answer, Empty, Failure } from '../../ui/states.tsx'
import { type EpizootiaFilters, epizootiasPath, epizootiasQuery } from './address.ts'
import { type Mapa, type Spot, spotsOf, tableOf } from './spots.ts'

/** Events of the filter as marks whose shape tells the classification; the table has the same numbers by municipality. */
export function EventsMap({ filters }: { filters: EpizootiaFilters }) {
  const asked = { ...epizootiasQuery(filters), nivel: 'ponto' }
  const query = useQuery({
    queryKey: [...EPIZOOTIAS, 'mapa', asked],
    queryFn: ({ signal }) => api.get('/api/v1/epizootias/mapa', { query: asked }, { signal }),
  })
  return (
    <Answer query={query} lines={8}>
      {(data) =>
        data.features.length === 0 ? (
          <Empty text={epizootiasTexts().list.noneFiltered} />
        ) : (
          <Drawn data={data} filters={filters} />
        )
      }
    </Answer>
  )
}

function Drawn({ data, filters }: { data: Mapa; filters: EpizootiaFilters }) {
  const t = texts()
  const own = epizootiasTexts()
  const { uf, municipio } = filters
  const { route } = useLocation()
  const chosen = useSignal<string | null>(null)
  const { places, error, retry } = usePlaces([uf === null ? 'br' : uf.toLowerCase()])
  const spots = useMemo(() => spotsOf(data), [data])
  const names = useMemo(() => new Map(places?.map(({ id, nome }) => [id, nome])), [places])
  const fillOf = useMemo(
    () =>
      (id: string): Fill =>
        municipio === null || id === municipio ? 0 : 'outside',
    [municipio],
  )
  const total = data.metadata.total_eventos
  const go = (place: Partial<EpizootiaFilters>) => {
    chosen.value = null
    route(epizootiasPath({ filters: { ...filters, regiao: null, municipio: null, ...place }, vista: 'mapa' }))
  }
  const open = (id: string) => {
    const spot = spots.find((one) => one.id === id)
    if (spot === undefined) return id.length === 2 ? go({ uf: id }) : go({ municipio: id, uf: null })
    const [only] = spot.events
    if (spot.events.length === 1 && only !== undefined) return route(epizootiaHref(only))
    const { classificacao, municipio } = spot
    route(epizootiasPath({ filters: { ...filters, municipio: municipio.codigo, classificacao } }))
  }
  const place = municipio === null ? null : (names.get(municipio) ?? municipio)
  return (
    <ChartCard
      kind="map-card events-map"
      title={own.map.title}
      note={data.features.length < total ? own.map.newest(data.features.length, total) : own.map.note(total)}
      table={() => tableOf(data, filters)}
    >
      {error ? (
        <Failure error={error} onRetry={retry} />
      ) : places === undefined ? (
        <div class="map bone" />
      ) : (
        <PlaceMap
          places={places}
          bubbles={spots}
          order={spots.map(({ id }) => id)}
          fillOf={fillOf}
          scale="s"
          chosen={chosen}
          focus={municipio}
          sentence={own.map.sentence(
            total,
            place ?? (uf === null ? own.map.brasil : estadoNome(uf as never)),
          )}
          tipOf={(id) => <Tip spot={spots.find((one) => one.id === id)} nome={names.get(id) ?? id} />}
          onOpen={open}
          onUp={uf === null ? undefined : () => go(municipio === null ? { uf: null } : { uf })}
        />
      )}
      <ul class="map-marks">
        {CLASSIFICACOES_DE_EPIZOOTIA.map((one) => (
          <li key={one}>
            <ClassTag classificacao={one} />
          </li>
        ))}
      </ul>
      <p class="note">
        {own.map.legend} {own.map.approximate} {t.map.source}
      </p>
    </ChartCard>
  )
}

function Tip({ spot, nome }: { spot: Spot | undefined; nome: string }) {
  const t = epizootiasTexts().map
  if (spot === undefined)
    return (
      <>
        <b>{nome}</b>
        <p class="note">{t.open}</p>
      </>
    )
  const { municipio, classificacao, events } = spot
  return (
    <>
      <b>
        {municipio.nome}, {municipio.estado}
      </b>
      <p>
        <ClassTag classificacao={classificacao} />
      </p>
      <p>{t.events(events.length)}</p>
    </>
  )
}
