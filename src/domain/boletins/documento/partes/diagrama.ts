import { max } from 'd3-array'
import { bandPath, brokenPath } from '../../../../charts/paths.ts'
import { stepScale, valueScale } from '../../../../charts/scales.ts'
import { symbolPath } from '../../../../charts/symbols.ts'
import type { DiagramaDoBoletim, SemanaDoBoletim, SemanaDoDiagramaDoBoletim } from '../../dados.ts'
import { axes, frameOf } from '../axes.ts'
import { type DataTable, type DocumentBlock, figure, paragraph, words } from '../blocks.ts'
import { area, type Drawing, INK, type LegendEntry, line } from '../drawing.ts'
import { numeroOf, shortWeekOf, type Words } from '../format.ts'

const MEAN = { stroke: INK.older, width: 1.5, dash: [6, 3] } as const
const LIMIT = { stroke: INK.limit, width: 1.5, dash: [2, 2] } as const
const OBSERVED = { stroke: INK.now, width: 2.6 } as const
const JUDGED = { stroke: INK.now, width: 1.6, dash: [4, 3] } as const
const SIGN_PX = 4

/** Control diagram of the year: limits of all weeks, observations up to that of the bulletin. */
export function diagramaBlocks(
  w: Words,
  week: SemanaDoBoletim,
  diagrama: DiagramaDoBoletim,
): DocumentBlock[] {
  const { t } = w
  const { semanas_acima, consecutivas_acima, anos_base, anos_excluidos, qualidade } = diagrama
  const zona = diagrama.semanas.find(({ semana }) => semana === week.semana)?.zona ?? null
  const lead = [
    zona === null ? null : t.diagram.sentence({ semana: shortWeekOf(w, week), zona: t.diagram.zones[zona] }),
    semanas_acima === null || consecutivas_acima === null || qualidade === 'insuficiente'
      ? null
      : t.diagram.weeksAbove(semanas_acima, consecutivas_acima),
    t.diagram.quality[qualidade],
  ].filter((one) => one !== null)
  const years = [
    anos_base.length === 0 ? null : t.diagram.base(w.list(anos_base.map(String))),
    anos_excluidos.length === 0 ? null : t.diagram.excluded(w.list(anos_excluidos.map(String))),
  ].filter((one) => one !== null)
  return [
    ...(lead.length === 0 ? [] : [paragraph(...lead)]),
    {
      kind: 'chart',
      chart: {
        caption: t.diagram.caption,
        alt: [`${t.diagram.caption}.`, ...lead].join(' '),
        draw: (width) => drawDiagrama(w, diagrama, width),
        legend: legendOf(w, diagrama),
        table: tableOf(w, diagrama),
      },
    },
    ...(years.length === 0 ? [] : [paragraph(...years)]),
  ]
}

const isJudgedApart = ({ estimados, incidencia_julgada }: SemanaDoDiagramaDoBoletim) =>
  estimados !== null && incidencia_julgada !== null

const isAbove = ({ zona, incidencia_julgada, incidencia }: SemanaDoDiagramaDoBoletim) =>
  zona === 'epidemico' && (incidencia_julgada ?? incidencia) !== null

function drawDiagrama(w: Words, { semanas }: DiagramaDoBoletim, width: number): Drawing {
  const frame = frameOf(width)
  const most = max(semanas, (one) =>
    Math.max(one.limite_superior ?? 0, one.incidencia ?? 0, one.incidencia_julgada ?? 0),
  )
  const { y, ticks } = valueScale(most ?? 0, frame)
  const x = stepScale(semanas.length, frame)
  const path = (value: (week: SemanaDoDiagramaDoBoletim) => number | null) =>
    brokenPath(
      semanas.map((one, i) => {
        const known = value(one)
        return known === null ? null : ([x(i), y(known)] as const)
      }),
    )
  const band = bandPath(
    semanas.map(({ limite_inferior, limite_superior }, i) =>
      limite_inferior === null || limite_superior === null
        ? null
        : [x(i), y(limite_inferior), y(limite_superior)],
    ),
  )
  const signs = semanas.flatMap((one, i) =>
    isAbove(one)
      ? [symbolPath('triangle', [x(i), y((one.incidencia_julgada ?? one.incidencia) as number)], SIGN_PX)]
      : [],
  )
  const decimals = (most ?? 0) < 0.5 ? 2 : (most ?? 0) < 5 ? 1 : 0
  const format = (value: number) => w.decimal(value, decimals)
  return {
    width,
    height: frame.height,
    shapes: [
      area(band, INK.expected),
      ...axes({
        ...{ frame, ticks, y, x, steps: semanas.length, format },
        title: w.t.diagram.axis,
        stepLabel: (step) => String(step + 1),
        stepTitle: w.t.weekAxis,
      }),
      line(
        path((one) => one.media),
        MEAN.stroke,
        MEAN.width,
        MEAN.dash,
      ),
      line(
        path((one) => one.limite_superior),
        LIMIT.stroke,
        LIMIT.width,
        LIMIT.dash,
      ),
      line(
        path((one) => (isJudgedApart(one) ? one.incidencia_julgada : null)),
        JUDGED.stroke,
        JUDGED.width,
        JUDGED.dash,
      ),
      line(
        path((one) => one.incidencia),
        OBSERVED.stroke,
        OBSERVED.width,
      ),
      ...signs.map((d) => ({ ...area(d, INK.limit), stroke: '#ffffff', width: 0.8 })),
    ].filter((shape) => shape.kind === 'text' || shape.d !== ''),
  }
}

function legendOf({ t }: Words, { semanas }: DiagramaDoBoletim): LegendEntry[] {
  const has = (test: (week: SemanaDoDiagramaDoBoletim) => boolean) => semanas.some(test)
  const entries: [boolean, LegendEntry][] = [
    [true, { label: t.diagram.observed, sample: [line('M0 6H26', OBSERVED.stroke, OBSERVED.width)] }],
    [
      has(isJudgedApart),
      { label: t.diagram.judged, sample: [line('M0 6H26', JUDGED.stroke, JUDGED.width, JUDGED.dash)] },
    ],
    [
      has(({ media }) => media !== null),
      { label: t.diagram.mean, sample: [line('M0 6H26', MEAN.stroke, MEAN.width, MEAN.dash)] },
    ],
    [
      has(({ limite_superior }) => limite_superior !== null),
      { label: t.diagram.limits, sample: [area('M0 1h26v10h-26Z', INK.expected)] },
    ],
    [
      has(({ limite_superior }) => limite_superior !== null),
      { label: t.diagram.upper, sample: [line('M0 6H26', LIMIT.stroke, LIMIT.width, LIMIT.dash)] },
    ],
    [
      has(isAbove),
      { label: t.diagram.above, sample: [area(symbolPath('triangle', [13, 6], 4.5), INK.limit)] },
    ],
  ]
  return entries.filter(([isShown]) => isShown).map(([, entry]) => entry)
}

/** Weeks after that of the bulletin have limits alone. */
const isToCome = ({ casos, incidencia, suprimido }: SemanaDoDiagramaDoBoletim) =>
  casos === null && incidencia === null && !suprimido

function tableOf(w: Words, { semanas }: DiagramaDoBoletim): DataTable {
  const { t } = w
  return {
    caption: t.diagram.caption,
    columns: [
      t.columns.week,
      t.diagram.observed,
      t.diagram.judged,
      t.diagram.lower,
      t.diagram.mean,
      t.diagram.upper,
      t.diagram.zone,
    ],
    rows: semanas.map((one) => {
      const limit = (value: number | null) => figure(w.cell(value, one.limites_suprimidos, w.rate))
      return [
        words(String(numeroOf(one))),
        figure(isToCome(one) ? '' : w.cell(one.incidencia, one.suprimido, w.rate)),
        figure(one.estimados === null ? '' : w.cell(one.incidencia_julgada, one.suprimido, w.rate)),
        limit(one.limite_inferior),
        limit(one.media),
        limit(one.limite_superior),
        words(one.zona === null ? '' : t.diagram.zones[one.zona]),
      ]
    }),
    isLong: false,
  }
}
