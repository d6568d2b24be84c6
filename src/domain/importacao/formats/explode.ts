import { ArquivoInvalido } from './table.ts'

/**
 * PKWARE Data Compression Library "implode", unpacked as a stream. The format is described with zlib
 * (contrib/blast). Written here because a stream that copies from before its beginning must be
 * refused at once, and what comes out must be bounded whatever goes in.
 *
 * A symbol is a flag bit and then a literal or a length with a distance. Codes are canonical Huffman
 * with every bit inverted, the first bit being the highest; plain numbers have the lowest bit first.
 */

/** Code lengths, run-length coded: low four bits the length, high four how often, less one. */
const LITERAIS = [
  11, 124, 8, 7, 28, 7, 188, 13, 76, 4, 10, 8, 12, 10, 12, 10, 8, 23, 8, 9, 7, 6, 7, 8, 7, 6, 55, 8, 23, 24,
  12, 11, 7, 9, 11, 12, 6, 7, 22, 5, 7, 24, 6, 11, 9, 6, 7, 22, 7, 11, 38, 7, 9, 8, 25, 11, 8, 11, 9, 12, 8,
  12, 5, 38, 5, 38, 5, 11, 7, 5, 6, 21, 6, 10, 53, 8, 7, 24, 10, 27, 44, 253, 253, 253, 252, 252, 252, 13, 12,
  45, 12, 45, 12, 61, 12, 45, 44, 173,
]
const COMPRIMENTOS = [2, 35, 36, 53, 38, 23]
const DISTANCIAS = [2, 20, 53, 230, 247, 151, 248]
const BASE = [3, 2, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 40, 72, 136, 264]
const BITS_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
const FIM = 519

const JANELA = 4096
const SAIDA = 64 * 1024
/** No symbol takes more bytes than this. */
const BYTES_POR_SIMBOLO = 8

interface Tabela {
  bits: number
  /** By the next `bits` bits: the symbol, times 16, plus the length of its code. */
  entradas: Uint16Array
}

function createTabela(repetidos: number[]): Tabela {
  const tamanhos = repetidos.flatMap((r) => Array<number>((r >> 4) + 1).fill(r & 15))
  const bits = Math.max(...tamanhos)
  const entradas = new Uint16Array(1 << bits)
  let codigo = 0
  for (let tamanho = 1; tamanho <= bits; tamanho++) {
    codigo <<= 1
    for (const [simbolo, t] of tamanhos.entries()) {
      if (t !== tamanho) continue
      for (let i = reverseInverted(codigo, tamanho); i < entradas.length; i += 1 << tamanho) {
        entradas[i] = simbolo * 16 + tamanho
      }
      codigo++
    }
  }
  return { bits, entradas }
}

function reverseInverted(codigo: number, tamanho: number): number {
  let saida = 0
  for (let i = 0; i < tamanho; i++) saida |= (1 ^ ((codigo >> (tamanho - 1 - i)) & 1)) << i
  return saida
}

const TABELA_LITERAIS = createTabela(LITERAIS)
const TABELA_COMPRIMENTOS = createTabela(COMPRIMENTOS)
const TABELA_DISTANCIAS = createTabela(DISTANCIAS)

/** Ends at the end code; what follows it is ignored. A stream that stops before it just stops. */
export async function* explode(pedacos: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const expansor = new Expansor()
  for await (const pedaco of pedacos) {
    yield* expansor.push(pedaco, false)
    if (expansor.terminou) return
  }
  yield* expansor.push(Buffer.alloc(0), true)
}

class Expansor {
  terminou = false
  #entrada: Buffer = Buffer.alloc(0)
  #posicao = 0
  #bits = 0
  #quantos = 0
  #codificados = false
  /** Low bits of a distance; 0 until the two bytes at the start have been read. */
  #dicionario = 0
  /** The last JANELA bytes that went out, then those that have not. */
  readonly #saida = Buffer.alloc(JANELA + SAIDA)
  #fim = JANELA
  #total = 0

  /** Negative once zeros were read in the place of what is missing. */
  #bitsLeft(): number {
    return (this.#entrada.length - this.#posicao) * 8 + this.#quantos
  }

  *push(pedaco: Buffer, final: boolean): Generator<Buffer> {
    this.#entrada = Buffer.concat([this.#entrada.subarray(this.#posicao), pedaco])
    this.#posicao = 0
    const reserva = final ? 1 : BYTES_POR_SIMBOLO * 8
    if (this.#dicionario === 0 && this.#entrada.length >= 2) this.#readInicio()
    while (this.#dicionario !== 0 && !this.terminou && this.#bitsLeft() >= reserva) {
      const antes = this.#fim
      this.#readSimbolo()
      // Half a symbol at the end of a cut file must not pass for data.
      if (this.#bitsLeft() < 0) this.#fim = antes
      if (this.#fim > JANELA + SAIDA - FIM) yield this.#take()
    }
    if ((final || this.terminou) && this.#fim > JANELA) yield this.#take()
  }

  #take(): Buffer {
    const pronto = Buffer.from(this.#saida.subarray(JANELA, this.#fim))
    this.#saida.copyWithin(0, this.#fim - JANELA, this.#fim)
    this.#fim = JANELA
    return pronto
  }

  #readInicio(): void {
    const [tipo, dicionario] = [this.#entrada[0] as number, this.#entrada[1] as number]
    if (tipo > 1 || dicionario < 4 || dicionario > 6) throw corrompido()
    this.#codificados = tipo === 1
    this.#dicionario = dicionario
    this.#posicao = 2
  }

  #readSimbolo(): void {
    this.#fill()
    if (this.#takeBits(1) === 0) {
      const byte = this.#codificados ? this.#decode(TABELA_LITERAIS) : this.#takeBits(8)
      this.#saida[this.#fim++] = byte
      this.#total++
      return
    }
    const codigo = this.#decode(TABELA_COMPRIMENTOS)
    const comprimento = (BASE[codigo] as number) + this.#takeBits(BITS_EXTRA[codigo] as number)
    if (comprimento === FIM) {
      this.terminou = true
      return
    }
    this.#fill()
    const baixos = comprimento === 2 ? 2 : this.#dicionario
    const distancia = (this.#decode(TABELA_DISTANCIAS) << baixos) + this.#takeBits(baixos) + 1
    if (distancia > this.#total) {
      // Made of zeros after the end of a cut file, it says nothing.
      if (this.#bitsLeft() < 0) return
      throw corrompido()
    }
    this.#copy(distancia, comprimento)
  }

  /** Byte by byte where the copy overlaps itself: that is how a run is written. */
  #copy(distancia: number, comprimento: number): void {
    const saida = this.#saida
    const de = this.#fim - distancia
    if (distancia >= comprimento) saida.copyWithin(this.#fim, de, de + comprimento)
    else for (let i = 0; i < comprimento; i++) saida[this.#fim + i] = saida[de + i] as number
    this.#fim += comprimento
    this.#total += comprimento
  }

  /** At least 25 bits; zeros after the end of the input. */
  #fill(): void {
    while (this.#quantos <= 24) {
      this.#bits |= (this.#entrada[this.#posicao] ?? 0) << this.#quantos
      this.#posicao++
      this.#quantos += 8
    }
  }

  #takeBits(n: number): number {
    const valor = this.#bits & ((1 << n) - 1)
    this.#bits >>>= n
    this.#quantos -= n
    return valor
  }

  #decode({ bits, entradas }: Tabela): number {
    const entrada = entradas[this.#bits & ((1 << bits) - 1)] as number
    this.#takeBits(entrada & 15)
    return entrada >> 4
  }
}

function corrompido(): ArquivoInvalido {
  return new ArquivoInvalido('Os dados compactados do arquivo DBC estão corrompidos. Baixe-o de novo.')
}
