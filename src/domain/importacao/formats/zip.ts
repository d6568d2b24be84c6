import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl'
import type { Fonte } from './table.ts'
import { ArquivoInvalido, LIMITES } from './table.ts'

const ENTRADAS = 1_000
/** Of names, comments and the like, which stay in memory. */
const BYTES_DO_INDICE = 4 * 1024 * 1024
/** Any ratio is harmless up to here: a sheet of empty rows shrinks a thousandfold and is honest. */
const EXPANSAO_LIVRE = 64 * 1024 * 1024
const PEDACO = 64 * 1024

/** The files inside a ZIP, read from any place of it; whatever its own numbers claim is checked as it unfolds. */
export class Zip {
  readonly entradas: string[]
  readonly #porNome: Map<string, Entry>
  readonly #abrir: (entrada: Entry) => Promise<Readable>
  readonly #leitor: Leitor

  private constructor(leitor: Leitor, entradas: Entry[], abrir: (entrada: Entry) => Promise<Readable>) {
    this.#leitor = leitor
    this.#abrir = abrir
    this.entradas = entradas.map(({ fileName }) => fileName)
    this.#porNome = new Map(entradas.map((entrada) => [entrada.fileName.toLowerCase(), entrada]))
  }

  static async open(fonte: Fonte): Promise<Zip> {
    const leitor = new Leitor(fonte)
    try {
      const zip = await fromRandomAccessReaderPromise(leitor, fonte.tamanho, { autoClose: false })
      return new Zip(leitor, await listEntradas(zip.eachEntry()), (e) => zip.openReadStreamPromise(e))
    } catch (erro) {
      throw leitor.translate(erro)
    }
  }

  has(nome: string): boolean {
    return this.#porNome.has(nome.toLowerCase())
  }

  /** One file of the ZIP as a source; reading from the middle means unfolding what comes before. */
  fonte(nome: string): Fonte {
    const entrada = this.#porNome.get(nome.toLowerCase())
    if (entrada === undefined) throw new ArquivoInvalido(`Falta "${nome}" dentro do arquivo.`)
    if (entrada.isEncrypted()) throw protegido()
    return {
      tamanho: entrada.uncompressedSize,
      stream: () => this.#stream(entrada),
      readAt: (offset, length) => readAtOf(this.#stream(entrada), offset, length),
    }
  }

  async *#stream(entrada: Entry): AsyncGenerator<Buffer> {
    let bytes = 0
    let soma = 0
    try {
      for await (const pedaco of await this.#abrir(entrada)) {
        bytes += pedaco.length
        checkExpansao(bytes, entrada.compressedSize)
        soma = crc32(pedaco, soma)
        yield pedaco
      }
    } catch (erro) {
      throw this.#leitor.translate(erro)
    }
    if (soma !== entrada.crc32) throw corrompido()
  }
}

/** Gives the ZIP library its bytes, and remembers a failure of the source, which is not the sender's fault. */
class Leitor extends RandomAccessReader {
  readonly #fonte: Fonte
  #falha: { erro: unknown } | null = null

  constructor(fonte: Fonte) {
    super()
    this.#fonte = fonte
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#range(start, end), { objectMode: false })
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (erro: Error | null, lidos?: number) => void,
  ): void {
    this.#readAt(position, length).then(
      (bytes) => callback(null, bytes.copy(buffer, offset)),
      (erro) => callback(erro),
    )
  }

  translate(erro: unknown): unknown {
    if (this.#falha !== null) return this.#falha.erro
    if (erro instanceof ArquivoInvalido) return erro
    return erro instanceof Error && /encrypt/i.test(erro.message) ? protegido() : corrompido()
  }

  async *#range(start: number, end: number): AsyncGenerator<Buffer> {
    for (let de = start; de < end; de += PEDACO) yield await this.#readAt(de, Math.min(PEDACO, end - de))
  }

  async #readAt(de: number, quantos: number): Promise<Buffer> {
    if (de + quantos > this.#fonte.tamanho) throw corrompido()
    try {
      return await this.#fonte.readAt(de, quantos)
    } catch (erro) {
      this.#falha = { erro }
      throw erro
    }
  }
}

async function listEntradas(todas: AsyncIterable<Entry>): Promise<Entry[]> {
  const entradas: Entry[] = []
  let bytes = 0
  for await (const entrada of todas) {
    bytes += entrada.fileNameRaw.length + entrada.extraFieldRaw.length + entrada.fileCommentRaw.length
    entradas.push(entrada)
    if (entradas.length > ENTRADAS || bytes > BYTES_DO_INDICE) {
      throw new ArquivoInvalido(
        `O arquivo compactado tem arquivos demais (o máximo é ${ENTRADAS.toLocaleString('pt-BR')}).`,
      )
    }
  }
  return entradas
}

function checkExpansao(bytes: number, comprimidos: number): void {
  const demais = bytes > EXPANSAO_LIVRE && bytes > comprimidos * LIMITES.razaoDeCompressao
  if (demais || bytes > LIMITES.bytesExpandidos) {
    throw new ArquivoInvalido(
      'O arquivo compactado se expande a um tamanho que nenhum arquivo de casos tem; por segurança não foi lido.',
    )
  }
}

async function readAtOf(pedacos: AsyncIterable<Buffer>, offset: number, length: number): Promise<Buffer> {
  const partes: Buffer[] = []
  let posicao = 0
  for await (const pedaco of pedacos) {
    const de = Math.max(0, offset - posicao)
    const ate = Math.min(pedaco.length, offset + length - posicao)
    if (de < ate) partes.push(pedaco.subarray(de, ate))
    posicao += pedaco.length
    if (posicao >= offset + length) break
  }
  return Buffer.concat(partes)
}

function protegido(): ArquivoInvalido {
  return new ArquivoInvalido('O arquivo está protegido por senha. Retire a senha e envie de novo.')
}

function corrompido(): ArquivoInvalido {
  return new ArquivoInvalido(
    'O arquivo compactado (ZIP ou XLSX) está corrompido ou incompleto. Baixe-o ou salve-o de novo.',
  )
}
