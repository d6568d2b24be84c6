import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ChartCard } from '../../charts/chart-card.tsx'
import type { Fill } from '../../map/draw.ts'
import type { Places } from '../../map/files.ts'
import { PlaceMap } from '../../map/map.tsx'
import { texts } from '../../state/texts.ts'
import { Failure } from '../../ui/states.tsx'
import { type Spot, spotsOf } from './bairros.ts'
import { Crumbs, upOf } from './crumbs.tsx'
import { inPlace, painelPath } from './links.ts'
import type { PartProps } from './painel.tsx'
import type { Partes } from './partes.ts'

/** Neighbourhoods named in a tip. */
const NAMED = 6
const NOTHING = { spots: [] as Spot[], bairros: [], rest: 0 }

interface BairrosCardProps extends PartProps {
  map: Places
  partes: Partes
}

/** A municipality: its outline, and a bubble for each neighbourhood that may be shown. No filter names a neighbourhood exactly, so these numbers lead nowhere. */
export function BairrosCard({ painel, state, map, partes }: BairrosCardProps) {
  const { lugar } = painel
  const { filters, rules } = state
  const { route } = useLocation()
  const chosen = useSignal<string | null>(null)
  const t = texts()
  const { query, bairros: answer } = partes
  const { spots, bairros, rest } = useMemo(() => (answer === undefined ? NOTHING : spotsOf(answer)), [answer])
  const fillOf = useMemo(
    () =>
      (id: string): Fill =>
        id === lugar.codigo ? 0 : 'outside',
    [lugar.codigo],
  )
  const names = useMemo(() => new Map(map.places?.map(({ id, nome }) => [id, nome])), [map.places])
  const up = upOf(filters)
  return (
    <ChartCard
      kind="map-card"
      title={t.painel.bairros}
      note={<Crumbs state={state} painel={painel} />}
      table={() => ({
        name: 'bairros',
        columns: [t.painel.bairro, t.painel.measures.casos],
        rows: bairros.map(({ nome, casos }) => [nome, { text: t.painel.number(casos) }]),
      })}
    >
      {map.error ? (
        <Failure error={map.error} onRetry={map.retry} />
      ) : map.places === undefined ? (
        <div class="map bone" />
      ) : (
        <PlaceMap
          places={map.places}
          bubbles={spots}
          order={spots.map(({ id }) => id)}
          fillOf={fillOf}
          scale="s"
          chosen={chosen}
          focus={lugar.codigo}
          sentence={t.painel.mapSentence(lugar.nome ?? '')}
          tipOf={(id) => <Tip spot={spots.find((one) => one.id === id)} nome={names.get(id) ?? ''} />}
          onOpen={(id) => {
            if (names.has(id) && id !== lugar.codigo) route(painelPath(inPlace(filters, id), rules))
          }}
          onUp={up === null ? undefined : () => route(painelPath(up, rules))}
        />
      )}
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      <p class="note">
        {answer !== undefined && `${t.painel.bairrosNote(spots.length > 0, rest)} `}
        {t.map.source}
      </p>
    </ChartCard>
  )
}

function Tip({ spot, nome }: { spot: Spot | undefined; nome: string }) {
  const t = texts().painel
  if (spot === undefined) return <b>{nome}</b>
  const more = spot.bairros.length - NAMED
  return (
    <>
      {spot.bairros.slice(0, NAMED).map((bairro) => (
        <p key={bairro.nome}>
          <b>{bairro.nome}</b> {t.casesOf(bairro.casos)}
        </p>
      ))}
      {more > 0 && <p class="note">{t.moreBairros(more)}</p>}
      {spot.bairros.length > 1 && <p class="note">{t.bairrosAtOnePoint}</p>}
    </>
  )
}
