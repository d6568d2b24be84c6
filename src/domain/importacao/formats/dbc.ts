import { createDbfTable, readDbfHeader, skipBytes } from './dbf.ts'
import { explode } from './explode.ts'
import type { FileSource, FileTable } from './table.ts'
import { InvalidFile, LIMITS } from './table.ts'

const CRC_BYTES = 4
/** Upper bound of the compression: three bytes of an implode stream make at most 518. */
const MAX_RATIO = 173

/** DBC of DATASUS: the plain header of a DBF, an undocumented checksum, and the records compressed by PKWARE implode. */
export async function openDbc(source: FileSource): Promise<FileTable> {
  const header = await readDbfHeader(source)
  const { recordCount, headerSize, recordSize } = header
  const compressed = source.size - headerSize - CRC_BYTES
  const expanded = recordCount * recordSize
  if (expanded > LIMITS.expandedBytes || expanded > compressed * MAX_RATIO) {
    throw new InvalidFile(
      `O cabeçalho do arquivo DBC anuncia ${recordCount.toLocaleString('pt-BR')} registros de ${recordSize} bytes, o que não cabe em um arquivo de ${source.size.toLocaleString('pt-BR')} bytes: está errado, ou o arquivo está incompleto.`,
    )
  }
  // The reader of records stops at the announced number, which bounds the output.
  return createDbfTable('dbc', header, explode(skipBytes(source.stream(), headerSize + CRC_BYTES)))
}

/**
 * Tells DBC from DBF, whose headers are the same: an implode stream follows (two bytes that no text record has there),
 * and the size is not that of plain records.
 */
export async function isDbc(source: FileSource): Promise<boolean> {
  const fixed = await source.readAt(0, 12)
  const headerSize = fixed.readUInt16LE(8)
  const after = await source.readAt(headerSize, CRC_BYTES + 2)
  const dbfSize = headerSize + fixed.readUInt32LE(4) * fixed.readUInt16LE(10)
  const mark = after[0] as number
  if ((mark === 0x20 || mark === 0x2a) && Math.abs(source.size - dbfSize) <= 1) return false
  const [type, dictionaryBits] = [after[CRC_BYTES], after[CRC_BYTES + 1]]
  return (
    type !== undefined &&
    dictionaryBits !== undefined &&
    type <= 1 &&
    dictionaryBits >= 4 &&
    dictionaryBits <= 6
  )
}
