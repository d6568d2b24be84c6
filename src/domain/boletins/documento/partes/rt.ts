import { max } from 'd3-array'
import { bandPath, brokenPath } from '../../../../charts/paths.ts'
import { stepScale, valueScale } from '../../../../charts/scales.ts'
import { symbolPath } from '../../../../charts/symbols.ts'
import type { RtDoBoletim, SemanaDoRtDoBoletim } from '../../dados.ts'
import { axes, frameOf } from '../axes.ts'
import { type DataTable, type DocumentBlock, figure, paragraph, words } from '../blocks.ts'
import { area, type Drawing, INK, type LegendEntry, line } from '../drawing.ts'
import { numeroOf, shortWeekOf, type Words } from '../format.ts'

const RT = { stroke: INK.now, width: 2.6 } as const
const ONE = { stroke: INK.limit, width: 1.5, dash: [6, 3] } as const
/** Intervals of few cases reach far up: they are cut above this many times the highest Rt, and the table has their limits. */
const MOST_TIMES = 1.6
const DOT_PX = 3.4

/** Rt of the last 26 weeks. */
export function rtBlocks(w: Words, { semanas }: RtDoBoletim): DocumentBlock[] {
  const { t } = w
  const last = semanas.at(-1)
  const sentence =
    last === undefined || last.rt === null
      ? t.rt.none
      : t.rt.sentence({
          semana: shortWeekOf(w, last),
          rt: w.decimal(last.rt, 2),
          inferior: w.decimal(last.inferior, 2),
          superior: w.decimal(last.superior, 2),
          p: probability(w, last.p_maior_1),
        })
  return [
    paragraph(sentence),
    {
      kind: 'chart',
      chart: {
        caption: t.rt.caption,
        alt: `${t.rt.caption}. ${sentence}`,
        draw: (width) => drawRt(w, semanas, width),
        legend: legendOf(w, semanas),
        table: tableOf(w, semanas),
      },
    },
  ]
}

const probability = (w: Words, p: number | null) => w.percent(p === null ? null : 100 * p, 0)

const isUncertain = ({ rt, confiavel }: SemanaDoRtDoBoletim) => rt !== null && !confiavel

function drawRt(w: Words, semanas: readonly SemanaDoRtDoBoletim[], width: number): Drawing {
  const frame = frameOf(width)
  const highest = max(semanas, ({ rt }) => rt ?? 0) ?? 0
  const upper = max(semanas, ({ superior }) => superior ?? 0) ?? 0
  const most = Math.max(1.5, Math.min(upper, Math.max(2, MOST_TIMES * highest)))
  const { y: free, ticks } = valueScale(most, frame)
  const y = (value: number) => Math.max(frame.top, free(value))
  const x = stepScale(semanas.length, frame)
  const band = bandPath(
    semanas.map(({ inferior, superior }, i) =>
      inferior === null || superior === null ? null : [x(i), y(inferior), y(superior)],
    ),
  )
  const points = brokenPath(semanas.map(({ rt }, i) => (rt === null ? null : [x(i), y(rt)])))
  const uncertain = semanas.flatMap((one, i) =>
    isUncertain(one) ? [symbolPath('circle', [x(i), y(one.rt as number)], DOT_PX)] : [],
  )
  return {
    width,
    height: frame.height,
    shapes: [
      area(band, INK.band),
      ...axes({
        ...{ frame, ticks, y, x, steps: semanas.length },
        format: (value) => w.decimal(value, 1),
        title: w.t.rt.line,
        stepLabel: (step) => String(numeroOf(semanas[step] ?? { semana: '' })),
        stepTitle: w.t.weekAxis,
      }),
      line(`M${frame.left} ${y(1).toFixed(1)}H${frame.width - frame.right}`, ONE.stroke, ONE.width, ONE.dash),
      line(points, RT.stroke, RT.width),
      ...uncertain.map((d) => ({ ...area(d, '#ffffff'), stroke: INK.now, width: 1.5 })),
    ].filter((shape) => shape.kind === 'text' || shape.d !== ''),
  }
}

function legendOf({ t }: Words, semanas: readonly SemanaDoRtDoBoletim[]): LegendEntry[] {
  const dot = { ...area(symbolPath('circle', [13, 6], DOT_PX), '#ffffff'), stroke: INK.now, width: 1.5 }
  return [
    { label: t.rt.line, sample: [line('M0 6H26', RT.stroke, RT.width)] },
    { label: t.rt.interval, sample: [area('M0 1h26v10h-26Z', INK.band)] },
    { label: t.rt.reference, sample: [line('M0 6H26', ONE.stroke, ONE.width, ONE.dash)] },
    ...(semanas.some(isUncertain) ? [{ label: t.rt.uncertain, sample: [dot] }] : []),
  ]
}

function tableOf(w: Words, semanas: readonly SemanaDoRtDoBoletim[]): DataTable {
  const { t } = w
  return {
    caption: t.rt.caption,
    columns: [t.columns.week, t.rt.line, t.rt.interval, t.rt.probability, t.rt.remark],
    rows: semanas.map((one) => {
      const remarks = [
        one.estimado ? t.rt.estimated : null,
        isUncertain(one) ? t.rt.uncertain.toLowerCase() : null,
      ].filter((remark) => remark !== null)
      const interval =
        one.inferior === null || one.superior === null
          ? w.cell(null, one.suprimido)
          : `${w.decimal(one.inferior, 2)}–${w.decimal(one.superior, 2)}`
      return [
        words(`${numeroOf(one)}/${one.semana.slice(0, 4)}`),
        figure(w.cell(one.rt, one.suprimido, (value) => w.decimal(value, 2))),
        figure(interval),
        figure(w.cell(one.p_maior_1, one.suprimido, (value) => probability(w, value))),
        words(remarks.join('; ')),
      ]
    }),
    isLong: false,
  }
}
