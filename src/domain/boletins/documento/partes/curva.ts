import { max } from 'd3-array'
import { bandPath, brokenPath } from '../../../../charts/paths.ts'
import { stepScale, valueScale } from '../../../../charts/scales.ts'
import type { CurvaDoBoletim, NumerosDoBoletim, SemanaDoBoletim } from '../../dados.ts'
import { axes, frameOf } from '../axes.ts'
import { type DataTable, type DocumentBlock, figure, paragraph, words } from '../blocks.ts'
import { area, type Drawing, INK, type LegendEntry, line, type PathShape } from '../drawing.ts'
import { numeroOf, shortWeekOf, type Words } from '../format.ts'

/** Lines of this year, of the one before and of the second before: they differ in colour, width and dashes. */
const LINES = [
  { stroke: INK.now, width: 2.6, dash: undefined },
  { stroke: INK.before, width: 1.8, dash: [7, 3] },
  { stroke: INK.older, width: 1.6, dash: [2, 3] },
] as const
const ESTIMATE = { stroke: INK.now, width: 1.6, dash: [4, 3] } as const

/** Curve of this year and of the two before, with the estimate of the last weeks. */
export function curvaBlocks(
  w: Words,
  week: SemanaDoBoletim,
  { curva, numeros }: { curva: CurvaDoBoletim; numeros: NumerosDoBoletim },
): DocumentBlock[] {
  const { t } = w
  const ano = curva.anos[0]?.ano ?? Number(week.semana.slice(0, 4))
  const { valor: pct } = numeros.variacao_pct
  const last = curva.nowcast.at(-1)
  const lead = paragraph(
    t.curve.sentence({ casos: w.value(numeros.casos_ano), semana: shortWeekOf(w, week) }),
    pct === null
      ? null
      : t.curve.change({ pct: w.percent(Math.abs(pct)), isMore: pct > 0, ano: String(ano - 1) }),
    last === undefined || last.estimados === null
      ? null
      : t.curve.estimateAt({
          semana: shortWeekOf(w, last),
          estimados: w.count(last.estimados),
          inferior: w.count(last.inferior_95),
          superior: w.count(last.superior_95),
        }),
  )
  const without = t.curve.without as Record<string, string>
  const missing =
    curva.nowcast_motivo === null ? null : (without[curva.nowcast_motivo] ?? curva.nowcast_motivo)
  const warnings = [missing, curva.nowcast_duvidoso ? t.curve.unlikely : null].filter((one) => one !== null)
  return [
    lead,
    ...warnings.map((text) => paragraph(text)),
    {
      kind: 'chart',
      chart: {
        caption: t.curve.caption,
        alt: `${t.curve.caption}. ${'text' in lead ? lead.text : ''}`,
        draw: (width) => drawCurva(w, curva, width),
        legend: legendOf(w, curva),
        table: tableOf(w, curva),
      },
    },
  ]
}

function drawCurva(w: Words, { anos, nowcast }: CurvaDoBoletim, width: number): Drawing {
  const frame = frameOf(width)
  const steps = max(anos, ({ semanas }) => semanas.length) ?? 52
  const most = Math.max(
    max(anos, ({ semanas }) => max(semanas, ({ casos }) => casos ?? 0)) ?? 0,
    max(nowcast, ({ superior_95 }) => superior_95 ?? 0) ?? 0,
  )
  const { y, ticks } = valueScale(most, frame)
  const x = stepScale(steps, frame)
  const at = (week: { semana: string }) => x(numeroOf(week) - 1)
  const years = anos.map(({ semanas }, i): PathShape => {
    const { stroke, width, dash } = LINES[i] ?? LINES[2]
    const points = semanas.map((week) => (week.casos === null ? null : ([at(week), y(week.casos)] as const)))
    return line(brokenPath(points), stroke, width, dash)
  })
  // The estimate may begin in the year before, which has its own place on the axis.
  const estimated = nowcast.filter(({ semana }) => Number(semana.slice(0, 4)) === anos[0]?.ano)
  const band = bandPath(
    estimated.map((week) =>
      week.inferior_95 === null || week.superior_95 === null
        ? null
        : [at(week), y(week.inferior_95), y(week.superior_95)],
    ),
  )
  const middle = brokenPath(
    estimated.map((week) => (week.estimados === null ? null : [at(week), y(week.estimados)])),
  )
  return {
    width,
    height: frame.height,
    shapes: [
      area(band, INK.band),
      ...axes({
        ...{ frame, ticks, y, x, steps },
        format: w.count,
        title: w.t.columns.cases,
        stepLabel: (step) => String(step + 1),
        stepTitle: w.t.weekAxis,
      }),
      ...years.toReversed(),
      line(middle, ESTIMATE.stroke, ESTIMATE.width, ESTIMATE.dash),
    ].filter((shape) => shape.kind === 'text' || shape.d !== ''),
  }
}

function legendOf({ t }: Words, { anos, nowcast }: CurvaDoBoletim): LegendEntry[] {
  const years = anos.map(({ ano }, i) => {
    const { stroke, width, dash } = LINES[i] ?? LINES[2]
    return { label: String(ano), sample: [line('M0 6H26', stroke, width, dash)] }
  })
  if (nowcast.length === 0) return years
  const sample = [
    area('M0 1h26v10h-26Z', INK.band),
    line('M0 6H26', ESTIMATE.stroke, ESTIMATE.width, ESTIMATE.dash),
  ]
  return [...years, { label: t.curve.band, sample }]
}

function tableOf(w: Words, { anos, nowcast }: CurvaDoBoletim): DataTable {
  const { t } = w
  const steps = max(anos, ({ semanas }) => semanas.length) ?? 0
  const thisYear = anos[0]?.ano
  const columns = [t.columns.week, ...anos.map(({ ano }) => String(ano))]
  const rows = Array.from({ length: steps }, (_, i) => {
    const counts = anos.map(({ semanas }) => {
      const week = semanas.find((one) => numeroOf(one) === i + 1)
      return figure(week === undefined ? '' : w.cell(week.casos, week.suprimido))
    })
    if (nowcast.length === 0) return [words(String(i + 1)), ...counts]
    const estimate = nowcast.find(
      (one) => numeroOf(one) === i + 1 && Number(one.semana.slice(0, 4)) === thisYear,
    )
    return [words(String(i + 1)), ...counts, figure(estimate === undefined ? '' : estimateText(w, estimate))]
  })
  return {
    caption: t.curve.caption,
    columns: nowcast.length === 0 ? columns : [...columns, `${t.curve.estimate} (95 %)`],
    rows,
    isLong: true,
  }
}

function estimateText(
  w: Words,
  { estimados, inferior_95, superior_95, suprimido }: CurvaDoBoletim['nowcast'][number],
): string {
  if (estimados === null) return w.cell(null, suprimido)
  return `${w.count(estimados)} (${w.count(inferior_95)}–${w.count(superior_95)})`
}
