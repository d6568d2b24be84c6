import { SaxesParser } from 'saxes'
import { ArquivoInvalido, LIMITES } from './table.ts'

export interface OuvinteXml {
  open(nome: string, atributos: Record<string, string>): void
  text(texto: string): void
  close(nome: string): void
}

/** Between two tags; the parser keeps that much in memory. */
const CARACTERES = 2 * LIMITES.caracteresPorLinha
const PROFUNDIDADE = 64
const PEDACO = 64 * 1024

/**
 * XML as events, in bounded memory: a text, comment or tag that does not end, and tags that only
 * open, are refused. So is a DOCTYPE, the only place where entities could be declared.
 */
export class LeitorXml {
  readonly #parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #desdeEvento = 0
  #profundidade = 0

  constructor(ouvinte: OuvinteXml) {
    const parser = this.#parser
    parser.on('doctype', () => {
      throw new ArquivoInvalido('A planilha traz uma declaração DOCTYPE, que não é aceita.')
    })
    parser.on('opentag', ({ name, attributes }) => {
      this.#desdeEvento = 0
      if (++this.#profundidade > PROFUNDIDADE) throw corrompida()
      ouvinte.open(localName(name), attributes)
    })
    parser.on('closetag', ({ name }) => {
      this.#desdeEvento = 0
      this.#profundidade--
      ouvinte.close(localName(name))
    })
    parser.on('text', (texto) => {
      this.#desdeEvento = 0
      ouvinte.text(texto)
    })
    parser.on('cdata', (texto) => {
      this.#desdeEvento = 0
      ouvinte.text(texto)
    })
    parser.on('comment', () => {
      this.#desdeEvento = 0
    })
  }

  write(bytes: Buffer): void {
    for (let i = 0; i < bytes.length; i += PEDACO) {
      const pedaco = bytes.subarray(i, i + PEDACO)
      this.#guard(() => this.#writeTexto(this.#decoder.decode(pedaco, { stream: true })))
    }
  }

  end(): void {
    this.#guard(() => {
      this.#writeTexto(this.#decoder.decode())
      this.#parser.close()
    })
  }

  #writeTexto(texto: string): void {
    this.#desdeEvento += texto.length
    this.#parser.write(texto)
    if (this.#desdeEvento > CARACTERES) throw corrompida()
  }

  /** What the parser and the decoder say about malformed input is said in the sender's language. */
  #guard(passo: () => void): void {
    try {
      passo()
    } catch (erro) {
      throw erro instanceof ArquivoInvalido ? erro : corrompida()
    }
  }
}

export async function readXml(pedacos: AsyncIterable<Buffer>, ouvinte: OuvinteXml): Promise<void> {
  const leitor = new LeitorXml(ouvinte)
  for await (const pedaco of pedacos) leitor.write(pedaco)
  leitor.end()
}

/** `x:row` is `row`: some programs write every name with a prefix. */
export function localName(nome: string): string {
  return nome.slice(nome.indexOf(':') + 1)
}

function corrompida(): ArquivoInvalido {
  return new ArquivoInvalido('O conteúdo da planilha está malformado. Salve-a de novo como XLSX ou CSV.')
}
