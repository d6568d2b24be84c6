import type { Painel } from '../../api/early.ts'
import ChartTable from '../../charts/chart-table.tsx'
import type { CurveWeek } from '../../charts/curve.tsx'
import type { TableData } from '../../charts/table-data.ts'
import { texts } from '../../state/texts.ts'
import type { CurveExtra, Measure } from './curve-card.tsx'
import type { Semana } from './figures.ts'

interface CurveTableProps extends Drawn {
  title: string
  painel: Painel
  extra: CurveExtra | undefined
}

/** The curve as numbers, and beside them those of the series over it. */
export default function CurveTable({ title, painel, extra, ...drawn }: CurveTableProps) {
  const table = tableOf(painel, drawn)
  return <ChartTable title={title} {...(extra === undefined ? table : withExtra(table, extra))} />
}

function withExtra({ columns, rows, name }: TableData, extra: CurveExtra): TableData {
  return {
    name,
    columns: [...columns, ...extra.columns],
    rows: rows.map((row, week) => [...row, ...extra.cells(week)]),
  }
}

/** Numbers and lines of the curve, from which its table is made. */
interface Drawn {
  weeks: readonly CurveWeek[]
  /** Null: compared with nothing. */
  names: { before: string; band: string | null } | null
  measure: Measure
  format(value: number): string
  linkOf(semana: Semana): string | undefined
}

/** Cases and incidence, and beside them what the curve draws, in its measure. */
function tableOf({ semanas }: Painel, { weeks, names, measure, format, linkOf }: Drawn): TableData {
  const t = texts().painel
  const band = names?.band ?? null
  const isEstimated = weeks.some(({ value, estimate }) => estimate > value)
  const measured = (name: string) => (measure === 'casos' ? name : `${name} (${t.measures.incidencia})`)
  const drawn = (value: number | null) => ({ text: value === null ? t.unknown : format(value) })
  return {
    name: 'curva',
    columns: [
      t.weekColumn,
      t.measures.casos,
      t.measures.incidencia,
      ...[...(isEstimated ? [t.estimate] : []), ...(names === null ? [] : [names.before])].map(measured),
      ...(band === null ? [] : [t.lower(band), t.upper(band)].map(measured)),
    ],
    rows: semanas.map((semana, i) => {
      const href = linkOf(semana)
      const { value, before, band: limits, estimate } = weeks[i] as CurveWeek
      return [
        t.week(semana.semana),
        { text: t.number(semana.casos), ...(href !== undefined && { href }) },
        { text: semana.incidencia === null ? t.unknown : t.rate(semana.incidencia) },
        ...(isEstimated ? [drawn(estimate > value ? estimate : null)] : []),
        ...(names === null ? [] : [drawn(before)]),
        ...(band === null ? [] : [drawn(limits?.[0] ?? null), drawn(limits?.[1] ?? null)]),
      ]
    }),
  }
}
