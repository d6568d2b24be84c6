import { useQuery } from '@tanstack/preact-query'
import { useMemo } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { brokenPath } from '../../../../src/charts/paths.ts'
import { begunOf, type Frame } from '../../../../src/charts/scales.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { runsOf, spanBox, spanScale } from '../../charts/span-scale.ts'
import { placeQuery } from '../../state/place-query.ts'
import { activeSeries, type SerieListada } from '../../state/series.ts'
import { api } from '../../state/session.ts'
import { seriesTexts } from '../../state/texts/series.ts'
import css from '../../styles/curva-series.screen.css'
import { adopt } from '../../ui/adopt.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Failure } from '../../ui/states.tsx'
import type { CurveExtra, SeriesPartProps } from './curve-card.tsx'
import { MOST_LAG, MOST_SERIES, type OnCurve, readSeries, withSeries } from './curve-series-address.ts'
import { LagField } from './lag-field.tsx'

adopt(css)

type PainelDeSeries = Extract<AnswerOf<'GET', '/api/v1/series/painel'>, { periodo: unknown }>
interface NaSemana {
  valor: number | { codigo: string; rotulo: string } | null
  limiares?: Record<string, boolean | null>
}

/** A series as it is drawn. */
interface Drawn extends OnCurve {
  serie: SerieListada
  valores: (number | null)[]
  shaded: boolean[]
  at: number
}

const AXIS_PX = 52
const TOP_TICKS = 5

/** Series over the epidemic curve: up to three, each shifted by its lag, with a second axis. The address holds them. */
export function CurveSeries({ painel, state, children }: SeriesPartProps) {
  const t = seriesTexts()
  const { url, route, path } = useLocation()
  const search = url.split('?')[1] ?? ''
  const wanted = useMemo(() => readSeries(search), [search])
  const catalogue = useQuery(activeSeries())
  const known = (catalogue.data ?? []).filter(isDrawable)
  const chosen = wanted.filter(({ codigo }) => known.some((one) => one.codigo === codigo))
  const values = useValues({ painel, state }, chosen)
  const go = (next: OnCurve[], replace = false) => route(withSeries(path, search, next), replace)
  const drawn = drawnOf(painel.semanas, chosen, known, values.data)
  const unknown = catalogue.data === undefined ? [] : wanted.filter((one) => !chosen.includes(one))
  const below = (
    <section class="curve-series" aria-label={t.curve.list} aria-busy={values.isFetching}>
      {catalogue.isError && <Failure error={catalogue.error} onRetry={() => void catalogue.refetch()} />}
      {values.isError && <Failure error={values.error} onRetry={() => void values.refetch()} />}
      {unknown.length > 0 && (
        <p class="notice info">{t.curve.unknown(unknown.map(({ codigo }) => codigo).join(', '))}</p>
      )}
      <Shown drawn={drawn} chosen={chosen} go={go} />
      {chosen.length >= MOST_SERIES ? (
        <p class="note">{t.curve.full}</p>
      ) : (
        <SelectField
          label={t.curve.add}
          value=""
          options={[
            { value: '', label: t.curve.choose },
            ...known
              .filter(({ codigo }) => chosen.every((one) => one.codigo !== codigo))
              .map(({ codigo, nome }) => ({ value: codigo, label: nome })),
          ]}
          onChange={(codigo) => codigo !== '' && go([...chosen, { codigo, lag: 0 }])}
        />
      )}
    </section>
  )
  const extra: CurveExtra = {
    below,
    columns: drawn.map(
      ({ serie, lag }) =>
        `${t.curve.column(serie.nome, t.unit(serie.unidade), lag)}. ${t.detail.source(serie.fonte, serie.licenca)}`,
    ),
    cells: (week) => drawn.map(({ serie, valores }) => ({ text: textOf(serie, valores[week] ?? null) })),
    ...(drawn.length > 0 && { overlay: overlayOf(drawn) }),
  }
  return <>{children(extra)}</>
}

/** Numbers that there are some of; a derived series has none of its own. */
const isDrawable = ({ tipo_valor, ultimo, derivada }: SerieListada) =>
  tipo_valor !== 'categoria' && (ultimo !== null || derivada !== null)

function useValues({ painel, state }: Pick<SeriesPartProps, 'painel' | 'state'>, chosen: OnCurve[]) {
  const { filters, rules } = state
  const begun = painel.semanas.slice(0, begunOf(painel.semanas, rules.today))
  const asked = {
    series: chosen.map(({ codigo }) => codigo).join(','),
    ...placeQuery(filters),
    semana_inicio: begun[0]?.semana,
    semana_fim: begun.at(-1)?.semana,
    defasagens: chosen.map(({ codigo, lag }) => `${codigo}:${lag}`).join(','),
  }
  return useQuery<PainelDeSeries>({
    queryKey: ['series', 'painel', asked],
    queryFn: ({ signal }) =>
      api.get('/api/v1/series/painel', { query: asked as never }, { signal }) as Promise<PainelDeSeries>,
    enabled: chosen.length > 0 && begun.length > 0,
  })
}

/** Values by the weeks of the curve; a lag that is still on its way has the old ones. */
function drawnOf(
  semanas: readonly { semana: string }[],
  chosen: OnCurve[],
  known: readonly SerieListada[],
  data: PainelDeSeries | undefined,
): Drawn[] {
  const byWeek = new Map(data?.semanas.map((one) => [one.semana, one]))
  return chosen.flatMap((one, at) => {
    const serie = known.find(({ codigo }) => codigo === one.codigo)
    if (serie === undefined) return []
    const found = semanas.map(({ semana }) => byWeek.get(semana)?.[one.codigo] as NaSemana | undefined)
    return [
      {
        ...one,
        serie,
        at,
        valores: found.map((week) => (typeof week?.valor === 'number' ? week.valor : null)),
        shaded: found.map((week) => Object.values(week?.limiares ?? {}).includes(true)),
      },
    ]
  })
}

const textOf = ({ casas }: SerieListada, valor: number | null): string => {
  const t = seriesTexts()
  return valor === null ? t.none : t.decimal(valor, casas)
}

/** True for series that the axis at the right is of: the first, and others in its unit. */
const isOnAxis = ({ serie }: Drawn, [first]: readonly Drawn[]) => serie.unidade === first?.serie.unidade

function overlayOf(drawn: readonly Drawn[]): NonNullable<CurveExtra['overlay']> {
  const t = seriesTexts()
  return {
    right: AXIS_PX,
    facts: (at) =>
      drawn.map(({ serie, valores }) => [
        serie.nome,
        `${textOf(serie, valores[at] ?? null)} ${t.unit(serie.unidade)}`.trim(),
      ]),
    draw(x, frame) {
      const together = drawn.filter((one) => isOnAxis(one, drawn))
      const axis = spanScale(
        together.flatMap(({ valores }) => valores),
        frame,
        TOP_TICKS,
      )
      return (
        <>
          {drawn.flatMap(({ codigo, shaded }) =>
            runsOf(shaded).map(([from, to]) => (
              <rect key={`${codigo}-${from}`} class="threshold" {...spanBox(from, to, x, frame)} />
            )),
          )}
          {together.some(({ valores }) => valores.some((valor) => valor !== null)) && (
            <RightAxis frame={frame} ticks={axis.ticks} at={axis.y} casas={drawn[0]?.serie.casas ?? 0} />
          )}
          {drawn.map((one) => {
            const { y } = isOnAxis(one, drawn) ? axis : spanScale(one.valores, frame)
            return (
              <path
                key={one.codigo}
                class={`serie n${one.at}`}
                d={brokenPath(one.valores.map((valor, i) => (valor === null ? null : [x(i), y(valor)])))}
              />
            )
          })}
        </>
      )
    },
  }
}

interface RightAxisProps {
  frame: Frame
  ticks: number[]
  at(value: number): number
  casas: number
}

function RightAxis({ frame: { width, right }, ticks, at, casas }: RightAxisProps) {
  const t = seriesTexts()
  return (
    <g class="right-axis">
      {ticks.map((tick) => (
        <text key={tick} x={width - right + 7} y={at(tick) + 4}>
          {t.decimal(tick, casas)}
        </text>
      ))}
    </g>
  )
}

interface ShownProps {
  drawn: readonly Drawn[]
  chosen: OnCurve[]
  go(next: OnCurve[], replace?: boolean): void
}

/** Each series with its line, its scale, its lag, its source and licence, and its end. */
function Shown({ drawn, chosen, go }: ShownProps) {
  const t = seriesTexts()
  if (drawn.length === 0) return null
  const set = (codigo: string, lag: number) =>
    go(
      chosen.map((one) => (one.codigo === codigo ? { codigo, lag } : one)),
      true,
    )
  return (
    <ul>
      {drawn.map((one) => {
        const { codigo, lag, serie, valores, shaded } = one
        const scale = isOnAxis(one, drawn) ? t.curve.scale(t.unit(serie.unidade)) : t.curve.ownScale
        return (
          <li key={codigo}>
            <div class="name">
              <i class={`serie n${one.at}`} />
              <b>{serie.nome}</b> <small>{scale}</small>
            </div>
            <LagField nome={serie.nome} lag={lag} most={MOST_LAG} onChange={(next) => set(codigo, next)} />
            <Button
              kind="quiet"
              icon="close"
              aria-label={t.curve.remove(serie.nome)}
              onClick={() => go(chosen.filter((other) => other.codigo !== codigo))}
            >
              {t.form.remove}
            </Button>
            <p class="note">
              {valores.every((valor) => valor === null) && `${t.curve.nothing(serie.nome)} `}
              {shaded.includes(true) && (
                <>
                  <i class="threshold" />{' '}
                  {t.curve.threshold(serie.limiares.map(({ rotulo }) => rotulo).join(', '))}.{' '}
                </>
              )}
              {t.detail.source(serie.fonte, serie.licenca)} {serie.atribuicao}
            </p>
          </li>
        )
      })}
    </ul>
  )
}
