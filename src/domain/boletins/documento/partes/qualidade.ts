import type { QualidadeDoBoletim } from '../../dados.ts'
import { type DocumentBlock, figure, paragraph, words } from '../blocks.ts'
import type { Words } from '../format.ts'

/** Records open beyond their deadline, and how completely five fields are filled in. */
export function qualidadeBlocks(
  w: Words,
  { inicio, fim, casos, atrasados, completude }: QualidadeDoBoletim,
): DocumentBlock[] {
  const { t } = w
  const table = {
    caption: t.quality.caption,
    columns: [t.quality.field, t.quality.filled, t.quality.of, t.quality.share, t.quality.band],
    rows: completude.map(({ campo, preenchidos, de, pct, faixa, suprimido }) => [
      words(t.quality.fields[campo]),
      figure(w.cell(preenchidos, suprimido)),
      figure(w.cell(de, suprimido)),
      figure(w.cell(pct, suprimido, w.percent)),
      words(faixa === null ? w.cell(null, suprimido) : t.quality.bands[faixa]),
    ]),
    isLong: false,
  }
  return [
    paragraph(
      t.quality.period({ inicio: w.date(inicio), fim: w.date(fim), casos: w.value(casos) }),
      t.quality.late(w.value(atrasados)),
    ),
    { kind: 'table', table },
  ]
}
