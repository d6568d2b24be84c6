import { type Encoding, type TextCheck, TextChecker } from './encoding.ts'
import type { FileSource } from './table.ts'
import { InvalidFile } from './table.ts'

/** Windows-1252 from 0x80 to 0x9F, where Latin-1 has control characters. */
const HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const DIFFERENT = /[\x80-\x9f]/g

/** Single-byte, so chunks may be cut anywhere. Decodes as Latin-1 first, a plain copy, and replaces only where needed. */
export function decodeWindows1252(bytes: Buffer): string {
  const latin1 = bytes.toString('latin1')
  return latin1.search(DIFFERENT) === -1
    ? latin1
    : latin1.replace(DIFFERENT, (c) => HIGH.charAt(c.charCodeAt(0) - 0x80))
}

/**
 * Detects the encoding from the whole file, since one invalid byte on the last line makes it Windows-1252 from the first.
 * Uploads are scanned as they arrive; entries of a ZIP cost a pass of their own.
 */
export async function detectEncoding(source: FileSource): Promise<Encoding> {
  const mark = await source.readAt(0, 2)
  if (mark[0] === 0xff && mark[1] === 0xfe) return 'utf-16le'
  if (mark[0] === 0xfe && mark[1] === 0xff) return 'utf-16be'
  const { utf8, nul } = source.text ?? (await checkText(source))
  if (nul !== null) throw new InvalidFile(nulMessage(`na posição ${nul}`))
  return utf8 ? 'utf-8' : 'windows-1252'
}

async function checkText(source: FileSource): Promise<TextCheck> {
  const checker = new TextChecker()
  for await (const chunk of source.stream()) checker.push(chunk)
  return checker.end()
}

/** Incremental decoder; drops the byte order mark. Null ends the text. */
export function createDecoder(encoding: Encoding): (chunk: Buffer | null) => string {
  if (encoding === 'windows-1252') return (chunk) => (chunk === null ? '' : decodeWindows1252(chunk))
  const decoder = new TextDecoder(encoding)
  return (chunk) => {
    const text = chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true })
    if (encoding !== 'utf-8' && text.includes('\0')) {
      throw new InvalidFile(nulMessage('no meio do texto'))
    }
    return text
  }
}

function nulMessage(where: string): string {
  return `O arquivo contém bytes nulos ${where}: não é um texto CSV, ou está danificado. Salve-o como CSV em UTF-8 e envie de novo.`
}
