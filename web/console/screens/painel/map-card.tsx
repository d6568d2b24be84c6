import type { Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Place } from '../../../../src/charts/outlines.ts'
import type { Painel } from '../../api/early.ts'
import { ChartCard, Choice } from '../../charts/chart-card.tsx'
import type { TableData } from '../../charts/table-data.ts'
import { classOf, colourOf, cutsOf, isFlat, type Measure, scaleOf } from '../../map/classes.ts'
import type { Fill } from '../../map/draw.ts'
import { type Places, usePlaces } from '../../map/files.ts'
import { MapLegend } from '../../map/legend.tsx'
import { PlaceMap } from '../../map/map.tsx'
import { estadoNome, ufOfCode } from '../../state/estados.ts'
import type { Filters } from '../../state/filter-address.ts'
import { texts } from '../../state/texts.ts'
import { Failure } from '../../ui/states.tsx'
import { Crumbs, upOf } from './crumbs.tsx'
import { isDividedFurther, type Lugar, lugaresOf, type Recent, recentByPlace } from './figures.ts'
import { byLevel, hasLevels, LevelLegend, LevelTip, levelsTable, rankOf } from './level-map.tsx'
import { atPlace, casosPath, DIED, HOSPITALIZED, inPlace, narrowed, painelPath } from './links.ts'
import type { PartProps } from './painel.tsx'
import type { Partes } from './partes.ts'

export interface MapCardProps extends PartProps {
  map: Places
  /** The place under the pointer, here and in the table. */
  chosen: Signal<string | null>
  /** Chosen by the reader; null: as fits. */
  measure: Signal<Measure | null>
  partes: Partes
}

const STATES = ['br']
const NONE: readonly string[] = []

/** Places of the recorte, coloured by rate, count, recent change or level of alert. */
export function MapCard({ painel, state, map, chosen, measure: wish, partes }: MapCardProps) {
  const { filters, rules } = state
  const { lugar, populacao } = painel
  const { route } = useLocation()
  const wanted = wish.value
  const t = texts().painel
  const lugares = useMemo(() => lugaresOf(painel.lugares), [painel])
  const recent = useMemo(() => recentByPlace(painel, filters.periodo, rules.today), [painel, filters, rules])
  const byCode = useMemo(() => new Map(lugares.map((one) => [one.codigo, one])), [lugares])
  const names = useMemo(() => namesOf(map.places, painel), [map.places, painel])
  const { places: borders } = usePlaces(isDividedFurther(painel) ? STATES : NONE)
  const hasChange = useMemo(() => [...recent.values()].some(({ pct }) => pct !== null), [recent])
  const measures = (
    [
      populacao !== null && 'incidencia',
      'casos',
      hasChange && 'mudanca',
      hasLevels({ painel, state }) && 'nivel',
    ] as const
  ).filter((one) => one !== false)
  const flat = populacao !== null && isFlat(lugares.map(({ incidencia }) => incidencia))
  const usual = populacao === null || flat ? 'casos' : 'incidencia'
  const measure = measures.find((one) => one === wanted) ?? usual
  const cuts = useMemo(
    () =>
      cutsOf(
        measure,
        lugares.map(({ casos }) => casos),
      ),
    [measure, lugares],
  )
  const { query, niveis } = partes
  const ofLevel = useMemo(() => byLevel(niveis?.items ?? []), [niveis])
  const levelOf = useMemo(() => new Map(ofLevel.map((one) => [one.lugar.codigo, one])), [ofLevel])
  // Of a region or an own territory, the answer does not say which places without cases belong to it.
  const isWhole = lugar.nivel === 'pais' || lugar.nivel === 'estado'
  const fillOf = useMemo(() => {
    return (id: string): Fill => {
      if (measure === 'nivel') {
        const level = levelOf.get(id)
        return level === undefined ? 'outside' : rankOf(level)
      }
      const found = byCode.get(id)
      if (found === undefined && !isWhole) return 'outside'
      const value =
        measure === 'mudanca' ? (recent.get(id)?.pct ?? null) : found === undefined ? 0 : found[measure]
      const klass = classOf(value, cuts)
      return klass === null ? 'unknown' : colourOf(klass, cuts)
    }
  }, [byCode, recent, levelOf, cuts, measure, isWhole])
  const up = upOf(filters)
  const isHatched = measure === 'incidencia' && lugares.some(({ incidencia }) => incidencia === null)
  return (
    <ChartCard
      kind="map-card"
      title={t.mapTitles[measure]}
      note={<Crumbs state={state} painel={painel} />}
      actions={
        lugares.length > 0 &&
        measures.length > 1 && (
          <Choice
            label={t.measure}
            options={measures.map((one) => [one, t.mapMeasures[one]] as const)}
            value={measure}
            onChange={(one) => {
              wish.value = one
            }}
          />
        )
      }
      table={() => (measure === 'nivel' ? levelsTable(ofLevel) : placesTable(painel, names, recent, state))}
    >
      {map.error ? (
        <Failure error={map.error} onRetry={map.retry} />
      ) : measure === 'nivel' && query.isError ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : map.places === undefined ? (
        <div class="map bone" />
      ) : (
        <PlaceMap
          places={map.places}
          borders={borders}
          order={
            measure === 'nivel'
              ? ofLevel.flatMap(({ lugar }) => lugar.codigo ?? [])
              : lugares.flatMap(({ codigo }) => codigo ?? [])
          }
          fillOf={fillOf}
          scale={scaleOf(measure)}
          chosen={chosen}
          sentence={t.mapSentence(lugar.nome ?? t.severalPlaces)}
          tipOf={(id) =>
            measure === 'nivel' ? (
              <LevelTip nome={names.get(id) ?? id} found={levelOf.get(id)} />
            ) : (
              <Tip
                nome={names.get(id) ?? id}
                found={byCode.get(id)}
                recent={measure === 'mudanca' ? recent.get(id) : undefined}
                isWhole={isWhole}
              />
            )
          }
          onOpen={(id) => {
            chosen.value = null
            route(painelPath(inPlace(filters, id), rules))
          }}
          onUp={up === null ? undefined : () => route(painelPath(up, rules))}
        />
      )}
      {measure === 'nivel' && <LevelLegend semana={niveis?.semana} />}
      {measure !== 'nivel' && lugares.length > 0 && (
        <MapLegend
          scale={scaleOf(measure)}
          least={measure === 'mudanca' ? -100 : 0}
          cuts={cuts}
          format={measure === 'mudanca' ? t.signed : t.number}
          unknown={measure === 'mudanca' ? t.changeUnknown : isHatched ? t.populationUnknown : undefined}
        >
          {measure === 'mudanca' && `${t.changeNote} `}
          {flat && wanted === null && `${t.flatNote} `}
        </MapLegend>
      )}
    </ChartCard>
  )
}

interface TipProps {
  nome: string
  found: Lugar | undefined
  /** Undefined where the map does not show it. */
  recent: Recent | undefined
  isWhole: boolean
}

function Tip({ nome, found, recent, isWhole }: TipProps) {
  const t = texts().painel
  const none = isWhole ? t.noCases : t.noCasesHere
  return (
    <>
      <b>{nome}</b>
      {recent !== undefined && <p>{t.changeWords(recent.pct, recent.now, recent.before)}</p>}
      <p>{found === undefined ? none : t.casesAndRate(found.casos, found.incidencia)}</p>
      <p class="note">{t.goDown}</p>
    </>
  )
}

/** Names of the places of a map; municipalities of several states with theirs, since many have the same. */
export const namesOf = (places: readonly Place[] | undefined, { lugar }: Painel) =>
  new Map(
    places?.map(({ id, nome }) => [
      id,
      lugar.nivel === 'pais' && id.length === 7 ? `${nome} · ${ufOfCode(id)}` : nome,
    ]),
  )

export function nameOf(codigo: string | null, names: ReadonlyMap<string, string>): string | undefined {
  if (codigo === null) return texts().painel.unknownPlace
  return codigo.length === 2 ? estadoNome(codigo) : names.get(codigo)
}

function placesTable(
  { lugares }: Painel,
  names: ReadonlyMap<string, string>,
  recent: ReadonlyMap<string, Recent>,
  { filters, rules }: PartProps['state'],
): TableData {
  const t = texts().painel
  const linked = (value: number, of: Filters | null) => {
    const href = casosPath(of, rules)
    return { text: t.number(value), ...(href !== undefined && { href }) }
  }
  return {
    name: 'lugares',
    columns: [t.place, t.measures.casos, t.measures.per100k, t.fourWeeks, t.hospitalizados, t.obitos],
    rows: lugaresOf(lugares).map((one) => {
      const at = atPlace(filters, one.codigo, lugares.nivel)
      const pct = recent.get(one.codigo ?? '')?.pct ?? null
      return [
        nameOf(one.codigo, names) ?? one.codigo ?? '',
        linked(one.casos, at),
        { text: one.incidencia === null ? t.unknown : t.rate(one.incidencia) },
        { text: pct === null ? t.unknown : t.signed(pct) },
        linked(one.hospitalizados, at && narrowed(at, HOSPITALIZED)),
        linked(one.obitos, at && narrowed(at, DIED)),
      ]
    }),
  }
}
