import { openCsv } from './csv.ts'
import { isDbc, openDbc } from './dbc.ts'
import { looksLikeDbf, openDbf } from './dbf.ts'
import { ACCEPTED, isBlank, isZip, nameOfForeign } from './detect.ts'
import type { FileSource, FileTable, Formato } from './table.ts'
import { InvalidFile } from './table.ts'
import { isXlsx, openXlsx } from './xlsx.ts'
import { Zip } from './zip.ts'

const START_BYTES = 4096
const DATA_FILE = /\.(csv|dbf|dbc)$/i

/**
 * Opens any accepted file as a table. The content decides the format; a declared one that differs (`hint`) only causes a
 * warning. Throws InvalidFile, here or while the rows are read.
 */
export async function openTable(
  source: FileSource,
  hint: Formato | null,
): Promise<{ table: FileTable; warning: string | null }> {
  const start = await readStart(source)
  const table = isZip(start) ? await openZip(await Zip.open(source)) : await openPlain(source, start)
  return { table, warning: describeMismatch(hint, table.formato) }
}

async function openZip(zip: Zip): Promise<FileTable> {
  if (isXlsx(zip)) return await openXlsx(zip)
  const data = zip.entries.filter((name) => DATA_FILE.test(name) && !isHidden(name))
  const [only] = data
  if (only === undefined) throw refusal(nameOfZip(zip))
  if (data.length > 1) {
    throw refusal(`um ZIP com ${data.length} arquivos de dados (${data.slice(0, 3).join(', ')}…)`)
  }
  const source = zip.source(only)
  const start = await readStart(source)
  if (isZip(start)) throw refusal('um ZIP dentro de outro')
  return await openPlain(source, start)
}

async function openPlain(source: FileSource, start: Buffer): Promise<FileTable> {
  if (looksLikeDbf(start)) return (await isDbc(source)) ? await openDbc(source) : await openDbf(source)
  const foreign = nameOfForeign(start)
  if (foreign !== null) throw refusal(foreign)
  return await openCsv(source)
}

async function readStart(source: FileSource): Promise<Buffer> {
  if (source.size === 0) throw emptyFile()
  const start = await source.readAt(0, Math.min(START_BYTES, source.size))
  if (start.length === source.size && isBlank(start)) throw emptyFile()
  return start
}

function nameOfZip(zip: Zip): string {
  if (zip.has('xl/workbook.bin')) return 'uma planilha Excel binária (.xlsb)'
  if (zip.has('word/document.xml')) return 'um documento do Word'
  if (zip.has('content.xml')) return 'um documento do LibreOffice (.ods ou .odt)'
  if (zip.entries.some((name) => /\.xlsx$/i.test(name))) {
    return 'um ZIP com uma planilha dentro (envie o XLSX sem compactar)'
  }
  return 'um ZIP sem nenhum arquivo CSV, DBF ou DBC'
}

/** Hidden files, such as macOS adds to every ZIP. */
function isHidden(name: string): boolean {
  return name.startsWith('__MACOSX/') || /(^|\/)\._?[^/]*$/.test(name)
}

function describeMismatch(hint: Formato | null, actual: Formato): string | null {
  if (hint === null || hint === actual) return null
  return `O arquivo foi enviado como ${hint.toUpperCase()}, mas o conteúdo é ${actual.toUpperCase()}: foi lido como ${actual.toUpperCase()}.`
}

function refusal(found: string): InvalidFile {
  return new InvalidFile(`O arquivo é ${found}. ${ACCEPTED}`)
}

function emptyFile(): InvalidFile {
  return new InvalidFile(`O arquivo está vazio. ${ACCEPTED}`)
}
