import type { SorotiposDoBoletim } from '../../dados.ts'
import { type DocumentBlock, paragraph } from '../blocks.ts'
import type { Words } from '../format.ts'
import { barsBlock } from './barras.ts'

/** Serotypes of dengue; of other diseases, that there are none. */
export function sorotiposBlocks(
  w: Words,
  agravo: string,
  sorotipos: SorotiposDoBoletim | null,
): DocumentBlock[] {
  const { t } = w
  if (sorotipos === null) return [paragraph(t.serotypes.notApplicable(agravo))]
  const { contagens, predominante, suprimido } = sorotipos
  const sentence = suprimido
    ? t.serotypes.hidden
    : predominante === null
      ? t.serotypes.nonePredominant
      : t.serotypes.predominant(predominante)
  const block = barsBlock({
    caption: t.serotypes.caption,
    bars: contagens.map(({ sorotipo, casos }) => ({
      name: sorotipo,
      value: casos,
      text: w.cell(casos, suprimido),
    })),
    columns: [t.serotypes.serotype, t.serotypes.samples],
    isLong: false,
  })
  return [paragraph(sentence), block]
}
