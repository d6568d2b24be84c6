import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ChartCard, Choice } from '../../charts/chart-card.tsx'
import { Curve, type CurveOverlay, type CurveWeek } from '../../charts/curve.tsx'
import type { Cell } from '../../charts/table-data.ts'
import { loadCode } from '../../state/code.ts'
import { holds } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { peakOf, perResidents, type Semana } from './figures.ts'
import { casosPath, duringWeeks, painelPath } from './links.ts'
import type { PartProps } from './painel.tsx'

export type Measure = 'casos' | 'incidencia'

const loadTable = () => import('./curve-table.tsx')

/** The years that the lines are of, in words: `2026`, or `2025–2026` where the period has two. */
export function yearsOf(semanas: readonly { semana: string }[], shift = 0): string {
  const ano = (semana: string | undefined) => Number(semana?.slice(0, 4)) + shift
  const [first, last] = [ano(semanas[0]?.semana), ano(semanas.at(-1)?.semana)]
  return first === last ? String(first) : `${first}–${last}`
}

const bandName = (anos: readonly number[]) => (anos.length < 2 ? null : `${anos[0]}–${anos.at(-1)}`)

/** Series beside the cases, as the part that is loaded for them hands them over. */
export interface CurveExtra {
  overlay?: CurveOverlay
  below: ComponentChildren
  columns: string[]
  cells(week: number): Cell[]
}

export interface SeriesPartProps extends PartProps {
  children(extra: CurveExtra): ComponentChildren
}

/** The part with the series: loaded where the address names some, or somebody asks for them. */
function useSeriesPart(isWanted: boolean): ComponentType<SeriesPartProps> | null {
  const [part, setPart] = useState<{ Part: ComponentType<SeriesPartProps> } | null>(null)
  useEffect(() => {
    if (isWanted && part === null)
      loadCode(() => import('./curve-series.tsx')).then(
        ({ CurveSeries }) => setPart({ Part: CurveSeries }),
        // The curve stands without them.
        () => undefined,
      )
  }, [isWanted])
  return isWanted ? (part?.Part ?? null) : null
}

export function CurveCard(props: PartProps) {
  const { query, route } = useLocation()
  const [isAsked, setAsked] = useState(false)
  const may = holds(['series.listar'])
  const isOpen = may && (isAsked || query.series !== undefined)
  const Part = useSeriesPart(isOpen)
  const toggle = () => {
    setAsked(!isOpen)
    const { filters, rules } = props.state
    if (query.series !== undefined) route(painelPath(filters, rules, ['series']))
  }
  const button = may && (
    <Button kind="quiet" aria-pressed={isOpen} onClick={toggle}>
      {texts().painel.series}
    </Button>
  )
  if (Part === null) return <Card {...props} button={button} />
  return <Part {...props}>{(extra) => <Card {...props} button={button} extra={extra} />}</Part>
}

interface CardProps extends PartProps {
  button: ComponentChildren
  extra?: CurveExtra
}

function Card({ painel, state, button, extra }: CardProps) {
  const { filters, rules, change } = state
  const { semanas, populacao, anos_comparados } = painel
  const [wanted, setMeasure] = useState<Measure>('casos')
  const { route } = useLocation()
  const t = texts().painel
  const measure = populacao === null ? 'casos' : wanted
  const isCompared = filters.periodo.kind !== 'datas'
  const inMeasure = (value: number) =>
    measure === 'casos' || populacao === null ? value : perResidents(value, populacao)
  const format = (value: number) => (measure === 'casos' ? t.number(value) : t.rate(value))
  const names = {
    now: yearsOf(semanas),
    before: yearsOf(semanas, -1),
    band: isCompared ? bandName(anos_comparados) : null,
  }
  const weeks = semanas.map(
    (semana, i): CurveWeek => ({
      label: t.week(semana.semana),
      tick: t.weekTick(semana.semana, i === 0),
      days: t.days(semana.inicio, semana.fim),
      inicio: semana.inicio,
      fim: semana.fim,
      value: inMeasure(semana.casos),
      before: isCompared ? inMeasure(semana.anterior) : 0,
      band:
        names.band === null || semana.q1 === null || semana.q3 === null
          ? null
          : [inMeasure(semana.q1), inMeasure(semana.q3)],
      estimate: inMeasure(
        painel.estimativas.find((one) => one.semana === semana.semana)?.casos ?? semana.casos,
      ),
    }),
  )
  const during = (from: number, to: number) =>
    duringWeeks(filters, semanas[from] as Semana, semanas[to] as Semana)
  const peak = peakOf(semanas)
  const linkOf = (semana: Semana) => casosPath(duringWeeks(filters, semana, semana), rules)
  return (
    <ChartCard
      kind="curve-card"
      title={t.curve}
      note={t.curveNote}
      actions={
        <>
          {button}
          {populacao !== null && (
            <Choice
              label={t.measure}
              options={[
                ['casos', t.measures.casos],
                ['incidencia', t.measures.incidencia],
              ]}
              value={measure}
              onChange={(chosen) => setMeasure(chosen)}
            />
          )}
        </>
      }
      table={() => (
        <OnDemand
          load={loadTable}
          props={{
            ...{ title: t.curve, painel, weeks, names: isCompared ? names : null },
            ...{ measure, format, linkOf, extra },
          }}
        />
      )}
    >
      <Curve
        weeks={weeks}
        today={rules.today}
        sentence={t.curveSentence(
          names.now,
          peak === undefined ? null : { semana: t.week(peak.semana), casos: peak.casos },
        )}
        names={names}
        isCompared={isCompared}
        format={format}
        onChoose={(from, to) => change(during(from, to))}
        onOpen={(week) => {
          const href = casosPath(during(week, week), rules)
          if (href !== undefined) route(href)
        }}
        overlay={extra?.overlay}
      />
      <ul class="legend">
        <li>
          <i class="now" />
          {names.now}
        </li>
        {isCompared && (
          <li>
            <i class="before" />
            {names.before}
          </li>
        )}
        {names.band !== null && (
          <li>
            <i class="band" />
            {t.middle(names.band)}
          </li>
        )}
      </ul>
      {extra?.below}
    </ChartCard>
  )
}
