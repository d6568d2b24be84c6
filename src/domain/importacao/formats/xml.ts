import { SaxesParser } from 'saxes'
import { InvalidFile, LIMITS } from './table.ts'

export interface XmlListener {
  open(name: string, attributes: Record<string, string>): void
  text(text: string): void
  close(name: string): void
}

/** Limit between two events, which the parser buffers. */
const MAX_CHARACTERS = 2 * LIMITS.charactersPerRow
const MAX_DEPTH = 64
const CHUNK_BYTES = 64 * 1024

/**
 * SAX events over saxes, in bounded memory: endless texts, comments and tags are refused, and so is deep nesting. A
 * DOCTYPE is refused too, the only place where entities could be declared.
 */
export class XmlReader {
  readonly #parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #sinceEvent = 0
  #depth = 0

  constructor(listener: XmlListener) {
    const parser = this.#parser
    parser.on('doctype', () => {
      throw new InvalidFile('A planilha traz uma declaração DOCTYPE, que não é aceita.')
    })
    parser.on('opentag', ({ name, attributes }) => {
      this.#sinceEvent = 0
      if (++this.#depth > MAX_DEPTH) throw malformed()
      listener.open(localName(name), attributes)
    })
    parser.on('closetag', ({ name }) => {
      this.#sinceEvent = 0
      this.#depth--
      listener.close(localName(name))
    })
    parser.on('text', (text) => {
      this.#sinceEvent = 0
      listener.text(text)
    })
    parser.on('cdata', (text) => {
      this.#sinceEvent = 0
      listener.text(text)
    })
    parser.on('comment', () => {
      this.#sinceEvent = 0
    })
  }

  write(bytes: Buffer): void {
    for (let i = 0; i < bytes.length; i += CHUNK_BYTES) {
      const chunk = bytes.subarray(i, i + CHUNK_BYTES)
      this.#guard(() => this.#writeText(this.#decoder.decode(chunk, { stream: true })))
    }
  }

  end(): void {
    this.#guard(() => {
      this.#writeText(this.#decoder.decode())
      this.#parser.close()
    })
  }

  #writeText(text: string): void {
    this.#sinceEvent += text.length
    this.#parser.write(text)
    if (this.#sinceEvent > MAX_CHARACTERS) throw malformed()
  }

  /** Replaces errors of parser and decoder by a message in the sender's language. */
  #guard(step: () => void): void {
    try {
      step()
    } catch (error) {
      throw error instanceof InvalidFile ? error : malformed()
    }
  }
}

export async function readXml(chunks: AsyncIterable<Buffer>, listener: XmlListener): Promise<void> {
  const reader = new XmlReader(listener)
  for await (const chunk of chunks) reader.write(chunk)
  reader.end()
}

/** `x:row` is `row`: some programs write every name with a prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function malformed(): InvalidFile {
  return new InvalidFile('O conteúdo da planilha está malformado. Salve-a de novo como XLSX ou CSV.')
}
