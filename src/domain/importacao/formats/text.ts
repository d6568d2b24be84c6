import { type Exame, Examinador } from './encoding.ts'
import type { Fonte } from './table.ts'
import { ArquivoInvalido } from './table.ts'

export type Codificacao = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be'

/** What Windows-1252 has where Latin-1 has control characters (0x80 to 0x9F). */
const ALTOS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const DIFERENTES = /[\x80-\x9f]/g

/** One byte is one character, so it can be cut anywhere; Latin-1 first because that is a plain copy. */
export function decodeWindows1252(bytes: Buffer): string {
  const latin1 = bytes.toString('latin1')
  return latin1.search(DIFERENTES) === -1
    ? latin1
    : latin1.replace(DIFERENTES, (c) => ALTOS.charAt(c.charCodeAt(0) - 0x80))
}

/** The encoding of a text file, from all of it: one wrong byte on the last line makes it Windows-1252. */
export async function detectCodificacao(fonte: Fonte): Promise<Codificacao> {
  const marca = await fonte.readAt(0, 2)
  if (marca[0] === 0xff && marca[1] === 0xfe) return 'utf-16le'
  if (marca[0] === 0xfe && marca[1] === 0xff) return 'utf-16be'
  const { utf8, nulo } = fonte.exame ?? (await examine(fonte))
  if (nulo !== null) throw new ArquivoInvalido(mensagemDeNulo(`na posição ${nulo}`))
  return utf8 ? 'utf-8' : 'windows-1252'
}

async function examine(fonte: Fonte): Promise<Exame> {
  const examinador = new Examinador()
  for await (const pedaco of fonte.stream()) examinador.push(pedaco)
  return examinador.fim()
}

/** Decodes a stream piece by piece, without the byte order mark. */
export function createDecoder(codificacao: Codificacao): (pedaco: Buffer | null) => string {
  if (codificacao === 'windows-1252') return (pedaco) => (pedaco === null ? '' : decodeWindows1252(pedaco))
  const decoder = new TextDecoder(codificacao)
  return (pedaco) => {
    const texto = pedaco === null ? decoder.decode() : decoder.decode(pedaco, { stream: true })
    if (codificacao !== 'utf-8' && texto.includes('\0')) {
      throw new ArquivoInvalido(mensagemDeNulo('no meio do texto'))
    }
    return texto
  }
}

function mensagemDeNulo(onde: string): string {
  return `O arquivo contém bytes nulos ${onde}: não é um texto CSV, ou está danificado. Salve-o como CSV em UTF-8 e envie de novo.`
}
