import { type Signal, useComputed } from '@preact/signals'
import { useId, useMemo, useState } from 'preact/hooks'
import type { Place } from '../../../../src/charts/outlines.ts'
import { arrivingFrom } from '../../../../src/charts/scales.ts'
import { Sparkline } from '../../charts/sparkline.tsx'
import type { Filters } from '../../state/filter-address.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { useAfterPaint, useGrowing } from '../../ui/in-turn.ts'
import { CasesLink } from './cases-link.tsx'
import { type Lugar, lugaresOf, recentByPlace, trendOf } from './figures.ts'
import { atPlace, casosPath, DIED, HOSPITALIZED, inPlace, narrowed, painelPath } from './links.ts'
import { nameOf, namesOf } from './map-card.tsx'
import type { PartProps } from './painel.tsx'

interface PlacesCardProps extends PartProps {
  places: readonly Place[] | undefined
  /** Names come with the map: without it, codes stand for them. */
  isFailed: boolean
  chosen: Signal<string | null>
}

/** Rows before "Ver todos". */
const FIRST = 8

interface Row extends Lugar {
  nome: string | undefined
  /** Change of four weeks, in per cent. */
  mudanca: number | null
  serie: readonly number[] | undefined
}

type Order = 'nome' | 'casos' | 'incidencia' | 'mudanca' | 'hospitalizados' | 'obitos'

interface View {
  isWhole: boolean
  order: Order
  isUp: boolean
}

/** Unknown values come last, whichever way. */
function sorted(rows: readonly Row[], order: Order, isUp: boolean): readonly Row[] {
  const way = isUp ? 1 : -1
  if (order === 'nome')
    return rows.toSorted((one, other) => way * (one.nome ?? '').localeCompare(other.nome ?? '', 'pt'))
  return rows.toSorted((one, other) => {
    const [a, b] = [one[order], other[order]]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return way * (a - b)
  })
}

/** Places with the most cases: rank, rate, recent change and course; the whole list on demand, with hospitalisations and deaths, in any order. */
export function PlacesCard({ painel, state, places, isFailed, chosen }: PlacesCardProps) {
  const { filters, rules } = state
  const id = useId()
  const [view, setView] = useState<View>({ isWhole: false, order: 'casos', isUp: false })
  const drawn = useAfterPaint(view)
  const { isWhole, order, isUp } = drawn
  const t = texts().painel
  const nivel = painel.lugares.nivel === 'estado' ? 'estado' : 'municipio'
  const rows = useMemo(() => {
    const names = namesOf(places, painel)
    const series = new Map(painel.destaques.map(({ codigo, serie }) => [codigo, serie]))
    const recent = recentByPlace(painel, filters.periodo, rules.today)
    return lugaresOf(painel.lugares).map((one): Row => {
      const nome = nameOf(one.codigo, names) ?? (isFailed ? (one.codigo ?? '') : undefined)
      const codigo = one.codigo ?? ''
      return { ...one, nome, mudanca: recent.get(codigo)?.pct ?? null, serie: series.get(codigo) }
    })
  }, [painel, filters, places, isFailed])
  const most = rows[0]?.casos ?? 1
  const isArriving = arrivingFrom(painel.semanas, rules.today) !== null
  const inOrder = useMemo(
    () => (isWhole ? sorted(rows, order, isUp) : rows.slice(0, FIRST)),
    [rows, isWhole, order, isUp],
  )
  const shown = useGrowing(inOrder, `${isWhole} ${order} ${isUp}`)
  const heading = (column: Order, text: string, title?: string) => {
    const isSorted = view.order === column
    const isText = column === 'nome'
    const sort = isSorted ? (view.isUp ? 'ascending' : 'descending') : 'none'
    return (
      <th
        scope="col"
        class={isText ? undefined : 'number'}
        title={title}
        aria-sort={isWhole ? sort : undefined}
      >
        {isWhole ? (
          <button
            type="button"
            class="sort"
            onClick={() => setView({ ...view, order: column, isUp: isSorted ? !view.isUp : isText })}
          >
            {text}
          </button>
        ) : (
          text
        )}
      </th>
    )
  }
  return (
    <section class="card places-card" aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>{t.most[nivel]}</h2>
          <p>{t.withCases[nivel](rows.length)}</p>
        </div>
        {rows.length > 0 && (
          <div class="acts">
            <Button
              kind="quiet"
              aria-expanded={view.isWhole}
              onClick={() => setView({ ...view, isWhole: !view.isWhole })}
            >
              {view.isWhole ? t.seeFewer : t.seeAll}
            </Button>
          </div>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: it scrolls, also by keys */}
      <div role="group" class={isWhole ? 'scroll whole' : 'scroll'} aria-label={t.most[nivel]} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {heading('nome', t.place)}
              {heading('casos', t.measures.casos)}
              <td class="bar-cell" />
              {heading('incidencia', t.measures.per100k)}
              {heading('mudanca', t.fourWeeks, isArriving ? t.fourComplete : undefined)}
              {isWhole && heading('hospitalizados', t.hospitalizados)}
              {isWhole && heading('obitos', t.deaths)}
              <th scope="col" class="spark-cell">
                {t.twelveWeeks}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <PlaceRow key={row.codigo} {...{ row, nivel, most, isWhole, chosen, state }} />
            ))}
          </tbody>
        </table>
      </div>
      {isArriving && <p class="note">{t.fourComplete}</p>}
    </section>
  )
}

interface PlaceRowProps extends Pick<PlacesCardProps, 'chosen' | 'state'> {
  row: Row
  nivel: string
  most: number
  isWhole: boolean
}

function PlaceRow({ row, nivel, most, isWhole, chosen, state: { filters, rules } }: PlaceRowProps) {
  const t = texts().painel
  // Of a long table, only the rows that change are drawn again.
  const isChosen = useComputed(() => chosen.value !== null && chosen.value === row.codigo)
  const name = row.nome ?? <span class="bone name" />
  const at = atPlace(filters, row.codigo, nivel)
  const linked = (value: number, of: Filters | null) => (
    <td class="number">
      <CasesLink href={casosPath(of, rules)}>{t.number(value)}</CasesLink>
    </td>
  )
  return (
    <tr
      class={isChosen.value ? 'chosen' : undefined}
      onPointerEnter={() => {
        chosen.value = row.codigo
      }}
      onPointerLeave={() => {
        chosen.value = null
      }}
    >
      <th scope="row">
        {row.codigo === null || row.nome === undefined ? (
          name
        ) : (
          <a href={painelPath(inPlace(filters, row.codigo), rules)}>{name}</a>
        )}
      </th>
      {linked(row.casos, at)}
      <td class="bar-cell">
        <i class="rank" style={{ width: `${(100 * row.casos) / most}%` }} />
      </td>
      <td class="number">{row.incidencia === null ? t.unknown : t.rate(row.incidencia)}</td>
      <td class="number">
        {row.mudanca === null ? (
          t.unknown
        ) : (
          <span class={`change ${trendOf(row.mudanca)}`}>{t.signed(row.mudanca)}</span>
        )}
      </td>
      {isWhole && linked(row.hospitalizados, at && narrowed(at, HOSPITALIZED))}
      {isWhole && linked(row.obitos, at && narrowed(at, DIED))}
      <td class="spark-cell">{row.serie !== undefined && <Sparkline values={row.serie} />}</td>
    </tr>
  )
}
