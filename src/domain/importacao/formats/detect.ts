/** Recognises foreign file types by their first bytes, so that the refusal can name them. */

export const ACCEPTED =
  'São aceitos arquivos CSV, XLSX, DBF e DBC, ou um ZIP com um só arquivo CSV, DBF ou DBC dentro.'

const SIGNATURES: [hex: string, name: string][] = [
  ['1f8b', 'um arquivo compactado com GZIP'],
  ['377abcaf271c', 'um arquivo compactado 7-Zip'],
  ['526172211a07', 'um arquivo compactado RAR'],
  ['fd377a585a00', 'um arquivo compactado XZ'],
  ['28b52ffd', 'um arquivo compactado Zstandard'],
  ['d0cf11e0', 'uma planilha do Excel antigo (.xls) ou protegida por senha'],
  ['25504446', 'um documento PDF'],
  ['89504e470d0a', 'uma imagem PNG'],
  ['ffd8ff', 'uma imagem JPEG'],
  ['47494638', 'uma imagem GIF'],
  ['49492a00', 'uma imagem TIFF'],
  ['4d4d002a', 'uma imagem TIFF'],
  ['52494646', 'uma imagem, um som ou um vídeo'],
  ['7f454c46', 'um programa'],
  ['4d5a90', 'um programa'],
  ['50415231', 'um arquivo Parquet'],
  ['504b0506', 'um arquivo ZIP vazio'],
]

const MARKUPS: [start: RegExp, name: string][] = [
  [/^<(!doctype\s+html|html|head|body|table|script|meta|div)\b/i, 'uma página HTML'],
  [/^<\?xml\b/i, 'um documento XML'],
  [/^(\{\s*"|\[\s*\{)/, 'um documento JSON'],
  [/^\{\\rtf/, 'um documento RTF'],
]

export function isZip(start: Buffer): boolean {
  return start.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))
}

/** Name of a foreign type; null for what may be text. */
export function nameOfForeign(start: Buffer): string | null {
  const hex = start.subarray(0, 8).toString('hex')
  const signature = SIGNATURES.find(([prefix]) => hex.startsWith(prefix))
  if (signature) return signature[1]
  if (isUtf16(start)) return null
  const text = start.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  const markup = MARKUPS.find(([pattern]) => pattern.test(text.trimStart()))
  if (markup) return markup[1]
  return isBinary(start) ? 'um arquivo binário de tipo desconhecido' : null
}

export function isBlank(start: Buffer): boolean {
  const text = start.toString('latin1').replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
  return text.replaceAll('\0', '').replaceAll('\x1a', '').trim() === ''
}

function isUtf16(start: Buffer): boolean {
  return (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)
}

/** Binary: more than 2 % control characters in the sample, and more than the odd one. */
function isBinary(start: Buffer): boolean {
  let controls = 0
  for (const byte of start) {
    if (byte === 0x7f || (byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1a].includes(byte))) controls++
  }
  return controls > 2 && controls / start.length > 0.02
}
