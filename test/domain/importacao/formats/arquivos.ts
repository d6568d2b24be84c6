import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { implode } from 'node-pkware/simple'
import { ZipFile } from 'yazl'
import { openTabela } from '../../../../src/domain/importacao/formats/open.ts'
import {
  ArquivoInvalido,
  type Fonte,
  type Formato,
  type LinhaLida,
  type Tabela,
} from '../../../../src/domain/importacao/formats/table.ts'

/** Files made here, and what they read as. */

export function fonteDe(conteudo: Buffer | string, pedaco = 64 * 1024): Fonte {
  const bytes = typeof conteudo === 'string' ? Buffer.from(conteudo) : conteudo
  return {
    tamanho: bytes.length,
    async *stream() {
      for (let i = 0; i < bytes.length; i += pedaco) yield bytes.subarray(i, i + pedaco)
    },
    readAt: async (offset, length) => bytes.subarray(offset, offset + length),
  }
}

/** A file that exists only as far as it is read: its beginning, then one piece many times. */
export function fonteRepetida(inicio: string, pedaco: Buffer, vezes: number): Fonte {
  const cabeca = Buffer.from(inicio)
  return {
    tamanho: cabeca.length + pedaco.length * vezes,
    async *stream() {
      if (cabeca.length > 0) yield cabeca
      for (let i = 0; i < vezes; i++) yield pedaco
    },
    readAt: async (offset, length) => Buffer.concat([cabeca, pedaco]).subarray(offset, offset + length),
  }
}

export interface Lida {
  formato: Formato
  aviso: string | null
  cabecalho: string[]
  linhas: LinhaLida[]
  valores: string[][]
}

export async function ler(conteudo: Fonte | Buffer | string, dica: Formato | null = null): Promise<Lida> {
  const fonte = typeof conteudo === 'string' || Buffer.isBuffer(conteudo) ? fonteDe(conteudo) : conteudo
  const { tabela, aviso } = await openTabela(fonte, dica)
  const linhas: LinhaLida[] = []
  for await (const bloco of tabela.blocos) linhas.push(...bloco)
  const { formato, cabecalho } = tabela
  return { formato, aviso, cabecalho, linhas, valores: linhas.map(({ valores }) => valores) }
}

export async function count({ blocos }: Tabela): Promise<number> {
  let linhas = 0
  for await (const bloco of blocos) linhas += bloco.length
  return linhas
}

/** The file is refused with a message for its sender, and that message says this. */
export async function recusa(conteudo: Fonte | Buffer | string, mensagem: RegExp): Promise<void> {
  const fonte = typeof conteudo === 'string' || Buffer.isBuffer(conteudo) ? fonteDe(conteudo) : conteudo
  await assert.rejects(
    async () => await count((await openTabela(fonte, null)).tabela),
    (erro) => {
      assert.ok(erro instanceof ArquivoInvalido, String(erro))
      assert.match(erro.message, mensagem)
      return true
    },
  )
}

export type Campo = [nome: string, tipo: string, tamanho: number]

/** A DBF; `*` before the first value marks a deleted record. */
export function criarDbf(
  campos: Campo[],
  registros: string[][],
  opcoes: { terminador?: boolean; fim?: boolean } = {},
): Buffer {
  const descritores = campos.map(([nome, tipo, tamanho]) => {
    const d = Buffer.alloc(32)
    d.write(nome, 'latin1')
    d.write(tipo, 11, 'latin1')
    d[16] = tamanho
    return d
  })
  const terminador = Buffer.from(opcoes.terminador === false ? [] : [0x0d])
  const cabecalho = Buffer.alloc(32)
  cabecalho.set([0x03, 124, 5, 17])
  cabecalho.writeUInt32LE(registros.length, 4)
  cabecalho.writeUInt16LE(32 + 32 * campos.length + terminador.length, 8)
  cabecalho.writeUInt16LE(1 + campos.reduce((soma, [, , tamanho]) => soma + tamanho, 0), 10)
  const corpo = registros.map((valores) => {
    const apagado = valores[0]?.startsWith('*') === true && valores.length > campos.length
    const restantes = apagado ? valores.slice(1) : valores
    const texto = restantes.map((valor, i) => valor.padEnd(campos[i]?.[2] ?? 0)).join('')
    return Buffer.from((apagado ? '*' : ' ') + texto, 'latin1')
  })
  return Buffer.concat([
    cabecalho,
    ...descritores,
    terminador,
    ...corpo,
    Buffer.from(opcoes.fim === false ? [] : [0x1a]),
  ])
}

/** The same file as DATASUS hands it out. */
export function criarDbc(dbf: Buffer, modo: 'ascii' | 'binary' = 'binary'): Buffer {
  const fim = dbf.readUInt16LE(8)
  const corpo = new Uint8Array(dbf.subarray(fim)).buffer
  return Buffer.concat([
    dbf.subarray(0, fim),
    Buffer.from('crc!'),
    Buffer.from(implode(corpo, modo, 'large')),
  ])
}

export async function criarZip(
  partes: Record<string, string | Buffer | Readable>,
  opcoes: { compress?: boolean } = {},
): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [nome, conteudo] of Object.entries(partes)) {
    if (conteudo instanceof Readable) zip.addReadStream(conteudo, nome, opcoes)
    else zip.addBuffer(Buffer.from(conteudo), nome, opcoes)
  }
  zip.end()
  return await buffer(zip.outputStream)
}

const NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export interface PartesXlsx {
  /** Of the first sheet: what stands inside sheetData, or the whole part as a stream. */
  dados: string | Readable
  textos?: string | Readable
  estilos?: string
  livro?: string
  relacoes?: string
  outras?: Record<string, string>
}

export async function criarXlsx(partes: PartesXlsx): Promise<Buffer> {
  const { dados, textos, estilos, livro, relacoes, outras } = partes
  return await criarZip({
    'xl/workbook.xml':
      livro ??
      `<workbook ${NS} xmlns:r="${R}"><sheets><sheet name="Casos" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      relacoes ?? `<Relationships>${relacao('rId1', 'worksheet', 'worksheets/sheet1.xml')}</Relationships>`,
    'xl/worksheets/sheet1.xml':
      typeof dados === 'string' ? `<worksheet ${NS}><sheetData>${dados}</sheetData></worksheet>` : dados,
    ...(textos === undefined ? {} : { 'xl/sharedStrings.xml': textos }),
    ...(estilos === undefined ? {} : { 'xl/styles.xml': estilos }),
    ...outras,
  })
}

export function relacao(id: string, tipo: string, alvo: string): string {
  return `<Relationship Id="${id}" Type="${R}/${tipo}" Target="${alvo}"/>`
}

/** A text as a cell that holds it itself. */
export function celula(referencia: string, texto: string): string {
  return `<c r="${referencia}" t="inlineStr"><is><t>${texto}</t></is></c>`
}

/** Text that is only made while it is read, some pieces at a time. */
export function textoGerado(
  inicio: string,
  pedaco: (i: number) => string,
  vezes: number,
  fim: string,
): Readable {
  return Readable.from(juntar(inicio, pedaco, vezes, fim), { objectMode: false })
}

function* juntar(
  inicio: string,
  pedaco: (i: number) => string,
  vezes: number,
  fim: string,
): Generator<Buffer> {
  let texto = inicio
  for (let i = 0; i < vezes; i++) {
    texto += pedaco(i)
    if (texto.length < 64 * 1024) continue
    yield Buffer.from(texto)
    texto = ''
  }
  yield Buffer.from(texto + fim)
}
