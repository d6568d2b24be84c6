/** What a file that is none of ours is, by its first bytes, so that the refusal can name it. */

export const ACEITOS =
  'São aceitos arquivos CSV, XLSX, DBF e DBC, ou um ZIP com um só arquivo CSV, DBF ou DBC dentro.'

const ASSINATURAS: [hex: string, nome: string][] = [
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

const MARCACOES: [inicio: RegExp, nome: string][] = [
  [/^<(!doctype\s+html|html|head|body|table|script|meta|div)\b/i, 'uma página HTML'],
  [/^<\?xml\b/i, 'um documento XML'],
  [/^(\{\s*"|\[\s*\{)/, 'um documento JSON'],
  [/^\{\\rtf/, 'um documento RTF'],
]

export function isZip(inicio: Buffer): boolean {
  return inicio.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))
}

/** The name of what it is, or null if it may be text. */
export function nameOfOutro(inicio: Buffer): string | null {
  const hex = inicio.subarray(0, 8).toString('hex')
  const assinatura = ASSINATURAS.find(([comeco]) => hex.startsWith(comeco))
  if (assinatura) return assinatura[1]
  if (isUtf16(inicio)) return null
  const texto = inicio.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  const marcacao = MARCACOES.find(([padrao]) => padrao.test(texto.trimStart()))
  if (marcacao) return marcacao[1]
  return isBinario(inicio) ? 'um arquivo binário de tipo desconhecido' : null
}

export function isVazio(inicio: Buffer): boolean {
  const texto = inicio.toString('latin1').replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
  return texto.replaceAll('\0', '').replaceAll('\x1a', '').trim() === ''
}

function isUtf16(inicio: Buffer): boolean {
  return (inicio[0] === 0xff && inicio[1] === 0xfe) || (inicio[0] === 0xfe && inicio[1] === 0xff)
}

/** Text has hardly any control characters; a file of numbers or noise has many. */
function isBinario(inicio: Buffer): boolean {
  let controles = 0
  for (const byte of inicio) {
    if (byte === 0x7f || (byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1a].includes(byte))) controles++
  }
  return controles > 2 && controles / inicio.length > 0.02
}
