import { type Signal, useSignal } from '@preact/signals'
import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { ChartCard } from '../../charts/chart-card.tsx'
import ChartTable from '../../charts/chart-table.tsx'
import type { TableData } from '../../charts/table-data.ts'
import { classOf, colourOf } from '../../map/classes.ts'
import { usePlaces } from '../../map/files.ts'
import { MapLegend } from '../../map/legend.tsx'
import { PlaceMap } from '../../map/map.tsx'
import { api } from '../../state/session.ts'
import { seriesTexts } from '../../state/texts/series.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Answer, Failure } from '../../ui/states.tsx'
import { cutsOfValues } from './cuts.ts'
import { type Place, placeOf, type Recorte, recortePath } from './recorte.ts'
import type { CardProps } from './serie.tsx'
import {
  codeOf,
  type Lugares,
  numberOf,
  periodParameter,
  type Serie,
  valueText,
  withUnit,
} from './serie-data.ts'
import { SERIES } from './serie-links.ts'
import { useValores } from './values-card.tsx'

type LugarDaSerie = Lugares['lugares'][number]

/** Level that is asked for, and the map that shows it; null: there is none of that level. */
function levelOf({ nivel, agrega_lugar }: Serie, uf: string | null) {
  if (nivel === 'regiao_saude' && uf !== null) return { nivel, map: null }
  if (nivel === 'municipio' && uf !== null) return { nivel, map: uf.toLowerCase() }
  if (nivel !== 'estado' && agrega_lugar === 'nenhuma') return { nivel: nivel as 'municipio', map: null }
  return { nivel: 'estado' as const, map: 'br' }
}

/** All places of a level in one period, as map and as table. */
export function PlacesCard(props: CardProps) {
  const { serie, recorte } = props
  const values = useValores(props)
  const periods = (values.data?.valores ?? []).map(codeOf)
  const lastKnown = values.data?.valores.findLast(({ valor }) => valor !== null)
  const em =
    recorte.em ?? (lastKnown === undefined ? lastPeriodOf(serie, recorte, periods) : codeOf(lastKnown))
  if (serie.nivel === 'pais') return null
  // Without values there is no period to show; that they failed is said above.
  if (em === null) return values.isFetching ? <div class="card bone map-bone" /> : null
  return <PlacesAt {...props} em={em} periods={periods} />
}

/** Last period to show where the place has no value at all: that of the chart, or the end of the series. */
function lastPeriodOf({ ultimo, periodo }: Serie, { por }: Recorte, periods: string[]): string | null {
  if (periods.length > 0) return periods.at(-1) ?? null
  if (ultimo === null || por !== periodo || por === 'semana') return null
  return por === 'dia' ? ultimo : ultimo.slice(0, por === 'mes' ? 7 : 4)
}

interface PlacesAtProps extends CardProps {
  em: string
  /** Periods of the chart, to choose from. */
  periods: string[]
}

function PlacesAt({ serie, recorte, change, em, periods }: PlacesAtProps) {
  const t = seriesTexts()
  const { codigo } = serie
  const { nivel, map } = levelOf(serie, recorte.uf)
  const asked = {
    nivel,
    ...(nivel !== 'estado' && recorte.uf !== null && { estado: recorte.uf as never }),
    ...periodParameter(recorte.por, em),
  }
  const query = useQuery<Lugares>({
    queryKey: [...SERIES, 'lugares', codigo, asked],
    queryFn: ({ signal }) =>
      api.get(
        '/api/v1/series/{codigo}/lugares',
        { params: { codigo }, query: asked },
        { signal },
      ) as Promise<Lugares>,
    placeholderData: (before) => (before?.serie === codigo && before.nivel === nivel ? before : undefined),
  })
  const at = periods.indexOf(em)
  const go = (to: number) => {
    const next = periods[to]
    if (next !== undefined) change({ em: next })
  }
  const steps = (
    <div class="period-steps">
      <Button kind="quiet" aria-label={t.places.earlier} aria-disabled={at <= 0} onClick={() => go(at - 1)}>
        {'‹'}
      </Button>
      <SelectField
        label={t.places.choose}
        value={em}
        options={(periods.includes(em) ? periods : [...periods, em])
          .map((value) => ({ value, label: t.period(recorte.por, value) }))
          .toReversed()}
        onChange={(value) => change({ em: value })}
      />
      <Button
        kind="quiet"
        aria-label={t.places.later}
        aria-disabled={at === -1 || at >= periods.length - 1}
        onClick={() => go(at + 1)}
      >
        {'›'}
      </Button>
    </div>
  )
  return (
    <div class="wide-part">
      <Answer query={query} lines={8}>
        {(data) => <Places {...{ serie, recorte, change, data, map, steps }} />}
      </Answer>
    </div>
  )
}

interface PlacesProps extends CardProps {
  data: Lugares
  map: string | null
  steps: ComponentChildren
}

function Places({ serie, recorte, change, data, map, steps }: PlacesProps) {
  const t = seriesTexts()
  const chosen = useSignal<string | null>(null)
  const em = t.period(data.periodo, data.em)
  const known = useMemo(() => data.lugares.filter(({ valor }) => valor !== null), [data])
  const title = `${t.places.title}, ${em}`
  const note = t.places.withValue(known.length, data.lugares.length)
  const source = <p class="note">{t.detail.source(data.fonte, data.licenca)}</p>
  const table = tableOf(serie, data, (place) => recortePath(serie, { ...recorte, ...place, pagina: 1 }))
  if (map === null)
    return (
      <section class="card chart-card" aria-label={title}>
        <header>
          <div>
            <h2>{title}</h2>
            <p>
              {note}. {serie.nivel === 'municipio' && t.places.needsState}
            </p>
          </div>
          <div class="acts">{steps}</div>
        </header>
        <ChartTable title={title} {...table} />
        {source}
      </section>
    )
  return (
    <ChartCard kind="series-places" title={title} note={note} actions={steps} table={() => table}>
      <Choropleth {...{ serie, data, map, chosen, em }} onOpen={(id) => change(placeOf(id))} />
      {source}
    </ChartCard>
  )
}

interface ChoroplethProps {
  serie: Serie
  data: Lugares
  map: string
  em: string
  chosen: Signal<string | null>
  onOpen(codigo: string): void
}

function Choropleth({ serie, data, map, em, chosen, onOpen }: ChoroplethProps) {
  const t = seriesTexts()
  const { places, error, retry } = usePlaces([map])
  const values = useMemo(
    () => new Map(data.lugares.map((one) => [one.lugar.codigo, one] as [string | null, LugarDaSerie])),
    [data],
  )
  const { least, cuts } = useMemo(() => {
    const known = data.lugares.flatMap(({ valor }) => numberOf(serie, valor) ?? [])
    return cutsOfValues(known, serie.casas)
  }, [data, serie])
  const fillOf = useMemo(
    () => (id: string) => {
      const found = values.get(id)
      if (found === undefined) return 'outside' as const
      const klass = classOf(numberOf(serie, found.valor), cuts)
      return klass === null ? ('unknown' as const) : colourOf(klass, cuts)
    },
    [values, cuts, serie],
  )
  if (error) return <Failure error={error} onRetry={retry} />
  if (places === undefined) return <div class="map bone" />
  const format = (value: number) =>
    serie.tipo_valor === 'categoria'
      ? (serie.categorias.find(({ ordem }) => ordem === value)?.rotulo ?? '')
      : t.decimal(value, Math.min(serie.casas, 2))
  const isHatched = data.lugares.some(({ valor }) => valor === null)
  return (
    <>
      <PlaceMap
        places={places}
        order={data.lugares.flatMap(({ lugar, valor }) => (valor === null ? [] : (lugar.codigo ?? [])))}
        fillOf={fillOf}
        scale="s"
        chosen={chosen}
        sentence={t.places.sentence(em)}
        tipOf={(id) => {
          const found = values.get(id)
          const text = found === undefined ? t.places.noValue : valueText(serie, found.valor)
          return (
            <>
              <b>{found?.lugar.nome ?? places.find((one) => one.id === id)?.nome ?? id}</b>
              <p>{found?.valor === null ? t.places.noValue : withUnit(text, serie)}</p>
              <p class="note">{t.places.open}</p>
            </>
          )
        }}
        onOpen={(id) => {
          chosen.value = null
          onOpen(id)
        }}
      />
      {cuts.length > 0 || !isHatched ? (
        <MapLegend
          scale="s"
          least={least}
          cuts={cuts}
          format={format}
          unknown={isHatched ? t.places.unknown : undefined}
        />
      ) : (
        <p class="note">{t.places.unknown}</p>
      )}
    </>
  )
}

function tableOf(serie: Serie, data: Lugares, hrefOf: (place: Place) => string): TableData {
  const t = seriesTexts()
  const unit = t.unit(serie.unidade)
  const byName = (one: LugarDaSerie, other: LugarDaSerie) =>
    (one.lugar.nome ?? '').localeCompare(other.lugar.nome ?? '', 'pt')
  const shown = data.lugares.filter(({ valor }) => valor !== null).toSorted(byName)
  const isAggregated = shown.some(({ cobertura_lugar }) => cobertura_lugar !== undefined)
  return {
    name: `${serie.codigo}-${data.em}`,
    columns: [
      t.places.place,
      unit === '' ? t.chart.value : `${t.chart.value} (${unit})`,
      t.chart.coverage,
      ...(isAggregated ? [t.chart.placeCoverage] : []),
      t.list.fonte,
    ],
    rows: shown.map(({ lugar, valor, cobertura, cobertura_lugar }) => [
      lugar.nivel === 'estado' ? (lugar.nome ?? '') : `${lugar.nome} (${lugar.estado})`,
      {
        text: valueText(serie, valor),
        ...(lugar.codigo !== null && { href: hrefOf(placeOf(lugar.codigo)) }),
      },
      { text: t.percent(cobertura) },
      ...(isAggregated
        ? [{ text: cobertura_lugar === undefined ? t.none : t.percent(cobertura_lugar) }]
        : []),
      { text: `${data.fonte}; ${data.licenca}` },
    ]),
  }
}
