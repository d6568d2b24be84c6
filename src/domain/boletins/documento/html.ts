import { symbolPath } from '../../../charts/symbols.ts'
import type { Language } from '../../../errors/texts.ts'
import type { NivelDeAlerta } from '../../alertas/nivel.ts'
import { escapeHtml } from '../../escape-html.ts'
import type { Boletim } from '../dados.ts'
import type {
  BulletinDocument,
  Chart,
  DataTable,
  DocumentBlock,
  FigureBox,
  HeadlineFigure,
  TableCell,
} from './blocks.ts'
import { documentOf } from './document.ts'
import { type Drawing, NARROW, NIVEL_LOOK, type PathShape, SAMPLE, type Shape, WIDE } from './drawing.ts'
import { webFont } from './fonts.ts'
import { type Words, wordsOf } from './format.ts'
import { styleOf } from './style.ts'

/** One file: no script, no address, fonts and drawings inside. The same data gives the same bytes. */
export function renderHtml(boletim: Boletim, language: Language): string {
  const w = wordsOf(language)
  const it = documentOf(w, boletim)
  const font = webFont()
  const style = styleOf({ font, header: `${it.lugar} · ${it.semana}` })
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(`${it.title} · ${it.lugar} · ${it.semana}`)}</title>
<style>${style}</style>
</head>
<body>
${head(it)}
<main>
${opening(it)}
${it.blocks.map((block) => blockHtml(w, block)).join('\n')}
</main>
</body>
</html>
`
}

const paragraphs = (texts: readonly string[]) => texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('')
const items = (texts: readonly string[]) => texts.map((text) => `<li>${escapeHtml(text)}</li>`).join('')

function head({ kind, title, lugar, semana, dadosAte, publico, methods }: BulletinDocument): string {
  const isPublic = publico === null ? '' : `<p class="public">${escapeHtml(publico)}</p>\n`
  const above = kind === null ? '' : `<p class="kind">${escapeHtml(kind)}</p>\n`
  return `<header>
${above}<h1>${escapeHtml(title)}</h1>
<p class="place">${escapeHtml(lugar)}</p>
<p class="when">${escapeHtml(semana)}<br>${escapeHtml(dadosAte)}</p>
${isPublic}<div class="methods">${paragraphs(methods)}</div>
</header>`
}

/** Before the first heading of a part: own words, and the headline figures. */
function opening({ highlights, note, figures }: BulletinDocument): string {
  return [
    highlights === null
      ? ''
      : `<div class="words"><b>${escapeHtml(highlights.title)}</b><ul>${items(highlights.items)}</ul></div>`,
    ...figures.boxes.map((box) => boxHtml(figures.label, box)),
    note === null
      ? ''
      : `<div class="words"><b>${escapeHtml(note.title)}</b><p>${escapeHtml(note.text)}</p></div>`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function boxHtml(label: string, { title, figures }: FigureBox): string {
  const name = title === null ? label : `${label}: ${title}`
  const visible = title === null ? '' : `<p class="disease">${escapeHtml(title)}</p>`
  return `<section aria-label="${escapeHtml(name)}">${visible}<dl class="figures">${figures.map(figureHtml).join('')}</dl></section>`
}

function figureHtml({ label, value, notes, nivel }: HeadlineFigure): string {
  const sign = nivel === null ? '' : levelSign(nivel, 22)
  const rest = notes.map((note) => `<dd>${escapeHtml(note)}</dd>`).join('')
  return `<div${nivel === null ? '' : ' class="level"'}><dt>${escapeHtml(label)}</dt><dd class="value">${sign}${escapeHtml(value)}</dd>${rest}</div>`
}

function blockHtml(w: Words, block: DocumentBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${escapeHtml(block.text)}</h${block.level}>`
    case 'paragraph':
      return `<p>${escapeHtml(block.text)}</p>`
    case 'list':
      return `<ul class="notes">${items(block.items)}</ul>`
    case 'chart':
      return chartHtml(w, block.chart)
    case 'table':
      // The caption in the table is for ears: a visible one would be as wide as the table that scrolls.
      return `<figure class="plain"><p class="caption" aria-hidden="true">${escapeHtml(block.table.caption)}</p>${tableHtml(block.table)}</figure>`
  }
}

/** Two sizes of a drawing, so that its letters can be read on a telephone; the style shows one of them, to ears too. */
function chartHtml({ t }: Words, { caption, alt, draw, legend, table }: Chart): string {
  const entries = legend.map(({ label, sample }) => `<li>${sampleSvg(sample)}${escapeHtml(label)}</li>`)
  return `<figure><figcaption>${escapeHtml(caption)}</figcaption>
${svg(draw(WIDE), alt, 'wide')}
${svg(draw(NARROW), alt, 'narrow')}
${entries.length === 0 ? '' : `<ul class="legend">${entries.join('')}</ul>`}
<details><summary>${escapeHtml(t.asTable(caption))}</summary>${tableHtml(table)}</details></figure>`
}

function svg({ width, height, shapes }: Drawing, alt: string, kind: 'wide' | 'narrow'): string {
  return `<svg class="drawing ${kind}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeHtml(alt)}">${shapes.map(shapeSvg).join('')}</svg>`
}

const sampleSvg = (sample: readonly PathShape[]) =>
  `<svg width="${SAMPLE.width}" height="${SAMPLE.height}" viewBox="0 0 ${SAMPLE.width} ${SAMPLE.height}" aria-hidden="true">${sample.map(shapeSvg).join('')}</svg>`

function shapeSvg(shape: Shape): string {
  if (shape.kind === 'text') {
    const { x, y, text, anchor, size, fill, bold } = shape
    const weight = bold ? ' font-weight="700"' : ''
    return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-size="${size}" fill="${fill}"${weight}>${escapeHtml(text)}</text>`
  }
  const { d, fill, stroke, width, dash, title } = shape
  const line =
    stroke === undefined
      ? ''
      : ` stroke="${stroke}" stroke-width="${width ?? 1}" stroke-linejoin="round"${dash ? ` stroke-dasharray="${dash.join(' ')}"` : ' stroke-linecap="round"'}`
  const inside = title === undefined ? '' : `<title>${escapeHtml(title)}</title>`
  return `<path d="${d}" fill="${fill ?? 'none'}"${line}>${inside}</path>`
}

/** Sign of a level beside its word: filled, in the colour of the level, with a dark edge. */
function levelSign(nivel: NivelDeAlerta, size: number): string {
  const { fill, symbol } = NIVEL_LOOK[nivel]
  const middle = size / 2
  const d = symbolPath(symbol, [middle, middle], size * 0.36)
  return `<svg width="${size}" height="${size}" viewBox="0 0 ${size} ${size}" aria-hidden="true"><path d="${d}" fill="${fill}" stroke="#14252b" stroke-width="1"></path></svg>`
}

/** A table that is wider than the page scrolls by itself, also by keys. */
function tableHtml({ caption, columns, rows }: DataTable): string {
  const isNumber = columns.map((_, at) => rows.some((row) => row[at]?.isNumber === true))
  const heads = columns.map(
    (column, at) => `<th scope="col"${isNumber[at] ? ' class="n"' : ''}>${escapeHtml(column)}</th>`,
  )
  const lines = rows.map(([name, ...cells]) => {
    const row = name === undefined ? '' : `<th scope="row">${cellHtml(name)}</th>`
    return `<tr>${row}${cells.map((cell) => `<td${cell.isNumber ? ' class="n"' : ''}>${cellHtml(cell)}</td>`).join('')}</tr>`
  })
  return `<div class="scroll" role="group" aria-label="${escapeHtml(caption)}" tabindex="0"><table><caption>${escapeHtml(caption)}</caption><thead><tr>${heads.join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`
}

const cellHtml = ({ text, nivel }: TableCell) =>
  nivel === null
    ? escapeHtml(text)
    : `<span class="level-word">${levelSign(nivel, 14)}${escapeHtml(text)}</span>`
