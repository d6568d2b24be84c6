import { max } from 'd3-array'
import { rectPath } from '../../../../charts/symbols.ts'
import type { CelulaDoBoletim, PiramideDoBoletim } from '../../dados.ts'
import { label } from '../axes.ts'
import { type DataTable, type DocumentBlock, figure, paragraph, words } from '../blocks.ts'
import { area, type Drawing, INK, isNarrow } from '../drawing.ts'
import type { Words } from '../format.ts'

const ROW_PX = 26
const AGES_PX = 58

/** Cases by sex and age, the oldest on top. */
export function piramideBlocks(w: Words, piramide: PiramideDoBoletim): DocumentBlock[] {
  const { t } = w
  const { celulas, sem_sexo_ou_idade, estrutura_ano } = piramide
  const largest = celulas.reduce<CelulaDoBoletim | null>(
    (most, one) => ((one.casos ?? 0) > (most?.casos ?? 0) ? one : most),
    null,
  )
  const sentence =
    largest === null
      ? null
      : t.pyramid.sentence({
          sexo: largest.sexo === 'M' ? t.pyramid.men : t.pyramid.women,
          faixa: largest.faixa,
          casos: w.count(largest.casos),
        })
  return [
    paragraph(sentence, t.pyramid.unknown(w.value(sem_sexo_ou_idade))),
    {
      kind: 'chart',
      chart: {
        caption: t.pyramid.caption,
        alt: `${t.pyramid.caption}. ${sentence ?? ''}`.trim(),
        draw: (width) => drawPiramide(w, celulas, width),
        legend: [],
        table: tableOf(w, celulas),
      },
    },
    ...(estrutura_ano === null ? [] : [paragraph(t.pyramid.structure(String(estrutura_ano)))]),
  ]
}

const faixasOf = (celulas: readonly CelulaDoBoletim[]) => [...new Set(celulas.map(({ faixa }) => faixa))]
const celulaOf = (celulas: readonly CelulaDoBoletim[], sexo: 'M' | 'F', faixa: string) =>
  celulas.find((one) => one.sexo === sexo && one.faixa === faixa)

function drawPiramide(w: Words, celulas: readonly CelulaDoBoletim[], width: number): Drawing {
  const { t } = w
  const faixas = faixasOf(celulas).toReversed()
  const middle = width / 2
  const numbers = isNarrow(width) ? 58 : 76
  const room = middle - AGES_PX / 2 - numbers
  const most = max(celulas, ({ casos }) => casos ?? 0) || 1
  const side = (sexo: 'M' | 'F', faixa: string, top: number) => {
    const celula = celulaOf(celulas, sexo, faixa)
    if (celula === undefined) return []
    const length = (room * (celula.casos ?? 0)) / most
    const isLeft = sexo === 'M'
    const edge = middle + (isLeft ? -1 : 1) * (AGES_PX / 2)
    const text = w.cell(celula.casos, celula.suprimido)
    const bar = rectPath(isLeft ? edge - length : edge, top, length, ROW_PX - 6)
    return [
      ...(length > 0 ? [area(bar, isLeft ? INK.now : INK.before)] : []),
      label(text, isLeft ? edge - length - 6 : edge + length + 6, top + 14, isLeft ? 'end' : 'start', {
        fill: INK.text,
      }),
    ]
  }
  return {
    width,
    height: faixas.length * ROW_PX + 26,
    shapes: [
      label(t.pyramid.men, middle - AGES_PX / 2, 14, 'end', { bold: true, fill: INK.text }),
      label(t.pyramid.women, middle + AGES_PX / 2, 14, 'start', { bold: true, fill: INK.text }),
      ...faixas.flatMap((faixa, i) => {
        const top = i * ROW_PX + 24
        return [
          label(faixa, middle, top + 14, 'middle', { fill: INK.text }),
          ...side('M', faixa, top),
          ...side('F', faixa, top),
        ]
      }),
    ],
  }
}

function tableOf(w: Words, celulas: readonly CelulaDoBoletim[]): DataTable {
  const { t } = w
  const sides = [
    ['M', t.pyramid.men],
    ['F', t.pyramid.women],
  ] as const
  return {
    caption: t.pyramid.caption,
    columns: [
      t.pyramid.age,
      ...sides.flatMap(([, name]) =>
        [t.columns.cases, t.columns.population, t.columns.incidence].map(
          (column) => `${name}: ${column.toLowerCase()}`,
        ),
      ),
    ],
    rows: faixasOf(celulas).map((faixa) => [
      words(faixa),
      ...sides.flatMap(([sexo]) => {
        const celula = celulaOf(celulas, sexo, faixa)
        if (celula === undefined) return [figure(''), figure(''), figure('')]
        return [
          figure(w.cell(celula.casos, celula.suprimido)),
          figure(w.count(celula.populacao)),
          figure(w.cell(celula.incidencia, celula.suprimido, w.rate)),
        ]
      }),
    ]),
    isLong: false,
  }
}
