import { createTabela, readCabecalhoDbf, skipBytes } from './dbf.ts'
import { explode } from './explode.ts'
import type { Fonte, Tabela } from './table.ts'
import { ArquivoInvalido, LIMITES } from './table.ts'

const CRC = 4
/** Three bytes of the stream never make more than 518. */
const RAZAO_MAXIMA = 173

/** A DBC is the header of a DBF as it is, a checksum nobody documents, and the records, imploded. */
export async function openDbc(fonte: Fonte): Promise<Tabela> {
  const cabecalho = await readCabecalhoDbf(fonte)
  const { registros, tamanhoDoCabecalho, tamanhoDoRegistro } = cabecalho
  const comprimidos = fonte.tamanho - tamanhoDoCabecalho - CRC
  const expandidos = registros * tamanhoDoRegistro
  if (expandidos > LIMITES.bytesExpandidos || expandidos > comprimidos * RAZAO_MAXIMA) {
    throw new ArquivoInvalido(
      `O cabeçalho do arquivo DBC anuncia ${registros.toLocaleString('pt-BR')} registros de ${tamanhoDoRegistro} bytes, o que não cabe em um arquivo de ${fonte.tamanho.toLocaleString('pt-BR')} bytes: está errado, ou o arquivo está incompleto.`,
    )
  }
  // The reader of records takes what the header announces and no more, so nothing else bounds it.
  return createTabela('dbc', cabecalho, explode(skipBytes(fonte.stream(), tamanhoDoCabecalho + CRC)))
}

/**
 * What begins with a DBF header is a DBC if an implode stream follows (two bytes no text record has
 * there) and the records do not simply stand after the header.
 */
export async function isDbc(fonte: Fonte): Promise<boolean> {
  const fixo = await fonte.readAt(0, 12)
  const tamanhoDoCabecalho = fixo.readUInt16LE(8)
  const depois = await fonte.readAt(tamanhoDoCabecalho, CRC + 2)
  const comoDbf = tamanhoDoCabecalho + fixo.readUInt32LE(4) * fixo.readUInt16LE(10)
  const marca = depois[0] as number
  if ((marca === 0x20 || marca === 0x2a) && Math.abs(fonte.tamanho - comoDbf) <= 1) return false
  const [tipo, dicionario] = [depois[CRC], depois[CRC + 1]]
  return tipo !== undefined && dicionario !== undefined && tipo <= 1 && dicionario >= 4 && dicionario <= 6
}
