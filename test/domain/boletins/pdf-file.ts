import { inflateSync } from 'node:zlib'

/** A PDF as its writer makes it: every object by its number, texts in the embedded fonts. Enough to read it back, no parser of all PDFs. */
export interface PdfFile {
  /** Objects without their streams, as text. */
  objects: Map<number, string>
  pages: number
  /** Text in the order of the pages, a line for each piece; artifacts (footers, repeated heads) apart. */
  text: string
  artifacts: string
}

export function readPdf(file: Buffer): PdfFile {
  const source = file.toString('latin1')
  const objects = new Map<number, string>()
  const streams = new Map<number, Buffer>()
  for (const [, id, body] of source.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [dictionary = '', content] = (body as string).split('\nstream\n')
    objects.set(Number(id), dictionary)
    if (content === undefined) continue
    const raw = Buffer.from(content.replace(/\nendstream$/, ''), 'latin1')
    streams.set(Number(id), dictionary.includes('/FlateDecode') ? inflateSync(raw) : raw)
  }
  const pages = [...objects.values()].filter((one) => /\/Type \/Page\b/.test(one))
  const fonts = fontsOf(objects, streams)
  const contents = pages.map(
    (page) => streams.get(refOf(page, 'Contents') as number)?.toString('latin1') ?? '',
  )
  const read = contents.map((content) => textOf(content, fonts))
  return {
    objects,
    pages: pages.length,
    text: read.map(({ text }) => text).join('\n'),
    artifacts: read.map(({ artifacts }) => artifacts).join('\n'),
  }
}

const refOf = (dictionary: string, key: string): number | undefined => {
  const found = new RegExp(`/${key} (\\d+) 0 R`).exec(dictionary)
  return found === null ? undefined : Number(found[1])
}

/** Letters by the number of their glyph, of each font by its name in the pages (`F2`). */
function fontsOf(objects: Map<number, string>, streams: Map<number, Buffer>): Map<string, string[]> {
  const fonts = new Map<string, string[]>()
  for (const dictionary of objects.values())
    for (const [, name, id] of dictionary.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map =
        streams.get(refOf(objects.get(Number(id)) ?? '', 'ToUnicode') ?? -1)?.toString('latin1') ?? ''
      const ranges = Array.from(map.matchAll(/<\w+> <\w+> \[([^\]]*)\]/g), ([, codes]) => codes as string)
      const letters = Array.from(ranges.join(' ').matchAll(/<([0-9a-f ]+)>/g), ([, code]) =>
        Buffer.from((code as string).replaceAll(' ', ''), 'hex')
          .swap16()
          .toString('utf16le'),
      )
      fonts.set(name as string, letters)
    }
  return fonts
}

function textOf(content: string, fonts: Map<string, string[]>): { text: string; artifacts: string } {
  const [text, artifacts]: [string[], string[]] = [[], []]
  let [letters, isArtifact]: [string[], boolean] = [[], false]
  for (const line of content.split('\n')) {
    const font = /^\/(F\d+) [\d.]+ Tf/.exec(line)?.[1]
    if (font !== undefined) letters = fonts.get(font) ?? []
    const mark = /^\/(\w+) (?:<<|BMC)/.exec(line)?.[1]
    if (mark !== undefined) isArtifact = mark === 'Artifact'
    if (!line.endsWith('TJ')) continue
    const glyphs = Array.from(line.matchAll(/<([0-9a-f]+)>/g), ([, codes]) => codes as string).join('')
    const words = Array.from(glyphs.matchAll(/.{4}/g), ([code]) => letters[Number.parseInt(code, 16)] ?? '?')
    ;(isArtifact ? artifacts : text).push(words.join(''))
  }
  return { text: text.join('\n'), artifacts: artifacts.join('\n') }
}
